// Seven pairs and thirteen orphans of a batch of opponents with 13 concealed tiles.
#include "clones.hpp"
#include "posterior_batch.hpp"

namespace haiyomi {
namespace {

// Pairs and one single tile over the kinds before each kind, and from it on.
template <std::size_t N>
HAIYOMI_INLINE void add_pairs(const LaneWeights<N>& w, LaneIrregular<N>& to) {
  const auto& c = w.count;
  const auto step = [&](const auto& from, std::size_t k, auto& next) HAIYOMI_INLINE_LAMBDA {
    const Lanes<N> single = single_wait(w, k);
    for (std::size_t j = 0; j < 7; ++j) {
      for (std::size_t b = 0; b < 2; ++b) {
        Lanes<N> sum = from[j][b] * c[k][0];
        if (j > 0) sum += from[j - 1][b] * c[k][2];
        if (b > 0) sum += from[j][b - 1] * c[k][1] * single;
        next[j][b] = sum;
      }
    }
  };
  clear(to.before[0]), clear(to.after[34]);
  for (std::size_t l = 0; l < N; ++l) set(to.before[0][0][0], l, 1.0);
  to.after[34][0][0] = to.before[0][0][0];
  for (std::size_t k = 0; k < 34; ++k) step(to.before[k], k, to.before[k + 1]);
  for (std::size_t k = 34; k-- > 0;) step(to.after[k + 1], k, to.after[k]);
}

// The weight of seven pairs that wait on each kind and are no standard hands: of those that are,
// the suit with the single tile waits, all others are runs twice over or a pair, and no two suits
// could do both.
template <std::size_t N>
HAIYOMI_INLINE void add_seven_pairs(const LaneHands<N>& hands, LaneIrregular<N>& to) {
  const LaneWeights<N>& w = hands.w;
  add_pairs(w, to);
  clear(to.twin_sums), clear(to.twin_outer);
  for (std::size_t s = 0; s < 4; ++s) {
    const LaneSuit<N>& suit = hands.suit[s];
    for (const std::uint16_t i : suit.table->pairs) {
      const PatternGroup& g = suit.table->groups[i];
      for_each_twin_role(g, [&](Role role) HAIYOMI_INLINE_LAMBDA {
        Lanes<N>& sum = to.twin_sums[s][role][g.tiles / 3u];
        if (g.single < 9) sum += suit.raw[i] * single_wait(w, 9 * s + g.single);
        else sum += suit.raw[i];
      });
    }
  }
  Lanes<N> twins{};
  add_compositions(hands.sets, to.twin_sums, twins, to.twin_outer);
  for (std::size_t k = 0; k < 34; ++k) {
    Lanes<N> sum{};
    for (std::size_t j = 0; j < 7; ++j) sum += to.before[k][j][0] * to.after[k + 1][6 - j][0];
    to.pairs[k] = w.pairs * sum * w.count[k][1] * single_wait(w, k);
  }
  for (std::size_t s = 0; s < 4; ++s) {
    const LaneSuit<N>& suit = hands.suit[s];
    for (const std::uint16_t i : suit.table->pairs) {
      const PatternGroup& g = suit.table->groups[i];
      if (g.single > 8) continue;
      const std::size_t k = 9 * s + g.single;
      for_each_twin_role(g, [&](Role role) HAIYOMI_INLINE_LAMBDA {
        to.pairs[k] -= w.pairs * suit.raw[i] * single_wait(w, k) *
                       to.twin_outer[s][role][g.tiles / 3u];
      });
    }
  }
  to.all_pairs = Lanes<N>{};
  for (Lanes<N>& p : to.pairs) to.all_pairs += p = where(is_positive(p), p);
}

template <std::size_t N>
HAIYOMI_INLINE void add_orphans(const LaneWeights<N>& w, LaneIrregular<N>& to) {
  clear(to.orphans);
  to.all_orphans = Lanes<N>{};
  Lanes<N> rest = w.orphans;
  for (std::size_t k = 0; k < 34; ++k)
    if (!is_orphan(k)) rest = rest * w.count[k][0];
  for (const OrphanHand& hand : orphan_hands()) {
    Lanes<N> f = rest;
    for (const std::uint8_t k : kOrphans) f = f * w.count[k][hand.count(k)];
    to.all_orphans += f;
    if (hand.missing != 34) {
      to.orphans[hand.missing] += f;
      continue;
    }
    to.thirteen = f;
    for (const std::uint8_t k : kOrphans) to.orphans[k] += f;
  }
}

template <std::size_t N>
HAIYOMI_INLINE void add_irregular(LaneHands<N>& hands) {
  add_seven_pairs(hands, hands.irregular);
  add_orphans(hands.w, hands.irregular);
}

}  // namespace

HAIYOMI_CLONES void sum_irregular(LaneHands<kFewLanes>& hands) { add_irregular(hands); }
HAIYOMI_CLONES void sum_irregular(LaneHands<kMostLanes>& hands) { add_irregular(hands); }

}  // namespace haiyomi
