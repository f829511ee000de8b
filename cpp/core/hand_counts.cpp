#include "hand_counts.hpp"

namespace haiyomi {

bool HandCounts::forward(const CountWeights& weights, int total) {
  weights_ = weights;
  total_ = total;
  first_[0].fill(0);
  first_[0][0] = 1;
  for (int h = 0; h < 34; ++h) {
    first_[h + 1].fill(0);
    for (int k = 0; k < 5; ++k) {
      const double w = weights[h][k];
      if (w <= 0) continue;
      for (int t = 0; t + k <= total; ++t) first_[h + 1][t + k] += first_[h][t] * w;
    }
  }
  return sum() > 0;
}

void HandCounts::marginals(CountWeights& out) const {
  Totals rest{};  // sums over the later kinds, by the tiles of the earlier ones
  rest[total_] = 1 / sum();
  for (int h = 33; h >= 0; --h) {
    Totals before{};
    for (int k = 0; k < 5; ++k) {
      double expected = 0;
      for (int t = 0; t + k <= total_; ++t) {
        const double w = weights_[h][k] * rest[t + k];
        before[t] += w;
        expected += first_[h][t] * w;
      }
      out[h][k] = expected;
    }
    rest = before;
  }
}

double HandCounts::best(const CountWeights& weights, int total, std::uint8_t* counts) {
  std::array<Totals, 35> most{};  // the largest weight of the first j kinds, by their tiles
  std::array<std::array<std::uint8_t, kMostTiles + 1>, 35> last{};
  most[0][0] = 1;
  for (int h = 0; h < 34; ++h)
    for (int k = 0; k < 5; ++k)
      for (int t = 0; t + k <= total; ++t) {
        const double w = most[h][t] * weights[h][k];
        if (w > most[h + 1][t + k]) {
          most[h + 1][t + k] = w;
          last[h + 1][t + k] = static_cast<std::uint8_t>(k);
        }
      }
  for (int h = 33, t = total; h >= 0; --h) {
    counts[h] = last[h + 1][t];
    t -= counts[h];
  }
  return most[34][total];
}

}  // namespace haiyomi
