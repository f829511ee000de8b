#include "tile_efficiency.hpp"

#include <algorithm>
#include <array>

#include "shanten.hpp"

namespace haiyomi {
namespace {

int count(std::uint64_t mask, const std::uint8_t* unseen) {
  int total = 0;
  for (; mask != 0; mask &= mask - 1) {
    std::size_t k = 0;
    while ((mask >> k & 1) == 0) ++k;
    total += unseen[k];
  }
  return total;
}

int kinds_in(std::uint64_t mask, const std::uint8_t* unseen) {
  int total = 0;
  for (std::size_t k = 0; k < 34; ++k) total += (mask >> k & 1) != 0 && unseen[k] != 0;
  return total;
}

// The most useful tiles after any discard that leaves this shanten.
int most_tiles(Counts& hand, const std::uint8_t* unseen, int n_melds, int wanted) {
  int best = 0;
  for (std::size_t k = 0; k < 34; ++k) {
    if (hand[k] == 0) continue;
    --hand[k];
    if (shanten(hand, n_melds) == wanted) {
      best = std::max(best, count(useful_tiles(hand, n_melds), unseen));
    }
    ++hand[k];
  }
  return best;
}

std::uint8_t byte(int value) { return static_cast<std::uint8_t>(std::min(value, 254)); }

}  // namespace

void discard_efficiency(const Counts& hand, const std::uint8_t* unseen, int n_melds,
                        TileEfficiency* out) {
  Counts c = hand;
  std::array<std::uint64_t, 34> useful{};
  int least = 127;
  for (std::size_t k = 0; k < 34; ++k) {
    out[k] = TileEfficiency{};
    if (c[k] == 0) continue;
    --c[k];
    const int s = shanten(c, n_melds);
    useful[k] = useful_tiles(c, n_melds);
    ++c[k];
    least = std::min(least, s);
    out[k].shanten = static_cast<std::uint8_t>(std::max(s, 0));
    out[k].tiles = byte(count(useful[k], unseen));
    out[k].kinds = byte(kinds_in(useful[k], unseen));
  }
  if (least < 1) return;
  for (std::size_t k = 0; k < 34; ++k) {
    if (c[k] == 0 || out[k].shanten != least || out[k].tiles == 0) continue;
    --c[k];
    int sum = 0;
    for (std::size_t t = 0; t < 34; ++t) {
      if ((useful[k] >> t & 1) == 0 || unseen[t] == 0) continue;
      ++c[t];
      sum += unseen[t] * most_tiles(c, unseen, n_melds, least - 1);
      --c[t];
    }
    ++c[k];
    out[k].next = byte(4 * sum / out[k].tiles);
  }
}

}  // namespace haiyomi
