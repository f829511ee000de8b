#include "ron_outcomes.hpp"

#include "posterior.hpp"

namespace haiyomi {

void add_outcomes(const double* cells, const std::int64_t* points, RonOutcomes& to) {
  double sum = 0.0, loss = 0.0;
  for (std::size_t i = 0; i < kHan * kFu; ++i) {
    const double p = cells[i];
    if (p == 0.0) continue;
    const std::size_t fu = i % kFu;
    const double han = static_cast<double>(i / kFu), cost = static_cast<double>(points[i]);
    to.rows.insert(to.rows.end(), {han, fu == 2 ? 25.0 : 10.0 * static_cast<double>(fu), cost, p});
    sum += p;
    loss += cost * p;
  }
  to.ends.push_back(static_cast<std::int64_t>(to.rows.size() / 4));
  to.sums.push_back(sum);
  to.losses.push_back(loss);
}

}  // namespace haiyomi
