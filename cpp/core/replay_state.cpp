// The table's state: tiles in hands, what has appeared, the circumstances of a win.
#include "replay_state.hpp"

#include "replay_allowed.hpp"
#include "waits.hpp"

namespace haiyomi::replay {

bool Player::holds(int code) const {
  const int kind = kind_of(code);
  if (is_red(code)) return reds >> (code - 34) & 1;
  const bool red_here = kind < 27 && kind % 9 == 4 && (reds >> (kind / 9) & 1);
  return concealed[kind] > (red_here ? 1 : 0);
}

void Player::take(int code) {
  ++concealed[kind_of(code)];
  if (is_red(code)) reds |= std::uint8_t(1 << (code - 34));
  waits_known = yaku_known = false;
}

void Player::give(int code) {
  --concealed[kind_of(code)];
  if (is_red(code)) reds &= std::uint8_t(~(1 << (code - 34)));
  waits_known = yaku_known = false;
}

void Player::add_meld(MeldType type, int kind, int reds_in_it) {
  melds[n_melds++] = Meld{type, std::uint8_t(kind)};
  meld_reds = std::uint8_t(meld_reds + reds_in_it);
  if (type != MeldType::Ankan) open = true;
  waits_known = yaku_known = false;
}

Meld* Player::pon_of(int kind) {
  for (int m = 0; m < n_melds; ++m)
    if (melds[m].type == MeldType::Pon && melds[m].kind == kind) return &melds[m];
  return nullptr;
}

std::uint64_t Player::waits_now() {
  if (waits_known) return waits;
  Counts held = concealed;
  for (int m = 0; m < n_melds; ++m) {
    const Meld& meld = melds[m];
    if (meld.type == MeldType::Chi) {
      for (int i = 0; i < 3; ++i) ++held[meld.kind + i];
    } else {
      held[meld.kind] = std::uint8_t(held[meld.kind] + (meld.type == MeldType::Pon ? 3 : 4));
    }
  }
  waits = haiyomi::waits(concealed, n_melds);
  for (int kind = 0; kind < 34; ++kind)
    if (held[kind] >= 4) waits &= ~bit(kind);
  waits_known = true;
  return waits;
}

void Table::appear(int code) {
  const int kind = kind_of(code);
  if (is_red(code)) {
    if (!rules.red_fives) fail(Fault::RedForbidden, code);
    const auto mask = std::uint8_t(1 << (code - 34));
    if (seen_reds & mask) fail(Fault::RedTwice, code);
    seen_reds |= mask;
  }
  if (++seen[kind] > 4) fail(Fault::TooManyCopies, code);
  // The fourth plain five does not exist beside a red one.
  if (rules.red_fives && kind < 27 && kind % 9 == 4 && seen[kind] == 4 &&
      !(seen_reds >> (kind / 9) & 1))
    fail(Fault::TooManyCopies, code);
}

WinInput Table::win_input(int seat, int code, bool tsumo, bool chankan) const {
  const Player& p = players[seat];
  const int kind = kind_of(code);
  WinInput in;
  in.concealed = p.concealed;
  int reds = p.meld_reds;
  for (int suit = 0; suit < 3; ++suit) reds += p.reds >> suit & 1;
  if (!tsumo) {
    ++in.concealed[kind];
    reds += is_red(code);
  }
  in.melds = p.melds;
  in.n_melds = p.n_melds;
  in.win_kind = std::uint8_t(kind);
  in.round_wind = std::uint8_t(27 + kyoku / 4 % 4);
  in.seat_wind = std::uint8_t(seat_wind(seat));
  in.riichi = p.accepted ? p.riichi : 0;
  in.tsumo = tsumo;
  in.ippatsu = p.ippatsu;
  in.rinshan = tsumo && rinshan;
  in.chankan = chankan;
  in.last_tile = draws_left == 0 && !in.rinshan && !chankan;
  in.first_turn = tsumo && first_turn(seat);
  in.reds = std::uint8_t(reds);
  in.dora = bonus(in, indicators, n_indicators);
  return in;
}

std::uint8_t bonus(const WinInput& in, const std::array<std::uint8_t, 5>& indicators, int n) {
  int han = 0;
  for (int i = 0; i < n; ++i) {
    const int kind = dora_of(indicators[i]);
    han += in.concealed[kind];
    for (int m = 0; m < in.n_melds; ++m) {
      const Meld& meld = in.melds[m];
      if (meld.type == MeldType::Chi)
        han += kind >= meld.kind && kind <= meld.kind + 2;
      else if (meld.kind == kind)
        han += meld.type == MeldType::Pon ? 3 : 4;
    }
  }
  return std::uint8_t(han);
}

void Table::let_pass() {
  if (last < 0) return;
  const std::uint64_t mask = bit(kind_of(last));
  for (int seat = 0; seat < 4; ++seat) {
    if (seat == turn || (ankan_open && !orphans_wait(players[seat], kind_of(last)))) continue;
    players[seat].passed |= mask;
    if (players[seat].riichi) players[seat].passed_riichi |= mask;
  }
  last = -1;
}

}  // namespace haiyomi::replay
