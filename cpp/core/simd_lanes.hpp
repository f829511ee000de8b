// SIMD lanes: one double for each of N opponents, 4 or 8, computed together.
//
// On GCC and Clang they are a vector; the compiler splits it where the registers are narrower.
// A file that computes with lanes is compiled without floating-point contraction
// (CMakeLists.txt), so a lane's bits depend neither on the processor nor on the other lanes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace haiyomi {

// The widths that there are: three opponents of one position take four lanes, batches what suits the
// processor.
inline constexpr std::size_t kFewLanes = 4, kMostLanes = 8;

// One set of tile kinds a lane; bit k stands for kind k.
template <std::size_t N>
struct alignas(8 * N) LaneKinds {
  std::int64_t v[N] = {};
};

#if defined(__GNUC__) || defined(__clang__)

#define HAIYOMI_INLINE inline __attribute__((always_inline))
#define HAIYOMI_INLINE_LAMBDA __attribute__((always_inline))
#if __has_builtin(__builtin_shufflevector)
#define HAIYOMI_SHUFFLES
#endif

// The vectors of each width: a vector's size cannot depend on a template's argument.
template <std::size_t N>
struct VectorsOf;
template <>
struct VectorsOf<4> {
  typedef double Numbers __attribute__((vector_size(32)));
  typedef std::int64_t Bits __attribute__((vector_size(32)));
};
template <>
struct VectorsOf<8> {
  typedef double Numbers __attribute__((vector_size(64)));
  typedef std::int64_t Bits __attribute__((vector_size(64)));
};

// A structure, because containers drop the attributes of bare vector types. It is copied as a vector:
// GCC copies a plain structure in halves, and the load of the whole then waits for both stores.
template <std::size_t N>
struct alignas(8 * N) Lanes {
  typedef typename VectorsOf<N>::Numbers Values;
  Values v;
  Lanes() = default;
  HAIYOMI_INLINE Lanes(const Values& values) : v(values) {}
  HAIYOMI_INLINE Lanes(const Lanes& other) : v(other.v) {}
  HAIYOMI_INLINE Lanes& operator=(const Lanes& other) {
    v = other.v;
    return *this;
  }
  double operator[](std::size_t i) const { return v[i]; }
};
// A mask: all bits of a lane are set or none.
template <std::size_t N>
struct alignas(8 * N) LaneMask {
  typedef typename VectorsOf<N>::Bits Values;
  Values v;
};

template <std::size_t N>
HAIYOMI_INLINE void set(Lanes<N>& to, std::size_t i, double value) { to.v[i] = value; }
template <std::size_t N>
HAIYOMI_INLINE Lanes<N> operator+(const Lanes<N>& a, const Lanes<N>& b) { return {a.v + b.v}; }
template <std::size_t N>
HAIYOMI_INLINE Lanes<N> operator-(const Lanes<N>& a, const Lanes<N>& b) { return {a.v - b.v}; }
template <std::size_t N>
HAIYOMI_INLINE Lanes<N> operator*(const Lanes<N>& a, const Lanes<N>& b) { return {a.v * b.v}; }
// The lanes whose set has no kind of `mask`.
template <std::size_t N>
HAIYOMI_INLINE LaneMask<N> without(const LaneKinds<N>& of, std::int64_t mask) {
  typename LaneMask<N>::Values bits;
  std::memcpy(&bits, of.v, sizeof bits);
  return {(bits & mask) == 0};
}
template <std::size_t N>
HAIYOMI_INLINE LaneMask<N> is_nonzero(const Lanes<N>& a) { return {a.v != 0.0}; }
template <std::size_t N>
HAIYOMI_INLINE LaneMask<N> is_positive(const Lanes<N>& a) { return {a.v > 0.0}; }
template <std::size_t N>
HAIYOMI_INLINE Lanes<N> where(const LaneMask<N>& mask, const Lanes<N>& a) {
  const auto x = reinterpret_cast<typename LaneMask<N>::Values>(a.v);
  return {reinterpret_cast<typename Lanes<N>::Values>(x & mask.v)};
}
template <std::size_t N>
HAIYOMI_INLINE Lanes<N> where(const LaneMask<N>& mask, const Lanes<N>& a, const Lanes<N>& other) {
  const auto x = reinterpret_cast<typename LaneMask<N>::Values>(a.v);
  const auto y = reinterpret_cast<typename LaneMask<N>::Values>(other.v);
  return {reinterpret_cast<typename Lanes<N>::Values>((x & mask.v) | (y & ~mask.v))};
}

#else

#define HAIYOMI_INLINE inline
#define HAIYOMI_INLINE_LAMBDA

template <std::size_t N>
struct alignas(8 * N) Lanes {
  double v[N];
  double operator[](std::size_t i) const { return v[i]; }
};
template <std::size_t N>
struct alignas(8 * N) LaneMask {
  bool v[N];
};

template <class Out, std::size_t N, class Of>
inline Out of_each(Of&& of) {
  Out out;
  for (std::size_t i = 0; i < N; ++i) out.v[i] = of(i);
  return out;
}
template <std::size_t N>
inline void set(Lanes<N>& to, std::size_t i, double value) { to.v[i] = value; }
template <std::size_t N>
inline Lanes<N> operator+(const Lanes<N>& a, const Lanes<N>& b) {
  return of_each<Lanes<N>, N>([&](std::size_t i) { return a.v[i] + b.v[i]; });
}
template <std::size_t N>
inline Lanes<N> operator-(const Lanes<N>& a, const Lanes<N>& b) {
  return of_each<Lanes<N>, N>([&](std::size_t i) { return a.v[i] - b.v[i]; });
}
template <std::size_t N>
inline Lanes<N> operator*(const Lanes<N>& a, const Lanes<N>& b) {
  return of_each<Lanes<N>, N>([&](std::size_t i) { return a.v[i] * b.v[i]; });
}
template <std::size_t N>
inline LaneMask<N> without(const LaneKinds<N>& of, std::int64_t mask) {
  return of_each<LaneMask<N>, N>([&](std::size_t i) { return (of.v[i] & mask) == 0; });
}
template <std::size_t N>
inline LaneMask<N> is_nonzero(const Lanes<N>& a) {
  return of_each<LaneMask<N>, N>([&](std::size_t i) { return a.v[i] != 0.0; });
}
template <std::size_t N>
inline LaneMask<N> is_positive(const Lanes<N>& a) {
  return of_each<LaneMask<N>, N>([&](std::size_t i) { return a.v[i] > 0.0; });
}
template <std::size_t N>
inline Lanes<N> where(const LaneMask<N>& bits, const Lanes<N>& a) {
  return of_each<Lanes<N>, N>([&](std::size_t i) { return bits.v[i] ? a.v[i] : 0.0; });
}
template <std::size_t N>
inline Lanes<N> where(const LaneMask<N>& bits, const Lanes<N>& a, const Lanes<N>& other) {
  return of_each<Lanes<N>, N>([&](std::size_t i) { return bits.v[i] ? a.v[i] : other.v[i]; });
}

#endif

template <std::size_t N>
HAIYOMI_INLINE void operator+=(Lanes<N>& a, const Lanes<N>& b) { a = a + b; }
template <std::size_t N>
HAIYOMI_INLINE void operator-=(Lanes<N>& a, const Lanes<N>& b) { a = a - b; }
// Sets all lanes of an array to zero.
template <class Array>
void clear(Array& lanes) { std::memset(static_cast<void*>(&lanes), 0, sizeof lanes); }
// Whether any lane of n values is nonzero.
template <std::size_t N>
HAIYOMI_INLINE bool any(const Lanes<N>* a, std::size_t n) {
  bool out = false;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < N; ++j) out |= a[i][j] != 0.0;
  return out;
}

// Transposes an N x N block in place.
template <std::size_t N>
HAIYOMI_INLINE void transpose(Lanes<N> (&rows)[N]) {
#ifdef HAIYOMI_SHUFFLES
  typedef typename Lanes<N>::Values V;
  if constexpr (N == 4) {
    const V a = rows[0].v, b = rows[1].v, c = rows[2].v, d = rows[3].v;
    const V ab = __builtin_shufflevector(a, b, 0, 4, 2, 6), ba = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    const V cd = __builtin_shufflevector(c, d, 0, 4, 2, 6), dc = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    rows[0].v = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
    rows[1].v = __builtin_shufflevector(ba, dc, 0, 1, 4, 5);
    rows[2].v = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
    rows[3].v = __builtin_shufflevector(ba, dc, 2, 3, 6, 7);
  } else {
    static_assert(N == 8);
    V two[N], four[N];
    for (std::size_t i = 0; i < 4; ++i) {
      const V a = rows[2 * i].v, b = rows[2 * i + 1].v;
      two[2 * i] = __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14);
      two[2 * i + 1] = __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (std::size_t half = 0; half < N; half += 4) {
      for (std::size_t i = 0; i < 2; ++i) {
        const V a = two[half + i], b = two[half + i + 2];
        four[half + i] = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
        four[half + i + 2] = __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
      }
    }
    for (std::size_t i = 0; i < 4; ++i) {
      const V a = four[i], b = four[i + 4];
      rows[i].v = __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11);
      rows[i + 4].v = __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
    }
  }
#else
  for (std::size_t i = 0; i < N; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double up = rows[i][j];
      set(rows[i], j, rows[j][i]);
      set(rows[j], i, up);
    }
  }
#endif
}

}  // namespace haiyomi
