#include "suit_patterns.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

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

class Builder {
 public:
  explicit Builder(bool honours) : honours_(honours), kinds_(honours ? 7 : 9) {
    for (const SlottedSplit& s : all_splits(honours)) add(s);
  }

  std::map<std::uint32_t, Entry> entries;

 private:
  Entry& at(const Ranks& counts, int tiles) {
    Entry& e = entries[pack(counts.data(), kinds_)];
    e.tiles = tiles;
    return e;
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

using YakuKey = std::tuple<int, int, int, int, bool>;
using WaitKey = std::tuple<int, int, int, int, int, int, bool>;
using GroupKey = std::tuple<int, bool, int, int, WaitKey, std::vector<WaitKey>>;

WaitKey wait_key(int rank, int kind, const SuitYaku& y) {
  return {rank, kind, y.all, y.triplets, y.sets, y.straights, y.twin_runs};
}

int tiles_of(const PackedPattern& p) {
  return digit_sum(p.part[0]) + digit_sum(p.part[1]) + digit_sum(p.part[2]);
}

// The indices that sums run over: classes of groups, rows of patterns, groups by their waits.
void index_groups(SuitPatterns& out) {
  std::map<std::pair<int, std::vector<int>>, std::size_t> class_of;
  int tiles = 0;
  for (std::uint32_t i = 0; i < out.groups.size(); ++i) {
    PatternGroup& g = out.groups[i];
    for (; tiles < g.tiles; ++tiles) {
      out.first_class[static_cast<std::size_t>(tiles) + 1] =
          static_cast<std::uint32_t>(out.classes.size());
    }
    std::vector<int> waits;
    for (std::uint32_t n = 0; n < g.n_waits; ++n) {
      const SuitWait& w = out.waits[g.first_wait + n];
      waits.push_back(w.rank * 4 + static_cast<int>(w.kind));
    }
    const int what = (g.tiles * 2 + g.complete) * kShapes + g.shape;
    const auto [it, made] = class_of.try_emplace({what, waits}, out.classes.size());
    const auto group = static_cast<std::uint16_t>(i);
    if (made) {
      out.classes.push_back({g.first_wait, g.waits, g.tiles, g.n_waits, g.shape, g.complete});
    }
    g.wait_class = static_cast<std::uint16_t>(it->second);
    out.class_of.push_back(g.wait_class);
    if (g.complete) out.complete.push_back(group);
    if (g.pairs_only) out.pairs.push_back(group);
    for (std::uint32_t n = 0; n < g.n_waits; ++n) {
      const SuitWait& w = out.waits[g.first_wait + n];
      out.waiting[w.rank].push_back(group);
      out.waiting_yaku[w.rank].push_back(w.yaku);
    }
  }
  for (; tiles < 14; ++tiles) {
    out.first_class[static_cast<std::size_t>(tiles) + 1] =
        static_cast<std::uint32_t>(out.classes.size());
  }
  std::uint32_t both = 1;
  out.first_both.fill(both);
  for (const WaitClass& c : out.classes) {
    const bool may = c.complete && c.waits != 0;
    out.both_place.push_back(static_cast<std::uint16_t>(may ? both : 0));
    both += may;
    for (std::size_t n = c.tiles + std::size_t{1}; n < out.first_both.size(); ++n)
      out.first_both[n] = both;
  }
  for (std::size_t n = 0; n < out.first_complete.size(); ++n) {
    std::uint32_t at = out.first_group[n];
    while (at < out.first_group[n + 1] && !out.groups[at].complete) ++at;
    out.first_complete[n] = at;
  }
  using Place = std::tuple<int, int, int, int, std::uint32_t>;  // parts, tiles, last part, group
  std::vector<Place> places;
  for (std::uint32_t i = 0; i < out.groups.size(); ++i) {
    for (std::uint32_t j = out.groups[i].first; j < out.groups[i].last; ++j) {
      const PackedPattern& p = out.patterns[j];
      places.emplace_back(p.part[0], p.part[1], tiles_of(p), p.part[2], i);
    }
  }
  std::sort(places.begin(), places.end());
  for (const auto& [a, b, n, c, g] : places) {
    if (out.rows.empty() || out.rows.back().first_part != a || out.rows.back().second_part != b) {
      const auto at = static_cast<std::uint32_t>(out.group.size());
      out.rows.push_back({static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b), at, {}});
      out.rows.back().end.fill(at);
    }
    out.last_part.push_back(static_cast<std::uint8_t>(c));
    out.group.push_back(static_cast<std::uint16_t>(g));
    for (int k = 0; k < 5; ++k) {
      if (n <= 3 * k + 1) out.rows.back().end[static_cast<std::size_t>(k)] =
          static_cast<std::uint32_t>(out.group.size());
    }
  }
}

}  // namespace

SuitPatterns build_suit_patterns(bool honours) {
  const int kinds = honours ? 7 : 9;
  Builder built(honours);
  std::map<GroupKey, std::vector<std::uint32_t>> grouped;
  for (auto& [key, e] : built.entries) {
    if (e.tiles > kMostConcealed) continue;
    coarsen(e, honours);
    // 16: some kind more than twice, or two of them once; else the rank held once, 15 for none.
    int single = 15, rank = 0;
    for (std::uint32_t rest = key; rest != 0; rest /= 5, ++rank) {
      if (rest % 5 == 1) single = single == 15 ? rank : 16;
      if (rest % 5 > 2) single = 16;
      if (single == 16) break;
    }
    std::vector<WaitKey> waits;
    for (std::size_t r = 0; r < 9; ++r) {
      if (e.waits[r]) waits.push_back(wait_key(static_cast<int>(r), e.kind[r], e.with[r]));
    }
    if (!e.complete && waits.empty()) continue;
    const int shape = waits.empty() ? 0 : shape_class(e);
    grouped[{e.tiles, e.complete, shape, single, wait_key(0, 0, e.yaku), waits}].push_back(key);
  }
  SuitPatterns out;
  std::map<YakuKey, std::uint16_t> yaku_of;
  const auto yaku_at = [&](const SuitYaku& y) {
    const YakuKey key{y.all, y.triplets, y.sets, y.straights, y.twin_runs};
    const auto [it, made] = yaku_of.try_emplace(key, static_cast<std::uint16_t>(out.yakus.size()));
    if (made) out.yakus.push_back(y);
    return it->second;
  };
  int tiles = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> index;
  for (const auto& [key, members] : grouped) {
    const Entry& e = built.entries[members.front()];
    for (; tiles < e.tiles; ++tiles) {
      out.first_group[static_cast<std::size_t>(tiles) + 1] =
          static_cast<std::uint32_t>(out.groups.size());
    }
    PatternGroup g;
    g.first = static_cast<std::uint32_t>(out.patterns.size());
    g.last = static_cast<std::uint32_t>(g.first + members.size());
    g.first_wait = static_cast<std::uint32_t>(out.waits.size());
    g.tiles = static_cast<std::uint8_t>(e.tiles);
    g.complete = e.complete;
    g.pairs_only = std::get<3>(key) < 16;
    g.single = static_cast<std::uint8_t>(std::min(std::get<3>(key), 15));
    g.shape = static_cast<std::uint8_t>(std::get<2>(key));
    g.yaku = e.yaku;
    for (std::size_t r = 0; r < 9; ++r) {
      if (!e.waits[r]) continue;
      g.waits = static_cast<std::uint16_t>(g.waits | 1u << r);
      ++g.n_waits;
      out.waits.push_back(
          {static_cast<std::uint8_t>(r), static_cast<WaitKind>(e.kind[r]), yaku_at(e.with[r])});
    }
    for (const std::uint32_t packed : members) {
      out.patterns.push_back({{static_cast<std::uint8_t>(packed % 125),
                               static_cast<std::uint8_t>(packed / 125 % 125),
                               static_cast<std::uint8_t>(packed / 15625)}});
      index.emplace_back(packed, static_cast<std::uint32_t>(out.groups.size()));
    }
    out.groups.push_back(g);
  }
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
  std::sort(index.begin(), index.end());
  for (const auto& [packed, group] : index) {
    out.keys_.push_back(packed);
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
