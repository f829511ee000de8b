#include "tile_efficiency.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "decision.hpp"
#include "hand_shape.hpp"

namespace haiyomi {
namespace {

std::uint8_t byte(int value) { return static_cast<std::uint8_t>(std::min(value, 254)); }

std::size_t lowest(std::uint64_t mask) { return static_cast<std::size_t>(std::countr_zero(mask)); }

// The discards of one hand of 3k + 2 tiles.
class Discards {
 public:
  Discards(const Counts& hand, const std::uint8_t* unseen, int n_melds)
      : shape_(hand, n_melds), unseen_(unseen) {
    for (std::size_t k = 0; k < 34; ++k) {
      held_ |= std::uint64_t{hand[k] > 0} << k;
      left_ |= std::uint64_t{unseen[k] > 0} << k;
    }
  }

  void fill(DiscardEfficiency* out) {
    int least = 127;
    for (std::size_t k = 0; k < 34; ++k) {
      out[k][0] = held_ >> k & 1 ? 0 : 255;
      out[k][1] = out[k][2] = out[k][3] = 0;
    }
    for (std::uint64_t rest = held_; rest != 0; rest &= rest - 1) {
      const std::size_t k = lowest(rest);
      shape_.remove(k);
      const int shanten = shape_.shanten();
      useful_[k] = shape_.useful() & left_;
      shape_.add(k);
      least = std::min(least, shanten);
      out[k][0] = static_cast<std::uint8_t>(std::max(shanten, 0));
      out[k][1] = byte(tiles(useful_[k]));
      out[k][2] = byte(std::popcount(useful_[k]));
    }
    if (least < 1) return;
    std::uint64_t drawn = 0;
    for (std::uint64_t rest = held_; rest != 0; rest &= rest - 1) {
      const std::size_t k = lowest(rest);
      if (out[k][0] != least || out[k][1] == 0) continue;
      keepers_ |= std::uint64_t{1} << k;
      drawn |= useful_[k];
    }
    for (; drawn != 0; drawn &= drawn - 1) add_draw(lowest(drawn), least - 1);
    for (std::uint64_t rest = keepers_; rest != 0; rest &= rest - 1) {
      const std::size_t k = lowest(rest);
      out[k][3] = byte(4 * sum_[k] / out[k][1]);
    }
  }

 private:
  int tiles(std::uint64_t mask) const {
    int total = 0;
    for (mask &= left_; mask != 0; mask &= mask - 1) total += unseen_[lowest(mask)];
    return total;
  }

  // Adds what drawing t brings to each discard after which it is useful. The hand without two tiles
  // is the same whichever of them is discarded first, and both discards keep the least shanten.
  void add_draw(std::size_t t, int wanted) {
    std::uint64_t firsts = 0;
    for (std::uint64_t rest = keepers_; rest != 0; rest &= rest - 1)
      if (useful_[lowest(rest)] >> t & 1) firsts |= rest & -rest;
    std::array<int, 34> most{};
    shape_.add(t);
    for (std::uint64_t first = firsts; first != 0; first &= first - 1) {
      const std::size_t k = lowest(first);
      shape_.remove(k);
      for (std::uint64_t second = first; second != 0; second &= second - 1) {
        const std::size_t d = lowest(second);
        if (shape_.count(d) == 0) continue;
        shape_.remove(d);
        if (shape_.shanten() == wanted) {
          const int n = tiles(shape_.useful());
          most[k] = std::max(most[k], n);
          most[d] = std::max(most[d], n);
        }
        shape_.add(d);
      }
      shape_.add(k);
    }
    shape_.remove(t);
    for (; firsts != 0; firsts &= firsts - 1)
      sum_[lowest(firsts)] += unseen_[t] * most[lowest(firsts)];
  }

  HandShape shape_;
  const std::uint8_t* unseen_;
  std::uint64_t held_ = 0, left_ = 0;  // kinds held, and unseen
  std::uint64_t keepers_ = 0;          // discards of the least shanten with useful tiles
  std::array<std::uint64_t, 34> useful_{};
  std::array<int, 34> sum_{};
};

// The best discard after a call.
void best_discard(const Counts& hand, const std::uint8_t* unseen, int n_melds, CallEfficiency out) {
  DiscardEfficiency found[34];
  discard_efficiency(hand, unseen, n_melds, found);
  int best = -1;
  for (const DiscardEfficiency& d : found) {
    const int key = (255 - d[0]) << 16 | d[1] << 8 | d[3];
    if (key <= best) continue;
    best = key;
    out[0] = d[0];
    out[1] = d[1];
    out[2] = d[3];
  }
}

}  // namespace

void discard_efficiency(const Counts& hand, const std::uint8_t* unseen, int n_melds,
                        DiscardEfficiency* out) {
  Discards(hand, unseen, n_melds).fill(out);
}

void call_efficiency(const Counts& hand, const std::uint8_t* unseen, int n_melds, int offered,
                     unsigned legal, CallEfficiency* out) {
  static constexpr int kOwn[4][2] = {{1, 2}, {-1, 1}, {-2, -1}, {0, 0}};  // beside the called tile
  const HandShape shape(hand, n_melds);
  int tiles = 0;
  for (std::uint64_t rest = shape.useful(); rest != 0; rest &= rest - 1) tiles += unseen[lowest(rest)];
  out[0][0] = static_cast<std::uint8_t>(std::max(shape.shanten(), 0));
  out[0][1] = byte(tiles);
  out[0][2] = 0;
  for (int i = 0; i < 4; ++i) {
    if (!(legal >> (record::kChiLow + static_cast<unsigned>(i)) & 1)) {
      std::fill_n(out[i + 1], 3, std::uint8_t{255});
      continue;
    }
    Counts after = hand;
    for (const int step : kOwn[i]) --after[static_cast<std::size_t>(offered + step)];
    best_discard(after, unseen, n_melds + 1, out[i + 1]);
  }
}

}  // namespace haiyomi
