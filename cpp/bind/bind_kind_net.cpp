#include "arrays.hpp"
#include "bind.hpp"
#include "kind_net.hpp"

namespace haiyomi {
namespace {

using Weights = Plain<float, nb::ndim<1>>;
using Kinds = Plain<float, nb::shape<-1, 34, -1>>;
using Rows = Plain<float, nb::ndim<2>>;

nb::object kind_net(std::size_t width, std::size_t layers, std::size_t outputs,
                    const Weights& weights, const Kinds& x, const Rows& context) {
  if (width == 0 || width % 16 != 0 || width > 1024 || layers > 64 || outputs == 0 ||
      outputs > 1024) {
    throw nb::value_error("the width must be a multiple of 16 up to 1024, layers up to 64");
  }
  const std::size_t n = x.shape(0);
  const KindNet net{x.shape(2), context.shape(1), width, layers, outputs};
  if (context.shape(0) != n) throw nb::value_error("one context for each row");
  if (net.features > 4096 || net.contexts > 4096 || weights.shape(0) != net.size()) {
    throw nb::value_error("weights of another size than the network's");
  }
  std::unique_ptr<float[]> data(new float[n * 34 * outputs]);
  float* const out = data.get();
  without_gil([&] { forward(net, weights.data(), x.data(), context.data(), n, out); });
  return nb::cast(Out<float, 3>(out, {n, 34, outputs}, owner(std::move(data))));
}

}  // namespace
}  // namespace haiyomi

void bind_kind_net(nb::module_& m) {
  using namespace haiyomi;
  m.def("kind_net", &kind_net, nb::arg("width"), nb::arg("layers"), nb::arg("outputs"),
        nb::arg("weights").noconvert(), nb::arg("x").noconvert(), nb::arg("context").noconvert());
}
