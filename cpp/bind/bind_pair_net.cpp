#include "arrays.hpp"
#include "bind.hpp"
#include "gemm.hpp"
#include "pair_net.hpp"

namespace haiyomi {
namespace {

using Weights = Plain<float, nb::ndim<1>>;
using Pairs = Plain<float, nb::shape<-1, 12, -1>>;

nb::object pair_net(std::size_t pair, std::size_t seat, const Weights& weights, const Pairs& x) {
  constexpr std::size_t kMost = 4096;
  const PairNet net{x.shape(2), pair, seat};
  if (pair % kLane != 0 || seat % kLane != 0 || pair == 0 || seat == 0) {
    throw nb::value_error("the widths of pairs and seats must be multiples of 16");
  }
  if (net.inputs > kMost || pair > kMost || seat > kMost || weights.shape(0) != net.size()) {
    throw nb::value_error("weights of another size than the network's");
  }
  const std::size_t n = x.shape(0);
  auto places = make_3d<float>(n, PairNet::kSeats, PairNet::kOut);
  auto ahead = make_2d<float>(n, PairNet::kPairs);
  without_gil([&] { forward(net, weights.data(), x.data(), n, places.data(), ahead.data()); });
  return nb::make_tuple(places, ahead);
}

}  // namespace
}  // namespace haiyomi

void bind_pair_net(nb::module_& m) {
  using namespace haiyomi;
  m.def("pair_net", &pair_net, nb::arg("pair"), nb::arg("seat"), nb::arg("weights").noconvert(),
        nb::arg("x").noconvert());
}
