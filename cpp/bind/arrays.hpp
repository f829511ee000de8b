// NumPy arrays out, and the one way a batch says which row is wrong.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "inputs.hpp"
#include "profile.hpp"

namespace haiyomi {

namespace nb = nanobind;

using CountRows = Values<std::uint8_t, nb::shape<-1, 34>>;
template <class T, int N>
using Out = nb::ndarray<nb::numpy, T, nb::ndim<N>, nb::c_contig, nb::device::cpu>;

template <class T>
nb::capsule owner(std::unique_ptr<T[]> data) {
  return nb::capsule(data.release(), [](void* p) noexcept { delete[] static_cast<T*>(p); });
}

template <class T>
Out<T, 1> make_1d(std::size_t n) {
  std::unique_ptr<T[]> data(new T[n]());
  T* at = data.get();
  const nb::capsule hold = owner(std::move(data));
  return Out<T, 1>(at, {n}, hold);
}

template <class T>
Out<T, 2> make_2d(std::size_t n, std::size_t m) {
  std::unique_ptr<T[]> data(new T[n * m]());
  T* at = data.get();
  const nb::capsule hold = owner(std::move(data));
  return Out<T, 2>(at, {n, m}, hold);
}

template <class T>
Out<T, 3> make_3d(std::size_t n, std::size_t m, std::size_t k) {
  std::unique_ptr<T[]> data(new T[n * m * k]());
  T* at = data.get();
  const nb::capsule hold = owner(std::move(data));
  return Out<T, 3>(at, {n, m, k}, hold);
}

// A memoryview that owns the numbers: a command that shows one player's sums loads no NumPy.
template <class T>
nb::object view(std::vector<T>&& numbers) {
  auto* const kept = new std::vector<T>(std::move(numbers));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  using View = nb::ndarray<nb::memview, T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
  return nb::cast(View(kept->data(), {kept->size()}, owner));
}

// Runs work with the interpreter's lock released.
template <class Work>
auto without_gil(Work&& work) {
  const nb::gil_scoped_release release;
  return work();
}

struct BadRow {
  std::size_t row = static_cast<std::size_t>(-1);
  int tiles = 0;  // -1: a count above 4

  void raise(const char* expected) const {
    if (row == static_cast<std::size_t>(-1)) return;
    const std::string where = "row " + std::to_string(row) + ": ";
    const std::string what =
        tiles < 0 ? where + "a count above 4"
                  : where + std::to_string(tiles) + " tiles, expected " + expected;
    throw nb::value_error(what.c_str());
  }
};

// A mask of kinds for each row of 3k + 1 tiles.
template <class Mask>
Out<std::uint64_t, 1> mask_batch(const CountRows& counts, Mask&& mask) {
  auto out = make_1d<std::uint64_t>(counts.shape(0));
  const std::uint8_t* row = counts.data();
  std::uint64_t* to = out.data();
  const BadRow bad = without_gil([&] {
    for (std::size_t i = 0; i < counts.shape(0); ++i, row += 34) {
      const Profile p = profile(row);
      const int melds = p.legal && p.tiles % 3 == 1 ? melds_with(p.tiles) : -1;
      if (melds < 0) return BadRow{i, p.legal ? p.tiles : -1};
      Counts c;
      std::memcpy(c.data(), row, 34);
      to[i] = mask(c, melds);
    }
    return BadRow{};
  });
  bad.raise("1, 4, 7, 10 or 13");
  return out;
}

}  // namespace haiyomi
