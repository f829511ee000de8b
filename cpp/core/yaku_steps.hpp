// How many tiles an open hand lacks for a complete hand with a yaku.
#pragma once
#include <cstdint>
#include <span>

#include "score.hpp"
#include "suits.hpp"

namespace haiyomi {

// An open hand: its concealed tiles, 3k + 1 of them, its melds, and the copies of each kind that the
// viewer does not see.
struct OpenHand {
  const Counts& concealed;
  std::span<const Meld> melds;
  const std::uint8_t* unseen;  // (34,)
  std::uint8_t round_wind, seat_wind;
};

// Tiles lacking.
struct YakuSteps {
  int plain = 0;     // with or without a yaku
  int flexible = 0;  // yakuhai, simples, one suit with honours, or triplets
  int any = 0;       // or a straight, a run in three suits, or outside
};

// A bound from below: of the tiles lacking none but those of yakuhai, straights and runs in three
// suits are known to be left.
YakuSteps yaku_steps(const OpenHand& hand, bool kuitan);

}  // namespace haiyomi
