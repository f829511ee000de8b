// One hand's wall: 136 tiles in the order that play/wall.py has.
#pragma once
#include <array>
#include <cstdint>

#include "seeds.hpp"

namespace haiyomi {

// The four replacements, five pairs of indicator and ura indicator, the 52 dealt, the 70 draws.
struct Wall {
  static constexpr int kDead = 14, kDealt = 52;
  std::array<std::uint8_t, 136> tiles{};  // tile ids
  int drawn = 0, replaced = 0;

  // Fisher and Yates on the generator's 64-bit numbers.
  static Wall shuffled(Pcg64 random);

  int indicator(int n) const { return tiles[std::size_t(4 + 2 * n)]; }
  int ura(int n) const { return tiles[std::size_t(5 + 2 * n)]; }
  // From the dealer on four tiles thrice, then one; by absolute seat.
  std::array<std::array<std::uint8_t, 13>, 4> deal(int dealer) const;
  int draw() { return tiles[std::size_t(kDead + kDealt + drawn++)]; }
  int replacement() { return tiles[std::size_t(replaced++)]; }
};

// The code (0-36) of a tile id.
inline int code_of_id(int id, bool red_fives) {
  if (red_fives && (id == 16 || id == 52 || id == 88)) return 34 + id / 36;
  return id / 4;
}

}  // namespace haiyomi
