// The weight of the hands that wait on a kind but cannot win on it, having no yaku.
//
// A hand has a yaku by one suit alone (a yakuhai, two identical runs of a closed hand, a
// straight), by what all suits share (simples, pinfu, triplets, outside), by using one suit and
// honours, by three concealed triplets, or by the same set in three suits. Inclusion and
// exclusion over what all suits share leaves sums of products again. Left out: the same triplet
// in three suits where no meld shows one of them, and a third kan (some 1e-5 of hands).
#include <algorithm>
#include <bit>

#include "clones.hpp"
#include "posterior_batch.hpp"

namespace haiyomi {
namespace {

// The subsets of AllOf that a hand can have at once; their order is their place in the sums.
constexpr std::array<unsigned, 9> kCompatible{0,
                                              kSimples,
                                              kRuns,
                                              kTriplets,
                                              kOutside,
                                              kSimples | kRuns,
                                              kSimples | kTriplets,
                                              kRuns | kOutside,
                                              kTriplets | kOutside};
constexpr std::size_t kSubsets = kCompatible.size();
// Bit i of entry `flags`: a suit with these flags has all of subset i.
constexpr auto kWithin = [] {
  std::array<unsigned, 16> out{};
  for (unsigned flags = 0; flags < 16; ++flags)
    for (std::size_t i = 0; i < kCompatible.size(); ++i)
      if ((kCompatible[i] & ~flags) == 0) out[flags] |= 1u << i;
  return out;
}();
constexpr std::size_t kMany = 3;            // three concealed triplets are a yaku
template <std::size_t N>
using Counted = std::array<Lanes<N>, kMany>;   // by number of concealed triplets
template <std::size_t N>
using BySubset = std::array<Counted<N>, kSubsets>;
// [sets][suit][role]: complete suits that have all of the subset and no yaku by themselves.
template <std::size_t N>
using FlagSums = std::array<std::array<std::array<BySubset<N>, 4>, 4>, 5>;
// For one waiting suit: [flags * kMany + triplets], the weight of the other suits such that the
// whole hand has no yaku; `flags` are those of the waiting suit, `triplets` the most that the
// others may hold. The last entry stays zero: the suit has a yaku by itself.
constexpr std::size_t kNone = 16 * kMany;
template <std::size_t N>
using Rest = std::array<Lanes<N>, kNone + 1>;
template <std::size_t N>
using Rests = std::array<std::array<std::array<Rest<N>, 4>, 4>, 5>;  // [sets][suit][role]
// Groups of a suit that are weighed before they are added.
constexpr std::uint32_t kBlock = 128;
// No suit of a hand with the same set in three suits holds more sets than these.
constexpr std::size_t kFewSets = 3;

// The place of a role among those of a complete or of a waiting suit.
constexpr std::array<std::uint8_t, kRoles> kRolePlace{0, 0, 1, 2, 1, 2, 3};

// The yaku that the melds and the circumstances leave possible.
struct Yaku : SharedYaku {
  std::array<unsigned, 3> need{7, 7, 7};  // a straight of the suit lacks these

  explicit Yaku(const SharedYaku& shared) : SharedYaku(shared) {
    for (std::size_t s = 0; s < 3; ++s) need[s] = lacking_of_straight(sets[s]);
  }

  // The subsets that a hand with the set in three suits can have (-1: any hand), as bits.
  unsigned subsets(int set) const {
    unsigned left = all, out = 0;
    if (set >= 0 && set < 7) {
      left &= ~static_cast<unsigned>(kTriplets);
      left &= ~static_cast<unsigned>(set == 0 || set == 6 ? kSimples : kOutside);
    }
    for (std::size_t i = 0; i < kSubsets; ++i)
      if ((kCompatible[i] & ~left) == 0) out |= 1u << i;
    return out;
  }
  // Whether this suit has a yaku by itself; of honours that differs by opponent.
  bool local(std::size_t s, const SuitYaku& y) const {
    if (s == 3) return false;
    return (closed && y.twin_runs) || (y.straights >> (need[s] - 1) & 1) != 0;
  }
  // Whether all three suits can hold the set, given so many concealed sets.
  bool feasible(int set, int concealed_sets) const {
    int lacking = 0;
    for (const unsigned held : sets) lacking += (held >> set & 1) == 0;
    return lacking <= concealed_sets && (set < 7 || lacking < 3);
  }
};

// The place in a Rest for a waiting suit with the yaku of its winning tile.
struct Places {
  // For m, p, s, honours, and honours that wait on a yakuhai, which excludes pinfu.
  std::array<std::vector<std::uint8_t>, 5> at;

  explicit Places(const Yaku& yaku) {
    for (std::size_t i = 0; i < 5; ++i) {
      const std::size_t s = std::min<std::size_t>(i, 3);
      const std::vector<SuitYaku>& known = suit_patterns(s == 3).yakus;
      at[i].resize(known.size());
      for (std::size_t y = 0; y < known.size(); ++y) {
        const std::size_t held = known[y].triplets + yaku.triplets;
        const bool none = held < kMany && !yaku.local(s, known[y]);
        const unsigned flags = known[y].all & yaku.all & ~(i == 4 ? unsigned{kRuns} : 0u);
        at[i][y] = static_cast<std::uint8_t>(none ? flags * kMany + (kMany - 1 - held) : kNone);
      }
    }
  }
};

template <std::size_t N>
HAIYOMI_INLINE bool possible(const Rest<N>& rest) { return any(rest.data(), kMany); }

template <std::size_t N>
HAIYOMI_INLINE void add_rests(const std::vector<const Composition*>& hands, const FlagSums<N>& sums,
                              unsigned subsets, Rests<N>& out) {
  std::array<std::array<std::array<bool, 4>, 4>, 5> some;
  for (std::size_t n = 0; n < 5; ++n)
    for (std::size_t s = 0; s < 4; ++s)
      for (std::size_t role = 0; role < 4; ++role)
        some[n][s][role] = any(sums[n][s][role][0].data(), kMany);
  for (const Composition* hand : hands) {
    const Composition& c = *hand;
    for (std::size_t s = 0; s < 4; ++s) {
      if (!waits_in(c.role[s])) continue;
      const std::size_t other[3] = {s == 0 ? 1u : 0u, s <= 1 ? 2u : 1u, s <= 2 ? 3u : 2u};
      const BySubset<N>* of[3];
      bool all = true;
      for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t t = other[i], role = kRolePlace[c.role[t]];
        of[i] = &sums[c.sets[t]][t][role];
        all &= some[c.sets[t]][t][role];
      }
      if (!all) continue;
      Rest<N>& to = out[c.sets[s]][s][kRolePlace[c.role[s]]];
      for (unsigned left = subsets; left != 0; left &= left - 1) {
        const auto f = static_cast<std::size_t>(std::countr_zero(left));
        const Counted<N> &x = (*of[0])[f], &y = (*of[1])[f], &z = (*of[2])[f];
        const Lanes<N> xy0 = x[0] * y[0], xy1 = x[0] * y[1] + x[1] * y[0];
        const Lanes<N> xy2 = x[0] * y[2] + x[1] * y[1] + x[2] * y[0];
        Lanes<N>* t = &to[kCompatible[f] * kMany];
        t[0] += xy0 * z[0];
        t[1] += xy0 * z[1] + xy1 * z[0];
        t[2] += xy0 * z[2] + xy1 * z[1] + xy2 * z[0];
      }
    }
  }
}

// The step of by_flags for one flag: its loops are of a length known to the compiler.
template <std::size_t kBit, std::size_t N>
HAIYOMI_INLINE void by_flag(Rest<N>& rest) {
  for (std::size_t block = 0; block < kNone; block += 2 * kBit)
    for (std::size_t f = block; f < block + kBit; ++f) rest[f + kBit] = rest[f] - rest[f + kBit];
}

// Turns "exactly so many triplets" into "at most so many", and each subset's sum into the signed
// sum over the subsets of a waiting suit's flags (inclusion and exclusion).
template <std::size_t N>
HAIYOMI_INLINE void by_flags(Rest<N>& rest) {
  for (std::size_t f = 0; f < kNone; f += kMany) rest[f + 1] += rest[f], rest[f + 2] += rest[f + 1];
  by_flag<kMany>(rest);
  by_flag<2 * kMany>(rest);
  by_flag<4 * kMany>(rest);
  by_flag<8 * kMany>(rest);
}

}  // namespace

template <std::size_t N>
struct YakuSums {
  FlagSums<N> sums, plain;
  Rests<N> rests;
};

template <std::size_t N>
LaneHands<N>::LaneHands() : yaku(std::make_unique<YakuSums<N>>()) {}
template <std::size_t N>
LaneHands<N>::~LaneHands() = default;
template struct LaneHands<kFewLanes>;
template struct LaneHands<kMostLanes>;

namespace {

// One query for all lanes.
template <std::size_t N>
struct NoYakuQuery {
  LaneHands<N>& hands;
  const Yaku& yaku;
  const Places& places;
  const LaneKinds<N>& honours;
  std::array<LaneKinds<N>, 4> barred;
  LaneAnswer<N>& out;

  static HAIYOMI_INLINE const Lanes<N>& both(const LaneSuit<N>& suit, std::size_t c) {
    return suit.both[suit.table->both_place[c]];
  }

  // Adds a complete group to the sums of every role that it can play.
  HAIYOMI_INLINE void add_complete(std::size_t s, std::uint32_t i, unsigned subsets) const {
    const LaneSuit<N>& suit = hands.suit[s];
    const PatternGroup& g = suit.table->groups[i];
    if (g.yaku.triplets >= kMany || yaku.local(s, g.yaku)) return;
    const unsigned held = kWithin[g.yaku.all & yaku.all] & subsets;
    auto& roles = hands.yaku->sums[g.tiles / 3u][s];
    const auto add = [&](std::size_t role, const Lanes<N>& weight) HAIYOMI_INLINE_LAMBDA {
      Counted<N>* to = roles[role].data();
      if (s < 3) {
        for (unsigned left = held; left != 0; left &= left - 1)
          to[std::countr_zero(left)][g.yaku.triplets] += weight;
        return;
      }
      // The lanes in which these honours are a yaku drop out; in those where they may be a pair of
      // a yakuhai, there is no pinfu.
      const Lanes<N> f = where(without(honours, g.yaku.sets), weight);
      const Lanes<N> runs = where(without(honours, g.waits), f);
      for (unsigned left = held; left != 0; left &= left - 1) {
        const auto at = static_cast<std::size_t>(std::countr_zero(left));
        to[at][g.yaku.triplets] += (kCompatible[at] & kRuns) != 0 ? runs : f;
      }
    };
    const Lanes<N> whole = suit.raw[i] * hands.w.tiles[s][g.tiles];
    if (g.tiles % 3 == 0) return add(kRolePlace[kSets], whole);
    add(kRolePlace[kP], whole);
    if (g.waits == 0) return add(kRolePlace[kQ], whole);
    add(kRolePlace[kB],
        where(without(barred[s], g.waits), suit.raw[i] * both(suit, g.wait_class)));
  }

  // What is summed of some suits of n sets: where each rank's waiting groups go on, and its sums.
  template <std::size_t kSuits>
  struct Waits {
    std::size_t first, n;
    std::array<std::size_t, 9> at;
    std::array<std::array<Lanes<N>, kSuits>, 9> sums{};
  };

  // Adds a block of groups that wait, in the role `beside` complete suits and, where they are
  // complete, beside a suit that waits too. Their weights, 0 if barred, stay in the processor's
  // nearest memory.
  template <std::size_t kSuits>
  HAIYOMI_INLINE void add_block(Waits<kSuits>& waits, Role beside, bool complete,
                                std::uint32_t from, std::uint32_t to) const {
    const SuitPatterns& table = *hands.suit[waits.first].table;
    std::array<std::array<Lanes<N>, kBlock>, kSuits> one, two;
    for (std::uint32_t i = from; i < to; ++i) {
      const std::size_t c = table.class_of[i];
      for (std::size_t s = 0; s < kSuits; ++s) {
        const LaneSuit<N>& suit = hands.suit[waits.first + s];
        const LaneMask<N> live = without(barred[waits.first + s], table.classes[c].waits);
        one[s][i - from] = where(live, suit.raw[i] * suit.beside[c]);
        if (complete) two[s][i - from] = where(live, suit.raw[i] * both(suit, c));
      }
    }
    for (std::size_t r = 0; r < (waits.first == 3 ? 7u : 9u); ++r) {
      const std::vector<std::uint16_t>& waiting = table.waiting[r];
      std::array<Lanes<N>, kSuits> sum = waits.sums[r];
      std::size_t at = waits.at[r];
      for (; at < waiting.size() && waiting[at] < to; ++at) {
        const std::uint16_t g = waiting[at], y = table.waiting_yaku[r][at];
        const auto add = [&](const auto& weights, Role role) HAIYOMI_INLINE_LAMBDA {
          for (std::size_t s = 0; s < kSuits; ++s) {
            const Rest<N>& of = hands.yaku->rests[waits.n][waits.first + s][kRolePlace[role]];
            const Lanes<N> rest =
                waits.first < 3 ? of[places.at[waits.first + s][y]]
                                : where(without(honours, table.yakus[y].sets),
                                        where(without(honours, table.groups[g].waits),
                                              of[places.at[3][y]], of[places.at[4][y]]));
            sum[s] += weights[s][g - from] * rest;
          }
        };
        add(one, beside);
        if (complete) add(two, kB);
      }
      waits.at[r] = at;
      waits.sums[r] = sum;
    }
  }

  // Adds `sign` times the weight of hands that wait in a suit of n sets and have no yaku; of
  // honours, or of number suits, of which several are read in one pass over their table.
  template <std::size_t kSuits>
  HAIYOMI_INLINE void add_waiting(std::size_t first, std::size_t n, double sign) const {
    const SuitPatterns& table = *hands.suit[first].table;
    Waits<kSuits> waits{first, n, {}};
    for (std::size_t r = 0; r < 9; ++r) waits.at[r] = table.first_waiting[r][2 * (3 * n + 1)];
    const std::uint32_t middle = table.first_group[3 * n + 2];
    const auto add = [&](Role beside, bool complete, std::uint32_t from,
                         std::uint32_t to) HAIYOMI_INLINE_LAMBDA {
      for (; from < to; from += kBlock)
        add_block(waits, beside, complete, from, std::min(to, from + kBlock));
    };
    add(kPairWait, false, table.first_group[3 * n + 1], middle);
    // A suit that holds all sets has no room for a pair.
    if (n < static_cast<std::size_t>(hands.sets)) {
      const std::uint32_t whole = table.first_complete[3 * n + 2];
      add(kW, false, middle, whole);
      add(kX, true, whole, table.first_group[3 * n + 3]);
    }
    for (std::size_t r = 0; r < (first == 3 ? 7u : 9u); ++r) {
      for (std::size_t s = 0; s < kSuits; ++s) {
        Lanes<N>& to = out.none[9 * (first + s) + r];
        to = sign > 0.0 ? to + waits.sums[r][s] : to - waits.sums[r][s];
      }
    }
  }

  // Prepares the rests of a suit with n sets; returns whether any is possible.
  HAIYOMI_INLINE bool ready(std::size_t n, std::size_t s) const {
    bool some = false;
    for (Rest<N>& rest : hands.yaku->rests[n][s]) {
      if (!possible(rest)) continue;  // the empty subset's weight bounds all others
      some = true;
      by_flags(rest);
    }
    return some;
  }

  // Subtracts the waits of some number suits that complete a set.
  template <std::size_t kSuits>
  HAIYOMI_INLINE void take_waits(std::size_t first, std::size_t set) const {
    const SuitPatterns& table = *hands.suit[first].table;
    for (const SetWait& wait : table.waits_with_set[set]) {
      if (wait.group >= hands.suit[first].groups) break;
      const PatternGroup& g = table.groups[wait.group];
      for (std::size_t s = first; s < first + kSuits; ++s) {
        const LaneSuit<N>& suit = hands.suit[s];
        const Lanes<N> raw = where(without(barred[s], g.waits), suit.raw[wait.group]);
        const auto& rest = hands.yaku->rests[g.tiles / 3u][s];
        const std::size_t place = places.at[s][wait.yaku];
        Lanes<N>& to = out.none[9 * s + wait.rank];
        const Lanes<N> one = raw * suit.beside[g.wait_class];
        if (g.tiles % 3 == 1) {
          to -= one * rest[kRolePlace[kPairWait]][place];
        } else if (!g.complete) {
          to -= one * rest[kRolePlace[kW]][place];
        } else {
          to -= one * rest[kRolePlace[kX]][place];
          to -= raw * both(suit, g.wait_class) * rest[kRolePlace[kB]][place];
        }
      }
    }
  }
};

// Compositions of hands without a half flush, and those of them that can hold the same set in three
// suits.
struct YakuHands {
  std::vector<const Composition*> hands, over_three;
};

// Of hands with so many concealed sets, and melds of these suits.
const YakuHands& yaku_hands(int sets, unsigned melds) {
  using BySuits = std::array<YakuHands, 8>;
  static const std::array<BySuits, 5> all = [] {
    std::array<BySuits, 5> out;
    for (std::size_t n = 0; n < 5; ++n)
      for (unsigned shown = 0; shown < 8; ++shown)
        for (const Composition& c : compositions(static_cast<int>(n))) {
          const unsigned suits = shown | (c.suits & 7u);
          // One suit and honours: a half flush. The same set in three suits needs three.
          if (std::popcount(suits) > 1) out[n][shown].hands.push_back(&c);
          if (suits == 7 && *std::max_element(c.sets.begin(), c.sets.end()) < kFewSets)
            out[n][shown].over_three.push_back(&c);
        }
    return out;
  }();
  return all[static_cast<std::size_t>(sets)][melds];
}

template <std::size_t N>
HAIYOMI_INLINE void add_hands(const NoYakuQuery<N>& query, const YakuHands& of_yaku) {
  const std::vector<const Composition*>&hands = of_yaku.hands, &over_three = of_yaku.over_three;
  const LaneHands<N>& of = query.hands;
  const Yaku& yaku = query.yaku;
  FlagSums<N>& sums = of.yaku->sums;
  Rests<N>& rests = of.yaku->rests;
  clear(sums);
  clear(rests);
  // First ignore the yaku of three suits.
  unsigned subsets = yaku.subsets(-1);
  for (std::size_t s = 0; s < 4; ++s) {
    for (const std::uint16_t i : of.suit[s].table->complete) {
      if (i >= of.suit[s].groups) break;
      query.add_complete(s, i, subsets);
    }
  }
  add_rests(hands, sums, subsets, rests);
  for (std::size_t n = 0; n <= static_cast<std::size_t>(of.sets); ++n) {
    bool some = false;
    for (std::size_t s = 0; s < 3; ++s) some = query.ready(n, s) || some;
    // Where a suit is not ready, its rests are zero.
    if (some) query.template add_waiting<3>(0, n, 1.0);
    if (query.ready(n, 3)) query.template add_waiting<1>(3, n, 1.0);
  }
  if (over_three.empty()) return;
  // Then subtract the hands with the same set in three suits.
  FlagSums<N>& plain = of.yaku->plain;
  plain = sums;
  for (int set = 0; set < 16; ++set) {
    if (!yaku.feasible(set, of.sets + (set >= 7))) continue;
    subsets = yaku.subsets(set);
    const auto held = static_cast<std::size_t>(set);
    bool shown[4] = {false, false, false, true};
    for (std::size_t s = 0; s < 3; ++s) shown[s] = (yaku.sets[s] >> set & 1) != 0;
    int lacking = 0;
    for (std::size_t n = 0; n < kFewSets; ++n) {
      for (std::size_t s = 0; s < 4; ++s) {
        if (shown[s]) sums[n][s] = plain[n][s];
        else clear(sums[n][s]);
        clear(rests[n][s]);
      }
    }
    for (std::size_t s = 0; s < 3; ++s) {
      if (shown[s]) continue;
      for (const std::uint16_t i : of.suit[s].table->complete_with_set[held]) {
        if (i >= of.suit[s].groups) break;
        query.add_complete(s, i, subsets);
      }
      bool some = false;
      for (std::size_t n = 0; n < kFewSets; ++n)
        for (const BySubset<N>& role : sums[n][s]) some = some || any(role[0].data(), kMany);
      lacking += !some;
    }
    if (lacking > 1) continue;  // one of them may wait
    add_rests(over_three, sums, subsets, rests);
    for (std::size_t n = 0; n < kFewSets; ++n)
      for (std::size_t s = 0; s < 4; ++s)
        if (query.ready(n, s) && shown[s]) query.template add_waiting<1>(s, n, -1.0);
    if (!shown[0] && !shown[1] && !shown[2]) {
      query.template take_waits<3>(0, held);
      continue;
    }
    for (std::size_t s = 0; s < 3; ++s)
      if (!shown[s]) query.template take_waits<1>(s, held);
  }
}

HAIYOMI_CLONES void add_no_yaku(const NoYakuQuery<kFewLanes>& query, const YakuHands& hands) {
  add_hands(query, hands);
}
HAIYOMI_CLONES void add_no_yaku(const NoYakuQuery<kMostLanes>& query, const YakuHands& hands) {
  add_hands(query, hands);
}

}  // namespace

template <std::size_t N>
void sum_no_yaku(LaneHands<N>& hands, const SharedYaku& shared, const LaneKinds<N>& honours,
                 const LaneKinds<N>& barred, LaneAnswer<N>& out) {
  const Yaku yaku(shared);
  const Places places(yaku);
  NoYakuQuery<N> query{hands, yaku, places, honours, {}, out};
  for (std::size_t s = 0; s < 4; ++s)
    for (std::size_t l = 0; l < N; ++l)
      query.barred[s].v[l] = barred.v[l] >> (9 * s) & 0x1ff;
  add_no_yaku(query, yaku_hands(hands.sets, yaku.suits));
}
template void sum_no_yaku(LaneHands<kFewLanes>&, const SharedYaku&, const LaneKinds<kFewLanes>&,
                          const LaneKinds<kFewLanes>&, LaneAnswer<kFewLanes>&);
template void sum_no_yaku(LaneHands<kMostLanes>&, const SharedYaku&, const LaneKinds<kMostLanes>&,
                          const LaneKinds<kMostLanes>&, LaneAnswer<kMostLanes>&);

}  // namespace haiyomi
