// What is known of a decision afterwards, and what was hidden at it: the labels of a record.
//
// `game/decision_labels.py` has the same layout. Never an input: a record has no such field. Seats
// are relative to the one that decides, kinds and masks as in `decision.hpp`.
#pragma once
#include <cstdint>

#include "decision.hpp"

namespace haiyomi::record {

// How the hand ended for the seat that decides.
enum Ending : std::uint8_t {
  kWinsByDraw, kWinsByRon, kDealsIn, kOtherDraws, kOtherRon, kDrawTenpai, kDrawNoten, kNagashi,
  kAborted, kEndings
};

// `chosen` where an own win or abort, or another's call or win, left the kan open.
inline constexpr std::uint8_t kNotDecided = 254;

#pragma pack(push, 1)
// Kinds or kNone; `decided` the acts whose choice is known (the mask of the loss), `chosen` those
// taken, as bits of Act.
struct ChoiceBytes {
  std::uint8_t discard, kan;
  std::uint16_t decided, chosen;
};
// Another player as all four hands lie open, before the decision.
struct OpponentBytes {
  std::uint8_t concealed[34];
  std::uint8_t reds;        // bits of suits
  std::uint8_t furiten;     // the waits hold a kind that the player may not win on by ron
  std::uint8_t han, fu;     // of a ron on the tile discarded, where `ron` has it
  std::uint64_t waits;      // kinds that complete the hand
  std::uint64_t ron;        // kinds that the player could win on by ron if they were discarded now
  std::int32_t points;      // of a ron on the tile discarded, without honba and sticks
};
struct LabelBytes {
  std::uint32_t game;       // index in the batch
  std::uint16_t hand;       // of the game, from 0
  std::uint16_t event;      // the one before the decision, from 0
  std::uint16_t discards;   // of all seats in the hand before it
  std::uint8_t seat;        // absolute
  std::uint8_t away;        // bits of seats that are disconnected
  ChoiceBytes choice;
  std::uint8_t code;        // of the tile discarded, kNone without
  std::uint8_t ronned;      // bits of seats that won on it
  OpponentBytes opponents[3];
  std::uint8_t ending;      // Ending
  std::uint8_t winners;     // bits of seats
  std::uint8_t from;        // seat that dealt in, kNone without
  std::uint8_t tenpai;      // bits of seats that were tenpai at an exhaustive draw
  std::uint8_t deposits;    // bits of seats that paid a riichi deposit after the decision
  std::uint8_t places[4];   // 0 first ... 3 last at the end of the game, kNone unknown
  std::int32_t worth;       // a ron of the winner's hand, the first's in turn, as `points`; 0 none
  std::int32_t deltas[4];   // change of each score from here to the end of the hand, deposits too
  std::int32_t final[4];    // scores at the end of the game, 0 unknown
};
#pragma pack(pop)
static_assert(sizeof(ChoiceBytes) == 6);
static_assert(sizeof(OpponentBytes) == 58);
static_assert(sizeof(LabelBytes) == 239);

}  // namespace haiyomi::record
