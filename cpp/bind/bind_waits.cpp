#include "arrays.hpp"
#include "bind.hpp"
#include "waits.hpp"

namespace haiyomi {
namespace {

Out<std::uint64_t, 1> waits_batch(const CountRows& counts) {
  return mask_batch(counts, [](const Counts& c, int melds) { return waits(c, melds); });
}

}  // namespace
}  // namespace haiyomi

void bind_waits(nb::module_& m) {
  using namespace haiyomi;
  m.def("waits", &waits_batch, nb::arg("counts").noconvert(),
        "Bit k of each row's mask: kind k completes the hand.");
}
