#include "ron_outcomes.hpp"

#include <algorithm>

#include "posterior.hpp"

namespace haiyomi {
namespace {

// In the order in which NumPy adds up a row.
double sum_of(const double* row) {
  double sum = ((row[0] + row[1]) + (row[2] + row[3])) + ((row[4] + row[5]) + (row[6] + row[7]));
  for (std::size_t i = 8; i < kFu; ++i) sum += row[i];
  return sum;
}

}  // namespace

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

void add_red_five(const double* cells, double* out) {
  constexpr std::size_t kLimit = (kHan - 1) * kFu;
  std::fill_n(out, kFu, 0.0);
  std::copy_n(cells, kLimit - kFu, out + kFu);
  // What reaches the last han is a limit hand, which has no fu.
  out[kLimit] = sum_of(cells + kLimit) + sum_of(cells + kLimit - kFu);
  std::fill_n(out + kLimit + 1, kFu - 1, 0.0);
}

}  // namespace haiyomi
