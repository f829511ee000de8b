#include "shanten.hpp"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

namespace haiyomi {
namespace {

// Ten numbers 0-14 in one word, six bits each, the sixth a guard bit for comparisons: lane
// 2m + p is the class of m sets and p pairs.
constexpr int kLanes = 10;

constexpr std::uint64_t every_lane(std::uint64_t value) {
  std::uint64_t word = 0;
  for (int lane = 0; lane < kLanes; ++lane) word |= value << (6 * lane);
  return word;
}
constexpr std::uint64_t kGuards = every_lane(32);

inline std::uint64_t lanewise_max(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t not_less = ((a | kGuards) - b) & kGuards;
  const std::uint64_t take_a = not_less - (not_less >> 5);
  return (a & take_a) | (b & ~take_a);
}

// A suit lacks (size of the target) - (tiles it shares with it) tiles for a target, so the
// least lack for a class of targets is their size less the largest part of the suit that
// extends to one of them. Two sweeps over the slots find those parts: down, which slots
// extend to a target of which class; up, the largest such part below each slot.
class Sweep {
 public:
  explicit Sweep(bool honours)
      : high_end_(honours ? 125 : kHigh),
        high_digits_(honours ? 3 : 5),
        fits_(honours ? kHonourSlots : kSuitSlots),
        used_(fits_.size()) {
    for (int low = 0; low < kLow; ++low) low_sum_[static_cast<std::size_t>(low)] = digit_sum(low);
    for (const SlottedSplit& s : all_splits(honours)) {
      const int lane = 2 * s.split.sets + (s.split.pair != 15);
      fits_[s.slot] = static_cast<std::uint16_t>(fits_[s.slot] | (1u << lane));
    }
    for (unsigned mask = 0; mask < spread_.size(); ++mask) {
      for (int lane = 0; lane < kLanes; ++lane) {
        if (mask >> lane & 1) spread_[mask] |= std::uint64_t{1} << (6 * lane);
      }
    }
    down();
    up();
  }

  const std::vector<std::uint64_t>& used() const { return used_; }

 private:
  void down() {
    for (int high = high_end_ - 1; high >= 0; --high) {
      const int room = kMostTiles - digit_sum(high);
      if (room < 0) continue;
      for (int low = kLow - 1; low >= 0; --low) {
        const int left = room - low_sum_[static_cast<std::size_t>(low)];
        if (left < 0) continue;
        const std::uint32_t slot = at(high, low);
        unsigned mask = fits_[slot];
        if (left > 0) {
          for (int i = 0, place = 1; i < 4; ++i, place *= 5) {
            if (low / place % 5 < 4) mask |= fits_[at(high, low + place)];
          }
          for (int i = 0, place = 1; i < high_digits_; ++i, place *= 5) {
            if (high / place % 5 < 4) mask |= fits_[at(high + place, low)];
          }
        }
        fits_[slot] = static_cast<std::uint16_t>(mask);
      }
    }
  }

  void up() {
    for (int high = 0; high < high_end_; ++high) {
      const int sum = digit_sum(high);
      if (sum > kMostTiles) continue;
      for (int low = 0; low < kLow; ++low) {
        const int tiles = sum + low_sum_[static_cast<std::size_t>(low)];
        if (tiles > kMostTiles) continue;
        const std::uint32_t slot = at(high, low);
        std::uint64_t most = spread_[fits_[slot]] * static_cast<std::uint64_t>(tiles);
        for (int i = 0, place = 1; i < 4; ++i, place *= 5) {
          if (low / place % 5 > 0) most = lanewise_max(most, used_[at(high, low - place)]);
        }
        for (int i = 0, place = 1; i < high_digits_; ++i, place *= 5) {
          if (high / place % 5 > 0) most = lanewise_max(most, used_[at(high - place, low)]);
        }
        used_[slot] = most;
      }
    }
  }

  static std::uint32_t at(int high, int low) {
    return kSlots.base[static_cast<std::size_t>(high)] + kSlots.rank[static_cast<std::size_t>(low)];
  }

  int high_end_;
  int high_digits_;
  std::array<int, kLow> low_sum_{};
  std::array<std::uint64_t, 1u << kLanes> spread_{};
  std::vector<std::uint16_t> fits_;
  std::vector<std::uint64_t> used_;
};

Need need_of(std::uint64_t used) {
  Need need{};
  for (unsigned m = 0; m < 5; ++m) {
    need.plain[m] = static_cast<std::uint8_t>(3 * m - (used >> (12 * m) & 31));
    need.paired[m] = static_cast<std::uint8_t>(3 * m + 2 - (used >> (12 * m + 6) & 31));
  }
  return need;
}

inline Need join(const Need& a, const Need& b) {
  Need out;
  for (std::size_t m = 0; m < 5; ++m) {
    int plain = 99;
    int paired = 99;
    for (std::size_t j = 0; j <= m; ++j) {
      plain = std::min(plain, a.plain[j] + b.plain[m - j]);
      paired = std::min(paired, std::min(a.paired[j] + b.plain[m - j], a.plain[j] + b.paired[m - j]));
    }
    out.plain[m] = static_cast<std::uint8_t>(plain);
    out.paired[m] = static_cast<std::uint8_t>(paired);
  }
  return out;
}

// The tiles lacking for `sets` sets and a pair over two parts.
inline int lack(const Need& a, const Need& b, int sets) {
  int least = 99;
  for (int j = 0; j <= sets; ++j) {
    const auto i = static_cast<std::size_t>(j);
    const auto k = static_cast<std::size_t>(sets - j);
    least = std::min(least, std::min(a.paired[i] + b.plain[k], a.plain[i] + b.paired[k]));
  }
  return least;
}

constexpr std::array<std::uint8_t, 13> kOrphans{0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33};

}  // namespace

ShantenTable::ShantenTable() : suit_(kSuitSlots), honours_(kHonourSlots) {
  std::unordered_map<std::uint64_t, std::uint16_t> ids;
  ids.reserve(16384);
  const auto number = [&](const std::vector<std::uint64_t>& used, std::vector<std::uint16_t>& out) {
    for (std::size_t slot = 0; slot < used.size(); ++slot) {
      const auto [it, fresh] = ids.try_emplace(used[slot], static_cast<std::uint16_t>(ids.size()));
      if (fresh) needs_.push_back(need_of(used[slot]));
      out[slot] = it->second;
    }
  };
  number(Sweep(false).used(), suit_);
  number(Sweep(true).used(), honours_);
  if (needs_.size() > 65536) throw std::logic_error("too many distinct shanten rows");
}

const ShantenTable& ShantenTable::get() {
  static const ShantenTable table;
  return table;
}

int ShantenTable::standard(const std::uint8_t* c, int sets) const {
  const auto slots = hand_slots(c);
  return lack(join(suit(slots[0]), suit(slots[1])), join(suit(slots[2]), honours(slots[3])), sets) - 1;
}

int shanten_standard(const Counts& c, int n_melds) {
  return ShantenTable::get().standard(c.data(), 4 - n_melds);
}

int shanten_pairs(const Counts& c, int n_melds) {
  return n_melds != 0 ? kNoForm : pairs_of(profile(c.data()));
}

int shanten_orphans(const Counts& c, int n_melds) {
  return n_melds != 0 ? kNoForm : orphans_of(profile(c.data()));
}

int shanten(const Counts& c, int n_melds) {
  const int standard = shanten_standard(c, n_melds);
  if (n_melds != 0) return standard;
  const Profile p = profile(c.data());
  return std::min(standard, std::min(pairs_of(p), orphans_of(p)));
}

namespace {

// The same join for a block of hands at once: one array a number of sets, so that compilers
// make vector instructions of the inner loops on any machine that has them.
constexpr std::size_t kBlock = 32;
using Line = std::array<std::uint8_t, kBlock>;
struct alignas(64) NeedBlock {
  std::array<Line, 5> plain;
  std::array<Line, 5> paired;

  void put(std::size_t i, const Need& need) {
    for (std::size_t m = 0; m < 5; ++m) {
      plain[m][i] = need.plain[m];
      paired[m][i] = need.paired[m];
    }
  }
};

inline void least_sum(Line& out, const Line& a, const Line& b) {
  for (std::size_t i = 0; i < kBlock; ++i) {
    const auto sum = static_cast<std::uint8_t>(a[i] + b[i]);
    out[i] = sum < out[i] ? sum : out[i];
  }
}

void join_block(NeedBlock& out, const NeedBlock& a, const NeedBlock& b) {
  // From the most sets down: out may be a or b, and line m needs lines up to m only.
  for (std::size_t m = 5; m-- > 0;) {
    Line plain;
    Line paired;
    plain.fill(99);
    paired.fill(99);
    for (std::size_t j = 0; j <= m; ++j) {
      least_sum(plain, a.plain[j], b.plain[m - j]);
      least_sum(paired, a.paired[j], b.plain[m - j]);
      least_sum(paired, a.plain[j], b.paired[m - j]);
    }
    out.plain[m] = plain;
    out.paired[m] = paired;
  }
}

}  // namespace

std::size_t shanten_rows(const std::uint8_t* counts, std::size_t n, std::int8_t* out) {
  const ShantenTable& table = ShantenTable::get();
  std::array<NeedBlock, 4> part{};
  std::array<std::uint8_t, kBlock> sets{};
  std::array<std::int8_t, kBlock> other{};
  for (std::size_t start = 0; start < n; start += kBlock) {
    const std::size_t size = std::min(kBlock, n - start);
    std::size_t good = 0;
    for (; good < size; ++good) {
      const std::uint8_t* row = counts + 34 * (start + good);
      const Profile p = profile(row);
      const int melds = p.legal ? melds_beside(p.tiles) : -1;
      if (melds < 0) break;
      sets[good] = static_cast<std::uint8_t>(4 - melds);
      other[good] = static_cast<std::int8_t>(melds != 0 ? kNoForm
                                                       : std::min(pairs_of(p), orphans_of(p)));
      const auto slots = hand_slots(row);
      part[0].put(good, table.suit(slots[0]));
      part[1].put(good, table.suit(slots[1]));
      part[2].put(good, table.suit(slots[2]));
      part[3].put(good, table.honours(slots[3]));
    }
    join_block(part[0], part[0], part[1]);
    join_block(part[2], part[2], part[3]);
    join_block(part[0], part[0], part[2]);
    for (std::size_t i = 0; i < good; ++i) {
      const auto standard = static_cast<std::int8_t>(part[0].paired[sets[i]][i] - 1);
      out[start + i] = std::min(standard, other[i]);
    }
    if (good < size) return start + good;
  }
  return n;
}

std::uint64_t useful_tiles(const Counts& c, int n_melds) {
  const ShantenTable& table = ShantenTable::get();
  const auto slots = hand_slots(c.data());
  const int sets = 4 - n_melds;
  const std::array<Need, 4> part{table.suit(slots[0]), table.suit(slots[1]), table.suit(slots[2]),
                                 table.honours(slots[3])};
  const Need front = join(part[0], part[1]);
  const Need back = join(part[2], part[3]);
  const int standard = lack(front, back, sets) - 1;
  const int pairs = shanten_pairs(c, n_melds);
  const int orphans = shanten_orphans(c, n_melds);
  const int best = std::min(standard, std::min(pairs, orphans));
  std::uint64_t mask = 0;
  if (standard == best) {
    const std::array<Need, 4> rest{join(part[1], back), join(part[0], back), join(front, part[3]),
                                   join(front, part[2])};
    Counts drawn = c;
    for (std::size_t k = 0; k < 34; ++k) {
      if (c[k] == 4) continue;
      const std::size_t suit = k / 9;
      ++drawn[k];
      const std::uint8_t* first = drawn.data() + 9 * suit;
      const Need& with = suit < 3 ? table.suit(suit_slot(first)) : table.honours(honour_slot(first));
      if (lack(with, rest[suit], sets) - 1 < best) mask |= std::uint64_t{1} << k;
      --drawn[k];
    }
  }
  if (pairs == best) {
    const bool few = std::count(c.begin(), c.end(), 0) > 34 - 7;
    for (std::size_t k = 0; k < 34; ++k) {
      if (c[k] == 1 || (few && c[k] == 0)) mask |= std::uint64_t{1} << k;
    }
  }
  if (orphans == best) {
    const bool paired = std::any_of(kOrphans.begin(), kOrphans.end(), [&](auto k) { return c[k] > 1; });
    for (const std::uint8_t k : kOrphans) {
      if (c[k] == 0 || (!paired && c[k] == 1)) mask |= std::uint64_t{1} << k;
    }
  }
  return mask;
}

}  // namespace haiyomi
