// What the melds and the circumstances say of the yaku of an opponent's hands.
#pragma once
#include <array>
#include <compare>

#include "posterior.hpp"

namespace haiyomi {

// What decides the yaku of number suits; sum_no_yaku asks once for all that share it.
struct SharedYaku {
  unsigned all = 15;      // what all suits may still share
  bool closed = true;
  unsigned triplets = 0;  // concealed kans
  unsigned suits = 0;     // number suits among the melds
  std::array<unsigned, 3> sets{};  // sets of the melds, bits as in SuitYaku::sets

  explicit SharedYaku(const RonRules& rules);
  auto operator<=>(const SharedYaku&) const = default;
};

// The three runs of a straight, bits 0-2, that the sets of a suit's melds do not show.
unsigned lacking_of_straight(unsigned sets);
// Bits 0-6: honours whose triplet is a yaku.
unsigned valued_honours(const RonRules& rules);
// Whether any hand has a yaku, whatever it holds.
bool certain_yaku(const RonRules& rules);

}  // namespace haiyomi
