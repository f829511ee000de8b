#include "count_chain.hpp"

#include <algorithm>
#include <vector>

namespace haiyomi {
namespace {

int most_of(const Node& node) {
  for (int k = 4; k > 0; --k)
    if (node[k] > 0) return k;
  return 0;
}

}  // namespace

bool CountChain::forward(const ChainRow& row) {
  row_ = row;
  for (int h = 0; h < 34; ++h) most_[h] = std::min(most_of(row.nodes[h]), row.total);
  const int total = row.total;
  for (int s = 0; s < 3; ++s) {
    const Node* node = &row.nodes[9 * s];
    const int* most = &most_[9 * s];
    auto& layers = alpha_[s];
    for (int i = 1; i < 9; ++i)
      for (int a = 0; a <= most[i - 1]; ++a)
        for (int b = 0; b <= most[i]; ++b) layers[i][a][b].fill(0);
    for (int a = 0; a <= most[0]; ++a)
      for (int b = 0; b <= most[1]; ++b)
        if (a + b <= total) layers[1][a][b][a + b] = node[0][a] * node[1][b];
    for (int i = 2; i < 9; ++i) {
      const double* table = row.triples + (i - 2) * kTripleCells;
      for (int b = 0; b <= most[i - 1]; ++b)
        for (int c = 0; c <= most[i]; ++c) {
          if (node[i][c] <= 0) continue;
          double* to = layers[i][b][c].data() + c;
          for (int a = 0; a <= most[i - 2]; ++a) {
            const double w = node[i][c] * table[25 * a + 5 * b + c];
            const double* from = layers[i - 1][a][b].data();
            for (int t = 0; t + c <= total; ++t) to[t] += w * from[t];
          }
        }
    }
    part_[s].fill(0);
    for (int a = 0; a <= most[7]; ++a)
      for (int b = 0; b <= most[8]; ++b)
        for (int t = 0; t <= total; ++t) part_[s][t] += layers[8][a][b][t];
    // Unreachable counts must be zero where a sample reads the last layer.
    for (int a = 0; a < 5; ++a)
      for (int b = 0; b < 5; ++b)
        if (a > most[7] || b > most[8]) layers[8][a][b].fill(0);
  }
  auto& honour = honour_;
  for (auto& layer : honour) layer.fill(0);
  honour[0][0] = 1;
  for (int h = 0; h < 7; ++h)
    for (int k = 0; k <= most_[27 + h]; ++k)
      for (int t = 0; t + k <= total; ++t) honour[h + 1][t + k] += honour[h][t] * row.nodes[27 + h][k];
  part_[3] = honour[7];
  for (auto& layer : joined_) layer.fill(0);
  joined_[0][0] = 1;
  for (int p = 0; p < 4; ++p)
    for (int k = 0; k <= total; ++k)
      for (int t = 0; t + k <= total; ++t) joined_[p + 1][t + k] += joined_[p][t] * part_[p][k];
  sum_ = joined_[4][total];
  return sum_ > 0;
}

// out[t]: weight of everything but `part` when that part holds t tiles.
void CountChain::outside(int part, Totals& out) const {
  Totals rest{};
  rest[0] = 1;
  for (int p = 0; p < 4; ++p) {
    if (p == part) continue;
    Totals next{};
    for (int k = 0; k <= row_.total; ++k)
      for (int t = 0; t + k <= row_.total; ++t) next[t + k] += rest[t] * part_[p][k];
    rest = next;
  }
  out.fill(0);
  for (int t = 0; t <= row_.total; ++t) out[t] = rest[row_.total - t];
}

void CountChain::backward(Nodes& marginals, double* triples) {
  const int total = row_.total;
  const double scale = 1.0 / sum_;
  for (auto& node : marginals) node.fill(0);
  for (int s = 0; s < 3; ++s) {
    const Node* node = &row_.nodes[9 * s];
    const int* most = &most_[9 * s];
    Node* marginal = &marginals[9 * s];
    Totals end;
    outside(s, end);
    for (double& w : end) w *= scale;
    Layer beta;
    for (int a = 0; a <= most[7]; ++a)
      for (int b = 0; b <= most[8]; ++b) beta[a][b] = end;
    for (int i = 8; i >= 2; --i) {
      const double* table = row_.triples + (i - 2) * kTripleCells;
      Layer before;
      for (int a = 0; a <= most[i - 2]; ++a)
        for (int b = 0; b <= most[i - 1]; ++b) {
          Totals& to = before[a][b];
          to.fill(0);
          const Totals& from = alpha_[s][i - 1][a][b];
          for (int c = 0; c <= most[i]; ++c) {
            const double w = node[i][c] * table[25 * a + 5 * b + c];
            if (w <= 0) continue;
            const double* later = beta[b][c].data() + c;
            double expected = 0;
            for (int t = 0; t + c <= total; ++t) {
              const double v = w * later[t];
              to[t] += v;
              expected += from[t] * v;
            }
            if (triples != nullptr) triples[(i - 2) * kTripleCells + 25 * a + 5 * b + c] += expected;
            marginal[i][c] += expected;
            if (i == 2) {
              marginal[0][a] += expected;
              marginal[1][b] += expected;
            }
          }
        }
      beta = before;
    }
  }
  Totals end;
  outside(3, end);
  for (double& w : end) w *= scale;
  for (int h = 6; h >= 0; --h) {
    Totals before{};
    for (int k = 0; k <= most_[27 + h]; ++k) {
      const double w = row_.nodes[27 + h][k];
      double expected = 0;
      for (int t = 0; t + k <= total; ++t) {
        const double v = w * end[t + k];
        before[t] += v;
        expected += honour_[h][t] * v;
      }
      marginals[27 + h][k] = expected;
    }
    end = before;
  }
}

double CountChain::weight(const ChainRow& row, const std::uint8_t* counts) {
  double w = 1;
  for (int h = 0; h < 34; ++h) w *= counts[h] <= 4 ? row.nodes[h][counts[h]] : 0.0;
  for (int s = 0; s < 3; ++s)
    for (int i = 0; i < kTripleStarts; ++i) {
      const std::uint8_t* at = counts + 9 * s + i;
      w *= row.triples[i * kTripleCells + 25 * at[0] + 5 * at[1] + at[2]];
    }
  return w;
}

double CountChain::best(const ChainRow& row, std::uint8_t* counts) {
  const int total = row.total;
  // Max-product: the largest term in place of the sum; from[] records which it was.
  struct Cell {
    double w = 0;
    std::int8_t from = -1;
  };
  using Layer = std::array<std::array<std::array<Cell, kChainTotals>, 5>, 5>;
  std::vector<std::array<Layer, 9>> layers(3);
  std::array<std::array<Cell, kChainTotals>, 4> part{};
  for (int s = 0; s < 3; ++s) {
    const Node* node = &row.nodes[9 * s];
    for (int a = 0; a < 5; ++a)
      for (int b = 0; b < 5; ++b)
        if (a + b <= total) layers[s][1][a][b][a + b].w = node[0][a] * node[1][b];
    for (int i = 2; i < 9; ++i)
      for (int a = 0; a < 5; ++a)
        for (int b = 0; b < 5; ++b)
          for (int c = 0; c < 5; ++c) {
            const double f = node[i][c] * row.triples[(i - 2) * kTripleCells + 25 * a + 5 * b + c];
            for (int t = 0; t + c <= total; ++t) {
              const double w = layers[s][i - 1][a][b][t].w * f;
              Cell& to = layers[s][i][b][c][t + c];
              if (w > to.w) to = {w, static_cast<std::int8_t>(a)};
            }
          }
    for (int a = 0; a < 5; ++a)
      for (int b = 0; b < 5; ++b)
        for (int t = 0; t <= total; ++t)
          if (layers[s][8][a][b][t].w > part[s][t].w)
            part[s][t] = {layers[s][8][a][b][t].w, static_cast<std::int8_t>(5 * a + b)};
  }
  std::array<std::array<Cell, kChainTotals>, 8> honour{};
  honour[0][0].w = 1;
  for (int h = 0; h < 7; ++h)
    for (int k = 0; k < 5; ++k)
      for (int t = 0; t + k <= total; ++t) {
        const double w = honour[h][t].w * row.nodes[27 + h][k];
        if (w > honour[h + 1][t + k].w) honour[h + 1][t + k] = {w, static_cast<std::int8_t>(k)};
      }
  part[3] = honour[7];
  std::array<std::array<Cell, kChainTotals>, 5> joined{};
  joined[0][0].w = 1;
  for (int p = 0; p < 4; ++p)
    for (int k = 0; k <= total; ++k)
      for (int t = 0; t + k <= total; ++t) {
        const double w = joined[p][t].w * part[p][k].w;
        if (w > joined[p + 1][t + k].w) joined[p + 1][t + k] = {w, static_cast<std::int8_t>(k)};
      }
  const double found = joined[4][total].w;
  if (found <= 0) return 0;
  int left = total;
  for (int p = 3; p >= 0; --p) {
    int t = joined[p + 1][left].from;
    left -= t;
    if (p == 3) {
      for (int h = 6; h >= 0; --h) {
        const int k = honour[h + 1][t].from;
        counts[27 + h] = static_cast<std::uint8_t>(k);
        t -= k;
      }
      continue;
    }
    int a = part[p][t].from / 5, b = part[p][t].from % 5;
    counts[9 * p + 8] = static_cast<std::uint8_t>(b);
    counts[9 * p + 7] = static_cast<std::uint8_t>(a);
    for (int i = 8; i >= 2; --i) {
      const int z = layers[p][i][a][b][t].from;
      counts[9 * p + i - 2] = static_cast<std::uint8_t>(z);
      t -= b;
      b = a;
      a = z;
    }
  }
  return found;
}

}  // namespace haiyomi
