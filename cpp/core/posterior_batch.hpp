// The posteriors of several opponents with the same number of concealed tiles, as a batch: one
// opponent a SIMD lane.
//
// The pattern tables of the suits are read once for the whole batch. The result is batch-invariant:
// each lane is the same sum in the same order, whatever the other lanes hold.
#pragma once
#include <memory>

#include "simd_lanes.hpp"
#include "posterior_parts.hpp"

namespace haiyomi {

using LaneSums = SumsOf<Lanes>;

// PosteriorWeights and, below, Posterior::Suit, one opponent a lane.
struct LaneWeights {
  std::array<std::array<Lanes, 5>, 34> count;
  std::array<std::array<Lanes, 14>, 4> tiles;
  std::array<std::array<Lanes, 4>, 34> wait;
  std::array<Lanes, kShapes> shape;
};

struct LaneSuit {
  const SuitPatterns* table = nullptr;
  std::size_t groups = 0, classes = 0, boths = 0;  // only those a hand has room for
  std::array<std::array<Lanes, 125>, 3> part;
  std::vector<Lanes> raw, sum, beside;
  std::vector<Lanes> both;  // by SuitPatterns::both_place
};

struct LaneAnswer {
  std::array<Lanes, 34> live, none;  // `none`: without a yaku
  std::array<std::array<Lanes, 4>, 34> kind;
};

struct YakuSums;

struct LaneHands {
  LaneHands();
  ~LaneHands();

  int sets = 0;
  LaneWeights w;
  std::array<LaneSuit, 4> suit;
  LaneSums sums, outer;
  Lanes standard;
  // Buffers, reused from call to call: weights of groups next to a complete suit, and next to a
  // suit that waits too.
  std::vector<Lanes> one, two;
  std::unique_ptr<YakuSums> yaku;
};

// What decides the yaku of number suits; only opponents that share it can be in one batch.
struct SharedYaku {
  unsigned all = 15;      // what all suits may still share
  bool closed = true;
  unsigned triplets = 0;  // concealed kans
  unsigned suits = 0;     // number suits among the melds
  std::array<unsigned, 3> sets{};  // sets of the melds, bits as in SuitYaku::sets

  explicit SharedYaku(const RonRules& rules);
  auto operator<=>(const SharedYaku&) const = default;
};
// Bits 0-6: honours whose triplet is a yaku.
unsigned valued_honours(const RonRules& rules);
// Whether any hand has one, whatever it holds.
bool certain_yaku(const RonRules& rules);

// Sums the weights of all hands.
void sum_weights(LaneHands& hands);
// P(waits) and P(waits, not furiten), unnormalised.
void sum_waits(const LaneHands& hands, const LaneKinds& furiten, LaneAnswer& out);
// The part of `live` that has no yaku; `honours` holds valued_honours of each lane.
void sum_no_yaku(LaneHands& hands, const SharedYaku& yaku, const LaneKinds& honours,
                 const LaneKinds& furiten, LaneAnswer& out);

// Computes up to kLanes posteriors and their answers together.
class Posterior::Batch {
 public:
  // Computes the sums of n posteriors from their weights; all have the same number of tiles.
  void weigh(Posterior* const* of, std::size_t n);
  void load(const Posterior& one);
  // Answers for the posteriors of the last weigh or load; their rules may differ in winds and
  // furiten alone.
  void answer(const Posterior* const* of, const RonRules* const* rules, std::size_t n,
              PosteriorAnswer* const* out);

  static Batch& of_this_thread();  // buffers that are reused from call to call

 private:
  LaneHands hands_;
  LaneAnswer answer_;
};

}  // namespace haiyomi
