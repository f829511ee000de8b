// Products of small matrices of floats, rows after each other; widths are multiples of 16.
#pragma once
#include <cstddef>

namespace haiyomi {

inline constexpr std::size_t kLane = 16;

// c (m, n; rows apart by n) = a (m, k; rows apart by lda) b (k, n), or added to c.
// Rows of a may overlap: a sequence seen through a window is such a matrix.
void multiply(const float* a, std::size_t lda, const float* b, float* c, std::size_t m,
              std::size_t n, std::size_t k, bool add);

// c (m, n) += a^T b of a (k, m; rows apart by lda) and b (k, n).
void multiply_transposed(const float* a, std::size_t lda, const float* b, float* c, std::size_t m,
                         std::size_t n, std::size_t k);

// to (n) += from.
void add_rows(const float* from, std::size_t n, float* to);

// Numbers below 0 become 0.
void rectify(float* values, std::size_t n);

// The way back through rectify: slopes become 0 where its answer `up` is.
void stop_where_flat(float* slope, const float* up, std::size_t n);

}  // namespace haiyomi
