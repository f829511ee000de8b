#include "arrays.hpp"
#include "bind.hpp"
#include "gemm.hpp"
#include "placement.hpp"

namespace haiyomi {
namespace {

using Weights = Plain<float, nb::ndim<1>>;
using Pairs = Plain<float, nb::shape<-1, 12, -1>>;
using Starts = Values<std::int32_t, nb::shape<-1, 8>>;
static_assert(sizeof(Start) == 8 * sizeof(std::int32_t));

const Start* rows_of(const Starts& starts) { return reinterpret_cast<const Start*>(starts.data()); }

PairNet net_of(std::size_t inputs, std::size_t pair, std::size_t seat, const Weights& weights) {
  constexpr std::size_t kMost = 4096;
  const PairNet net{inputs, pair, seat};
  if (pair % kLane != 0 || seat % kLane != 0 || pair == 0 || seat == 0) {
    throw nb::value_error("the widths of pairs and seats must be multiples of 16");
  }
  if (inputs > kMost || pair > kMost || seat > kMost || weights.shape(0) != net.size()) {
    throw nb::value_error("weights of another size than the network's");
  }
  return net;
}

nb::object pair_net(std::size_t pair, std::size_t seat, const Weights& weights, const Pairs& x) {
  const PairNet net = net_of(x.shape(2), pair, seat, weights);
  const std::size_t n = x.shape(0);
  auto places = make_3d<float>(n, PairNet::kSeats, PairNet::kOut);
  auto ahead = make_2d<float>(n, PairNet::kPairs);
  auto orders = make_2d<double>(n, kOrders);
  without_gil([&] {
    forward(net, weights.data(), x.data(), n, places.data(), ahead.data());
    order_shares(places.data(), ahead.data(), n, orders.data());
  });
  return nb::make_tuple(orders, places);
}

nb::object pair_inputs_of(const Starts& starts) {
  const std::size_t n = starts.shape(0);
  auto x = make_3d<float>(n, PairNet::kPairs, kPairInputs);
  without_gil([&] { pair_inputs(rows_of(starts), n, x.data()); });
  return nb::cast(x);
}

nb::object placements_of(std::size_t pair, std::size_t seat, const Weights& weights,
                         const Starts& starts) {
  const PairNet net = net_of(kPairInputs, pair, seat, weights);
  const std::size_t n = starts.shape(0);
  auto places = make_3d<double>(n, PairNet::kSeats, PairNet::kSeats);
  auto final = make_2d<double>(n, PairNet::kSeats);
  without_gil([&] {
    placements(net, weights.data(), rows_of(starts), n, places.data(), final.data());
  });
  return nb::make_tuple(places, final);
}

}  // namespace
}  // namespace haiyomi

void bind_pair_net(nb::module_& m) {
  using namespace haiyomi;
  m.def("pair_net", &pair_net, nb::arg("pair"), nb::arg("seat"), nb::arg("weights").noconvert(),
        nb::arg("x").noconvert());
  m.def("pair_inputs", &pair_inputs_of, nb::arg("starts").noconvert());
  m.def("placements", &placements_of, nb::arg("pair"), nb::arg("seat"),
        nb::arg("weights").noconvert(), nb::arg("starts").noconvert());
}
