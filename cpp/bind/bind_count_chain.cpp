#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include "arrays.hpp"
#include "bind.hpp"
#include "count_chain.hpp"

namespace haiyomi {
namespace {

using LogNodes = Values<double, nb::shape<-1, 34, 5>>;
using RowTotals = Values<std::uint8_t, nb::ndim<1>>;
using RowTables = Values<std::uint16_t, nb::ndim<1>>;
using Tables = Values<double, nb::shape<-1, kTripleStarts, kTripleCells>>;
using Seeds = Values<std::uint64_t, nb::ndim<1>>;
constexpr std::size_t kMostHands = 10'000'000;  // of one call: 340 MB
constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// Rows as they come from Python: log weights of the nodes, weights of the triples.
struct Rows {
  const LogNodes& nodes;
  const RowTotals& totals;
  const RowTables& which;
  const Tables& tables;

  std::size_t check() const {
    const std::size_t n = nodes.shape(0);
    if (totals.shape(0) != n || which.shape(0) != n)
      throw nb::value_error("nodes, totals and which differ in length");
    for (std::size_t i = 0; i < n; ++i) {
      if (totals(i) > kChainTotal) throw nb::value_error("a hand has at most 14 tiles");
      if (which(i) >= tables.shape(0)) throw nb::value_error("which names no table");
    }
    // A logarithm may be that of nothing; of no other number that is not finite.
    constexpr double kInf = std::numeric_limits<double>::infinity();
    if (!std::all_of(nodes.data(), nodes.data() + n * 170, [](double v) { return v < kInf; }))
      throw nb::value_error("nodes must be logarithms: below infinity");
    const std::size_t cells = tables.shape(0) * kTripleStarts * kTripleCells;
    if (!std::all_of(tables.data(), tables.data() + cells,
                     [](double v) { return v >= 0.0 && v < kInf; }))
      throw nb::value_error("weights of triples must be finite and not negative");
    return n;
  }

  // The row, and what was taken out of its logarithms: each kind's largest.
  double row(std::size_t i, ChainRow& out) const {
    const double* at = nodes.data() + i * 170;
    double shift = 0;
    for (int h = 0; h < 34; ++h, at += 5) {
      const double top = *std::max_element(at, at + 5);
      shift += top;
      for (int k = 0; k < 5; ++k) out.nodes[h][k] = std::exp(at[k] - top);
    }
    out.triples = tables.data() + which(i) * kTripleStarts * kTripleCells;
    out.total = totals(i);
    return shift;
  }
};

void raise_empty(std::size_t row) {
  if (row == kNone) return;
  throw nb::value_error(("row " + std::to_string(row) + ": no hand has a weight").c_str());
}

std::tuple<Out<double, 1>, Out<double, 3>> marginals(const LogNodes& nodes, const RowTotals& totals,
                                                     const RowTables& which, const Tables& tables) {
  const Rows rows{nodes, totals, which, tables};
  const std::size_t n = rows.check();
  auto log_sum = make_1d<double>(n);
  std::unique_ptr<double[]> data(new double[n * 170]());
  double* to = data.get();
  const nb::capsule hold = owner(std::move(data));
  const std::size_t bad = without_gil([&] {
    auto chain = std::make_unique<CountChain>();
    ChainRow row;
    Nodes out;
    for (std::size_t i = 0; i < n; ++i) {
      const double shift = rows.row(i, row);
      if (!chain->forward(row)) return i;
      log_sum.data()[i] = std::log(chain->sum()) + shift;
      chain->backward(out, nullptr);
      std::memcpy(to + i * 170, out.data(), sizeof(double) * 170);
    }
    return kNone;
  });
  raise_empty(bad);
  return {log_sum, Out<double, 3>(to, {n, 34, 5}, hold)};
}

std::tuple<Out<double, 1>, Out<double, 3>, Out<double, 3>> gradient(
    const LogNodes& nodes, const RowTotals& totals, const RowTables& which, const Tables& tables,
    const CountRows& truth) {
  const Rows rows{nodes, totals, which, tables};
  const std::size_t n = rows.check();
  if (truth.shape(0) != n) throw nb::value_error("truth differs in length");
  const std::size_t m = tables.shape(0);
  constexpr std::size_t kCells = kTripleStarts * kTripleCells;
  auto log_likelihood = make_1d<double>(n);
  std::unique_ptr<double[]> data(new double[n * 170]());
  std::unique_ptr<double[]> table_data(new double[m * kCells]());
  double* to = data.get();
  double* cells = table_data.get();
  const nb::capsule hold = owner(std::move(data));
  const nb::capsule hold_cells = owner(std::move(table_data));
  const std::size_t bad = without_gil([&] {
    auto chain = std::make_unique<CountChain>();
    ChainRow row;
    Nodes out;
    for (std::size_t i = 0; i < n; ++i) {
      rows.row(i, row);
      const std::uint8_t* held = truth.data() + 34 * i;
      for (int h = 0; h < 34; ++h)
        if (held[h] > 4) return i;
      if (!chain->forward(row)) return i;
      log_likelihood.data()[i] = std::log(CountChain::weight(row, held) / chain->sum());
      double* table = cells + which(i) * kCells;
      chain->backward(out, table);
      for (int s = 0; s < 3; ++s)
        for (int j = 0; j < kTripleStarts; ++j) {
          const std::uint8_t* at = held + 9 * s + j;
          table[j * kTripleCells + 25 * at[0] + 5 * at[1] + at[2]] -= 1.0;
        }
      for (int h = 0; h < 34; ++h) out[h][held[h]] -= 1.0;
      std::memcpy(to + i * 170, out.data(), sizeof(double) * 170);
    }
    return kNone;
  });
  raise_empty(bad);
  return {log_likelihood, Out<double, 3>(to, {n, 34, 5}, hold),
          Out<double, 3>(cells, {m, kTripleStarts, kTripleCells}, hold_cells)};
}

// Numbers from a seed, the same on every platform (splitmix64).
struct Numbers {
  std::uint64_t state;
  double operator()() {
    state += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    z ^= z >> 31;
    return static_cast<double>(z >> 11) * 0x1.0p-53;
  }
};

Out<std::uint8_t, 3> samples(const LogNodes& nodes, const RowTotals& totals, const RowTables& which,
                             const Tables& tables, const Seeds& seeds, std::size_t draws) {
  const Rows rows{nodes, totals, which, tables};
  const std::size_t n = rows.check();
  if (seeds.shape(0) != n) throw nb::value_error("seeds differ in length");
  if (draws > 1'000'000) throw nb::value_error("at most 1000000 draws a row");
  if (n > 0 && draws > kMostHands / n) throw nb::value_error("at most 10000000 hands a call");
  std::unique_ptr<std::uint8_t[]> data(new std::uint8_t[n * draws * 34]());
  std::uint8_t* to = data.get();
  const nb::capsule hold = owner(std::move(data));
  const std::size_t bad = without_gil([&] {
    auto chain = std::make_unique<CountChain>();
    ChainRow row;
    std::uint8_t* at = to;
    for (std::size_t i = 0; i < n; ++i) {
      rows.row(i, row);
      if (!chain->forward(row)) return i;
      Numbers next{seeds(i)};
      for (std::size_t d = 0; d < draws; ++d, at += 34) chain->sample(next, at);
    }
    return kNone;
  });
  raise_empty(bad);
  return Out<std::uint8_t, 3>(to, {n, draws, 34}, hold);
}

std::tuple<Out<double, 1>, Out<std::uint8_t, 2>> best(const LogNodes& nodes, const RowTotals& totals,
                                                      const RowTables& which,
                                                      const Tables& tables) {
  const Rows rows{nodes, totals, which, tables};
  const std::size_t n = rows.check();
  auto log_weight = make_1d<double>(n);
  auto hands = make_2d<std::uint8_t>(n, 34);
  const std::size_t bad = without_gil([&] {
    ChainRow row;
    for (std::size_t i = 0; i < n; ++i) {
      const double shift = rows.row(i, row);
      const double w = CountChain::best(row, hands.data() + 34 * i);
      if (!(w > 0)) return i;
      log_weight.data()[i] = std::log(w) + shift;
    }
    return kNone;
  });
  raise_empty(bad);
  return {log_weight, hands};
}

}  // namespace
}  // namespace haiyomi

void bind_count_chain(nb::module_& m) {
  using namespace haiyomi;
  m.def("chain_marginals", &marginals, nb::arg("nodes"), nb::arg("totals"), nb::arg("which"),
        nb::arg("tables"), "Log of the sum over all hands, and P(n_h = k).");
  m.def("chain_gradient", &gradient, nb::arg("nodes"), nb::arg("totals"), nb::arg("which"),
        nb::arg("tables"), nb::arg("truth"),
        "Log likelihood, and expected less true counts of nodes and triples.");
  m.def("chain_samples", &samples, nb::arg("nodes"), nb::arg("totals"), nb::arg("which"),
        nb::arg("tables"), nb::arg("seeds"), nb::arg("draws"), "Hands drawn from each row.");
  m.def("chain_best", &best, nb::arg("nodes"), nb::arg("totals"), nb::arg("which"),
        nb::arg("tables"), "The hand of the largest weight of each row.");
}
