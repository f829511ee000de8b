#include "suit_patterns.hpp"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "suit_indices.hpp"
#include "suits.hpp"

namespace haiyomi {
namespace {

using Ranks = std::array<std::uint8_t, 9>;

std::uint32_t pack(const std::uint8_t* c, int kinds) {
  std::uint32_t key = 0;
  for (int k = kinds - 1; k >= 0; --k) key = key * 5 + c[k];
  return key;
}

struct Entry {
  std::uint32_t key = 0;  // packed counts
  bool complete = false, nobetan = false;
  SuitYaku yaku;
  std::array<bool, 9> waits{};
  std::array<std::uint8_t, 9> kind{};  // WaitKind, the least seen
  std::array<SuitYaku, 9> with{};
  int tiles = 0;
};

void merge(SuitYaku& into, const SuitYaku& more) {
  into.all |= more.all;
  into.triplets = std::max(into.triplets, more.triplets);
  into.sets |= more.sets;
  into.straights |= more.straights;
  into.twin_runs = into.twin_runs || more.twin_runs;
}

// The three runs of a straight that a split holds, closed downwards over their subsets.
std::uint8_t straights(std::uint32_t runs) {
  unsigned held = 0;
  for (unsigned i = 0; i < 3; ++i) {
    if ((runs >> (12 * i) & 15) != 0) held |= 1u << i;
  }
  std::uint8_t out = 0;
  for (unsigned s = 1; s < 8; ++s) {
    if ((s & held) == s) out = static_cast<std::uint8_t>(out | 1u << (s - 1));
  }
  return out;
}

SuitYaku yaku_of(const SuitSplit& split, const Ranks& counts, bool honours) {
  SuitYaku y;
  const int triplets = std::popcount(static_cast<unsigned>(split.triplets));
  y.triplets = static_cast<std::uint8_t>(triplets);
  if (honours) {
    y.all = static_cast<std::uint8_t>(counts == Ranks{} ? kSimples | kRuns | kTriplets | kOutside
                                                        : kTriplets | kOutside);
    if (split.pair != 15 && triplets == 0) y.all |= kRuns;  // unless the pair is a yakuhai
    y.sets = split.triplets;
    return y;
  }
  bool simples = counts[0] == 0 && counts[8] == 0;
  bool outside = split.pair == 15 || split.pair == 0 || split.pair == 8;
  outside = outside && (split.triplets & 0x0fe) == 0;
  for (unsigned i = 0; i < 7; ++i) {
    const unsigned n = split.runs >> (4 * i) & 15;
    if (n == 0) continue;
    y.sets = static_cast<std::uint16_t>(y.sets | 1u << i);
    y.twin_runs = y.twin_runs || n >= 2;
    outside = outside && (i == 0 || i == 6);
  }
  y.sets = static_cast<std::uint16_t>(y.sets | split.triplets << 7);
  y.straights = straights(split.runs);
  y.all = static_cast<std::uint8_t>((simples ? kSimples : 0) | (triplets == 0 ? kRuns : 0) |
                                    (split.runs == 0 ? kTriplets : 0) | (outside ? kOutside : 0));
  return y;
}

int shape_class(const Entry& e) {
  std::array<int, 4> of{};
  int n = 0;
  for (std::size_t r = 0; r < 9; ++r) {
    if (!e.waits[r]) continue;
    ++of[e.kind[r]];
    ++n;
  }
  const bool good = of[0] > 0 || of[1] > 0 || e.nobetan;
  if (n == 1) {
    if (of[0] > 0) return 3;
    if (of[1] > 0) return 2;
    if (of[2] > 0) return good ? 8 : 1;
    return good ? 5 : 0;
  }
  if (n == 2) {
    if (of[0] == 2) return 4;
    if (of[1] == 2) return 7;
    if (of[3] == 2) return good ? 5 : 6;
    return good ? 8 : 9;
  }
  return of[0] > 0 ? 10 : good ? 11 : 12;
}

constexpr std::uint32_t kNone = 0xffffffff;

class Builder {
 public:
  explicit Builder(bool honours)
      : place_(honours ? kHonourSlots : kSuitSlots, kNone),
        honours_(honours),
        kinds_(honours ? 7 : 9) {
    entries.reserve(place_.size() / 4);
    for (const SlottedSplit& s : all_splits(honours)) add(s);
  }

  std::vector<Entry> entries;

 private:
  Entry& at(const Ranks& counts, int tiles) {
    std::uint32_t& place = place_[suit_slot(counts.data())];
    if (place == kNone) {
      place = static_cast<std::uint32_t>(entries.size());
      entries.push_back({});
      entries.back().key = pack(counts.data(), kinds_);
      entries.back().tiles = tiles;
    }
    return entries[place];
  }

  void add(const SlottedSplit& s) {
    int tiles = 0;
    for (const std::uint8_t c : s.counts) tiles += c;
    const SuitYaku yaku = yaku_of(s.split, s.counts, honours_);
    if (tiles <= 12) {
      Entry& e = at(s.counts, tiles);
      e.complete = true;
      merge(e.yaku, yaku);
    }
    // Remove one tile of each part in turn: each leaves a waiting pattern.
    if (s.split.pair != 15) {
      bool nobetan = false;
      for (int i = 0; i < 7; ++i) {
        const bool run = (s.split.runs >> (4 * i) & 15) != 0;
        nobetan = nobetan || (run && (i == s.split.pair + 1 || i == s.split.pair - 3));
      }
      SuitYaku y = yaku;
      y.all = static_cast<std::uint8_t>(y.all & ~kRuns);
      wait(s.counts, tiles, s.split.pair, WaitKind::Single, y, nobetan);
    }
    for (int r = 0; r < kinds_; ++r) {
      if ((s.split.triplets >> r & 1) == 0) continue;
      SuitYaku y = yaku;
      --y.triplets;
      wait(s.counts, tiles, r, WaitKind::Shanpon, y, false);
    }
    for (int i = 0; i < 7; ++i) {
      if ((s.split.runs >> (4 * i) & 15) == 0) continue;
      for (int j = 0; j < 3; ++j) {
        const bool poor = j == 1 || (j == 2 && i == 0) || (j == 0 && i == 6);
        SuitYaku y = yaku;
        if (poor) y.all = static_cast<std::uint8_t>(y.all & ~kRuns);
        wait(s.counts, tiles, i + j, poor ? WaitKind::EdgeClosed : WaitKind::TwoSided, y, false);
      }
    }
  }

  void wait(Ranks counts, int tiles, int rank, WaitKind kind, const SuitYaku& yaku, bool nobetan) {
    const auto r = static_cast<std::size_t>(rank);
    --counts[r];
    Entry& e = at(counts, tiles - 1);
    e.kind[r] = e.waits[r] ? std::min(e.kind[r], static_cast<std::uint8_t>(kind))
                           : static_cast<std::uint8_t>(kind);
    e.waits[r] = true;
    e.nobetan = e.nobetan || nobetan;
    merge(e.with[r], yaku);
  }

  std::vector<std::uint32_t> place_;  // in entries, by slot
  bool honours_;
  int kinds_;
};

// What distinguishes groups. Yaku classes that cannot matter are cleared: of a suit of so many
// tiles no other suit is left room for the same set, and a hand of thirteen
// tiles of one suit has its yaku.
void coarsen(Entry& e, bool honours) {
  if (honours) return;
  const auto one = [&](SuitYaku& y, bool waiting) {
    if (e.tiles > (waiting ? 7 : 6)) y.sets = 0;
    if (waiting && e.tiles == 13) y = SuitYaku{};
    if (e.tiles > 10) y.straights &= 0x40;
  };
  if (e.complete) one(e.yaku, false);
  for (SuitYaku& y : e.with) one(y, true);
}

// A wait, and yaku, as one number; their order is that of rank, kind and the fields of SuitYaku.
std::uint64_t word_of(std::size_t rank, unsigned kind, const SuitYaku& y) {
  std::uint64_t word = std::uint64_t{16} | rank;  // no word is 0
  word = word << 2 | kind;
  word = word << 4 | y.all;
  word = word << 4 | y.triplets;
  word = word << 16 | y.sets;
  word = word << 8 | y.straights;
  return word << 1 | static_cast<unsigned>(y.twin_runs);
}

// What is equal in a group: tiles, complete, shape and single in one word, yaku, then the waits.
struct GroupKey {
  std::array<std::uint64_t, 11> words{};
  bool operator==(const GroupKey&) const = default;
  auto operator<=>(const GroupKey&) const = default;
};

struct HashOfKey {
  std::size_t operator()(const GroupKey& key) const {
    std::uint64_t hash = 0;
    for (const std::uint64_t word : key.words) {
      if (word == 0) break;
      hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
      hash ^= hash >> 29;
    }
    return static_cast<std::size_t>(hash);
  }
};

// The rank that is held once in a pattern of pairs, 15 for none; 16 if some kind is held more than
// twice, or two of them once.
unsigned single_of(std::uint32_t key) {
  unsigned single = 15;
  for (unsigned rank = 0; key != 0; key /= 5, ++rank) {
    if (key % 5 > 2) return 16;
    if (key % 5 == 1) {
      if (single != 15) return 16;
      single = rank;
    }
  }
  return single;
}

struct Grouped {
  GroupKey key;
  std::vector<std::uint32_t> members;  // entries
};

// The groups of the entries, by key; `by_key` holds each entry's key and, in the low half, its
// number. Clears of the entries what cannot matter.
std::vector<Grouped> grouped_entries(std::vector<Entry>& entries,
                                     const std::vector<std::uint64_t>& by_key, bool honours) {
  std::vector<Grouped> out;
  std::unordered_map<GroupKey, std::size_t, HashOfKey> found;
  for (const std::uint64_t each : by_key) {
    const auto i = static_cast<std::uint32_t>(each);
    Entry& e = entries[i];
    if (e.tiles > kMostConcealed) continue;
    coarsen(e, honours);
    GroupKey key;
    std::size_t n = 2;
    for (std::size_t r = 0; r < 9; ++r) {
      if (e.waits[r]) key.words[n++] = word_of(r, e.kind[r], e.with[r]);
    }
    if (!e.complete && n == 2) continue;
    const auto shape = static_cast<unsigned>(n == 2 ? 0 : shape_class(e));
    const auto tiles = static_cast<unsigned>(e.tiles);
    key.words[0] = ((16u | tiles) << 1 | static_cast<unsigned>(e.complete)) << 9 | shape << 5 |
                   single_of(e.key);
    key.words[1] = word_of(0, 0, e.yaku);
    const auto [it, made] = found.try_emplace(key, out.size());
    if (made) out.push_back({key, {}});
    out[it->second].members.push_back(i);
  }
  std::sort(out.begin(), out.end(),
            [](const Grouped& a, const Grouped& b) { return a.key < b.key; });
  return out;
}

}  // namespace

SuitPatterns build_suit_patterns(bool honours) {
  const int kinds = honours ? 7 : 9;
  std::vector<Entry> entries = Builder(honours).entries;
  std::vector<std::uint64_t> by_key;
  by_key.reserve(entries.size());
  for (const Entry& e : entries) by_key.push_back(std::uint64_t{e.key} << 32 | by_key.size());
  sort_by_bytes(by_key, 32, 56);
  const std::vector<Grouped> grouped = grouped_entries(entries, by_key, honours);
  SuitPatterns out;
  std::unordered_map<std::uint64_t, std::uint16_t> yaku_of;
  const auto yaku_at = [&](const SuitYaku& y) {
    const auto [it, made] =
        yaku_of.try_emplace(word_of(0, 0, y), static_cast<std::uint16_t>(out.yakus.size()));
    if (made) out.yakus.push_back(y);
    return it->second;
  };
  int tiles = 0;
  std::vector<std::uint32_t> group_of(entries.size(), kNone);
  for (const auto& [key, members] : grouped) {
    const Entry& e = entries[members.front()];
    for (; tiles < e.tiles; ++tiles) {
      out.first_group[static_cast<std::size_t>(tiles) + 1] =
          static_cast<std::uint32_t>(out.groups.size());
    }
    PatternGroup g;
    out.first_pattern.push_back(static_cast<std::uint32_t>(out.patterns.size()));
    g.first_wait = static_cast<std::uint32_t>(out.waits.size());
    g.tiles = static_cast<std::uint8_t>(e.tiles);
    g.complete = e.complete;
    const unsigned single = key.words[0] & 31;
    g.pairs_only = single < 16;
    g.single = static_cast<std::uint8_t>(std::min(single, 15u));
    g.shape = static_cast<std::uint8_t>(key.words[0] >> 5 & 15);
    g.yaku = e.yaku;
    for (std::size_t r = 0; r < 9; ++r) {
      if (!e.waits[r]) continue;
      g.waits = static_cast<std::uint16_t>(g.waits | 1u << r);
      ++g.n_waits;
      out.waits.push_back(
          {static_cast<std::uint8_t>(r), static_cast<WaitKind>(e.kind[r]), yaku_at(e.with[r])});
    }
    for (const std::uint32_t member : members) {
      const std::uint32_t packed = entries[member].key;
      out.patterns.push_back({{static_cast<std::uint8_t>(packed % 125),
                               static_cast<std::uint8_t>(packed / 125 % 125),
                               static_cast<std::uint8_t>(packed / 15625)}});
      group_of[member] = static_cast<std::uint32_t>(out.groups.size());
    }
    out.groups.push_back(g);
  }
  out.first_pattern.push_back(static_cast<std::uint32_t>(out.patterns.size()));
  for (; tiles < 14; ++tiles) {
    out.first_group[static_cast<std::size_t>(tiles) + 1] =
        static_cast<std::uint32_t>(out.groups.size());
  }
  for (std::uint32_t i = 0; i < out.groups.size() && !honours; ++i) {
    const PatternGroup& g = out.groups[i];
    const auto group = static_cast<std::uint16_t>(i);
    for (std::size_t bit = 0; bit < 16; ++bit) {
      if (g.complete && (g.yaku.sets >> bit & 1) != 0) out.complete_with_set[bit].push_back(group);
      for (std::uint32_t n = 0; n < g.n_waits; ++n) {
        const SuitWait& w = out.waits[g.first_wait + n];
        if ((out.yakus[w.yaku].sets >> bit & 1) == 0) continue;
        out.waits_with_set[bit].push_back({group, w.yaku, w.rank});
      }
    }
  }
  index_groups(out);
  for (const std::uint64_t each : by_key) {
    const std::uint32_t group = group_of[static_cast<std::uint32_t>(each)];
    if (group == kNone) continue;
    out.keys_.push_back(static_cast<std::uint32_t>(each >> 32));
    out.group_of_.push_back(group);
  }
  out.kinds_ = kinds;
  return out;
}

const PatternGroup* SuitPatterns::find(const std::uint8_t* counts) const {
  const std::uint32_t key = pack(counts, kinds_);
  const auto it = std::lower_bound(keys_.begin(), keys_.end(), key);
  if (it == keys_.end() || *it != key) return nullptr;
  return &groups[group_of_[static_cast<std::size_t>(it - keys_.begin())]];
}

const SuitPatterns& suit_patterns(bool honours) {
  static const SuitPatterns suit = build_suit_patterns(false);
  static const SuitPatterns z = build_suit_patterns(true);
  return honours ? z : suit;
}

}  // namespace haiyomi
