// SplitMix64: a hash of 64 bits, and numbers from a seed, the same on every platform.
#pragma once
#include <cstdint>

namespace haiyomi {

inline constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15u;  // the step of SplitMix64

inline std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}

// The number in [0, 1) of 64 random bits.
inline double unit(std::uint64_t x) { return double(x >> 11) * 0x1p-53; }

// The next number in [0, 1).
inline double uniform(std::uint64_t* state) { return unit(mixed(*state += kGolden)); }

}  // namespace haiyomi
