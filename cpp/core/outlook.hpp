// What each discard of a hand leaves: its shanten, the tiles it can use, and what those bring.
#pragma once
#include <cstddef>
#include <cstdint>

#include "suits.hpp"

namespace haiyomi {

struct Outlook {
  std::uint8_t shanten = 255;  // after the discard; 255 where the kind is not held
  std::uint8_t tiles = 0;      // unseen tiles that lower it
  std::uint8_t kinds = 0;      // kinds of them
  // Of the discards that leave the least shanten, above tenpai: how many tiles the hand uses
  // after a useful draw and the best discard, averaged over the useful tiles; in fourths.
  std::uint8_t next = 0;
};

inline constexpr std::size_t kOutlookBytes = 34 * 4;

// The outlook of each kind of a hand of 3k + 2 tiles, of which `unseen` are left of each kind.
void outlook(const Counts& hand, const std::uint8_t* unseen, int n_melds, Outlook* out);

}  // namespace haiyomi
