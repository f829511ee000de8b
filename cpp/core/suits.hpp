// A suit's nine counts as one small number, and all ways to split a suit into sets.
//
// Every table of the core is indexed by a *slot*: a minimal perfect hash of the counts of one
// suit, of which a hand can hold at most fourteen tiles. The nine base-5 digits are cut into
// four low and five high ones. The low parts are ranked by their number of tiles, so that the
// low parts that fit beside a high part are a prefix of that ranking, and each high part owns
// just as many slots as it needs: slot = base[high] + rank[low]. Two independent loads from
// 14 kB of constants give 405,350 slots instead of 5^9 = 1,953,125, and the tables stay in
// the second-level cache. Honours are a suit whose last two counts are zero: their slots are
// the first ones.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

namespace haiyomi {

using Counts = std::array<std::uint8_t, 34>;

inline constexpr int kMostTiles = 14;
inline constexpr int kLow = 625;    // 5^4
inline constexpr int kHigh = 3125;  // 5^5
inline constexpr std::array<int, 9> kPlace{1, 5, 25, 125, 1, 5, 25, 125, 625};

constexpr int digit_sum(int number) {
  int sum = 0;
  for (; number != 0; number /= 5) sum += number % 5;
  return sum;
}

struct SlotMap {
  std::array<std::uint32_t, kHigh + 1> base{};  // base[kHigh] = number of slots
  std::array<std::uint16_t, kLow> rank{};
  std::array<std::uint16_t, kMostTiles + 1> lows{};  // low parts of at most so many tiles

  constexpr SlotMap() {
    std::array<std::uint16_t, 18> first{};  // first[t]: low parts with fewer than t tiles
    for (int low = 0; low < kLow; ++low) ++first[static_cast<std::size_t>(digit_sum(low)) + 1];
    for (std::size_t t = 1; t < first.size(); ++t) {
      first[t] = static_cast<std::uint16_t>(first[t] + first[t - 1]);
    }
    for (std::size_t t = 0; t < lows.size(); ++t) lows[t] = first[t + 1];
    auto next = first;
    for (std::size_t low = 0; low < kLow; ++low) {
      rank[low] = next[static_cast<std::size_t>(digit_sum(static_cast<int>(low)))]++;
    }
    std::uint32_t total = 0;
    for (std::size_t high = 0; high < kHigh; ++high) {
      base[high] = total;
      const int sum = digit_sum(static_cast<int>(high));
      if (sum <= kMostTiles) total += lows[static_cast<std::size_t>(kMostTiles - sum)];
    }
    base[kHigh] = total;
  }
};

inline constexpr SlotMap kSlots{};
inline constexpr std::uint32_t kSuitSlots = kSlots.base[kHigh];
inline constexpr std::uint32_t kHonourSlots = kSlots.base[125];
static_assert(kSuitSlots == 405350);

// The slot of nine counts, each 0-4, together at most 14.
inline std::uint32_t suit_slot(const std::uint8_t* c) {
  const unsigned low = c[0] + 5u * c[1] + 25u * c[2] + 125u * c[3];
  const unsigned high = c[4] + 5u * c[5] + 25u * c[6] + 125u * c[7] + 625u * c[8];
  return kSlots.base[high] + kSlots.rank[low];
}

// The slot of the seven honours' counts; smaller than kHonourSlots.
inline std::uint32_t honour_slot(const std::uint8_t* c) {
  const unsigned low = c[0] + 5u * c[1] + 25u * c[2] + 125u * c[3];
  const unsigned high = c[4] + 5u * c[5] + 25u * c[6];
  return kSlots.base[high] + kSlots.rank[low];
}

// Calls visit(first, last, tiles) for ranges of slots that together are all of a suit's (or of
// the honours'), each of hands of so many tiles: the low parts beside a high part are ranked
// by their tiles.
template <class Visit>
void for_each_slot_range(bool honours, Visit&& visit) {
  for (std::size_t high = 0; high < (honours ? 125u : std::size_t{kHigh}); ++high) {
    const int sum = digit_sum(static_cast<int>(high));
    std::uint32_t first = kSlots.base[high];
    for (int low_sum = 0; sum + low_sum <= kMostTiles; ++low_sum) {
      const std::uint32_t last = kSlots.base[high] + kSlots.lows[static_cast<std::size_t>(low_sum)];
      visit(first, last, sum + low_sum);
      first = last;
    }
  }
}

// The slots of a hand's three suits and honours.
inline std::array<std::uint32_t, 4> hand_slots(const std::uint8_t* c) {
  return {suit_slot(c), suit_slot(c + 9), suit_slot(c + 18), honour_slot(c + 27)};
}

// One way to split a suit's tiles into runs, triplets and at most one pair.
struct SuitSplit {
  std::uint32_t runs = 0;      // nibble i: how many runs start at rank i (0-6)
  std::uint16_t triplets = 0;  // bit i: a triplet of rank i
  std::uint8_t pair = 15;      // rank of the pair, 15 for none
  std::uint8_t sets = 0;       // number of runs and triplets
};

// A split and the slot of the tiles it makes.
struct SlottedSplit {
  std::uint32_t slot;
  SuitSplit split;
  std::array<std::uint8_t, 9> counts;
};

// Every split of up to four sets and a pair with at most four copies a kind; honours: seven
// kinds without runs. In ascending order of slot.
std::vector<SlottedSplit> all_splits(bool honours);

}  // namespace haiyomi
