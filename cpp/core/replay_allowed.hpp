// What the rules allow a seat whose turn it is or who is offered a tile: the one copy of these
// rules, read by the checked replay and by the options of a seat.
//
// Each looks at the seat's own hand and at what all seats see. Whether the moment is right (the
// phase, the turn, indicators that must come first) is for the caller.
#pragma once
#include "replay_state.hpp"

namespace haiyomi::replay {

inline void require(const Broken& rule) {
  if (rule.fault != Fault::None) throw rule;
}

Broken may_discard(const Table& t, int seat, int code, bool tsumogiri);
// But for a tenpai hand after the discard.
Broken may_riichi(const Table& t, int seat);
Broken may_end_with_nine(const Table& t, int seat);
// Chi, pon and open kan of the last discard, whatever the tiles.
Broken may_call(const Table& t, int seat);
// One more kan of anybody's.
Broken may_kan(const Table& t);
// A closed or added kan of the seat that has drawn, whatever the tiles.
Broken may_kan_now(const Table& t, int seat);
// A closed kan of the kind just drawn that leaves the waits as they were. What becomes of the hand's
// readings and yaku does not matter (tenhou.net/man, the rules of riichi).
Broken may_kan_in_riichi(const Table& t, int seat, int kind);

// The kinds that may not be discarded after a call (kuikae): the called kind, and for a chi whose
// lowest kind is `low` (-1 for a pon) the kind that makes the same run with the own two tiles.
std::uint64_t swap_kinds(int called, int low);
bool holds_another(const Counts& concealed, std::uint64_t kinds);
// A closed hand of terminals and honours alone, twelve or thirteen different, that waits on `kind`.
bool orphans_wait(Player& p, int kind);
// The waits of the hand without the tile just drawn.
std::uint64_t waits_before_draw(const Table& t, int seat);

}  // namespace haiyomi::replay
