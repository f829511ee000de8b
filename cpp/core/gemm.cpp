#include "gemm.hpp"

#include "clones.hpp"

namespace haiyomi {

#if defined(__GNUC__) || defined(__clang__)
#define HAIYOMI_INLINE inline __attribute__((always_inline))
namespace {

typedef float Vec __attribute__((vector_size(64), aligned(4), may_alias));

// kRows rows of kVecs * 16 numbers of the product; step(i) is where the next of a row's or
// column's numbers lies.
template <std::size_t kRows, std::size_t kVecs>
HAIYOMI_INLINE void tile(const float* a, std::size_t row, std::size_t step, const float* b,
                         std::size_t ldb, float* c, std::size_t ldc, std::size_t k, bool add) {
  Vec sum[kRows][kVecs];
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kRows; ++i) {
#pragma GCC unroll 4
    for (std::size_t j = 0; j < kVecs; ++j) {
      const Vec zero = {};
      sum[i][j] = add ? *reinterpret_cast<const Vec*>(c + i * ldc + j * kLane) : zero;
    }
  }
  for (std::size_t t = 0; t < k; ++t) {
    Vec right[kVecs];
#pragma GCC unroll 4
    for (std::size_t j = 0; j < kVecs; ++j) {
      right[j] = *reinterpret_cast<const Vec*>(b + t * ldb + j * kLane);
    }
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kRows; ++i) {
      const float left = a[i * row + t * step];
#pragma GCC unroll 4
      for (std::size_t j = 0; j < kVecs; ++j) sum[i][j] += left * right[j];
    }
  }
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kRows; ++i) {
#pragma GCC unroll 4
    for (std::size_t j = 0; j < kVecs; ++j) {
      *reinterpret_cast<Vec*>(c + i * ldc + j * kLane) = sum[i][j];
    }
  }
}

template <std::size_t kVecs>
HAIYOMI_INLINE void columns(const float* a, std::size_t row, std::size_t step, const float* b,
                            float* c, std::size_t m, std::size_t n, std::size_t k, bool add) {
  std::size_t i = 0;
  for (; i + 6 <= m; i += 6) tile<6, kVecs>(a + i * row, row, step, b, n, c + i * n, n, k, add);
  for (; i < m; ++i) tile<1, kVecs>(a + i * row, row, step, b, n, c + i * n, n, k, add);
}

HAIYOMI_INLINE void all(const float* a, std::size_t row, std::size_t step, const float* b,
                        float* c, std::size_t m, std::size_t n, std::size_t k, bool add) {
  std::size_t j = 0;
  for (; j + 4 * kLane <= n; j += 4 * kLane) {
    columns<4>(a, row, step, b + j, c + j, m, n, k, add);
  }
  for (; j + 2 * kLane <= n; j += 2 * kLane) {
    columns<2>(a, row, step, b + j, c + j, m, n, k, add);
  }
  for (; j + kLane <= n; j += kLane) columns<1>(a, row, step, b + j, c + j, m, n, k, add);
}

}  // namespace

HAIYOMI_CLONES void multiply(const float* a, std::size_t lda, const float* b, float* c,
                             std::size_t m, std::size_t n, std::size_t k, bool add) {
  all(a, lda, 1, b, c, m, n, k, add);
}

HAIYOMI_CLONES void multiply_transposed(const float* a, std::size_t lda, const float* b, float* c,
                                        std::size_t m, std::size_t n, std::size_t k) {
  all(a, 1, lda, b, c, m, n, k, true);
}

#else

namespace {

void all(const float* a, std::size_t row, std::size_t step, const float* b, float* c,
         std::size_t m, std::size_t n, std::size_t k, bool add) {
  for (std::size_t i = 0; i < m; ++i) {
    float* to = c + i * n;
    if (!add) {
      for (std::size_t j = 0; j < n; ++j) to[j] = 0;
    }
    for (std::size_t t = 0; t < k; ++t) {
      const float left = a[i * row + t * step];
      for (std::size_t j = 0; j < n; ++j) to[j] += left * b[t * n + j];
    }
  }
}

}  // namespace

void multiply(const float* a, std::size_t lda, const float* b, float* c, std::size_t m,
              std::size_t n, std::size_t k, bool add) {
  all(a, lda, 1, b, c, m, n, k, add);
}

void multiply_transposed(const float* a, std::size_t lda, const float* b, float* c, std::size_t m,
                         std::size_t n, std::size_t k) {
  all(a, 1, lda, b, c, m, n, k, true);
}

#endif

HAIYOMI_CLONES void add_rows(const float* from, std::size_t n, float* to) {
  for (std::size_t i = 0; i < n; ++i) to[i] += from[i];
}

HAIYOMI_CLONES void rectify(float* values, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) values[i] = values[i] > 0 ? values[i] : 0.0f;
}

HAIYOMI_CLONES void stop_where_flat(float* slope, const float* up, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) slope[i] = up[i] > 0 ? slope[i] : 0.0f;
}

}  // namespace haiyomi
