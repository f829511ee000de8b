// Products of small matrices of floats, rows after each other; widths are multiples of 16.
#pragma once
#include <cstddef>

namespace haiyomi {

inline constexpr std::size_t kLane = 16;

// Which rows of a product are computed: `groups` of `each` rows, a multiple of three where there are
// several, so many rows `apart`. The rows between them are left as they are.
struct Rows {
  std::size_t each, groups, apart;
  Rows(std::size_t n) : each(n), groups(1), apart(n) {}
  Rows(std::size_t in_each, std::size_t n, std::size_t from_each_to_next)
      : each(in_each), groups(n), apart(from_each_to_next) {}
};

// c (m, n; rows apart by n) = a (m, k; rows apart by lda) b (k, n), or added to c.
// Rows of a may overlap, as those of a convolution's sliding window do.
void multiply(const float* a, std::size_t lda, const float* b, float* c, const Rows& m,
              std::size_t n, std::size_t k, bool add);

// The same, and the same bits on every processor: a product is rounded before it is added, where
// `multiply` may round once for both.
void multiply_rounded(const float* a, std::size_t lda, const float* b, float* c, const Rows& m,
                      std::size_t n, std::size_t k, bool add);

using Multiply = decltype(&multiply);

// to (n) += from.
void add_rows(const float* from, std::size_t n, float* to);

// Each of some rows, to (rows, n), += from.
void add_to_all(const float* from, std::size_t rows, std::size_t n, float* to);

// ReLU in place.
void rectify(float* values, std::size_t n);

}  // namespace haiyomi
