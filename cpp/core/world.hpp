// One way in which the hidden tiles of a hand may lie, from what a seat has seen of it.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "seeds.hpp"
#include "wall.hpp"

namespace haiyomi {

inline constexpr int kHiddenCode = 63;  // of another seat's draw, in the words of a view

// A hand so far in words, with all its tiles, and its whole wall.
struct World {
  std::vector<std::int32_t> words;
  Wall wall;
};

// `view`: the words so far as a seat sees them (replay.hpp): a hidden draw has the code
// kHiddenCode, and a dealt tile that is hidden is -1. `hands`: the codes of the concealed tiles now
// of each seat with a hidden deal. `rest`: the codes of the tiles still in the wall: the draws in
// their order, then the replacements, the dora indicators not shown, the five ura indicators;
// where it is empty they lie in the order that `random` gives.
//
// Where a drawn tile went is chosen so that every event is possible; which of the possible tiles
// it was changes nothing after it. Throws std::invalid_argument where the tiles contradict what was
// seen; replaying the words by the rules (Game) finds what is left.
World world_of(std::span<const std::int32_t> view,
               const std::array<std::vector<std::uint8_t>, 4>& hands,
               std::span<const std::uint8_t> rest, Pcg64 random, bool red_fives);

}  // namespace haiyomi
