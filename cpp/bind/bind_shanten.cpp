#include "arrays.hpp"
#include "bind.hpp"
#include "shanten.hpp"
#include "small_ints.hpp"

namespace haiyomi {
namespace {

constexpr const char* kHandSizes = "1, 2, 4, 5, 7, 8, 10, 11, 13 or 14";

Out<std::int8_t, 1> shanten_batch(const CountRows& counts) {
  auto out = make_1d<std::int8_t>(counts.shape(0));
  const BadRow bad = without_gil([&] {
    const std::size_t done = shanten_rows(counts.data(), counts.shape(0), out.data());
    if (done == counts.shape(0)) return BadRow{};
    const Profile p = profile(counts.data() + 34 * done);
    return BadRow{done, p.legal ? p.tiles : -1};
  });
  bad.raise(kHandSizes);
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
  bad.raise(kHandSizes);
  return out;
}

int shanten_checked(const std::uint8_t* counts) {
  std::int8_t found = 0;
  if (shanten_rows(counts, 1, &found) == 1) return found;
  const Profile p = profile(counts);
  const std::string tiles = std::to_string(p.tiles) + " tiles, expected ";
  throw nb::value_error(p.legal ? (tiles + kHandSizes).c_str() : "a count above 4");
}

int shanten_of(nb::handle hand) {
  Counts counts{};
  std::size_t n = 0;
  if (!PyList_CheckExact(hand.ptr()) && PyObject_CheckBuffer(hand.ptr())) {
    Py_buffer view;
    if (PyObject_GetBuffer(hand.ptr(), &view, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) != 0) {
      nb::raise_python_error();
    }
    const bool bytes = view.ndim == 1 && view.itemsize == 1 && *view.format == 'B';
    n = bytes ? static_cast<std::size_t>(view.len) : 0;
    if (n == counts.size()) std::memcpy(counts.data(), view.buf, n);
    PyBuffer_Release(&view);
    if (!bytes) throw nb::type_error("counts in an array must be one row of uint8");
  } else {
    for_each_item(hand, [&](std::size_t i, nb::handle item) {
      const long count = small_int(item, "counts");
      if (i < counts.size()) counts[i] = count < 0 || count > 4 ? 5 : static_cast<std::uint8_t>(count);
      n = i + 1;
    });
  }
  if (n != counts.size()) {
    throw nb::value_error((std::to_string(n) + " counts, expected 34").c_str());
  }
  return shanten_checked(counts.data());
}

int shanten_of_ids(nb::handle ids) {
  Counts counts{};
  for_each_item(ids, [&](std::size_t, nb::handle item) {
    const long id = small_int(item, "tile ids");
    if (id < 0 || id > 135) {
      throw nb::value_error(("no tile id " + std::to_string(id) + ": tile ids are 0 to 135").c_str());
    }
    std::uint8_t& count = counts[static_cast<std::size_t>(id) / 4];
    if (count < 5) ++count;
  });
  return shanten_checked(counts.data());
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
  m.def("shanten_of", &shanten_of, nb::arg("counts"), "Shanten of one hand of 34 counts.");
  m.def("shanten_of_ids", &shanten_of_ids, nb::arg("ids"), "Shanten of one hand of tile ids.");
  m.def("shanten_forms", &shanten_forms_batch, nb::arg("counts").noconvert(),
        "Shanten of each row: standard form, seven pairs, thirteen orphans.");
  m.def("useful_tiles", &useful_batch, nb::arg("counts").noconvert(),
        "Bit k of each row's mask: drawing kind k lowers the shanten.");
}
