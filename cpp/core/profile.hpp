// One pass over a hand's 34 counts, eight at a time: legality and what the irregular forms need.
#pragma once
#include <cstdint>
#include <cstring>

#include "suits.hpp"

namespace haiyomi {

struct Profile {
  bool legal;           // no count above 4
  int tiles;            // meaningful if legal
  int kinds, pairs;     // kinds held at least once, at least twice
  int orphans;          // kinds of terminals and honours held
  bool orphan_pair;     // one of them twice
};

namespace words {
// Counts sit in the bytes of five words, the last padded; which byte is which never matters,
// so this works on any byte order.
inline constexpr std::uint64_t kTop = 0x8080808080808080u;
inline constexpr std::uint64_t kOnes = 0x0101010101010101u;

struct Row {
  std::array<std::uint64_t, 5> w{};
  explicit Row(const std::uint8_t* c) {
    std::memcpy(w.data(), c, 32);
    std::memcpy(&w[4], c + 32, 2);
  }
};

inline const Row& orphan_bytes() {
  static const Row row = [] {
    Counts c{};
    for (const int k : {0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33}) {
      c[static_cast<std::size_t>(k)] = 0x80;
    }
    return Row(c.data());
  }();
  return row;
}

inline int sum_bytes(std::uint64_t word) { return static_cast<int>(word * kOnes >> 56); }
}  // namespace words

inline Profile profile(const std::uint8_t* counts) {
  using namespace words;
  const Row row(counts);
  const Row& orphans = orphan_bytes();
  std::uint64_t bad = 0;
  std::uint64_t tiles = 0;
  std::uint64_t kinds = 0;
  std::uint64_t pairs = 0;
  std::uint64_t orphan_kinds = 0;
  std::uint64_t orphan_pairs = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    const std::uint64_t x = row.w[i];
    const std::uint64_t low = x & ~kTop;
    bad |= x | (low + 0x7b * kOnes);  // the top bit of a byte: count > 4
    const std::uint64_t held = low + 0x7f * kOnes;   // top bit: count > 0
    const std::uint64_t twice = low + 0x7e * kOnes;  // top bit: count > 1
    tiles += x;
    kinds += (held & kTop) >> 7;
    pairs += (twice & kTop) >> 7;
    orphan_kinds += (held & orphans.w[i]) >> 7;
    orphan_pairs |= twice & orphans.w[i];
  }
  return {(bad & kTop) == 0, sum_bytes(tiles),        sum_bytes(kinds),
          sum_bytes(pairs),  sum_bytes(orphan_kinds), orphan_pairs != 0};
}

// The number of melds of a hand with so many concealed tiles, -1 if no hand has so many.
inline int melds_with(int tiles) {
  if (tiles < 1 || tiles > kMostTiles || tiles % 3 == 0) return -1;
  return 4 - tiles / 3;
}

// The number of melds of a hand of 3k + `rest` tiles, -1 if it is no such hand.
inline int melds_of(const Counts& hand, int rest) {
  const Profile p = profile(hand.data());
  return p.legal && p.tiles % 3 == rest ? melds_with(p.tiles) : -1;
}

}  // namespace haiyomi
