// A hash of 64 bits: the finalizer of SplitMix64.
#pragma once
#include <cstdint>

namespace haiyomi {

inline constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15u;  // the step of SplitMix64

inline std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}

}  // namespace haiyomi
