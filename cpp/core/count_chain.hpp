// Exact sums over every hand of a given number of tiles, for weights of a product form.
//
// A hand is 34 counts 0-4. Its weight is a product of one factor a kind and, within each suit,
// one factor for every three neighbouring kinds. The sum over all hands of exactly `total`
// tiles runs over the kinds of a suit with the last two counts and the running total as its
// state; the suits and the honours then meet in their totals alone.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace haiyomi {

inline constexpr int kChainTotal = 14;             // no hand has more tiles
inline constexpr int kChainTotals = kChainTotal + 1;
inline constexpr int kTripleStarts = 7;            // 123, 234, ... 789 of a suit
inline constexpr int kTripleCells = 125;           // counts of three neighbours, 25a + 5b + c
using Node = std::array<double, 5>;                // weight of holding 0-4 of a kind
using Nodes = std::array<Node, 34>;

// One row's weights. `triples` has kTripleStarts * kTripleCells factors, none negative.
struct ChainRow {
  Nodes nodes{};
  const double* triples = nullptr;
  int total = 0;
};

// The sums of one row, from which marginals, samples and gradients follow.
class CountChain {
 public:
  // False if no hand has a positive weight.
  bool forward(const ChainRow& row);

  // Sum of all weights (of the nodes as given).
  double sum() const { return sum_; }

  // P(n_h = k) into marginals; `triples`, unless null, receives the expected number of each
  // triple of counts at each start, added to what it holds.
  void backward(Nodes& marginals, double* triples);

  // One hand drawn from the distribution; `next` gives numbers in [0, 1).
  template <class Uniform>
  void sample(Uniform&& next, std::uint8_t* counts) const;

  // Weight of one hand.
  static double weight(const ChainRow& row, const std::uint8_t* counts);

  // The hand of the largest weight; returns that weight, 0 if no hand has one.
  static double best(const ChainRow& row, std::uint8_t* counts);

 private:
  using Totals = std::array<double, kChainTotals>;
  using Layer = std::array<std::array<Totals, 5>, 5>;  // [count before][count][total so far]
  ChainRow row_;
  std::array<int, 34> most_{};                         // largest count with a weight
  std::array<std::array<Layer, 9>, 3> alpha_;          // layers 1-8 of each suit
  std::array<Totals, 8> honour_;                       // sums over the first j honours
  std::array<Totals, 4> part_;                         // sums of m, p, s, honours by total
  std::array<Totals, 5> joined_;                       // of the first j parts
  double sum_ = 0;

  void outside(int part, Totals& out) const;
};

template <class Weights>
int chain_pick(const Weights& weights, int n, double u) {
  double all = 0;
  for (int i = 0; i < n; ++i) all += weights[i];
  double left = u * all;
  int last = 0;
  for (int i = 0; i < n; ++i) {
    if (weights[i] <= 0) continue;
    last = i;
    left -= weights[i];
    if (left < 0) break;
  }
  return last;
}

template <class Uniform>
void CountChain::sample(Uniform&& next, std::uint8_t* counts) const {
  std::array<int, 4> totals{};
  int left = row_.total;
  for (int part = 3; part >= 0; --part) {
    std::array<double, kChainTotals> w{};
    for (int t = 0; t <= left; ++t) w[t] = part_[part][t] * joined_[part][left - t];
    totals[part] = chain_pick(w, left + 1, next());
    left -= totals[part];
  }
  int t = totals[3];
  for (int h = 6; h >= 0; --h) {
    std::array<double, 5> w{};
    for (int k = 0; k <= most_[27 + h] && k <= t; ++k)
      w[k] = honour_[h][t - k] * row_.nodes[27 + h][k];
    const int k = chain_pick(w, 5, next());
    counts[27 + h] = static_cast<std::uint8_t>(k);
    t -= k;
  }
  for (int s = 0; s < 3; ++s) {
    t = totals[s];
    std::array<double, 25> w{};
    for (int a = 0; a < 5; ++a)
      for (int b = 0; b < 5; ++b) w[5 * a + b] = alpha_[s][8][a][b][t];
    const int ab = chain_pick(w, 25, next());
    int b = ab % 5, a = ab / 5;
    counts[9 * s + 8] = static_cast<std::uint8_t>(b);
    counts[9 * s + 7] = static_cast<std::uint8_t>(a);
    for (int i = 8; i >= 2; --i) {
      const double* table = row_.triples + (i - 2) * kTripleCells;
      std::array<double, 5> v{};
      t -= b;
      for (int z = 0; z <= most_[9 * s + i - 2]; ++z)
        v[z] = alpha_[s][i - 1][z][a][t] * table[25 * z + 5 * a + b];
      const int z = chain_pick(v, 5, next());
      counts[9 * s + i - 2] = static_cast<std::uint8_t>(z);
      b = a;
      a = z;
    }
  }
}

}  // namespace haiyomi
