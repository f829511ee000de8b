// What a decision record says of tiles, computed from its hand, melds and unseen tiles.
#pragma once
#include "decision.hpp"

namespace haiyomi::record {

// Whether every kind, seat and number is within its range.
bool is_good(const ObservationBytes& seen);
bool is_good(const DecisionBytes& record);

// Fills in `waits`, `efficiency` (in the own turn) and `calls` (of an offered tile) of a record
// that is good. False if the hand does not fit the rest: its number of tiles, the drawn tile, or a
// legal call whose tiles it lacks.
bool fill_tile_facts(DecisionBytes& record);

// Completes the record of a viewer of which the observation, `hand`, `reds`, `drawn` and
// `drawn_red` are given: the rest is that of a discard without a win and nine terminals. A viewer
// without a tile to discard gets one: that of its last discard; before it the kind of which most
// are left, honours first. `barred`: kinds that a call forbids to discard. After a riichi of the
// viewer the discards are those that keep it tenpai. False as fill_tile_facts.
bool complete_seat_record(DecisionBytes& record, std::uint64_t barred);

}  // namespace haiyomi::record
