#include "wall.hpp"

#include <numeric>
#include <utility>

namespace haiyomi {

Wall Wall::shuffled(Pcg64 random) {
  Wall wall;
  std::iota(wall.tiles.begin(), wall.tiles.end(), std::uint8_t{0});
  for (std::size_t i = 135; i > 0; --i) std::swap(wall.tiles[i], wall.tiles[random.next() % (i + 1)]);
  return wall;
}

std::array<std::array<std::uint8_t, 13>, 4> Wall::deal(int dealer) const {
  std::array<std::array<std::uint8_t, 13>, 4> hands{};
  std::array<std::size_t, 4> held{};
  std::size_t at = kDead;
  for (const int size : {4, 4, 4, 1}) {
    for (int i = 0; i < 4; ++i) {
      const auto seat = std::size_t((dealer + i) % 4);
      for (int k = 0; k < size; ++k) hands[seat][held[seat]++] = tiles[at++];
    }
  }
  return hands;
}

}  // namespace haiyomi
