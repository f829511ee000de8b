// Tile efficiency: for each discard of a hand the shanten it leaves and the tiles that improve it.
#pragma once
#include <cstddef>
#include <cstdint>

#include "suits.hpp"

namespace haiyomi {

// Of one discard: the shanten that it leaves, 255 where the kind is not held; the unseen tiles that
// lower it, and their kinds. One step further, for the discards that leave the least shanten, if
// above tenpai: the useful tiles after a useful draw and the best discard, averaged over the useful
// tiles, times 4.
using DiscardEfficiency = std::uint8_t[4];
// Of a call: shanten, tiles and the step further of its best discard (the least shanten, then the
// most tiles, then the most after them), also one that the call forbids (kuikae), as the networks
// were fitted; 255 where the call is not legal.
using CallEfficiency = std::uint8_t[3];

// Fills out[34], by the kind discarded from a hand of 3k + 2 tiles; `unseen` copies are left of
// each kind.
void discard_efficiency(const Counts& hand, const std::uint8_t* unseen, int n_melds,
                        DiscardEfficiency* out);

// Fills out[5] of a hand of 3k + 1 tiles and another's tile of kind `offered`: as the hand stands
// (no step further), and after chi low, middle, high and pon, which are bits kChiLow... of `legal`.
void call_efficiency(const Counts& hand, const std::uint8_t* unseen, int n_melds, int offered,
                     unsigned legal, CallEfficiency* out);

}  // namespace haiyomi
