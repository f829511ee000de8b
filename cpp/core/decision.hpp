// One decision as fixed-size bytes: what a seat sees of the table, its own tiles and its options.
//
// The input of every network. `game/observation.py` and `game/decision_record.py` have the same
// layout as NumPy types.
// Seats are relative, 0 the one that decides. Nothing hidden has a field here, and nothing that
// depends on who plays (level, style).
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace haiyomi::record {

inline constexpr std::size_t kRiver = 28;   // discards of one player; the earliest are dropped
inline constexpr std::uint8_t kNone = 255;  // no kind, no seat, no meld

// Bits of a discard's flags.
enum DiscardFlag : std::uint8_t {
  kTsumogiri = 1,   // drawn just before
  kDeclares = 2,    // declared riichi
  kTaken = 4,       // taken by a call
  kFacing = 8,      // made while another's riichi stood
  kRedFive = 16,
  kOfKan = 32,      // of an offered tile only: it made a kan, and may only be won on
};

#pragma pack(push, 1)
struct MeldBytes {
  std::uint8_t type;    // 0 chi, 1 pon, 2 open kan, 3 added kan, 4 closed kan; kNone without
  std::uint8_t base;    // lowest kind
  std::uint8_t called;  // kind taken, kNone of a closed kan
  std::uint8_t order;   // discards of all seats before it
  std::uint8_t target;  // seat that it was taken from, kNone of a closed kan
  std::uint8_t reds;    // red fives in it
};
struct PlayerBytes {
  std::uint8_t kind[kRiver], order[kRiver], flags[kRiver];
  std::uint8_t n;             // discards in the record
  MeldBytes melds[4];
  std::uint8_t concealed;     // tiles in the hand
  std::int8_t riichi;         // index in the river of the declaration, -1 without
  std::int32_t score;
  std::uint64_t passed;         // kinds let pass since the own last discard
  std::uint64_t passed_riichi;  // and since the own riichi
};
struct ObservationBytes {
  PlayerBytes players[4];
  std::uint8_t unseen[34];      // copies that the seat does not see
  std::uint8_t indicators[5];   // kinds
  std::uint8_t seat;            // absolute
  std::uint8_t kyoku, honba, sticks;
  std::uint8_t dealer;          // relative
  std::uint8_t draws_left;
  std::uint8_t ippatsu;         // bits of seats: a win now is within one turn of the riichi
  std::uint8_t double_riichi;   // bits of seats
  std::uint8_t nagashi;         // bits of seats: terminals and honours alone discarded, none taken
  std::uint8_t rounds;          // 1 East-only, 2 hanchan, 4 full game, 0 unknown
  std::uint8_t reds_seen;       // bit s: the seat sees the red five of suit s
  std::uint8_t forgets;         // 1: others' discards before a riichi have no kTsumogiri
};
struct DecisionBytes : ObservationBytes {
  std::uint8_t hand[34];        // concealed tiles, the drawn one included
  std::uint8_t reds;            // bit s: the red five of suit s is among them
  std::uint8_t drawn, offered;  // kinds
  std::uint8_t from;            // seat of the offered tile
  std::uint8_t flags;           // of the offered tile: as a discard's
  std::uint8_t drawn_red;       // 1: the drawn tile is a red five
  std::uint64_t waits;          // kinds that complete the hand without the drawn tile
  std::uint16_t legal;          // bits of Act
  std::uint64_t discards, kans; // kinds
  std::uint8_t efficiency[34][4];  // own turn, by kind discarded: see tile_efficiency.hpp
  std::uint8_t calls[5][3];     // offered tile: shanten, tiles, next: as it stands, three chi, pon
};
#pragma pack(pop)
static_assert(sizeof(PlayerBytes) == 131);
static_assert(sizeof(ObservationBytes) == 575);
static_assert(sizeof(DecisionBytes) == 792);

// Bits of `legal`, and the order of a network's answers.
enum Act : unsigned { kRiichi, kTsumo, kNine, kChiLow, kChiMid, kChiHigh, kPon, kOpenKan, kRon, kActs };

}  // namespace haiyomi::record
