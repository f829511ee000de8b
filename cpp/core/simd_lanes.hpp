// SIMD lanes: one double for each of several opponents, computed together.
//
// On GCC and Clang they are a vector; the compiler splits it where the registers are narrower.
// A file that computes with lanes is compiled without floating-point contraction
// (CMakeLists.txt), so a lane's bits depend neither on the processor nor on the other lanes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace haiyomi {

inline constexpr std::size_t kLanes = 8;

// One set of tile kinds a lane; bit k stands for kind k.
struct alignas(8 * kLanes) LaneKinds {
  std::int64_t v[kLanes] = {};
};

#if defined(__GNUC__) || defined(__clang__)

#define HAIYOMI_INLINE inline __attribute__((always_inline))
#define HAIYOMI_INLINE_LAMBDA __attribute__((always_inline))
#if __has_builtin(__builtin_shufflevector)
#define HAIYOMI_SHUFFLES
#endif

// A structure, because containers drop the attributes of bare vector types.
struct alignas(8 * kLanes) Lanes {
  typedef double Values __attribute__((vector_size(8 * kLanes)));
  Values v;
  double operator[](std::size_t i) const { return v[i]; }
};
// A mask: all bits of a lane are set or none.
struct alignas(8 * kLanes) LaneMask {
  typedef std::int64_t Values __attribute__((vector_size(8 * kLanes)));
  Values v;
};

HAIYOMI_INLINE void set(Lanes& to, std::size_t i, double value) { to.v[i] = value; }
// `to` must be aligned to a cache line.
HAIYOMI_INLINE void store(const Lanes& a, double* to) {
  typedef Lanes::Values Line __attribute__((may_alias));
  *reinterpret_cast<Line*>(to) = a.v;
}
HAIYOMI_INLINE Lanes operator+(const Lanes& a, const Lanes& b) { return {a.v + b.v}; }
HAIYOMI_INLINE Lanes operator-(const Lanes& a, const Lanes& b) { return {a.v - b.v}; }
HAIYOMI_INLINE Lanes operator*(const Lanes& a, const Lanes& b) { return {a.v * b.v}; }
// The lanes whose set has no kind of `mask`.
HAIYOMI_INLINE LaneMask without(const LaneKinds& of, std::int64_t mask) {
  LaneMask::Values bits;
  std::memcpy(&bits, of.v, sizeof bits);
  return {(bits & mask) == 0};
}
HAIYOMI_INLINE LaneMask is_nonzero(const Lanes& a) { return {a.v != 0.0}; }
HAIYOMI_INLINE Lanes where(const LaneMask& mask, const Lanes& a) {
  return {reinterpret_cast<Lanes::Values>(reinterpret_cast<LaneMask::Values>(a.v) & mask.v)};
}
HAIYOMI_INLINE Lanes where(const LaneMask& mask, const Lanes& a, const Lanes& other) {
  const auto x = reinterpret_cast<LaneMask::Values>(a.v);
  const auto y = reinterpret_cast<LaneMask::Values>(other.v);
  return {reinterpret_cast<Lanes::Values>((x & mask.v) | (y & ~mask.v))};
}

#else

#define HAIYOMI_INLINE inline
#define HAIYOMI_INLINE_LAMBDA

struct alignas(8 * kLanes) Lanes {
  double v[kLanes];
  double operator[](std::size_t i) const { return v[i]; }
};
struct alignas(8 * kLanes) LaneMask {
  bool v[kLanes];
};

template <class Out, class Of>
inline Out of_each(Of&& of) {
  Out out;
  for (std::size_t i = 0; i < kLanes; ++i) out.v[i] = of(i);
  return out;
}
inline void set(Lanes& to, std::size_t i, double value) { to.v[i] = value; }
inline void store(const Lanes& a, double* to) { std::memcpy(to, a.v, sizeof a.v); }
inline Lanes operator+(const Lanes& a, const Lanes& b) {
  return of_each<Lanes>([&](std::size_t i) { return a.v[i] + b.v[i]; });
}
inline Lanes operator-(const Lanes& a, const Lanes& b) {
  return of_each<Lanes>([&](std::size_t i) { return a.v[i] - b.v[i]; });
}
inline Lanes operator*(const Lanes& a, const Lanes& b) {
  return of_each<Lanes>([&](std::size_t i) { return a.v[i] * b.v[i]; });
}
inline LaneMask without(const LaneKinds& of, std::int64_t mask) {
  return of_each<LaneMask>([&](std::size_t i) { return (of.v[i] & mask) == 0; });
}
inline LaneMask is_nonzero(const Lanes& a) {
  return of_each<LaneMask>([&](std::size_t i) { return a.v[i] != 0.0; });
}
inline Lanes where(const LaneMask& bits, const Lanes& a) {
  return of_each<Lanes>([&](std::size_t i) { return bits.v[i] ? a.v[i] : 0.0; });
}
inline Lanes where(const LaneMask& bits, const Lanes& a, const Lanes& other) {
  return of_each<Lanes>([&](std::size_t i) { return bits.v[i] ? a.v[i] : other.v[i]; });
}

#endif

HAIYOMI_INLINE void operator+=(Lanes& a, const Lanes& b) { a = a + b; }
HAIYOMI_INLINE void operator-=(Lanes& a, const Lanes& b) { a = a - b; }
// Whether any lane of n values is nonzero.
HAIYOMI_INLINE bool any(const Lanes* a, std::size_t n) {
  bool out = false;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < kLanes; ++j) out |= a[i][j] != 0.0;
  return out;
}

// Transposes an 8 x 8 block in place.
HAIYOMI_INLINE void transpose(Lanes (&rows)[kLanes]) {
#ifdef HAIYOMI_SHUFFLES
  typedef Lanes::Values V;
  V two[kLanes], four[kLanes];
  for (std::size_t i = 0; i < 4; ++i) {
    const V a = rows[2 * i].v, b = rows[2 * i + 1].v;
    two[2 * i] = __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14);
    two[2 * i + 1] = __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (std::size_t half = 0; half < kLanes; half += 4) {
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
#else
  for (std::size_t i = 0; i < kLanes; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double up = rows[i][j];
      set(rows[i], j, rows[j][i]);
      set(rows[j], i, up);
    }
  }
#endif
}

// Bit i is set where lane i is nonzero.
HAIYOMI_INLINE unsigned nonzero_bits(const Lanes& a) {
#ifdef HAIYOMI_SHUFFLES
  typedef LaneMask::Values V;
  const V each = {1, 2, 4, 8, 16, 32, 64, 128};
  V left = is_nonzero(a).v & each;
  left |= __builtin_shufflevector(left, left, 4, 5, 6, 7, 0, 1, 2, 3);
  left |= __builtin_shufflevector(left, left, 2, 3, 0, 1, 6, 7, 4, 5);
  left |= __builtin_shufflevector(left, left, 1, 0, 3, 2, 5, 4, 7, 6);
  return static_cast<unsigned>(left[0]);
#else
  unsigned out = 0;
  for (std::size_t i = 0; i < kLanes; ++i) out |= (a[i] != 0.0 ? 1u : 0u) << i;
  return out;
#endif
}

}  // namespace haiyomi
