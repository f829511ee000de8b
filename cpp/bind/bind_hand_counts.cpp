#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "arrays.hpp"
#include "bind.hpp"
#include "hand_counts.hpp"
#include "mixed.hpp"

namespace haiyomi {
namespace {

using LogWeights = Values<double, nb::shape<-1, 34, 5>>;
using RowTotals = Values<std::uint8_t, nb::ndim<1>>;
using Seeds = Values<std::uint64_t, nb::ndim<1>>;
constexpr std::size_t kMostHands = 10'000'000;  // of one call: 340 MB
constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// Rows as they come from Python: logarithms of the weights.
struct Rows {
  const LogWeights& logs;
  const RowTotals& totals;

  std::size_t check() const {
    const std::size_t n = logs.shape(0);
    if (totals.shape(0) != n) throw nb::value_error("log weights and totals differ in length");
    for (std::size_t i = 0; i < n; ++i)
      if (totals(i) > kMostTiles) throw nb::value_error("a hand has at most 14 tiles");
    // A logarithm may be that of nothing; of no other number that is not finite.
    constexpr double kInf = std::numeric_limits<double>::infinity();
    if (!std::all_of(logs.data(), logs.data() + n * 170, [](double v) { return v < kInf; }))
      throw nb::value_error("log weights must be logarithms: below infinity");
    return n;
  }

  // The weights of a row, and what was taken out of their logarithms: each kind's largest.
  double row(std::size_t i, CountWeights& out) const {
    const double* at = logs.data() + i * 170;
    double shift = 0;
    for (int h = 0; h < 34; ++h, at += 5) {
      const double top = *std::max_element(at, at + 5);
      shift += top;
      for (int k = 0; k < 5; ++k) out[h][k] = std::exp(at[k] - top);
    }
    return shift;
  }
};

void raise_empty(std::size_t row) {
  if (row == kNone) return;
  throw nb::value_error(("row " + std::to_string(row) + ": no hand has a weight").c_str());
}

std::tuple<Out<double, 1>, Out<double, 3>> marginals(const LogWeights& logs,
                                                     const RowTotals& totals) {
  const Rows rows{logs, totals};
  const std::size_t n = rows.check();
  auto log_sum = make_1d<double>(n);
  std::unique_ptr<double[]> data(new double[n * 170]());
  double* to = data.get();
  const nb::capsule hold = owner(std::move(data));
  const std::size_t bad = without_gil([&] {
    HandCounts counts;
    CountWeights weights, out;
    for (std::size_t i = 0; i < n; ++i) {
      const double shift = rows.row(i, weights);
      if (!counts.forward(weights, totals(i))) return i;
      log_sum.data()[i] = std::log(counts.sum()) + shift;
      counts.marginals(out);
      std::memcpy(to + i * 170, out.data(), sizeof(double) * 170);
    }
    return kNone;
  });
  raise_empty(bad);
  return {log_sum, Out<double, 3>(to, {n, 34, 5}, hold)};
}

Out<std::uint8_t, 3> samples(const LogWeights& logs, const RowTotals& totals, const Seeds& seeds,
                             std::size_t draws) {
  const Rows rows{logs, totals};
  const std::size_t n = rows.check();
  if (seeds.shape(0) != n) throw nb::value_error("seeds differ in length");
  if (draws > 1'000'000) throw nb::value_error("at most 1000000 draws a row");
  if (n > 0 && draws > kMostHands / n) throw nb::value_error("at most 10000000 hands a call");
  std::unique_ptr<std::uint8_t[]> data(new std::uint8_t[n * draws * 34]());
  std::uint8_t* to = data.get();
  const nb::capsule hold = owner(std::move(data));
  const std::size_t bad = without_gil([&] {
    HandCounts counts;
    CountWeights weights;
    std::uint8_t* at = to;
    for (std::size_t i = 0; i < n; ++i) {
      rows.row(i, weights);
      if (!counts.forward(weights, totals(i))) return i;
      auto next = [state = seeds(i)]() mutable { return uniform(&state); };
      for (std::size_t d = 0; d < draws; ++d, at += 34) counts.sample(next, at);
    }
    return kNone;
  });
  raise_empty(bad);
  return Out<std::uint8_t, 3>(to, {n, draws, 34}, hold);
}

std::tuple<Out<double, 1>, Out<std::uint8_t, 2>> best(const LogWeights& logs,
                                                      const RowTotals& totals) {
  const Rows rows{logs, totals};
  const std::size_t n = rows.check();
  auto log_weight = make_1d<double>(n);
  auto hands = make_2d<std::uint8_t>(n, 34);
  const std::size_t bad = without_gil([&] {
    CountWeights weights;
    for (std::size_t i = 0; i < n; ++i) {
      const double shift = rows.row(i, weights);
      const double w = HandCounts::best(weights, totals(i), hands.data() + 34 * i);
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

void bind_hand_counts(nb::module_& m) {
  using namespace haiyomi;
  m.def("hand_marginals", &marginals, nb::arg("log_weights"), nb::arg("totals"),
        "Log of the sum over all hands, and P(n_h = k).");
  m.def("hand_samples", &samples, nb::arg("log_weights"), nb::arg("totals"), nb::arg("seeds"),
        nb::arg("draws"), "Hands drawn from each row.");
  m.def("hand_best", &best, nb::arg("log_weights"), nb::arg("totals"),
        "The hand of the largest weight of each row.");
}
