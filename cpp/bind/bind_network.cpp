// The networks over decision records: features for training, and the forward pass.
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "bind.hpp"
#include "decision_records.hpp"
#include "network.hpp"
#include "shares.hpp"

namespace haiyomi {
namespace {

using record::DecisionBytes;
using Weights = Plain<float, nb::ndim<1>>;
using Mirrors = Values<std::uint8_t, nb::ndim<1>>;
using Styles = Plain<float, nb::shape<-1, network::kStyle>>;
using Sizes = std::array<std::size_t, 5>;  // width, blocks, hidden, outputs of a kind, of the whole

network::TowerSizes sizes_of(const Sizes& s) {
  if (s[0] % kLane != 0 || s[2] % kLane != 0 || s[0] > 1024 || s[2] > 1024 || s[1] > 64 ||
      s[3] > 256 || s[4] > 1024 || (s[0] != 0 && s[4] != 0 && s[2] == 0)) {
    throw nb::value_error("width and hidden must be multiples of 16 up to 1024, blocks up to 64");
  }
  return {s[0], s[1], s[2], s[3], s[4]};
}

network::Layout layout_of(const Sizes& decision, const Sizes& opponent) {
  if (decision[0] == 0) throw nb::value_error("the decision tower has no width");
  return {sizes_of(decision), sizes_of(opponent)};
}

network::Network* make(const Sizes& decision, const Sizes& opponent, const Weights& weights, bool rounded) {
  network::Layout layout = layout_of(decision, opponent);
  if (weights.shape(0) != layout.size)
    throw nb::value_error("weights of another size than the network's");
  return new network::Network(std::move(layout), {weights.data(), weights.data() + weights.size()},
                              rounded);
}

void check_rows(std::size_t n, std::size_t others) {
  if (n != others) throw nb::value_error("one mirror and one style for each decision record");
}

// A new array of zeros, and where its numbers are.
template <int N>
std::pair<nb::object, float*> zeros(std::array<std::size_t, N> shape) {
  std::size_t size = 1;
  for (const std::size_t n : shape) size *= n;
  std::unique_ptr<float[]> data(new float[size]());
  float* const at = data.get();
  const nb::capsule hold = owner(std::move(data));
  return {nb::cast(Out<float, N>(at, N, shape.data(), hold)), at};
}

// Refuses NaN and anything from 100 on; a sound network's outputs are below 30.
void check_outputs(const network::Outputs& out, const std::array<std::size_t, 4>& sizes) {
  const std::array<const float*, 4> all{out.kinds, out.whole, out.opponent_kinds,
                                        out.opponent_whole};
  for (std::size_t i = 0; i < 4; ++i) {
    bool sound = true;
    for (std::size_t j = 0; j < sizes[i]; ++j) sound &= std::fabs(all[i][j]) < 100.0f;
    if (!sound) throw std::overflow_error("an output that no sound network has");
  }
}

nb::list parts(const Sizes& decision, const Sizes& opponent) {
  nb::list out;
  for (const network::Part& p : layout_of(decision, opponent).parts) {
    out.append(nb::make_tuple(p.name, p.rows, p.columns));
  }
  return out;
}

// `kChannels`: what the decision tower ends in, instead of what is said of the opponents.
template <bool kChannels>
nb::tuple forward(const network::Network& of, const Records& records, const Mirrors& mirror,
                  const Styles& style) {
  const network::Layout& layout = of.layout();
  const std::size_t n = records.shape(0);
  check_rows(n, mirror.shape(0));
  check_rows(n, style.shape(0));
  const DecisionBytes* data = records_of(records);
  const network::TowerShape &d = layout.decision, &o = layout.opponent;
  const auto [kinds, to_kinds] = zeros<3>({n, 34, d.kinds});
  const auto [whole, to_whole] = zeros<2>({n, d.whole});
  const std::size_t seats = layout.opponents ? 3 : 0;
  const auto [opponent_kinds, to_opponent_kinds] = zeros<4>({n, seats, 34, o.kinds});
  const auto [opponent_whole, to_opponent_whole] = zeros<3>({n, seats, o.whole});
  const auto [ends, to_ends] = zeros<3>({kChannels ? n : 0, 34, d.width});
  const auto [pooled, to_pooled] = zeros<2>({kChannels ? n : 0, d.hidden});
  network::Outputs out{to_kinds, to_whole, to_opponent_kinds, to_opponent_whole};
  if (kChannels) {
    out.channels = to_ends;
    out.pooled = to_pooled;
  }
  without_gil([&] {
    of.forward(data, n, mirror.data(), style.data(), out);
    check_outputs(out, {n * 34 * d.kinds, n * d.whole, n * seats * 34 * o.kinds,
                        n * seats * o.whole});
    return 0;
  });
  if (kChannels) return nb::make_tuple(kinds, whole, ends, pooled);
  return nb::make_tuple(kinds, whole, opponent_kinds, opponent_whole);
}

// The outputs of each record are the mean over the record and its mirror image.
nb::tuple both(const network::Network& of, const Records& records, const Styles& style) {
  const network::Layout& layout = of.layout();
  const std::size_t n = records.shape(0);
  check_rows(n, style.shape(0));
  const DecisionBytes* data = records_of(records);
  const network::TowerShape &d = layout.decision, &o = layout.opponent;
  const std::size_t seats = layout.opponents ? 3 : 0;
  const auto [kinds, to_kinds] = zeros<3>({n, 34, d.kinds});
  const auto [whole, to_whole] = zeros<2>({n, d.whole});
  const auto [opponent_kinds, to_opponent_kinds] = zeros<4>({n, seats, 34, o.kinds});
  const auto [opponent_whole, to_opponent_whole] = zeros<3>({n, seats, o.whole});
  const std::array sizes{34 * d.kinds, d.whole, seats * 34 * o.kinds, seats * o.whole};
  const std::array<float*, 4> means{to_kinds, to_whole, to_opponent_kinds, to_opponent_whole};
  without_gil([&] {
    std::vector<DecisionBytes> twice(data, data + n);
    twice.insert(twice.end(), data, data + n);
    std::vector<std::uint8_t> mirror(2 * n);
    std::fill(mirror.begin() + static_cast<std::ptrdiff_t>(n), mirror.end(), std::uint8_t{1});
    std::vector<float> styles(style.data(), style.data() + n * network::kStyle);
    styles.insert(styles.end(), style.data(), style.data() + n * network::kStyle);
    std::array<std::vector<float>, 4> found;
    for (std::size_t i = 0; i < 4; ++i) found[i].resize(2 * n * sizes[i]);
    of.forward(twice.data(), 2 * n, mirror.data(), styles.data(),
                         {found[0].data(), found[1].data(), found[2].data(), found[3].data()});
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < n * sizes[i]; ++j)
        means[i][j] = (found[i][j] + found[i][j + n * sizes[i]]) * 0.5f;
    check_outputs({to_kinds, to_whole, to_opponent_kinds, to_opponent_whole},
                  {n * sizes[0], n * sizes[1], n * sizes[2], n * sizes[3]});
    return 0;
  });
  return nb::make_tuple(kinds, whole, opponent_kinds, opponent_whole);
}

// Where the numbers of each kind lie in a row.
std::array<float*, 34> places(float* row, std::size_t features) {
  std::array<float*, 34> at;
  for (std::size_t k = 0; k < 34; ++k) at[k] = row + k * features;
  return at;
}

nb::tuple decision_features(const Records& records, const Mirrors& mirror, int threads) {
  constexpr std::size_t f = network::kKindFeatures, c = network::kContext;
  const std::size_t n = records.shape(0);
  check_rows(n, mirror.shape(0));
  const DecisionBytes* data = records_of(records);
  const auto [kinds, x] = zeros<3>({n, 34, f});
  const auto [context, to] = zeros<2>({n, c});
  without_gil([&, x = x, to = to] {
    in_shares(n, threads, [&](std::size_t from, std::size_t end) {
      for (std::size_t i = from; i < end; ++i)
        network::decision_features(data[i], mirror.data()[i] != 0, places(x + i * 34 * f, f).data(),
                                   to + i * c);
    });
    return 0;
  });
  return nb::make_tuple(kinds, context);
}

nb::tuple opponent_features(const Records& records, const Mirrors& mirror) {
  constexpr std::size_t f = network::kOpponentKind, c = network::kOpponentContext;
  const std::size_t n = records.shape(0);
  check_rows(n, mirror.shape(0));
  const DecisionBytes* data = records_of(records);
  const auto [kinds, x] = zeros<4>({n, 3, 34, f});
  const auto [context, to] = zeros<3>({n, 3, c});
  without_gil([&, x = x, to = to] {
    for (std::size_t i = 0; i < 3 * n; ++i)
      network::opponent_features(data[i / 3], i % 3 + 1, mirror.data()[i / 3] != 0,
                                 places(x + i * 34 * f, f).data(), to + i * c);
    return 0;
  });
  return nb::make_tuple(kinds, context);
}

}  // namespace
}  // namespace haiyomi

void bind_network(nb::module_& m) {
  using namespace haiyomi;
  m.attr("NETWORK_INPUTS") =
      nb::make_tuple(network::kKindFeatures, network::kContext, network::kOpponentKind,
                     network::kOpponentContext, network::kStyleAt, network::kStyle);
  m.def("network_parts", &parts, nb::arg("decision"), nb::arg("opponent"),
        "Name, rows and columns of every weight, in the order of the flat array.");
  nb::class_<network::Network>(m, "Network", "A network over decision records.")
      .def(nb::new_(&make), nb::arg("decision"), nb::arg("opponent"),
           nb::arg("weights").noconvert(), nb::arg("rounded"))
      .def("forward", &forward<false>, nb::arg("records").noconvert(),
           nb::arg("mirror").noconvert(), nb::arg("style").noconvert(),
           "Outputs of kinds and of the whole, then those of the three opponents.")
      .def("channels", &forward<true>, nb::arg("records").noconvert(),
           nb::arg("mirror").noconvert(), nb::arg("style").noconvert(),
           "Outputs of kinds and of the whole, then the channels that they are made from.")
      .def("both", &both, nb::arg("records").noconvert(), nb::arg("style").noconvert(),
           "As forward, the mean over each record and its mirror image.");
  m.def("decision_features", &decision_features, nb::arg("records").noconvert(),
        nb::arg("mirror").noconvert(), nb::arg("threads") = 1,
        "Inputs of the decision tower: of kinds (n, 34, F) and of the whole (n, C).");
  m.def("opponent_features", &opponent_features, nb::arg("records").noconvert(),
        nb::arg("mirror").noconvert(),
        "Inputs of the opponent tower besides the decision tower's channels.");
}
