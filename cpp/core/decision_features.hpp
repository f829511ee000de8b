// A decision record as numbers for the network: some for each kind, some for the whole.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "decision.hpp"

namespace haiyomi::network {

inline constexpr std::size_t kKindFeatures = 90;
inline constexpr std::size_t kContext = 168;
inline constexpr std::size_t kStyle = 8;       // numbers of a player's style, which the caller
inline constexpr std::size_t kStyleAt = 144;   // writes into the context from here on

// Kind k mirrored within its suit: 1 <-> 9; honours stay.
inline std::size_t mirrored(std::size_t k) { return k < 27 ? k / 9 * 9 + 8 - k % 9 : k; }

// The kind that an indicator makes dora.
inline std::size_t dora_of(std::size_t k) {
  if (k < 27) return k / 9 * 9 + (k % 9 + 1) % 9;
  return k < 31 ? 27 + (k - 26) % 4 : 31 + (k - 30) % 3;
}

// The kind that a decision is about: drawn or offered, kNone without.
inline std::uint8_t focus_of(const record::DecisionBytes& r) {
  return r.from == record::kNone ? r.drawn : r.offered;
}

// A score; beyond 150,000 points a record is damaged, and networks have seen no such numbers.
inline float score_feature(std::int32_t score) {
  return std::clamp(static_cast<float>(score) / 25000, -6.0f, 6.0f);
}

// Writes kKindFeatures numbers at kinds[place] for each kind, and kContext at context; all must be
// zero before. `mirror`: ranks 1-9 of every suit reversed.
void decision_features(const record::DecisionBytes& record, bool mirror, float* const* kinds,
                       float* context);

}  // namespace haiyomi::network
