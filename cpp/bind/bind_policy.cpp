// The imitation's network and its inputs: rows of bytes in, logits or gradients out.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bind.hpp"
#include "tile_efficiency.hpp"
#include "policy_net.hpp"

namespace haiyomi {
namespace {

using Floats1 = Sum<float, nb::ndim<1>>;
using ConstFloats1 = Plain<float, nb::ndim<1>>;
using Bytes1 = Values<std::uint8_t, nb::ndim<1>>;
using Bytes2 = Values<std::uint8_t, nb::ndim<2>>;
using Styles = Plain<float, nb::shape<-1, policy::kStyle>>;
using StyleGradients = Sum<float, nb::shape<-1, policy::kStyle>>;

nb::object tile_efficiency(const CountRows& counts, const CountRows& unseen) {
  const std::size_t n = counts.shape(0);
  if (unseen.shape(0) != n) throw nb::value_error("one row of unseen tiles for each hand");
  std::unique_ptr<std::uint8_t[]> data(new std::uint8_t[n * sizeof(DiscardEfficiency[34])]);
  std::uint8_t* at = data.get();
  const BadRow bad = without_gil([&] {
    DiscardEfficiency out[34];
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint8_t* row = counts.data() + 34 * i;
      const Profile p = profile(row);
      const int melds = p.legal && p.tiles % 3 == 2 ? melds_with(p.tiles) : -1;
      if (melds < 0) return BadRow{i, p.legal ? p.tiles : -1};
      Counts c;
      std::memcpy(c.data(), row, 34);
      discard_efficiency(c, unseen.data() + 34 * i, melds, out);
      std::memcpy(at + i * sizeof out, out, sizeof out);
    }
    return BadRow{};
  });
  bad.raise("2, 5, 8, 11 or 14");
  return nb::cast(Out<std::uint8_t, 3>(at, {n, 34, 4}, owner(std::move(data))));
}

policy::Layout layout_of(std::size_t width, std::size_t blocks, std::size_t hidden) {
  if (width == 0 || width % 16 != 0 || hidden == 0 || hidden % 16 != 0 || width > 1024 ||
      hidden > 1024 || blocks > 64) {
    throw nb::value_error("width and hidden must be multiples of 16 up to 1024, blocks up to 64");
  }
  return {width, blocks, hidden};
}

nb::list parts(std::size_t width, std::size_t blocks, std::size_t hidden) {
  nb::list out;
  for (const policy::Part& p : layout_of(width, blocks, hidden).parts) {
    out.append(nb::make_tuple(p.name, p.rows, p.columns));
  }
  return out;
}

const record::DecisionBytes* rows_of(const Bytes2& rows, std::size_t n) {
  if (rows.shape(0) != n || rows.shape(1) != sizeof(record::DecisionBytes)) {
    throw nb::value_error("rows of another number or size than expected");
  }
  const auto* out = reinterpret_cast<const record::DecisionBytes*>(rows.data());
  for (std::size_t i = 0; i < n; ++i) {
    const record::DecisionBytes& row = out[i];
    bool good = row.dealer < 4 && (row.from == record::kNone || (row.from >= 1 && row.from < 4)) &&
                (row.drawn < 34 || row.drawn == record::kNone) &&
                (row.offered < 34 || (row.offered == record::kNone && row.from == record::kNone));
    for (const std::uint8_t k : row.indicators) good = good && (k < 34 || k == record::kNone);
    for (const auto& p : row.players) {
      good = good && p.n <= record::kRiver;
      for (std::size_t j = 0; good && j < p.n; ++j) good = p.kind[j] < 34;
      for (const auto& m : p.melds) {
        good = good && (m.type == record::kNone ||
                        (m.type < 5 && m.base < 34 && (m.type != 0 || m.base < 25) &&
                         (m.called < 34 || m.called == record::kNone)));
      }
    }
    if (!good) throw nb::value_error(("row " + std::to_string(i) + " is damaged").c_str());
  }
  return out;
}

void check(const policy::Layout& layout, std::size_t size, std::size_t n, std::size_t mirrors,
           std::size_t styles) {
  if (size != layout.size) throw nb::value_error("weights of another size than the layout's");
  if (mirrors != n || styles != n) throw nb::value_error("one mirror and one style for each row");
}

nb::tuple forward(std::size_t width, std::size_t blocks, std::size_t hidden,
                  const ConstFloats1& weights, const Bytes2& rows, const Bytes1& mirror,
                  const Styles& style) {
  const policy::Layout layout = layout_of(width, blocks, hidden);
  const std::size_t n = rows.shape(0);
  check(layout, weights.shape(0), n, mirror.shape(0), style.shape(0));
  const record::DecisionBytes* data = rows_of(rows, n);
  std::unique_ptr<float[]> kinds(new float[n * 68]);
  float* at = kinds.get();
  auto acts = make_2d<float>(n, record::kActs);
  float* to = acts.data();
  without_gil([&] {
    policy::forward(layout, weights.data(), data, n, mirror.data(), style.data(), {at, to});
    return 0;
  });
  return nb::make_tuple(Out<float, 3>(at, {n, 34, 2}, owner(std::move(kinds))), acts);
}

nb::tuple learn(std::size_t width, std::size_t blocks, std::size_t hidden,
                const ConstFloats1& weights, const Bytes2& rows, const Bytes1& mirror,
                const Styles& style, const Bytes2& labels, const Floats1& gradient,
                const StyleGradients& style_gradient, std::size_t threads, bool whole) {
  const policy::Layout layout = layout_of(width, blocks, hidden);
  const std::size_t n = rows.shape(0);
  check(layout, weights.shape(0), n, mirror.shape(0), style.shape(0));
  if (gradient.shape(0) != layout.size || style_gradient.shape(0) != n || labels.shape(0) != n ||
      labels.shape(1) != sizeof(record::ChoiceBytes)) {
    throw nb::value_error("labels or gradients of another size than expected");
  }
  const record::DecisionBytes* data = rows_of(rows, n);
  const auto* truth = reinterpret_cast<const record::ChoiceBytes*>(labels.data());
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint8_t k = truth[i].discard;
    if (k != record::kNone && (k >= 34 || (data[i].discards >> k & 1) == 0)) {
      throw nb::value_error(("row " + std::to_string(i) + ": an illegal discard").c_str());
    }
  }
  const policy::Losses sum = without_gil([&] {
    return policy::learn(layout, weights.data(), data, n, mirror.data(), style.data(), truth,
                         gradient.data(), style_gradient.data(), threads, whole);
  });
  return nb::make_tuple(sum.discard, sum.kan, sum.turn, sum.offer, sum.n_discard, sum.n_kan,
                        sum.n_turn, sum.n_offer);
}

}  // namespace
}  // namespace haiyomi

void bind_policy(nb::module_& m) {
  using namespace haiyomi;
  m.def("tile_efficiency", &tile_efficiency, nb::arg("counts").noconvert(),
        nb::arg("unseen").noconvert(),
        "For each discard of each row: shanten, useful tiles, useful kinds, and one step further.");
  m.def("policy_parts", &parts, nb::arg("width"), nb::arg("blocks"), nb::arg("hidden"),
        "Name, rows and columns of every weight, in the order of the flat array.");
  m.def("policy_forward", &forward, nb::arg("width"), nb::arg("blocks"), nb::arg("hidden"),
        nb::arg("weights").noconvert(), nb::arg("rows").noconvert(), nb::arg("mirror").noconvert(),
        nb::arg("style").noconvert(), "Logits of kinds (n, 34, 2) and of acts (n, 9).");
  m.def("policy_share_size", &policy::share_size, nb::arg("n"),
        "Rows in each share that a batch is summed in, except the last.");
  m.def("policy_learn", &learn, nb::arg("width"), nb::arg("blocks"), nb::arg("hidden"),
        nb::arg("weights").noconvert(), nb::arg("rows").noconvert(), nb::arg("mirror").noconvert(),
        nb::arg("style").noconvert(), nb::arg("labels").noconvert(),
        nb::arg("gradient").noconvert(), nb::arg("style_gradient").noconvert(),
        nb::arg("threads") = 1, nb::arg("whole") = false,
        "Adds the gradients of the labels' summed loss; returns the losses and their numbers.");
}
