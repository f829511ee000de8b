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

bool is_complete(const Counts& concealed, int n_melds) {
  const WaitTable& table = WaitTable::get();
  const auto slots = hand_slots(concealed.data());
  int paired = 0;
  bool all = true;
  for (std::size_t s = 0; s < 4; ++s) {
    const SuitWaits entry = s < 3 ? table.suit(slots[s]) : table.honours(slots[s]);
    all = all && (entry & kComplete) != 0;
    paired += suit_class(entry) == 2;
  }
  if (all && paired == 1) return true;
  if (n_melds != 0) return false;
  const Profile p = profile(concealed.data());
  if (p.kinds == 7 && p.pairs == 7) {
    return std::count(concealed.begin(), concealed.end(), 2) == 7;
  }
  return p.kinds == 13 && p.orphans == 13 && p.orphan_pair;  // of fourteen tiles
}

namespace {

// How many slots of a suit hold n tiles and are complete / pairs only / both.
struct Tally {
  std::array<std::int64_t, 15> complete{}, twos{}, both{};
};

Tally tally(bool honours) {
  const WaitTable& table = WaitTable::get();
  Tally out;
  std::array<std::uint8_t, 9> c{};
  const std::size_t kinds = honours ? 7 : 9;
  // An odometer over all counts of at most fourteen tiles.
  for (std::size_t tiles = 0;;) {
    const std::uint32_t slot = suit_slot(c.data());
    const SuitWaits entry = honours ? table.honours(slot) : table.suit(slot);
    const bool complete = (entry & kComplete) != 0;
    const bool twos = std::all_of(c.begin(), c.end(), [](auto n) { return n == 0 || n == 2; });
    out.complete[tiles] += complete;
    out.twos[tiles] += twos;
    out.both[tiles] += complete && twos;
    std::size_t k = 0;
    while (k < kinds && (c[k] == 4 || tiles == kMostTiles)) {
      tiles -= c[k];
      c[k++] = 0;
    }
    if (k == kinds) return out;
    ++c[k];
    ++tiles;
  }
}

// Hands of fourteen tiles over three suits and the honours; with `split`, exactly one suit
// has 3j + 2 tiles and the others 3j.
std::int64_t over_suits(const std::array<std::int64_t, 15>& suit,
                        const std::array<std::int64_t, 15>& honours, bool split) {
  std::int64_t total = 0;
  for (std::size_t a = 0; a <= 14; ++a) {
    for (std::size_t b = 0; a + b <= 14; ++b) {
      for (std::size_t d = 0; a + b + d <= 14; ++d) {
        const std::size_t z = 14 - a - b - d;
        const int pairs = (a % 3 == 2) + (b % 3 == 2) + (d % 3 == 2) + (z % 3 == 2);
        if (split && pairs != 1) continue;
        total += suit[a] * suit[b] * suit[d] * honours[z];
      }
    }
  }
  return total;
}

}  // namespace

CompleteCounts count_complete() {
  const Tally suit = tally(false);
  const Tally honours = tally(true);
  CompleteCounts out{};
  out.standard = over_suits(suit.complete, honours.complete, true);
  out.pairs = over_suits(suit.twos, honours.twos, false);
  out.both = over_suits(suit.both, honours.both, true);
  // Thirteen orphans: one of each and one more of any; each is tested, none is standard.
  for (std::size_t k = 0; k < 34; ++k) {
    Counts hand{};
    for (std::size_t i = 0; i < 34; ++i) hand[i] = kOrphanMask >> i & 1;
    if (hand[k] == 0) continue;
    ++hand[k];
    out.orphans += is_complete(hand, 0);
  }
  out.any = out.standard + out.pairs - out.both + out.orphans;
  return out;
}

std::array<std::int64_t, 5> count_tenpai() {
  const WaitTable& table = WaitTable::get();
  // By tiles: complete; of 3j + 1 tiles waiting; of 3j + 2 tiles waiting, and both at once.
  struct Row {
    std::array<std::int64_t, 15> complete{}, waiting{}, both{};
  };
  std::array<Row, 2> rows;
  for (const bool honours : {false, true}) {
    Row& row = rows[honours];
    for_each_slot_range(honours, [&](std::uint32_t first, std::uint32_t last, int tiles) {
      const auto n = static_cast<std::size_t>(tiles);
      for (std::uint32_t slot = first; slot < last; ++slot) {
        const SuitWaits entry = honours ? table.honours(slot) : table.suit(slot);
        const bool complete = (entry & kComplete) != 0;
        const bool waiting = (entry & kWaitRanks) != 0;
        row.complete[n] += complete;
        row.waiting[n] += waiting;
        row.both[n] += complete && waiting;
      }
    });
  }
  std::array<std::int64_t, 5> out{};
  for (std::size_t i = 0; i < 5; ++i) {
    const std::size_t size = 3 * i + 1;
    for (std::size_t a = 0; a <= size; ++a) {
      for (std::size_t b = 0; a + b <= size; ++b) {
        for (std::size_t d = 0; a + b + d <= size; ++d) {
          const std::array<std::size_t, 4> n{a, b, d, size - a - b - d};
          std::int64_t sets = 1;
          std::array<std::size_t, 4> odd{};
          std::size_t n_odd = 0;
          for (std::size_t s = 0; s < 4; ++s) {
            if (n[s] % 3 == 0) sets *= rows[s == 3].complete[n[s]];
            else odd[n_odd++] = s;
          }
          if (n_odd == 1) {
            const std::size_t s = odd[0];
            if (n[s] % 3 == 1) out[i] += sets * rows[s == 3].waiting[n[s]];
          } else if (n_odd == 2) {
            const std::size_t s = odd[0];
            const std::size_t t = odd[1];
            if (n[s] % 3 != 2 || n[t] % 3 != 2) continue;
            const Row& p = rows[s == 3];
            const Row& q = rows[t == 3];
            out[i] += sets * (p.complete[n[s]] * q.waiting[n[t]] + p.waiting[n[s]] * q.complete[n[t]] -
                              p.both[n[s]] * q.both[n[t]]);
          }
        }
      }
    }
  }
  return out;
}

}  // namespace haiyomi
