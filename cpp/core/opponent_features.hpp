// What a decision record shows of one opponent, as numbers for the network.
//
// KindFeature of opponent_features.cpp names the kReadingKind of each kind.
#pragma once
#include <cstddef>

#include "decision.hpp"

namespace haiyomi::network {

inline constexpr std::size_t kReadingKind = 54, kReadingContext = 39;
inline constexpr std::size_t kOpponentKind = kReadingKind;
// Then: which relative seat (3), within one turn of its riichi, double riichi, the flag `forgets`,
// and two that are not used.
inline constexpr std::size_t kOpponentContext = kReadingContext + 8;

// Writes kOpponentKind numbers at kinds[place] for each kind and kOpponentContext at context, of
// the relative seat `opponent`, 1 to 3; all must be zero before. `mirror`: ranks reversed.
void opponent_features(const record::DecisionBytes& record, std::size_t opponent, bool mirror,
                       float* const* kinds, float* context);

}  // namespace haiyomi::network
