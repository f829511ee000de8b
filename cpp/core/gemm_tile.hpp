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

// A tile of the product: kBlocks blocks of kEach rows, of kVecs registers; `step` is the stride along
// k. An element is the same sum in the same order whatever the tile's size, hence batch-invariant.
template <std::size_t kBytes, std::size_t kBlocks, std::size_t kEach, std::size_t kVecs>
HAIYOMI_INLINE void tile(const float* const (&a)[kBlocks], std::size_t row, std::size_t step,
                         const float* b, std::size_t ldb, float* const (&c)[kBlocks],
                         std::size_t k, bool add) {
  using Vec = typename Register<kBytes>::Vec;
  constexpr std::size_t kFloats = Register<kBytes>::kFloats;
  Vec sum[kBlocks * kEach][kVecs];
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kBlocks * kEach; ++i) {
#pragma GCC unroll 4
    for (std::size_t j = 0; j < kVecs; ++j) {
      const Vec zero = {};
      const float* from = c[i / kEach] + i % kEach * ldb + j * kFloats;
      sum[i][j] = add ? *reinterpret_cast<const Vec*>(from) : zero;
    }
  }
  for (std::size_t t = 0; t < k; ++t) {
    Vec right[kVecs];
#pragma GCC unroll 4
    for (std::size_t j = 0; j < kVecs; ++j) {
      right[j] = *reinterpret_cast<const Vec*>(b + t * ldb + j * kFloats);
    }
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kBlocks * kEach; ++i) {
      const float left = a[i / kEach][i % kEach * row + t * step];
#pragma GCC unroll 4
      for (std::size_t j = 0; j < kVecs; ++j) sum[i][j] += left * right[j];
    }
  }
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kBlocks * kEach; ++i) {
#pragma GCC unroll 4
    for (std::size_t j = 0; j < kVecs; ++j) {
      *reinterpret_cast<Vec*>(c[i / kEach] + i % kEach * ldb + j * kFloats) = sum[i][j];
    }
  }
}

// Three rows at a time, so that two suits of nine kinds are three tiles of six rows.
template <std::size_t kBytes, std::size_t kThrees, std::size_t kVecs>
HAIYOMI_INLINE void columns(const float* a, std::size_t row, std::size_t step, const float* b,
                            float* c, const Rows& m, std::size_t n, std::size_t k, bool add) {
  const std::size_t in_group = m.each / 3, threes = in_group * m.groups;
  const auto at = [&](std::size_t i) { return i / in_group * m.apart + i % in_group * 3; };
  std::size_t i = 0;
  for (; i + kThrees <= threes; i += kThrees) {
    const float* left[kThrees];
    float* to[kThrees];
    for (std::size_t j = 0; j < kThrees; ++j) {
      left[j] = a + at(i + j) * row;
      to[j] = c + at(i + j) * n;
    }
    tile<kBytes, kThrees, 3, kVecs>(left, row, step, b, n, to, k, add);
  }
  for (; i < threes; ++i) {
    tile<kBytes, 1, 3, kVecs>({a + at(i) * row}, row, step, b, n, {c + at(i) * n}, k, add);
  }
  for (i = 3 * in_group; i < m.each; ++i) {
    tile<kBytes, 1, 1, kVecs>({a + i * row}, row, step, b, n, {c + i * n}, k, add);
  }
}

// The tile's size: it and its operands must fit the processor's registers.
template <std::size_t kBytes, std::size_t kThrees, std::size_t kVecs>
HAIYOMI_INLINE void all(const float* a, std::size_t row, std::size_t step, const float* b,
                        float* c, const Rows& m, std::size_t n, std::size_t k, bool add) {
  constexpr std::size_t kFloats = Register<kBytes>::kFloats;
  std::size_t j = 0;
  for (; j + kVecs * kFloats <= n; j += kVecs * kFloats) {
    columns<kBytes, kThrees, kVecs>(a, row, step, b + j, c + j, m, n, k, add);
  }
  if constexpr (kVecs * kFloats > 2 * kLane) {
    for (; j + 2 * kLane <= n; j += 2 * kLane) {
      columns<kBytes, kThrees, 2 * kLane / kFloats>(a, row, step, b + j, c + j, m, n, k, add);
    }
  }
  for (; j + kLane <= n; j += kLane) {
    columns<kBytes, kThrees, kLane / kFloats>(a, row, step, b + j, c + j, m, n, k, add);
  }
}

using Product = void (*)(const float* a, std::size_t row, std::size_t step, const float* b,
                         float* c, const Rows& m, std::size_t n, std::size_t k, bool add);

#if defined(__x86_64__) && !defined(_MSC_VER) && !defined(HAIYOMI_NO_DISPATCH)
__attribute__((target("avx512f"))) void product_512(const float* a, std::size_t row,
                                                    std::size_t step, const float* b, float* c,
                                                    const Rows& m, std::size_t n, std::size_t k,
                                                    bool add) {
  all<64, 2, 4>(a, row, step, b, c, m, n, k, add);
}

__attribute__((target("avx2,fma"))) void product_256(const float* a, std::size_t row,
                                                     std::size_t step, const float* b, float* c,
                                                     const Rows& m, std::size_t n, std::size_t k,
                                                     bool add) {
  all<32, 2, 2>(a, row, step, b, c, m, n, k, add);
}

void product_128(const float* a, std::size_t row, std::size_t step, const float* b, float* c,
                 const Rows& m, std::size_t n, std::size_t k, bool add) {
  all<16, 1, 4>(a, row, step, b, c, m, n, k, add);
}

Product chosen() {
  if (__builtin_cpu_supports("avx512f")) return product_512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return product_256;
  return product_128;
}
#else
void product_128(const float* a, std::size_t row, std::size_t step, const float* b, float* c,
                 const Rows& m, std::size_t n, std::size_t k, bool add) {
  all<16, 2, 4>(a, row, step, b, c, m, n, k, add);
}

Product chosen() { return product_128; }
#endif

// The one for this processor.
void product(const float* a, std::size_t row, std::size_t step, const float* b, float* c,
             const Rows& m, std::size_t n, std::size_t k, bool add) {
  static const Product found = chosen();
  found(a, row, step, b, c, m, n, k, add);
}

}  // namespace

#else

namespace {

void product(const float* a, std::size_t row, std::size_t step, const float* b, float* c,
             const Rows& m, std::size_t n, std::size_t k, bool add) {
  for (std::size_t i = 0; i < m.groups * m.apart; ++i) {
    if (i % m.apart >= m.each) continue;
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
