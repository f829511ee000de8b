// The rules of discards, riichi, calls and kans.
#include "replay_allowed.hpp"

#include <algorithm>

#include "waits.hpp"

namespace haiyomi::replay {
namespace {

constexpr int kNine = 9, kRiichiPoints = 1000, kRiichiDraws = 4;

int yaochu_kinds(const Player& p) {
  int kinds = 0;
  for (int k = 0; k < 34; ++k) kinds += is_yaochu(k) && p.concealed[k] > 0;
  return kinds;
}

}  // namespace

Broken may_discard(const Table& t, int seat, int code, bool tsumogiri) {
  const Player& p = t.players[seat];
  if (!p.holds(code)) return {Fault::NotHeld, seat, code};
  if (tsumogiri) {
    if (t.drawn < 0) return {Fault::TsumogiriAfterCall, seat, code};
    if (code != t.drawn) return {Fault::NotDrawn, seat, code, t.drawn};
  } else {
    if (p.accepted) return {Fault::RiichiMustTsumogiri, seat, code};
    if (code == t.drawn) {
      Player without = p;
      without.give(code);
      if (!without.holds(code)) return {Fault::Tsumogiri, seat, code};
    }
  }
  if (t.kuikae & bit(kind_of(code))) return {Fault::Kuikae, seat, code};
  return {};
}

Broken may_riichi(const Table& t, int seat) {
  const Player& p = t.players[seat];
  if (p.riichi) return {Fault::RiichiTwice, seat};
  if (p.open) return {Fault::RiichiOpen, seat};
  if (t.drawn < 0) return {Fault::RiichiNoDraw, seat};
  if (t.scores[seat] < kRiichiPoints) return {Fault::RiichiPoor, seat, t.scores[seat]};
  if (t.draws_left < kRiichiDraws) return {Fault::RiichiLate, seat, t.draws_left};
  return {};
}

Broken may_end_with_nine(const Table& t, int seat) {
  if (t.drawn < 0 || !t.first_turn(seat)) return {Fault::NineNotFirst, seat};
  const int kinds = yaochu_kinds(t.players[seat]);
  if (kinds < kNine) return {Fault::NineTooFew, seat, kinds};
  return {};
}

Broken may_call(const Table& t, int seat) {
  if (t.players[seat].riichi) return {Fault::CallInRiichi, seat};
  if (t.draws_left == 0) return {Fault::CallLastTile, seat};
  return {};
}

Broken may_kan(const Table& t) {
  if (t.draws_left == 0) return {Fault::KanLastTile};
  if (t.kans == 4) return {Fault::KanFifth};
  return {};
}

Broken may_kan_now(const Table& t, int seat) {
  if (t.drawn < 0) return {Fault::KanAfterCall, seat};
  if (t.must_discard) return {Fault::MustAct, seat};
  return may_kan(t);
}

Broken may_kan_in_riichi(const Table& t, int seat, int kind) {
  const Broken broken{Fault::KanInRiichi, seat, kind};
  if (kind_of(t.drawn) != kind) return broken;
  const Player& p = t.players[seat];
  if (p.concealed[kind] != 4) return {Fault::NotHeld, seat, kind};
  const std::uint64_t before = waits_before_draw(t, seat);
  Player after = p;
  after.concealed[kind] = 0;
  after.add_meld(MeldType::Ankan, kind, 0);
  if (after.waits_now() != before) return broken;
  return {};
}

std::uint64_t swap_kinds(int called, int low) {
  std::uint64_t kinds = bit(called);
  if (low < 0) return kinds;
  if (called == low && low % 9 + 3 <= 8) kinds |= bit(called + 3);
  if (called == low + 2 && low % 9 >= 1) kinds |= bit(called - 3);
  return kinds;
}

bool holds_another(const Counts& concealed, std::uint64_t kinds) {
  for (int k = 0; k < 34; ++k)
    if (concealed[k] > 0 && !(kinds & bit(k))) return true;
  return false;
}

bool orphans_wait(Player& p, int kind) {
  return p.n_melds == 0 && yaochu_kinds(p) >= 12 && (p.waits_now() & bit(kind)) != 0;
}

std::uint64_t waits_before_draw(const Table& t, int seat) {
  if (t.waits_before_known) return t.waits_before;
  Player without = t.players[seat];
  without.give(t.drawn);
  return without.waits_now();
}

}  // namespace haiyomi::replay
