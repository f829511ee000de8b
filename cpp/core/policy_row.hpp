// One decision as packed bytes, the layout of `styles/decisions.py`: a seat's observation of the
// table, and its own options.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace haiyomi::policy {

inline constexpr std::size_t kRiver = 28;
inline constexpr std::uint8_t kNone = 255;

#pragma pack(push, 1)
struct MeldBytes {
  std::uint8_t type, base, called, order, target, reds;
};
struct PlayerBytes {
  std::uint8_t kind[kRiver], order[kRiver], flags[kRiver];
  std::uint8_t n;
  MeldBytes melds[4];
  std::uint8_t concealed;
  std::int8_t riichi;
  std::int32_t score;
  std::uint64_t passed, passed_riichi;
};
struct RowBytes {
  PlayerBytes players[4];
  std::uint8_t unseen[34], indicators[5];
  std::uint8_t seat, kyoku, honba, sticks, dealer, draws_left;
  std::uint8_t hand[34];
  std::uint8_t reds;             // bit s: the red five of suit s is in the hand
  std::uint8_t drawn, offered;   // kinds, kNone without
  std::uint8_t from;             // relative seat of the offered tile
  std::uint8_t flags;            // of the offered tile: as a discard's
  std::uint16_t legal;           // bits of Act
  std::uint64_t discards, kans;  // kinds
  std::uint8_t efficiency[34][4];
  std::uint8_t calls[5][3];      // shanten, tiles, next: as it stands, three chi, pon
};
#pragma pack(pop)
static_assert(sizeof(PlayerBytes) == 131);
static_assert(sizeof(RowBytes) == 777);

// Bits of `legal`, and the order of a row's answers.
enum Act : unsigned { kRiichi, kTsumo, kNine, kChiLow, kChiMid, kChiHigh, kPon, kOpenKan, kRon, kActs };

// The label of a decision: kinds or kNone; `decided` the acts whose choice is known (the mask of
// the loss), `chosen` those taken, as bits of Act.
#pragma pack(push, 1)
struct LabelBytes {
  std::uint8_t discard, kan;
  std::uint16_t decided, chosen;
};
#pragma pack(pop)
static_assert(sizeof(LabelBytes) == 6);

}  // namespace haiyomi::policy
