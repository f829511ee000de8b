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
constexpr std::size_t kMany = 3;            // three concealed triplets are a yaku
using Counted = std::array<double, kMany>;  // by number of concealed triplets
// [suit][role][sets][subset]: complete suits that have all of the subset, and no yaku alone.
using FlagSums = std::array<std::array<std::array<std::array<Counted, kSubsets>, 5>, kRoles>, 4>;
// [suit][role][sets][flags]: what the other suits weigh where the whole hand has no yaku, by
// how many triplets they may hold; `flags` of the waiting suit.
using Rests = std::array<std::array<std::array<std::array<Counted, 16>, 5>, kRoles>, 4>;

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
  unsigned flags(std::size_t s, const PatternGroup& g, const SuitYaku& y) const {
    unsigned f = y.all & all;
    // The pair of honours must be of no value for pinfu: its kind is the one it waits on.
    if (s == 3 && (g.waits & honours) != 0) f &= ~static_cast<unsigned>(kRuns);
    return f;
  }
  // Whether the suit holds the same set as two others may; any suit of honours does.
  bool holds(std::size_t s, const SuitYaku& y, int set) const {
    return set < 0 || s == 3 || ((y.sets | sets[s]) >> set & 1) != 0;
  }
  // Whether three suits can hold the set at all, so many sets being concealed.
  bool feasible(int set, int concealed_sets) const {
    int lacking = 0;
    for (const unsigned held : sets) lacking += (held >> set & 1) == 0;
    return lacking <= concealed_sets && (set < 7 || lacking < 3);
  }
};

void add_rests(int sets, const FlagSums& sums, const Yaku& yaku, bool same,
               const std::vector<std::size_t>& subsets, Rests& out) {
  for (const Composition& c : compositions(sets)) {
    const unsigned suits = yaku.suits | c.suits;
    // One suit and honours: a half flush. The same set in three suits needs three.
    if (same ? suits != 7 : std::popcount(suits) <= 1) continue;
    for (std::size_t s = 0; s < 4; ++s) {
      if (!waits_in(c.role[s])) continue;
      const std::size_t a = s == 0 ? 1 : 0, b = s <= 1 ? 2 : 1, d = s <= 2 ? 3 : 2;
      const auto& xs = sums[a][c.role[a]][c.sets[a]];
      const auto& ys = sums[b][c.role[b]][c.sets[b]];
      const auto& zs = sums[d][c.role[d]][c.sets[d]];
      auto& to = out[s][c.role[s]][c.sets[s]];
      if (xs[0] == Counted{} || ys[0] == Counted{} || zs[0] == Counted{}) continue;
      for (const std::size_t f : subsets) {
        const Counted &x = xs[f], &y = ys[f], &z = zs[f];
        const double xy0 = x[0] * y[0], xy1 = x[0] * y[1] + x[1] * y[0];
        const double xy2 = x[0] * y[2] + x[1] * y[1] + x[2] * y[0];
        Counted& t = to[kTogether[f]];
        t[0] += xy0 * z[0];
        t[1] += xy0 * z[1] + xy1 * z[0];
        t[2] += xy0 * z[2] + xy1 * z[1] + xy2 * z[0];
      }
    }
  }
}

// From exactly so many triplets to at most so many; and for each set of flags that a waiting
// suit has the signed sum over its subsets.
void by_flags(Rests& rests) {
  for (auto& suit : rests) {
    for (std::size_t role = 0; role < kRoles; ++role) {
      if (!waits_in(static_cast<Role>(role))) continue;
      for (auto& n : suit[role]) {
        if (n[0] == Counted{}) continue;  // no subset holds in more hands than the empty one
        for (Counted& t : n) t[1] += t[0], t[2] += t[1];
        for (unsigned bit = 1; bit < 16; bit <<= 1)
          for (unsigned f = 0; f < 16; ++f)
            if ((f & bit) != 0)
              for (std::size_t t = 0; t < kMany; ++t) n[f][t] = n[f ^ bit][t] - n[f][t];
      }
    }
  }
}

template <class Visit>
void for_each_group(const SuitPatterns& table, std::uint32_t groups, int set, bool shown,
                    Visit&& visit) {
  if (set < 0 || shown || table.with_set[static_cast<std::size_t>(set)].empty()) {
    for (std::uint32_t i = 0; i < groups; ++i) visit(i);
    return;
  }
  for (const std::uint32_t i : table.with_set[static_cast<std::size_t>(set)]) {
    if (i >= groups) return;
    visit(i);
  }
}

}  // namespace

void Posterior::no_yaku(const RonRules& rules, std::array<double, 34>& out) const {
  const Yaku yaku(rules);
  if (yaku.certain) return;
  static thread_local FlagSums sums;
  static thread_local Rests rests;
  FlagSums plain;  // of honours: the same for every set
  // -1: no yaku, were there none of three suits; of those the ones with set 0-15 in each.
  for (int set = -1; set < 16; ++set) {
    if (set >= 0 && !yaku.feasible(set, sets_ + (set >= 7))) continue;
    const std::vector<std::size_t> subsets = yaku.subsets(set);
    const auto shown = [&](std::size_t s) {
      return s == 3 || (set >= 0 && (yaku.sets[s] >> set & 1) != 0);
    };
    sums = FlagSums{};
    for (std::size_t s = 0; s < 4; ++s) {
      const Suit& suit = suit_[s];
      if (set >= 0 && shown(s)) {
        sums[s] = plain[s];
        continue;
      }
      const auto furiten = static_cast<std::uint16_t>(rules.furiten >> (9 * s) & 0x1ff);
      for_each_group(*suit.table, suit.groups, set, shown(s), [&](std::uint32_t i) {
        const PatternGroup& g = suit.table->groups[i];
        if (!g.complete || suit.raw[i] == 0.0 || g.yaku.triplets >= kMany) return;
        if (yaku.local(s, g.yaku) || !yaku.holds(s, g.yaku, set)) return;
        const unsigned flags = yaku.flags(s, g, g.yaku);
        for_each_role(g, [&](Role role) {
          if (role == kX || (role == kB && (g.waits & furiten) != 0)) return;
          const double f = mass(s, g, i, role);
          auto& to = sums[s][role][g.tiles / 3];
          for (const std::size_t at : subsets) {
            if ((kTogether[at] & ~flags) == 0) to[at][g.yaku.triplets] += f;
          }
        });
      });
    }
    if (set < 0) plain = sums;
    rests = Rests{};
    add_rests(sets_, sums, yaku, set >= 0, subsets, rests);
    by_flags(rests);
    const double sign = set < 0 ? 1.0 : -1.0;
    for (std::size_t s = 0; s < 4; ++s) {
      const Suit& suit = suit_[s];
      const auto furiten = static_cast<std::uint16_t>(rules.furiten >> (9 * s) & 0x1ff);
      for_each_group(*suit.table, suit.groups, set, shown(s), [&](std::uint32_t i) {
        const PatternGroup& g = suit.table->groups[i];
        if (g.waits == 0 || (g.waits & furiten) != 0 || suit.raw[i] == 0.0) return;
        const SuitWait* wait = suit.table->waits.data() + g.first_wait;
        for_each_role(g, [&](Role role) {
          const auto& rest = rests[s][role][g.tiles / 3];
          if (!waits_in(role) || rest[0][2] == 0.0) return;
          const double weight = sign * mass(s, g, i, role);
          for (int n = 0; n < g.n_waits; ++n) {
            const SuitYaku& y = wait[n].yaku;
            const std::size_t held = y.triplets + yaku.triplets;
            if (held >= kMany || yaku.local(s, y) || !yaku.holds(s, y, set)) continue;
            out[9 * s + wait[n].rank] += weight * rest[yaku.flags(s, g, y)][kMany - 1 - held];
          }
        });
      });
    }
  }
}

}  // namespace haiyomi
