// Tile efficiency: for each discard of a hand the shanten it leaves and the tiles that improve it.
#pragma once
#include <cstddef>
#include <cstdint>

#include "suits.hpp"

namespace haiyomi {

struct TileEfficiency {
  std::uint8_t shanten = 255;  // after the discard; 255 where the kind is not held
  std::uint8_t tiles = 0;      // unseen tiles that lower it
  std::uint8_t kinds = 0;      // kinds of them
  // One step further, for the discards that leave the least shanten, if above tenpai: the useful
  // tiles after a useful draw and the best discard, averaged over the useful tiles, times 4.
  std::uint8_t next = 0;
};

inline constexpr std::size_t kEfficiencyBytes = 34 * 4;

// Fills out[34], by the kind discarded from a hand of 3k + 2 tiles; `unseen` copies are left of
// each kind.
void discard_efficiency(const Counts& hand, const std::uint8_t* unseen, int n_melds,
                        TileEfficiency* out);

}  // namespace haiyomi
