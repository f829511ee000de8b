#include <string>

#include "arrays.hpp"
#include "bind.hpp"
#include "gemm.hpp"
#include "option_net.hpp"

namespace haiyomi {
namespace {

using Layer = Plain<float, nb::ndim<3>>;  // (members, rows, columns)

nb::object option_net(const Layer& of_channels, const Layer& of_pooled, const Layer& of_exact,
                      const Layer& bias, const Layer& of_hidden, const Layer& hidden_bias,
                      const Layer& of_out, const Values<std::int64_t, nb::ndim<1>>& row,
                      const Values<std::uint8_t, nb::ndim<1>>& kind,
                      const Plain<float, nb::shape<-1, 34, -1>>& channels,
                      const Plain<float, nb::ndim<2>>& pooled,
                      const Plain<float, nb::ndim<2>>& exact) {
  constexpr std::size_t kMost = 4096;
  const std::size_t b = row.shape(0), n = channels.shape(0), h = bias.shape(2);
  const OptionNet net{of_out.shape(0),  channels.shape(2), pooled.shape(1),    exact.shape(1),
                      h,                of_out.shape(2),   of_channels.data(), of_pooled.data(),
                      of_exact.data(),  bias.data(),       of_hidden.data(),   hidden_bias.data(),
                      of_out.data()};
  const auto fits = [&](const Layer& layer, std::size_t rows, std::size_t columns) {
    return layer.shape(0) == net.members && layer.shape(1) == rows && layer.shape(2) == columns;
  };
  if (h == 0 || h % kLane != 0 || h > kMost || net.out > kMost) {
    throw nb::value_error("the width of hidden layers must be a multiple of 16");
  }
  if (!fits(of_channels, net.channels, h) || !fits(of_pooled, net.pooled, h) ||
      !fits(of_exact, net.exact, h) || !fits(bias, 1, h) || !fits(of_hidden, h, h) ||
      !fits(hidden_bias, 1, h) || !fits(of_out, h, net.out)) {
    throw nb::value_error("layers that do not fit each other or the inputs");
  }
  if (pooled.shape(0) != n || exact.shape(0) != b || kind.shape(0) != b) {
    throw nb::value_error("one row of inputs for each decision, and for each option");
  }
  for (std::size_t i = 0; i < b; ++i) {
    if (row(i) < 0 || std::uint64_t(row(i)) >= n || kind(i) >= OptionNet::kKinds) {
      throw nb::value_error(("option " + std::to_string(i) + ": no such decision or tile").c_str());
    }
  }
  auto to = make_3d<float>(net.members, b, net.out);
  const OptionBatch batch{b, row.data(), kind.data(), channels.data(), pooled.data(), exact.data()};
  without_gil([&] { forward(net, batch, to.data()); });
  return nb::cast(to);
}

}  // namespace
}  // namespace haiyomi

void bind_option_net(nb::module_& m) {
  using namespace haiyomi;
  m.def("option_net", &option_net, nb::arg("of_channels").noconvert(),
        nb::arg("of_pooled").noconvert(), nb::arg("of_exact").noconvert(),
        nb::arg("bias").noconvert(), nb::arg("of_hidden").noconvert(),
        nb::arg("hidden_bias").noconvert(), nb::arg("of_out").noconvert(),
        nb::arg("row").noconvert(), nb::arg("kind").noconvert(), nb::arg("channels").noconvert(),
        nb::arg("pooled").noconvert(), nb::arg("exact").noconvert());
}
