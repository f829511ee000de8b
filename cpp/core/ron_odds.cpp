#include "ron_odds.hpp"

#include <algorithm>

#include "decision_features.hpp"
#include "opponent_rules.hpp"
#include "score.hpp"

namespace haiyomi {
namespace {

std::size_t class_of(const record::PlayerBytes& player) {
  if (player.riichi >= 0) return 0;
  std::size_t open = 0;
  for (const record::MeldBytes& meld : player.melds)
    open += meld.type != record::kNone && meld.type != static_cast<std::uint8_t>(MeldType::Ankan);
  return kOddsClasses - 1 - std::min<std::size_t>(open, 3);
}

}  // namespace

void ron_odds(const record::ObservationBytes& seen, std::size_t opponent, const float* weights,
              const float* by_network, const double* by_hands, double* out) {
  std::uint64_t dora = 0;
  for (const std::uint8_t k : seen.indicators)
    if (k != record::kNone) dora |= std::uint64_t{1} << network::dora_of(k);
  int riichi = 0;
  for (std::size_t seat = 1; seat < 4; ++seat) riichi += seen.players[seat].riichi >= 0;
  const float* const own = weights + class_of(seen.players[opponent]) * kOddsFeatures;
  for (std::size_t k = 0; k < 34; ++k) {
    const double features[kOddsFeatures] = {by_network[k], by_hands[k], 1.0, k >= 27 ? 1.0 : 0.0,
                                            static_cast<double>(dora >> k & 1),
                                            riichi > 1 ? 1.0 : 0.0};
    double sum = features[0] * own[0];
    for (std::size_t i = 1; i < kOddsFeatures; ++i) sum += features[i] * own[i];
    out[k] = sum;
  }
}

bool surely_tenpai(const record::PlayerBytes& player) {
  return player.riichi >= 0 || player.melds[3].type != record::kNone;
}

void rule_rons(const record::ObservationBytes& seen, std::size_t opponent, const double* ron,
               const double* wait, double floor, double* out) {
  const std::uint64_t furiten = furiten_kinds(seen.players[opponent]);
  for (std::size_t k = 0; k < 34; ++k)
    out[k] = wait[k] > 0.0 && (furiten >> k & 1) == 0 ? std::max(ron[k], floor) : 0.0;
}

}  // namespace haiyomi
