// Points of a Sobol sequence: numbers in [0, 1) that fill a cube more evenly than independent ones.
//
// Direction numbers: S. Joe and F. Y. Kuo, "Constructing Sobol sequences with better two-dimensional
// projections", SIAM J. Sci. Comput. 30 (2008), their table new-joe-kuo-6.21201.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "mixed.hpp"

namespace haiyomi {

inline constexpr std::size_t kSobolDimensions = 8, kSobolBits = 32;
using SobolPoint = std::array<std::uint64_t, kSobolDimensions>;

// By bit of a point's number, the direction of each dimension: 32 bits at the top of 64.
inline constexpr auto kSobolDirections = [] {
  // Of dimensions 2 to 8: the degree of the polynomial, its inner coefficients, the first numbers.
  struct Row {
    std::size_t degree;
    std::uint32_t coefficients;
    std::array<std::uint64_t, 5> first;
  };
  constexpr std::array<Row, kSobolDimensions - 1> rows{{{1, 0, {1}},
                                                        {2, 1, {1, 3}},
                                                        {3, 1, {1, 3, 1}},
                                                        {3, 2, {1, 1, 1}},
                                                        {4, 1, {1, 1, 3, 3}},
                                                        {4, 4, {1, 3, 5, 13}},
                                                        {5, 2, {1, 1, 5, 5, 17}}}};
  std::array<SobolPoint, kSobolBits> out{};
  for (std::size_t bit = 0; bit < kSobolBits; ++bit) out[bit][0] = std::uint64_t{1} << (63 - bit);
  for (std::size_t d = 1; d < kSobolDimensions; ++d) {
    const Row& row = rows[d - 1];
    for (std::size_t bit = 0; bit < kSobolBits; ++bit) {
      if (bit < row.degree) {
        out[bit][d] = row.first[bit] << (63 - bit);
        continue;
      }
      std::uint64_t v = out[bit - row.degree][d];
      v ^= v >> row.degree;
      for (std::size_t j = 1; j < row.degree; ++j)
        if ((row.coefficients >> (row.degree - 1 - j) & 1) != 0) v ^= out[bit - j][d];
      out[bit][d] = v;
    }
  }
  return out;
}();

// The points from the first on, shifted at random by a seed: each is uniform by itself.
class SobolPoints {
 public:
  explicit SobolPoints(std::uint64_t seed) {
    for (std::uint64_t& each : at_) each = mixed(seed += kGolden);
  }

  double operator[](std::size_t dimension) const { return unit(at_[dimension]); }
  // Goes on to the next of at most 2^32 points: one direction more or less (Antonov and Saleev).
  void next() {
    const SobolPoint& by = kSobolDirections[static_cast<std::size_t>(std::countr_zero(++n_))];
    for (std::size_t d = 0; d < kSobolDimensions; ++d) at_[d] ^= by[d];
  }

 private:
  SobolPoint at_;
  std::uint64_t n_ = 0;
};

}  // namespace haiyomi
