// What was hidden at a decision: hands, waits, and the kinds that each seat could win on.
#include "replay_state.hpp"

namespace haiyomi::replay {
namespace {

// Kinds among the waits that win by ron with nothing but the hand itself for a yaku.
std::uint64_t kinds_with_yaku(Table& t, int seat) {
  Player& p = t.players[seat];
  const std::uint64_t waits = p.waits_now();
  if (p.yaku_known) return p.yaku;
  p.yaku = 0;
  if (waits != 0) {
    WinInput in;
    in.concealed = p.concealed;
    in.melds = p.melds;
    in.n_melds = p.n_melds;
    in.round_wind = std::uint8_t(27 + t.kyoku / 4 % 4);
    in.seat_wind = std::uint8_t(t.seat_wind(seat));
    for (int kind = 0; kind < 34; ++kind) {
      if (!(waits & bit(kind))) continue;
      ++in.concealed[kind];
      in.win_kind = std::uint8_t(kind);
      if (score_win(in, t.rules.score).has_yaku) p.yaku |= bit(kind);
      --in.concealed[kind];
    }
  }
  p.yaku_known = true;
  return p.yaku;
}

}  // namespace

std::uint64_t ron_mask(Table& t, int seat, bool chankan) {
  Player& p = t.players[seat];
  const std::uint64_t waits = p.waits_now();
  if (waits == 0 || p.furiten(waits)) return 0;
  if (p.accepted || chankan || t.draws_left == 0) return waits;  // each is a yaku
  return kinds_with_yaku(t, seat);
}

DecisionRow decision(Table& t, int event, int seat, int code, bool added_kan) {
  DecisionRow row;
  row.event = event;
  row.seat = std::uint8_t(seat);
  row.code = std::uint8_t(code);
  row.forced = t.players[seat].accepted;
  const int kind = kind_of(code);
  for (int s = 0; s < 4; ++s) {
    Player& p = t.players[s];
    row.concealed[s] = p.concealed;
    row.reds[s] = p.reds;
    if (s == seat) continue;
    row.waits[s] = p.waits_now();
    row.furiten[s] = p.furiten(row.waits[s]);
    row.ron[s] = ron_mask(t, s, added_kan);
    if (row.ron[s] & bit(kind))
      set_worth(row, s, score_win(t.win_input(s, code, false, added_kan), t.rules.score));
  }
  return row;
}

void set_worth(DecisionRow& row, int seat, const Score& score) {
  row.han[seat] = score.han;
  row.fu[seat] = score.fu;
  row.points[seat] = score.ron;
}

}  // namespace haiyomi::replay
