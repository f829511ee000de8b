// The posteriors of several opponents as a batch: one opponent a SIMD lane.
//
// The pattern tables of the suits are read once for the whole batch, up to the most tiles of a hand.
// The result is batch-invariant: each lane is the same sum in the same order, whatever the other
// lanes hold; what a hand has no room for adds zeros.
#pragma once
#include <bit>
#include <memory>

#include "shared_yaku.hpp"
#include "simd_lanes.hpp"
#include "posterior_parts.hpp"

namespace haiyomi {

template <std::size_t N>
using LaneSums = SumsOf<Lanes<N>>;

// PosteriorWeights and, below, Posterior::Suit, one opponent a lane.
template <std::size_t N>
struct LaneWeights {
  std::array<std::array<Lanes<N>, 5>, 34> count;
  std::array<std::array<Lanes<N>, 14>, 4> tiles;
  std::array<std::array<Lanes<N>, 4>, 34> wait;
  std::array<Lanes<N>, kShapes> shape;
  Lanes<N> pairs, orphans;
};

template <std::size_t N>
struct LaneSuit {
  const SuitPatterns* table = nullptr;
  std::size_t groups = 0, classes = 0, boths = 0;  // only those a hand has room for
  std::array<std::array<Lanes<N>, 125>, 3> part;
  std::vector<Lanes<N>> raw, sum, beside;
  std::vector<Lanes<N>> both;  // by SuitPatterns::both_place
};

// Seven pairs and thirteen orphans, as in Posterior and Posterior::Kept.
template <std::size_t N>
struct LaneIrregular {
  LaneSums<N> twin_sums, twin_outer;
  std::array<std::array<std::array<Lanes<N>, 2>, 7>, 35> before, after;
  std::array<Lanes<N>, 34> pairs, orphans;
  Lanes<N> thirteen, all_pairs, all_orphans;
};

template <std::size_t N>
struct LaneAnswer {
  std::array<Lanes<N>, 34> live, none;  // `none`: without a yaku
  std::array<std::array<Lanes<N>, 4>, 34> kind;
};

template <std::size_t N>
struct YakuSums;

template <std::size_t N>
struct LaneHands {
  LaneHands();
  ~LaneHands();

  int sets = 0;              // most concealed sets of a hand
  unsigned set_counts = 0;   // bit n: some hand has n sets
  LaneKinds<N> other_counts; // of each lane: every bit but that of its hand's own number of sets
  LaneWeights<N> w;
  // The suits' numbers are shared with the posteriors that draw from them.
  std::shared_ptr<std::array<LaneSuit<N>, 4>> suits;
  LaneSuit<N>* suit = nullptr;
  LaneSums<N> sums, outer;
  Lanes<N> standard;
  LaneIrregular<N> irregular;
  std::unique_ptr<YakuSums<N>> yaku;
};

// As add_compositions, each lane with its own number of sets.
template <std::size_t N>
HAIYOMI_INLINE void add_compositions(const LaneHands<N>& hands, const LaneSums<N>& sums,
                                     Lanes<N>& total, LaneSums<N>& outer) {
  if (std::has_single_bit(hands.set_counts)) {
    add_compositions(hands.sets, sums, total, outer);
    return;
  }
  for (unsigned left = hands.set_counts; left != 0; left &= left - 1) {
    const int n = std::countr_zero(left);
    const LaneMask<N> lanes = without(hands.other_counts, 1 << n);
    LaneSums<N> mine = sums;
    for (auto& suit : mine)
      for (auto& role : suit)
        for (Lanes<N>& sum : role) sum = where(lanes, sum);
    add_compositions(n, mine, total, outer);
  }
}

// The lanes that a batch takes. One pass with eight is quicker than two with four only where a register
// holds eight numbers (AVX-512); elsewhere compilers split the vectors badly.
std::size_t most_lanes();

// Sums the weights of all hands.
void sum_weights(LaneHands<kFewLanes>& hands);
void sum_weights(LaneHands<kMostLanes>& hands);
// The weights of seven pairs and thirteen orphans, of hands of 13 tiles, after sum_weights.
void sum_irregular(LaneHands<kFewLanes>& hands);
void sum_irregular(LaneHands<kMostLanes>& hands);
// P(waits) and P(waits, on no barred kind), unnormalised.
void sum_waits(const LaneHands<kFewLanes>& hands, const LaneKinds<kFewLanes>& barred,
               LaneAnswer<kFewLanes>& out);
void sum_waits(const LaneHands<kMostLanes>& hands, const LaneKinds<kMostLanes>& barred,
               LaneAnswer<kMostLanes>& out);
// The part of `live` that has no yaku, of the lanes with hands.sets sets; `honours` holds
// valued_honours of each lane.
template <std::size_t N>
void sum_no_yaku(LaneHands<N>& hands, const SharedYaku& yaku, const LaneKinds<N>& honours,
                 const LaneKinds<N>& barred, LaneAnswer<N>& out);

// Computes up to N posteriors and their answers together.
template <std::size_t N>
class Posterior::Batch {
 public:
  // Computes the sums of n posteriors from their weights.
  void weigh(const Posterior* const* of, std::size_t n);
  // Of the last weigh: what its posteriors have as totals, and what they keep: a copy, or with
  // `share` the batch's own numbers, which take more memory.
  void total(Posterior* const* of, std::size_t n) const;
  void keep(const Posterior* const* of, std::size_t n, bool share) const;
  // Answers for the posteriors of the last weigh, with their totals. Hands without a yaku are summed
  // once for all that have as many tiles and whose rules differ only in winds and barred kinds.
  void answer(const Posterior* const* of, const RonRules* const* rules, std::size_t n,
              PosteriorAnswer* const* out);

  static Batch& of_this_thread();  // buffers that are reused from call to call

 private:
  LaneHands<N> hands_;
  LaneAnswer<N> answer_;
};

}  // namespace haiyomi
