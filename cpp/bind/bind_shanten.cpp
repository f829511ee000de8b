#include "arrays.hpp"
#include "bind.hpp"
#include "shanten.hpp"

namespace haiyomi {
namespace {

Out<std::int8_t, 1> shanten_batch(const CountRows& counts) {
  auto out = make_1d<std::int8_t>(counts.shape(0));
  const BadRow bad = without_gil([&] {
    const std::size_t done = shanten_rows(counts.data(), counts.shape(0), out.data());
    if (done == counts.shape(0)) return BadRow{};
    const Profile p = profile(counts.data() + 34 * done);
    return BadRow{done, p.legal ? p.tiles : -1};
  });
  bad.raise("1, 2, 4, 5, 7, 8, 10, 11, 13 or 14");
  return out;
}

Out<std::int8_t, 2> shanten_forms_batch(const CountRows& counts) {
  auto out = make_2d<std::int8_t>(counts.shape(0), 3);
  const std::uint8_t* row = counts.data();
  std::int8_t* to = out.data();
  const BadRow bad = without_gil([&] {
    const ShantenTable& table = ShantenTable::get();
    for (std::size_t i = 0; i < counts.shape(0); ++i, row += 34, to += 3) {
      const Profile p = profile(row);
      const int melds = p.legal ? melds_with(p.tiles) : -1;
      if (melds < 0) return BadRow{i, p.legal ? p.tiles : -1};
      to[0] = static_cast<std::int8_t>(table.standard(row, 4 - melds));
      to[1] = static_cast<std::int8_t>(melds == 0 ? pairs_of(p) : kNoForm);
      to[2] = static_cast<std::int8_t>(melds == 0 ? orphans_of(p) : kNoForm);
    }
    return BadRow{};
  });
  bad.raise("1, 2, 4, 5, 7, 8, 10, 11, 13 or 14");
  return out;
}

Out<std::uint64_t, 1> useful_batch(const CountRows& counts) {
  return mask_batch(counts, [](const Counts& c, int melds) { return useful_tiles(c, melds); });
}

}  // namespace
}  // namespace haiyomi

void bind_shanten(nb::module_& m) {
  using namespace haiyomi;
  m.def("shanten", &shanten_batch, nb::arg("counts").noconvert(),
        "Shanten of each row of counts: the least over the three forms.");
  m.def("shanten_forms", &shanten_forms_batch, nb::arg("counts").noconvert(),
        "Shanten of each row: standard form, seven pairs, thirteen orphans.");
  m.def("useful_tiles", &useful_batch, nb::arg("counts").noconvert(),
        "Bit k of each row's mask: drawing kind k lowers the shanten.");
}
