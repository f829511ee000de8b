#include "shanten.hpp"

#include <algorithm>
#include <stdexcept>

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
//
// The slots of a high part are its low parts by rank, those of fewer tiles first, so that a
// neighbour in the high part has the same place in another block.
class Sweep {
 public:
  explicit Sweep(bool honours)
      : high_end_(honours ? 125 : kHigh),
        high_digits_(honours ? 3 : 5),
        fits_(honours ? kHonourSlots : kSuitSlots),
        used_(fits_.size()) {
    for (std::size_t low = 0; low < kLow; ++low) {
      const std::size_t rank = kSlots.rank[low];
      tiles_[rank] = static_cast<std::uint8_t>(digit_sum(static_cast<int>(low)));
      for (std::size_t i = 0, place = 1; i < 4; ++i, place *= 5) {
        const std::size_t digit = low / place % 5;
        fewer_[rank][i] = digit > 0 ? kSlots.rank[low - place] : kNone;
        more_[rank][i] = digit < 4 ? kSlots.rank[low + place] : kNone;
      }
    }
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
  static constexpr std::uint16_t kNone = kLow;

  static std::size_t base(int high) { return kSlots.base[static_cast<std::size_t>(high)]; }
  static std::size_t lows(int high) { return base(high + 1) - base(high); }

  void down() {
    for (int high = high_end_ - 1; high >= 0; --high) {
      std::uint16_t* const block = fits_.data() + base(high);
      const std::size_t n = lows(high);
      for (int i = 0, place = 1; i < high_digits_; ++i, place *= 5) {
        if (high / place % 5 == 4) continue;
        const std::uint16_t* const other = fits_.data() + base(high + place);
        const std::size_t common = lows(high + place);
        for (std::size_t low = 0; low < common; ++low)
          block[low] = static_cast<std::uint16_t>(block[low] | other[low]);
      }
      for (std::size_t low = n; low-- > 0;) {
        for (const std::uint16_t next : more_[low]) {
          if (next < n) block[low] = static_cast<std::uint16_t>(block[low] | block[next]);
        }
      }
    }
  }

  void up() {
    for (int high = 0; high < high_end_; ++high) {
      std::uint64_t* const block = used_.data() + base(high);
      const std::uint16_t* const fits = fits_.data() + base(high);
      const std::size_t n = lows(high);
      const auto sum = static_cast<std::uint64_t>(digit_sum(high));
      for (std::size_t low = 0; low < n; ++low) block[low] = spread_[fits[low]] * (sum + tiles_[low]);
      for (int i = 0, place = 1; i < high_digits_; ++i, place *= 5) {
        if (high / place % 5 == 0) continue;
        const std::uint64_t* const other = used_.data() + base(high - place);
        for (std::size_t low = 0; low < n; ++low) block[low] = lanewise_max(block[low], other[low]);
      }
      for (std::size_t low = 0; low < n; ++low) {
        for (const std::uint16_t next : fewer_[low]) {
          if (next != kNone) block[low] = lanewise_max(block[low], block[next]);
        }
      }
    }
  }

  int high_end_;
  int high_digits_;
  // Of the low part of each rank: its tiles, and the ranks with one tile less or more of a kind.
  std::array<std::uint8_t, kLow> tiles_{};
  std::array<std::array<std::uint16_t, 4>, kLow> fewer_{}, more_{};
  std::array<std::uint64_t, 1u << kLanes> spread_{};
  std::vector<std::uint16_t> fits_;
  std::vector<std::uint64_t> used_;
};

Need need_of(std::uint64_t used) {
  Need need;
  for (unsigned m = 0; m < 5; ++m) {
    need.plain[m] = static_cast<std::uint8_t>(3 * m - (used >> (12 * m) & 31));
    need.paired[m] = static_cast<std::uint8_t>(3 * m + 2 - (used >> (12 * m + 6) & 31));
  }
  return need;
}

// Two parts together: the sets are shared out in the cheapest way, the pair is in one of them.
Need joined(const Need& a, const Need& b) {
  Need out;
  out.plain.fill(99);
  out.paired.fill(99);
  for (std::size_t m = 0; m < 5; ++m) {
    for (std::size_t j = 0; j <= m; ++j) {
      const std::size_t k = m - j;
      const int plain = a.plain[j] + b.plain[k];
      const int paired = std::min(a.paired[j] + b.plain[k], a.plain[j] + b.paired[k]);
      out.plain[m] = static_cast<std::uint8_t>(std::min<int>(out.plain[m], plain));
      out.paired[m] = static_cast<std::uint8_t>(std::min<int>(out.paired[m], paired));
    }
  }
  return out;
}

constexpr std::array<std::uint8_t, 13> kOrphans{0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33};

}  // namespace

ShantenTable::ShantenTable() : suit_(kSuitSlots), honours_(kHonourSlots), join_(256 * 256) {
  const auto fill = [&](const std::vector<std::uint64_t>& used, std::vector<NeedId>& table) {
    // Of some 130 different words; neighbours are often equal.
    struct Seen {
      std::uint64_t word;
      NeedId id;
    };
    std::array<Seen, 256> seen{};
    seen.fill({~std::uint64_t{0}, 0});
    for (std::size_t slot = 0; slot < used.size(); ++slot) {
      Seen& last = seen[used[slot] * 0x9e3779b97f4a7c15u >> 56];
      if (last.word != used[slot]) last = {used[slot], number(need_of(used[slot]))};
      table[slot] = last.id;
    }
  };
  fill(Sweep(false).used(), suit_);
  fill(Sweep(true).used(), honours_);
  close();
}

ShantenTable::NeedId ShantenTable::number(const Need& need) {
  std::uint64_t name = 0;
  for (std::size_t m = 0; m < 5; ++m) name = name << 12 | need.plain[m] << 6 | need.paired[m];
  const auto [found, fresh] = ids_.try_emplace(name, static_cast<NeedId>(needs_.size()));
  if (fresh) needs_.push_back(need);
  return found->second;
}

// Joins every two needs, those that this makes included, until none is new.
void ShantenTable::close() {
  for (std::size_t a = 0; a < needs_.size(); ++a) {
    if (a > 255) throw std::logic_error("more than 256 different needs");
    for (std::size_t b = 0; b <= a; ++b) {
      const Need both = joined(needs_[a], needs_[b]);
      join_[a * 256 + b] = join_[b * 256 + a] = number(both);
    }
  }
}

const ShantenTable& ShantenTable::get() {
  static const ShantenTable table;
  return table;
}

int shanten_standard(const Counts& c, int n_melds) {
  return ShantenTable::get().standard(c.data(), 4 - n_melds);
}

int shanten(const Counts& c, int n_melds) {
  const int standard = shanten_standard(c, n_melds);
  if (n_melds != 0) return standard;
  const Profile p = profile(c.data());
  return std::min(standard, std::min(pairs_of(p), orphans_of(p)));
}

std::size_t shanten_rows(const std::uint8_t* counts, std::size_t n, std::int8_t* out) {
  const ShantenTable& table = ShantenTable::get();
  for (std::size_t i = 0; i < n; ++i, counts += 34) {
    const Profile p = profile(counts);
    const int melds = p.legal ? melds_with(p.tiles) : -1;
    if (melds < 0) return i;
    int least = table.standard(counts, 4 - melds);
    if (melds == 0) least = std::min(least, std::min(pairs_of(p), orphans_of(p)));
    out[i] = static_cast<std::int8_t>(least);
  }
  return n;
}

std::uint64_t useful_tiles(const Counts& c, int n_melds) {
  const ShantenTable& table = ShantenTable::get();
  const auto slots = hand_slots(c.data());
  const int sets = 4 - n_melds;
  const std::array<ShantenTable::NeedId, 4> part{table.suit(slots[0]), table.suit(slots[1]),
                                                 table.suit(slots[2]), table.honours(slots[3])};
  const auto front = table.join(part[0], part[1]);
  const auto back = table.join(part[2], part[3]);
  const int standard = table.shanten(table.join(front, back), sets);
  const Profile p = profile(c.data());
  const int pairs = n_melds != 0 ? kNoForm : pairs_of(p);
  const int orphans = n_melds != 0 ? kNoForm : orphans_of(p);
  const int best = std::min(standard, std::min(pairs, orphans));
  // A draw lowers a form by one at most, so only the nearest forms matter.
  std::uint64_t mask = 0;
  if (standard == best) {
    const std::array<ShantenTable::NeedId, 4> rest{
        table.join(part[1], back), table.join(part[0], back), table.join(front, part[3]),
        table.join(front, part[2])};
    Counts drawn = c;
    for (std::size_t k = 0; k < 34; ++k) {
      if (c[k] == 4) continue;
      const std::size_t suit = k / 9;
      const std::uint8_t* first = drawn.data() + 9 * suit;
      ++drawn[k];
      const auto with = suit < 3 ? table.suit(suit_slot(first)) : table.honours(honour_slot(first));
      --drawn[k];
      const bool lower = table.shanten(table.join(with, rest[suit]), sets) < best;
      mask |= static_cast<std::uint64_t>(lower) << k;
    }
  }
  if (pairs == best) {
    for (std::size_t k = 0; k < 34; ++k) {
      const bool lower = c[k] == 1 || (p.kinds < 7 && c[k] == 0);
      mask |= static_cast<std::uint64_t>(lower) << k;
    }
  }
  if (orphans == best) {
    for (const std::uint8_t k : kOrphans) {
      const bool lower = c[k] == 0 || (!p.orphan_pair && c[k] == 1);
      mask |= static_cast<std::uint64_t>(lower) << k;
    }
  }
  return mask;
}

}  // namespace haiyomi
