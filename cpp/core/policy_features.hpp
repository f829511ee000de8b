// The network's input features of a decision: some for each kind, some for the whole.
#pragma once
#include <cstddef>

#include "decision.hpp"

namespace haiyomi::policy {

using namespace record;

inline constexpr std::size_t kKindFeatures = 88;
inline constexpr std::size_t kContext = 152;
inline constexpr std::size_t kStyle = 8;  // the context's last numbers: the player's style

// Kind k mirrored within its suit: 1 <-> 9; honours stay.
inline std::size_t mirrored(std::size_t k) { return k < 27 ? k / 9 * 9 + 8 - k % 9 : k; }

// Writes kKindFeatures numbers at kinds + place(k) * kKindFeatures for each kind, and kContext
// at context; both must be zero before. `mirror`: ranks 1-9 of every suit reversed.
void features(const DecisionBytes& row, bool mirror, float* const* kinds, float* context);

}  // namespace haiyomi::policy
