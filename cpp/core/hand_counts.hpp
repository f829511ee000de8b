// Exact sums over every hand of a given number of tiles, by the counts of its kinds.
//
// A hand is 34 counts 0-4; its weight is a product of one factor a kind. The sum over all hands of
// exactly `total` tiles runs over the kinds with the tiles so far as its state.
#pragma once
#include <array>
#include <cstdint>

#include "suits.hpp"

namespace haiyomi {

using CountWeights = std::array<std::array<double, 5>, 34>;  // weight of holding 0-4 of a kind

class HandCounts {
 public:
  // False if no hand of `total` tiles, at most kMostTiles, has a positive weight.
  bool forward(const CountWeights& weights, int total);

  // Sum of all weights.
  double sum() const { return first_[34][total_]; }

  // P(a hand holds k of a kind), after forward().
  void marginals(CountWeights& out) const;

  // One hand drawn from the distribution; `next` gives numbers in [0, 1).
  template <class Uniform>
  void sample(Uniform&& next, std::uint8_t* counts) const;

  // The hand of the largest weight; returns that weight, 0 if no hand has one.
  static double best(const CountWeights& weights, int total, std::uint8_t* counts);

 private:
  using Totals = std::array<double, kMostTiles + 1>;
  CountWeights weights_{};
  std::array<Totals, 35> first_{};  // sums over the first j kinds, by their tiles
  int total_ = 0;
};

template <class Uniform>
void HandCounts::sample(Uniform&& next, std::uint8_t* counts) const {
  int left = total_;
  for (int h = 33; h >= 0; --h) {
    double u = next() * first_[h + 1][left];
    int chosen = 0;
    for (int k = 0; k <= 4 && k <= left; ++k) {
      const double w = first_[h][left - k] * weights_[h][k];
      if (w <= 0) continue;
      chosen = k;
      u -= w;
      if (u < 0) break;
    }
    counts[h] = static_cast<std::uint8_t>(chosen);
    left -= chosen;
  }
}

}  // namespace haiyomi
