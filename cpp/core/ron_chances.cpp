#include "ron_chances.hpp"

#include <algorithm>
#include <cmath>

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

bool surely_tenpai(const record::PlayerBytes& player) {
  return player.riichi >= 0 || player.melds[3].type != record::kNone;
}

double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-std::max(x, -60.0))); }

// Log odds, of a probability that is kept away from zero and one.
double logit(double p) {
  const double q = std::min(std::max(p, 1e-7), 1.0 - 1e-7);
  return std::log(q) - std::log1p(-q);
}

}  // namespace

RonOdds::RonOdds(const record::ObservationBytes& seen, std::size_t opponent, bool chankan)
    : let_pass_(kinds_let_pass(seen, opponent, chankan)) {
  for (const std::uint8_t k : seen.indicators)
    if (k != record::kNone) dora_ |= std::uint64_t{1} << network::dora_of(k);
  int riichi = 0;
  for (std::size_t seat = 1; seat < 4; ++seat) riichi += seen.players[seat].riichi >= 0;
  riichi_ = riichi > 1 ? 1.0 : 0.0;
}

RonOdds::Features RonOdds::of(std::size_t kind, float network, double by_hands) const {
  return {static_cast<double>(network), logit(by_hands), 1.0, kind >= 27 ? 1.0 : 0.0,
          static_cast<double>(dora_ >> kind & 1), riichi_,
          static_cast<double>(let_pass_ >> kind & 1)};
}

RonChances ron_chances(const record::ObservationBytes& seen, std::size_t opponent, bool chankan,
                       const RonAnswers& answers, const float* weights, double floor) {
  const record::PlayerBytes& player = seen.players[opponent];
  const std::uint64_t furiten = furiten_kinds(player);
  const RonOdds odds(seen, opponent, chankan);
  const float* const own = weights == nullptr ? nullptr : weights + class_of(player) * kOddsFeatures;
  RonChances out;
  out.tenpai = surely_tenpai(player) ? 1.0 : sigmoid(static_cast<double>(answers.tenpai));
  for (std::size_t k = 0; k < 34; ++k) {
    double ron = out.by_hands[k] = out.tenpai * answers.ron[k];
    const bool can = answers.wait[k] > 0.0 && (furiten >> k & 1) == 0;
    if (can && own != nullptr) {
      const RonOdds::Features features = odds.of(k, answers.network[k], ron);
      double sum = features[0] * own[0];
      for (std::size_t i = 1; i < kOddsFeatures; ++i) sum += features[i] * own[i];
      ron = std::min(sigmoid(sum), out.tenpai);
    }
    out.ron[k] = can ? std::max(ron, floor) : 0.0;
  }
  return out;
}

}  // namespace haiyomi
