// Tile efficiency: what each discard of a hand leaves.
#include "arrays.hpp"
#include "bind.hpp"
#include "tile_efficiency.hpp"

namespace haiyomi {
namespace {

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

}  // namespace
}  // namespace haiyomi

void bind_tile_efficiency(nb::module_& m) {
  using namespace haiyomi;
  m.def("tile_efficiency", &tile_efficiency, nb::arg("counts").noconvert(),
        nb::arg("unseen").noconvert(),
        "For each discard of each row: shanten, useful tiles, useful kinds, and one step further.");
}
