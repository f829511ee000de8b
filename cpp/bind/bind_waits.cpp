#include <nanobind/stl/array.h>
#include <nanobind/stl/tuple.h>

#include "arrays.hpp"
#include "bind.hpp"
#include "waits.hpp"

namespace haiyomi {
namespace {

Out<std::uint64_t, 1> waits_batch(const CountRows& counts) {
  return mask_batch(counts, [](const Counts& c, int melds) { return waits(c, melds); });
}

Out<bool, 1> complete_batch(const CountRows& counts) {
  auto out = make_1d<bool>(counts.shape(0));
  const std::uint8_t* row = counts.data();
  bool* to = out.data();
  const BadRow bad = without_gil([&] {
    for (std::size_t i = 0; i < counts.shape(0); ++i, row += 34) {
      const Profile p = profile(row);
      const int melds = p.legal && p.tiles % 3 == 2 ? melds_with(p.tiles) : -1;
      if (melds < 0) return BadRow{i, p.legal ? p.tiles : -1};
      Counts c;
      std::memcpy(c.data(), row, 34);
      to[i] = is_complete(c, melds);
    }
    return BadRow{};
  });
  bad.raise("2, 5, 8, 11 or 14");
  return out;
}

using Five = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t>;

Five complete_counts() {
  const CompleteCounts n = without_gil([] { return count_complete(); });
  return {n.standard, n.pairs, n.both, n.orphans, n.any};
}

Five tenpai_counts() {
  const auto n = without_gil([] { return count_tenpai(); });
  return {n[0], n[1], n[2], n[3], n[4]};
}

}  // namespace
}  // namespace haiyomi

void bind_waits(nb::module_& m) {
  using namespace haiyomi;
  m.def("waits", &waits_batch, nb::arg("counts").noconvert(),
        "Bit k of each row's mask: kind k completes the hand.");
  m.def("is_complete", &complete_batch, nb::arg("counts").noconvert(),
        "Whether each row of counts is a complete hand.");
  m.def("count_complete", &complete_counts,
        "Distinct complete hands of 14 tiles: standard, seven pairs, both, thirteen orphans, any.");
  m.def("count_tenpai", &tenpai_counts,
        "Distinct standard-form tenpai hands of 1, 4, 7, 10 and 13 concealed tiles.");
}
