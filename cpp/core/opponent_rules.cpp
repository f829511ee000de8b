#include "opponent_rules.hpp"

#include <algorithm>

#include "decision_features.hpp"

namespace haiyomi {

using record::kNone;
using record::MeldBytes;
using record::ObservationBytes;
using record::PlayerBytes;

std::uint64_t furiten_kinds(const PlayerBytes& player) {
  std::uint64_t out = player.passed | player.passed_riichi;
  for (std::size_t i = 0; i < player.n; ++i) out |= std::uint64_t{1} << player.kind[i];
  return out;
}

std::uint64_t kinds_let_pass(const ObservationBytes& seen, std::size_t opponent, bool chankan) {
  const PlayerBytes& own = seen.players[opponent];
  if (own.riichi >= 0 || seen.draws_left == 0 || chankan) return 0;
  // The number, among the discards of all seats, of the first that its hand might have won on.
  int first = 0;
  for (std::size_t i = 0; i < own.n; ++i)
    if ((own.flags[i] & record::kTsumogiri) == 0) first = own.order[i] + 1;
  for (const MeldBytes& meld : own.melds)
    if (meld.type != kNone) first = std::max<int>(first, meld.order);
  std::uint64_t out = 0;
  for (std::size_t seat = 0; seat < 4; ++seat) {
    if (seat == opponent) continue;
    const PlayerBytes& other = seen.players[seat];
    for (std::size_t i = 0; i < other.n; ++i)
      if (other.order[i] >= first) out |= std::uint64_t{1} << other.kind[i];
  }
  return out;
}

RonRules ron_rules(const ObservationBytes& seen, std::size_t opponent, const ScoreRules& rules,
                   bool chankan) {
  const PlayerBytes& own = seen.players[opponent];
  RonRules out;
  out.certain_yaku = own.riichi >= 0 || seen.draws_left == 0 || chankan;
  out.barred = furiten_kinds(own) | kinds_let_pass(seen, opponent, chankan);
  for (const MeldBytes& meld : own.melds)
    if (meld.type != kNone) out.melds.push_back({static_cast<MeldType>(meld.type), meld.base});
  out.round_wind = static_cast<std::uint8_t>(27 + seen.kyoku / 4 % 4);
  out.seat_wind = static_cast<std::uint8_t>(27 + (opponent + 4 - seen.dealer) % 4);
  out.kuitan = rules.kuitan;
  return out;
}

PointsQuery points_query(const ObservationBytes& seen, std::size_t opponent,
                         const ScoreRules& rules, bool chankan) {
  const PlayerBytes& own = seen.players[opponent];
  PointsQuery out;
  std::copy_n(seen.unseen, 34, out.unseen.begin());
  for (std::size_t s = 0; s < 3; ++s) out.red_unseen[s] = (seen.reds_seen >> s & 1) == 0;
  for (const std::uint8_t k : seen.indicators)
    if (k != kNone) out.dora[out.shown++] = network::dora_of(k);
  for (const MeldBytes& meld : own.melds)
    if (meld.type != kNone) out.meld_reds = static_cast<std::uint8_t>(out.meld_reds + meld.reds);
  const auto bit = [opponent](std::uint8_t of) { return (of >> opponent & 1) != 0; };
  if (own.riichi >= 0) {
    out.riichi = bit(seen.double_riichi) ? 2 : 1;
    out.ura = out.shown;
  }
  out.ippatsu = bit(seen.ippatsu);
  out.houtei = seen.draws_left == 0 && !chankan;
  out.chankan = chankan;
  out.rules = rules;
  return out;
}

}  // namespace haiyomi
