// Doubles of several opponents side by side: what is done to one is done to all of them at once.
//
// On GCC and Clang they are a vector, which is split where the processor's registers are smaller.
// A file that counts with them is compiled without contraction (CMakeLists.txt), so that each
// number is the same to the bit whatever the processor and whatever stands beside it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace haiyomi {

inline constexpr std::size_t kAbreast = 8;

// Sets of kinds, as bits.
struct alignas(8 * kAbreast) AbreastMasks {
  std::int64_t v[kAbreast] = {};
};

#if defined(__GNUC__) || defined(__clang__)

#define HAIYOMI_INLINE inline __attribute__((always_inline))
#define HAIYOMI_INLINE_LAMBDA __attribute__((always_inline))
#if __has_builtin(__builtin_shufflevector)
#define HAIYOMI_SHUFFLES
#endif

// In a structure: containers drop the attributes of their elements.
struct alignas(8 * kAbreast) Abreast {
  typedef double Values __attribute__((vector_size(8 * kAbreast)));
  Values v;
  double operator[](std::size_t i) const { return v[i]; }
};
// For each of them whether something holds: all bits of a number or none.
struct alignas(8 * kAbreast) AbreastBits {
  typedef std::int64_t Values __attribute__((vector_size(8 * kAbreast)));
  Values v;
};

HAIYOMI_INLINE void set(Abreast& to, std::size_t i, double value) { to.v[i] = value; }
// To the beginning of a line of the cache.
HAIYOMI_INLINE void store(const Abreast& a, double* to) {
  typedef Abreast::Values Line __attribute__((may_alias));
  *reinterpret_cast<Line*>(to) = a.v;
}
HAIYOMI_INLINE Abreast operator+(const Abreast& a, const Abreast& b) { return {a.v + b.v}; }
HAIYOMI_INLINE Abreast operator-(const Abreast& a, const Abreast& b) { return {a.v - b.v}; }
HAIYOMI_INLINE Abreast operator*(const Abreast& a, const Abreast& b) { return {a.v * b.v}; }
// Those of whose bits none is in `mask`.
HAIYOMI_INLINE AbreastBits without(const AbreastMasks& of, std::int64_t mask) {
  AbreastBits::Values bits;
  std::memcpy(&bits, of.v, sizeof bits);
  return {(bits & mask) == 0};
}
HAIYOMI_INLINE AbreastBits not_nil(const Abreast& a) { return {a.v != 0.0}; }
HAIYOMI_INLINE Abreast where(const AbreastBits& mask, const Abreast& a) {
  return {reinterpret_cast<Abreast::Values>(reinterpret_cast<AbreastBits::Values>(a.v) & mask.v)};
}
HAIYOMI_INLINE Abreast where(const AbreastBits& mask, const Abreast& a, const Abreast& other) {
  const auto x = reinterpret_cast<AbreastBits::Values>(a.v);
  const auto y = reinterpret_cast<AbreastBits::Values>(other.v);
  return {reinterpret_cast<Abreast::Values>((x & mask.v) | (y & ~mask.v))};
}

#else

#define HAIYOMI_INLINE inline
#define HAIYOMI_INLINE_LAMBDA

struct alignas(8 * kAbreast) Abreast {
  double v[kAbreast];
  double operator[](std::size_t i) const { return v[i]; }
};
struct alignas(8 * kAbreast) AbreastBits {
  bool v[kAbreast];
};

template <class Out, class Of>
inline Out of_each(Of&& of) {
  Out out;
  for (std::size_t i = 0; i < kAbreast; ++i) out.v[i] = of(i);
  return out;
}
inline void set(Abreast& to, std::size_t i, double value) { to.v[i] = value; }
inline void store(const Abreast& a, double* to) { std::memcpy(to, a.v, sizeof a.v); }
inline Abreast operator+(const Abreast& a, const Abreast& b) {
  return of_each<Abreast>([&](std::size_t i) { return a.v[i] + b.v[i]; });
}
inline Abreast operator-(const Abreast& a, const Abreast& b) {
  return of_each<Abreast>([&](std::size_t i) { return a.v[i] - b.v[i]; });
}
inline Abreast operator*(const Abreast& a, const Abreast& b) {
  return of_each<Abreast>([&](std::size_t i) { return a.v[i] * b.v[i]; });
}
inline AbreastBits without(const AbreastMasks& of, std::int64_t mask) {
  return of_each<AbreastBits>([&](std::size_t i) { return (of.v[i] & mask) == 0; });
}
inline AbreastBits not_nil(const Abreast& a) {
  return of_each<AbreastBits>([&](std::size_t i) { return a.v[i] != 0.0; });
}
inline Abreast where(const AbreastBits& bits, const Abreast& a) {
  return of_each<Abreast>([&](std::size_t i) { return bits.v[i] ? a.v[i] : 0.0; });
}
inline Abreast where(const AbreastBits& bits, const Abreast& a, const Abreast& other) {
  return of_each<Abreast>([&](std::size_t i) { return bits.v[i] ? a.v[i] : other.v[i]; });
}

#endif

HAIYOMI_INLINE void operator+=(Abreast& a, const Abreast& b) { a = a + b; }
HAIYOMI_INLINE void operator-=(Abreast& a, const Abreast& b) { a = a - b; }
// Whether any of n is not 0.
HAIYOMI_INLINE bool any(const Abreast* a, std::size_t n) {
  bool out = false;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < kAbreast; ++j) out |= a[i][j] != 0.0;
  return out;
}

// Rows become columns.
HAIYOMI_INLINE void turn(Abreast (&rows)[kAbreast]) {
#ifdef HAIYOMI_SHUFFLES
  typedef Abreast::Values V;
  V two[kAbreast], four[kAbreast];
  for (std::size_t i = 0; i < 4; ++i) {
    const V a = rows[2 * i].v, b = rows[2 * i + 1].v;
    two[2 * i] = __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14);
    two[2 * i + 1] = __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (std::size_t half = 0; half < kAbreast; half += 4) {
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
  for (std::size_t i = 0; i < kAbreast; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double up = rows[i][j];
      set(rows[i], j, rows[j][i]);
      set(rows[j], i, up);
    }
  }
#endif
}

// Bit i: number i is not 0.
HAIYOMI_INLINE unsigned which(const Abreast& a) {
#ifdef HAIYOMI_SHUFFLES
  typedef AbreastBits::Values V;
  const V each = {1, 2, 4, 8, 16, 32, 64, 128};
  V left = not_nil(a).v & each;
  left |= __builtin_shufflevector(left, left, 4, 5, 6, 7, 0, 1, 2, 3);
  left |= __builtin_shufflevector(left, left, 2, 3, 0, 1, 6, 7, 4, 5);
  left |= __builtin_shufflevector(left, left, 1, 0, 3, 2, 5, 4, 7, 6);
  return static_cast<unsigned>(left[0]);
#else
  unsigned out = 0;
  for (std::size_t i = 0; i < kAbreast; ++i) out |= (a[i] != 0.0 ? 1u : 0u) << i;
  return out;
#endif
}

}  // namespace haiyomi
