// The product of small matrices, compiled once for each set of rules of rounding.
//
// gemm.cpp and gemm_rounded.cpp include it, with other compiler options: what is in an unnamed
// namespace here is their own.
#pragma once
#include "gemm.hpp"

namespace haiyomi {

#if defined(__GNUC__) || defined(__clang__)
#define HAIYOMI_INLINE inline __attribute__((always_inline))
namespace {

template <std::size_t kBytes>
struct Register {
  typedef float Vec __attribute__((vector_size(kBytes), aligned(4), may_alias));
  static constexpr std::size_t kFloats = kBytes / sizeof(float);
};

// A tile of the product: kRows rows of kVecs registers; `step` is the stride along k. An element
// is the same sum in the same order whatever the tile's size, hence batch-invariant.
template <std::size_t kBytes, std::size_t kRows, std::size_t kVecs>
HAIYOMI_INLINE void tile(const float* a, std::size_t row, std::size_t step, const float* b,
                         std::size_t ldb, float* c, std::size_t ldc, std::size_t k, bool add) {
  using Vec = typename Register<kBytes>::Vec;
  constexpr std::size_t kFloats = Register<kBytes>::kFloats;
  Vec sum[kRows][kVecs];
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kRows; ++i) {
#pragma GCC unroll 4
    for (std::size_t j = 0; j < kVecs; ++j) {
      const Vec zero = {};
      sum[i][j] = add ? *reinterpret_cast<const Vec*>(c + i * ldc + j * kFloats) : zero;
    }
  }
  for (std::size_t t = 0; t < k; ++t) {
    Vec right[kVecs];
#pragma GCC unroll 4
    for (std::size_t j = 0; j < kVecs; ++j) {
      right[j] = *reinterpret_cast<const Vec*>(b + t * ldb + j * kFloats);
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
      *reinterpret_cast<Vec*>(c + i * ldc + j * kFloats) = sum[i][j];
    }
  }
}

template <std::size_t kBytes, std::size_t kRows, std::size_t kVecs>
HAIYOMI_INLINE void columns(const float* a, std::size_t row, std::size_t step, const float* b,
                            float* c, std::size_t m, std::size_t n, std::size_t k, bool add) {
  std::size_t i = 0;
  for (; i + kRows <= m; i += kRows) {
    tile<kBytes, kRows, kVecs>(a + i * row, row, step, b, n, c + i * n, n, k, add);
  }
  for (; i < m; ++i) {
    tile<kBytes, 1, kVecs>(a + i * row, row, step, b, n, c + i * n, n, k, add);
  }
}

// The tile's size: it and its operands must fit the processor's registers.
template <std::size_t kBytes, std::size_t kRows, std::size_t kVecs>
HAIYOMI_INLINE void all(const float* a, std::size_t row, std::size_t step, const float* b,
                        float* c, std::size_t m, std::size_t n, std::size_t k, bool add) {
  constexpr std::size_t kFloats = Register<kBytes>::kFloats;
  std::size_t j = 0;
  for (; j + kVecs * kFloats <= n; j += kVecs * kFloats) {
    columns<kBytes, kRows, kVecs>(a, row, step, b + j, c + j, m, n, k, add);
  }
  if constexpr (kVecs * kFloats > 2 * kLane) {
    for (; j + 2 * kLane <= n; j += 2 * kLane) {
      columns<kBytes, kRows, 2 * kLane / kFloats>(a, row, step, b + j, c + j, m, n, k, add);
    }
  }
  for (; j + kLane <= n; j += kLane) {
    columns<kBytes, kRows, kLane / kFloats>(a, row, step, b + j, c + j, m, n, k, add);
  }
}

using Product = void (*)(const float* a, std::size_t row, std::size_t step, const float* b,
                         float* c, std::size_t m, std::size_t n, std::size_t k, bool add);

#if defined(__x86_64__) && !defined(_MSC_VER) && !defined(HAIYOMI_NO_DISPATCH)
__attribute__((target("avx512f"))) void product_512(const float* a, std::size_t row,
                                                    std::size_t step, const float* b, float* c,
                                                    std::size_t m, std::size_t n, std::size_t k,
                                                    bool add) {
  all<64, 6, 4>(a, row, step, b, c, m, n, k, add);
}

__attribute__((target("avx2,fma"))) void product_256(const float* a, std::size_t row,
                                                     std::size_t step, const float* b, float* c,
                                                     std::size_t m, std::size_t n, std::size_t k,
                                                     bool add) {
  all<32, 6, 2>(a, row, step, b, c, m, n, k, add);
}

void product_128(const float* a, std::size_t row, std::size_t step, const float* b, float* c,
                 std::size_t m, std::size_t n, std::size_t k, bool add) {
  all<16, 3, 4>(a, row, step, b, c, m, n, k, add);
}

Product chosen() {
  if (__builtin_cpu_supports("avx512f")) return product_512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return product_256;
  return product_128;
}
#else
void product_128(const float* a, std::size_t row, std::size_t step, const float* b, float* c,
                 std::size_t m, std::size_t n, std::size_t k, bool add) {
  all<16, 6, 4>(a, row, step, b, c, m, n, k, add);
}

Product chosen() { return product_128; }
#endif

// The one for this processor.
void product(const float* a, std::size_t row, std::size_t step, const float* b, float* c,
             std::size_t m, std::size_t n, std::size_t k, bool add) {
  static const Product found = chosen();
  found(a, row, step, b, c, m, n, k, add);
}

}  // namespace

#else

namespace {

void product(const float* a, std::size_t row, std::size_t step, const float* b, float* c,
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

#endif

}  // namespace haiyomi
