// The weight of hands that wait on a kind but could not win on it: without any yaku.
//
// A hand has a yaku by one suit alone (a yakuhai, two identical runs of a closed hand, a
// straight), by what all suits share (simples, pinfu, triplets, outside), by using one suit and
// honours, by three concealed triplets, or by the same set in three suits. Inclusion and
// exclusion over what all suits share leaves sums of products again. Left out: the same triplet
// in three suits where no meld shows one of them, and a third kan (some 1e-5 of hands).
#include <algorithm>
#include <bit>

#include "posterior_parts.hpp"

namespace haiyomi {
namespace {

// Subsets of AllOf that a hand can have at once; and the place of each in the sums.
constexpr std::array<unsigned, 9> kTogether{0,
                                            kSimples,
                                            kRuns,
                                            kTriplets,
                                            kOutside,
                                            kSimples | kRuns,
                                            kSimples | kTriplets,
                                            kRuns | kOutside,
                                            kTriplets | kOutside};
constexpr std::size_t kSubsets = kTogether.size();
// The subsets that a suit with such flags has, bit by bit.
constexpr auto kWithin = [] {
  std::array<unsigned, 16> out{};
  for (unsigned flags = 0; flags < 16; ++flags)
    for (std::size_t i = 0; i < kTogether.size(); ++i)
      if ((kTogether[i] & ~flags) == 0) out[flags] |= 1u << i;
  return out;
}();
constexpr std::size_t kMany = 3;            // three concealed triplets are a yaku
using Counted = std::array<double, kMany>;  // by number of concealed triplets
using BySubset = std::array<Counted, kSubsets>;
// [sets][suit][role]: complete suits that have all of the subset, and no yaku alone.
using FlagSums = std::array<std::array<std::array<BySubset, 4>, 4>, 5>;
// Of one waiting suit: [flags * kMany + triplets], what the other suits weigh where the whole
// hand has no yaku; `flags` of the waiting suit, and how many triplets the others may hold. The
// last is of a yaku by the suit alone: nothing.
constexpr std::size_t kNone = 16 * kMany;
using Rest = std::array<double, kNone + 1>;
using Rests = std::array<std::array<std::array<Rest, 4>, 4>, 5>;  // [sets][suit][role]
// No suit of a hand with the same set in three suits holds more sets than these.
constexpr std::size_t kFewSets = 3;

// The place of a role among those of a complete or of a waiting suit.
constexpr std::array<std::uint8_t, kRoles> kRolePlace{0, 0, 1, 2, 1, 2, 3};

bool yaochu(std::uint8_t kind) { return kind >= 27 || kind % 9 == 0 || kind % 9 == 8; }

// What the melds and the table leave possible.
struct Yaku {
  bool certain = false;
  unsigned all = 15;
  bool closed = true;
  unsigned triplets = 0;  // concealed kans
  unsigned suits = 0;     // number suits among the melds
  unsigned honours = 0;   // bits 0-6: honours whose triplet is a yaku
  std::array<unsigned, 3> sets{}, need{7, 7, 7};  // sets of the melds; a straight lacks these

  explicit Yaku(const RonRules& rules) {
    honours = 0x70u | 1u << (rules.round_wind - 27) | 1u << (rules.seat_wind - 27);
    int kans = 0;
    for (const Meld& m : rules.melds) {
      const bool chi = m.type == MeldType::Chi;
      if (m.type != MeldType::Ankan) closed = false;
      else ++triplets;
      kans += !chi && m.type != MeldType::Pon;
      all &= ~static_cast<unsigned>(kRuns);
      if (chi) all &= ~static_cast<unsigned>(kTriplets);
      const bool outside = chi ? m.kind % 9 == 0 || m.kind % 9 == 6 : yaochu(m.kind);
      all &= ~static_cast<unsigned>(outside ? kSimples : kOutside);
      if (m.kind >= 27) {
        certain = certain || (honours >> (m.kind - 27) & 1) != 0;
      } else {
        suits |= 1u << m.kind / 9;
        sets[m.kind / 9] |= 1u << (chi ? m.kind % 9 : 7 + m.kind % 9);
      }
    }
    if (!closed && !rules.kuitan) all &= ~static_cast<unsigned>(kSimples);
    for (std::size_t s = 0; s < 3; ++s) {
      for (unsigned i = 0; i < 3; ++i)
        if ((sets[s] >> (3 * i) & 1) != 0) need[s] &= ~(1u << i);
      certain = certain || need[s] == 0;
    }
    certain = certain || (sets[0] & sets[1] & sets[2]) != 0 || kans >= 3;
  }

  // The subsets that a hand with the set in three suits can have (-1: any hand).
  std::vector<std::size_t> subsets(int set) const {
    unsigned left = all;
    if (set >= 0 && set < 7) {
      left &= ~static_cast<unsigned>(kTriplets);
      left &= ~static_cast<unsigned>(set == 0 || set == 6 ? kSimples : kOutside);
    }
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < kSubsets; ++i)
      if ((kTogether[i] & ~left) == 0) out.push_back(i);
    return out;
  }
  // A yaku by this suit alone.
  bool local(std::size_t s, const SuitYaku& y) const {
    if (s == 3) return (y.sets & honours) != 0;
    return (closed && y.twin_runs) || (y.straights >> (need[s] - 1) & 1) != 0;
  }
  // `valued`: the suit may be the pair of an honour of value, which is no pinfu.
  unsigned flags(bool valued, const SuitYaku& y) const {
    unsigned f = y.all & all;
    if (valued) f &= ~static_cast<unsigned>(kRuns);
    return f;
  }
  // The pair of honours is the kind that they wait on.
  bool valued(std::size_t s, const PatternGroup& g) const {
    return s == 3 && (g.waits & honours) != 0;
  }
  // Whether three suits can hold the set at all, so many sets being concealed.
  bool feasible(int set, int concealed_sets) const {
    int lacking = 0;
    for (const unsigned held : sets) lacking += (held >> set & 1) == 0;
    return lacking <= concealed_sets && (set < 7 || lacking < 3);
  }
};

void add_rests(const std::vector<const Composition*>& hands, const FlagSums& sums,
               const std::vector<std::size_t>& subsets, Rests& out) {
  for (const Composition* hand : hands) {
    const Composition& c = *hand;
    for (std::size_t s = 0; s < 4; ++s) {
      if (!waits_in(c.role[s])) continue;
      const auto of = [&](std::size_t t) -> const BySubset& {
        return sums[c.sets[t]][t][kRolePlace[c.role[t]]];
      };
      const BySubset &xs = of(s == 0 ? 1 : 0), &ys = of(s <= 1 ? 2 : 1), &zs = of(s <= 2 ? 3 : 2);
      if (xs[0] == Counted{} || ys[0] == Counted{} || zs[0] == Counted{}) continue;
      Rest& to = out[c.sets[s]][s][kRolePlace[c.role[s]]];
      for (const std::size_t f : subsets) {
        const Counted &x = xs[f], &y = ys[f], &z = zs[f];
        const double xy0 = x[0] * y[0], xy1 = x[0] * y[1] + x[1] * y[0];
        const double xy2 = x[0] * y[2] + x[1] * y[1] + x[2] * y[0];
        double* t = &to[kTogether[f] * kMany];
        t[0] += xy0 * z[0];
        t[1] += xy0 * z[1] + xy1 * z[0];
        t[2] += xy0 * z[2] + xy1 * z[1] + xy2 * z[0];
      }
    }
  }
}

bool possible(const Rest& rest) { return rest[0] != 0.0 || rest[1] != 0.0 || rest[2] != 0.0; }

// From exactly so many triplets to at most so many; and for each set of flags that a waiting
// suit has the signed sum over its subsets.
void by_flags(Rest& rest) {
  if (!possible(rest)) return;  // no subset holds in more hands than the empty one
  for (std::size_t f = 0; f < kNone; f += kMany) rest[f + 1] += rest[f], rest[f + 2] += rest[f + 1];
  for (std::size_t bit = kMany; bit < kNone; bit *= 2)
    for (std::size_t block = 0; block < kNone; block += 2 * bit)
      for (std::size_t f = block; f < block + bit; ++f) rest[f + bit] = rest[f] - rest[f + bit];
}

// Where a Rest answers for a waiting suit with the yaku of its winning tile.
struct Places {
  // Of m, p, s, honours, and honours that wait on a kind of value.
  std::array<std::vector<std::uint8_t>, 5> at;

  explicit Places(const Yaku& yaku) {
    for (std::size_t i = 0; i < 5; ++i) {
      const std::size_t s = std::min<std::size_t>(i, 3);
      const std::vector<SuitYaku>& known = suit_patterns(s == 3).yakus;
      at[i].resize(known.size());
      for (std::size_t y = 0; y < known.size(); ++y) {
        const std::size_t held = known[y].triplets + yaku.triplets;
        const bool none = held < kMany && !yaku.local(s, known[y]);
        const unsigned flags = yaku.flags(i == 4, known[y]);
        at[i][y] = static_cast<std::uint8_t>(none ? flags * kMany + (kMany - 1 - held) : kNone);
      }
    }
  }
};

}  // namespace

void Posterior::no_yaku(const RonRules& rules, std::array<double, 34>& out) const {
  const Yaku yaku(rules);
  if (yaku.certain) return;
  const Places places(yaku);
  FlagSums sums{};
  Rests rests{};
  std::array<std::array<std::array<bool, 4>, 4>, 5> may{};  // of each Rest, possible
  // One suit and honours: a half flush. The same set in three suits needs three.
  std::vector<const Composition*> hands, over_three;
  for (const Composition& c : compositions(sets_)) {
    const unsigned suits = yaku.suits | c.suits;
    if (std::popcount(suits) > 1) hands.push_back(&c);
    if (suits == 7 && *std::max_element(c.sets.begin(), c.sets.end()) < kFewSets)
      over_three.push_back(&c);
  }
  // The complete suits of a group may play these roles, each of some weight.
  const auto add_complete = [&](std::size_t s, std::uint32_t i, const std::vector<std::size_t>& subsets) {
    const Suit& suit = suit_[s];
    const PatternGroup& g = suit.table->groups[i];
    if (suit.raw[i] == 0.0 || g.yaku.triplets >= kMany || yaku.local(s, g.yaku)) return;
    const unsigned flags = yaku.flags(yaku.valued(s, g), g.yaku);
    const bool barred = (g.waits & (rules.furiten >> (9 * s) & 0x1ff)) != 0;
    const unsigned held = kWithin[flags];
    for_each_role(g, [&](Role role) {
      if (role == kX || (role == kB && barred)) return;
      const double f = mass(s, g, i, role);
      BySubset& to = sums[g.tiles / 3u][s][kRolePlace[role]];
      for (const std::size_t at : subsets)
        if ((held >> at & 1) != 0) to[at][g.yaku.triplets] += f;
    });
  };
  const auto add_waiting = [&](std::size_t s, std::uint32_t i, double sign) {
    const Suit& suit = suit_[s];
    const PatternGroup& g = suit.table->groups[i];
    if (g.waits == 0) return;
    if ((g.waits & (rules.furiten >> (9 * s) & 0x1ff)) != 0) return;
    const std::uint8_t* place = places.at[yaku.valued(s, g) ? 4 : s].data();
    const SuitWait* wait = suit.table->waits.data() + g.first_wait;
    const std::size_t sets = g.tiles / 3u;
    const auto add = [&](Role role, const std::vector<double>& factors) {
      const std::size_t at = kRolePlace[role];
      if (!may[sets][s][at]) return;
      const double* rest = rests[sets][s][at].data();
      const double weight = sign * (suit.raw[i] * factors[g.wait_class]);
      for (int n = 0; n < g.n_waits; ++n) {
        out[9 * s + wait[n].rank] += weight * rest[place[wait[n].yaku]];
      }
    };
    if (g.tiles % 3 == 1) return add(kPairWait, suit.beside);
    if (!g.complete) return add(kW, suit.beside);
    add(kX, suit.beside);
    add(kB, suit.both);
  };
  // The rests of so many sets of a suit, made ready; whether any is possible.
  const auto ready = [&](std::size_t n, std::size_t s) {
    bool any = false;
    for (std::size_t role = 0; role < 4; ++role) {
      may[n][s][role] = possible(rests[n][s][role]);
      any = any || may[n][s][role];
      by_flags(rests[n][s][role]);
    }
    return any;
  };
  // No yaku, were there none of three suits.
  std::vector<std::size_t> subsets = yaku.subsets(-1);
  for (std::size_t s = 0; s < 4; ++s) {
    for (const std::uint16_t i : suit_[s].table->complete) {
      if (i >= suit_[s].raw.size()) break;
      add_complete(s, i, subsets);
    }
  }
  add_rests(hands, sums, subsets, rests);
  // Of each class and each group, beside a complete suit and beside one that waits too.
  std::vector<double> beside, both, one, two;
  for (std::size_t n = 0; n <= static_cast<std::size_t>(sets_); ++n) {
    for (std::size_t s = 0; s < 4; ++s) {
      if (!ready(n, s)) continue;
      const Suit& suit = suit_[s];
      if (s == 3) {
        const auto [first, end] = suit.of_tiles(3 * n + 1, 3 * n + 2);
        for (const std::uint16_t* i = first; i != end; ++i) add_waiting(s, *i, 1.0);
        continue;
      }
      // Rank by rank, over all that wait on it, those of no weight too: nothing branches.
      const SuitPatterns& table = *suit.table;
      // No suit of all sets holds a pair beside them.
      const bool pairs = n < static_cast<std::size_t>(sets_);
      const std::size_t stop = pairs ? 3 * n + 3 : 3 * n + 2;
      const std::uint32_t begin = table.first_group[3 * n + 1], end = table.first_group[stop];
      const std::uint32_t middle = table.first_group[3 * n + 2];
      const std::uint32_t whole = pairs ? table.first_complete[3 * n + 2] : end;
      const auto barred = static_cast<unsigned>(rules.furiten >> (9 * s) & 0x1ff);
      const std::uint32_t class_begin = table.first_class[3 * n + 1];
      const std::uint32_t class_end = table.first_class[stop];
      beside.resize(class_end - class_begin);
      both.resize(class_end - class_begin);
      for (std::uint32_t c = class_begin; c < class_end; ++c) {
        const bool live = (table.classes[c].waits & barred) == 0;
        beside[c - class_begin] = live ? suit.beside[c] : 0.0;
        both[c - class_begin] = live ? suit.both[c] : 0.0;
      }
      one.resize(end - begin);
      two.resize(end - begin);
      for (std::uint32_t i = begin; i < end; ++i) {
        const std::uint32_t c = table.class_of[i] - class_begin;
        one[i - begin] = suit.raw[i] * beside[c];
        two[i - begin] = suit.raw[i] * both[c];
      }
      const auto& rest = rests[n][s];
      const double *pair = rest[kRolePlace[kPairWait]].data(), *w = rest[kRolePlace[kW]].data();
      const double *x = rest[kRolePlace[kX]].data(), *b = rest[kRolePlace[kB]].data();
      const std::uint8_t* place = places.at[s].data();
      for (std::size_t r = 0; r < 9; ++r) {
        const std::vector<std::uint16_t>& waiting = table.waiting[r];
        const std::uint16_t* yaku_of = table.waiting_yaku[r].data();
        auto at = static_cast<std::size_t>(
            std::lower_bound(waiting.begin(), waiting.end(), begin) - waiting.begin());
        double sum = out[9 * s + r];
        for (; at < waiting.size() && waiting[at] < middle; ++at)
          sum += one[waiting[at] - begin] * pair[place[yaku_of[at]]];
        for (; at < waiting.size() && waiting[at] < whole; ++at)
          sum += one[waiting[at] - begin] * w[place[yaku_of[at]]];
        for (; at < waiting.size() && waiting[at] < end; ++at) {
          sum += one[waiting[at] - begin] * x[place[yaku_of[at]]];
          sum += two[waiting[at] - begin] * b[place[yaku_of[at]]];
        }
        out[9 * s + r] = sum;
      }
    }
  }
  if (over_three.empty()) return;
  // Of those the ones with the same set in three suits.
  const FlagSums plain = sums;
  for (int set = 0; set < 16; ++set) {
    if (!yaku.feasible(set, sets_ + (set >= 7))) continue;
    subsets = yaku.subsets(set);
    const auto shown = [&](std::size_t s) { return s == 3 || (yaku.sets[s] >> set & 1) != 0; };
    const auto held = static_cast<std::size_t>(set);
    int lacking = 0;
    for (std::size_t n = 0; n < kFewSets; ++n) {
      for (std::size_t s = 0; s < 4; ++s) {
        if (shown(s)) sums[n][s] = plain[n][s];
        else sums[n][s] = {};
        rests[n][s] = {};
      }
    }
    for (std::size_t s = 0; s < 3; ++s) {
      if (shown(s)) continue;
      for (const std::uint16_t i : suit_[s].table->complete_with_set[held]) {
        if (i >= suit_[s].raw.size()) break;
        add_complete(s, i, subsets);
      }
      bool any = false;
      for (std::size_t n = 0; n < kFewSets; ++n)
        for (const BySubset& role : sums[n][s]) any = any || role[0] != Counted{};
      lacking += !any;
    }
    if (lacking > 1) continue;  // one of them may wait
    add_rests(over_three, sums, subsets, rests);
    for (std::size_t n = 0; n < kFewSets; ++n) {
      for (std::size_t s = 0; s < 4; ++s) {
        if (!ready(n, s) || !shown(s)) continue;
        const auto [first, end] = suit_[s].of_tiles(3 * n + 1, 3 * n + 2);
        for (const std::uint16_t* i = first; i != end; ++i) add_waiting(s, *i, -1.0);
      }
    }
    for (std::size_t s = 0; s < 3; ++s) {
      if (shown(s)) continue;
      const Suit& suit = suit_[s];
      const auto barred = static_cast<unsigned>(rules.furiten >> (9 * s) & 0x1ff);
      for (const SetWait& wait : suit.table->waits_with_set[held]) {
        if (wait.group >= suit.raw.size()) break;
        const PatternGroup& g = suit.table->groups[wait.group];
        const double raw = (g.waits & barred) != 0 ? 0.0 : suit.raw[wait.group];
        if (raw == 0.0) continue;
        const auto& rest = rests[g.tiles / 3u][s];
        const std::size_t place = places.at[s][wait.yaku];
        double& to = out[9 * s + wait.rank];
        if (g.tiles % 3 == 1) {
          to -= raw * suit.beside[g.wait_class] * rest[kRolePlace[kPairWait]][place];
        } else if (!g.complete) {
          to -= raw * suit.beside[g.wait_class] * rest[kRolePlace[kW]][place];
        } else {
          to -= raw * suit.beside[g.wait_class] * rest[kRolePlace[kX]][place];
          to -= raw * suit.both[g.wait_class] * rest[kRolePlace[kB]][place];
        }
      }
    }
  }
}

}  // namespace haiyomi
