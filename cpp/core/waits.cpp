#include "waits.hpp"

#include <algorithm>

#include "profile.hpp"

namespace haiyomi {
namespace {

void fill(std::vector<SuitWaits>& table, bool honours) {
  for_each_slot_range(honours, [&](std::uint32_t first, std::uint32_t last, int tiles) {
    std::fill(table.begin() + first, table.begin() + last, static_cast<SuitWaits>(tiles % 3 << 10));
  });
  for (const SlottedSplit& s : all_splits(honours)) {
    table[s.slot] |= kComplete;
    auto counts = s.counts;
    for (std::size_t k = 0; k < 9; ++k) {
      if (counts[k] == 0) continue;
      --counts[k];
      SuitWaits& before = table[suit_slot(counts.data())];
      before = static_cast<SuitWaits>(before | 1u << k);
      ++counts[k];
    }
  }
}

inline std::uint64_t at_suit(SuitWaits w, int suit) {
  return static_cast<std::uint64_t>(w & kWaitRanks) << (9 * suit);
}

constexpr std::uint64_t kOrphanMask = [] {
  std::uint64_t mask = std::uint64_t{0x7f} << 27;
  for (const int k : {0, 8, 9, 17, 18, 26}) mask |= std::uint64_t{1} << k;
  return mask;
}();

std::uint64_t waits_pairs(const Counts& c) {
  std::uint64_t single = 0;
  int singles = 0;
  int pairs = 0;
  for (std::size_t k = 0; k < 34; ++k) {
    if (c[k] == 1) {
      single = std::uint64_t{1} << k;
      ++singles;
    }
    pairs += c[k] == 2;
  }
  return singles == 1 && pairs == 6 ? single : 0;
}

std::uint64_t waits_orphans(const Counts& c) {
  std::uint64_t missing = 0;
  int tiles = 0;
  for (std::size_t k = 0; k < 34; ++k) {
    if ((kOrphanMask >> k & 1) == 0) continue;
    if (c[k] == 0) {
      if (missing != 0) return 0;
      missing = std::uint64_t{1} << k;
    }
    tiles += c[k];
  }
  if (tiles != 13) return 0;
  return missing != 0 ? missing : kOrphanMask;
}

}  // namespace

WaitTable::WaitTable() : suit_(kSuitSlots), honours_(kHonourSlots) {
  fill(suit_, false);
  fill(honours_, true);
}

const WaitTable& WaitTable::get() {
  static const WaitTable table;
  return table;
}

std::uint64_t WaitTable::standard(const std::uint8_t* c) const {
  const auto slots = hand_slots(c);
  const std::array<SuitWaits, 4> w{suit(slots[0]), suit(slots[1]), suit(slots[2]),
                                   honours(slots[3])};
  // The numbers of tiles mod 3 say which suit waits: one suit has 3j + 1 tiles and all others are
  // sets, or two suits have 3j + 2, one complete with the pair and the other waiting.
  int odd[2] = {0, 0};
  int n = 0;
  for (int s = 0; s < 4; ++s) {
    const SuitWaits entry = w[static_cast<std::size_t>(s)];
    if (suit_class(entry) == 0) {
      if ((entry & kComplete) == 0) return 0;
    } else {
      if (n == 2) return 0;
      odd[n++] = s;
    }
  }
  const SuitWaits a = w[static_cast<std::size_t>(odd[0])];
  if (n == 1) return suit_class(a) == 1 ? at_suit(a, odd[0]) : 0;
  const SuitWaits b = w[static_cast<std::size_t>(odd[1])];
  if (suit_class(a) != 2 || suit_class(b) != 2) return 0;
  std::uint64_t mask = 0;
  if ((a & kComplete) != 0) mask |= at_suit(b, odd[1]);
  if ((b & kComplete) != 0) mask |= at_suit(a, odd[0]);
  return mask;
}

std::uint64_t waits_standard(const Counts& concealed) {
  return WaitTable::get().standard(concealed.data());
}

std::uint64_t waits(const Counts& concealed, int n_melds) {
  std::uint64_t mask = waits_standard(concealed);
  if (n_melds != 0) return mask;
  const Profile p = profile(concealed.data());
  if (p.pairs == 6 && p.kinds == 7) mask |= waits_pairs(concealed);
  if (p.orphans >= 12) mask |= waits_orphans(concealed);
  return mask;
}

}  // namespace haiyomi
