// Win probability, tenpai probability and expected points by turn: (6)-(9) over the graph.
#pragma once
#include <vector>

#include "win_graph.hpp"
#include "win_points.hpp"

namespace haiyomi {

inline constexpr int kTurns = 18;

// What to do where the useful tiles outnumber the wall (the paper's inconsistency).
enum class Excess : std::uint8_t {
  Never,    // such a hand cannot be held then: it is worth nothing, so it is never chosen
  Literal,  // (6) as it stands, which may leave [0, 1]
};

struct ValueOptions {
  bool tenpai = true;
  bool score = false;
  Excess excess = Excess::Never;
  // A useful tile must be kept even where the hand was worth more without it, as (6) has it; else
  // it may be discarded again at once.
  bool must_keep = false;
  // The wall that each turn's draw comes from; entry t - 1 is the denominator S - t.
  std::array<double, kTurns> wall{};
  int first = 1;      // values before this turn are not needed
  int last = kTurns;  // no draw after this turn
};

using ByTurn = std::array<double, kTurns>;  // entry t - 1: right after the t-th discard

struct DiscardValue {
  int suit = -1, action = -1;  // -1: the root draws
  ByTurn win{}, tenpai{}, score{};
};

struct WinAnswer {
  int shanten = 0;
  std::vector<DiscardValue> values;
  std::uint32_t drawing = 0, discarding = 0;  // nodes
  std::uint64_t edges = 0;
};

// Fills the points of the graph's winning edges; without, every win counts as 1 point. With points
// that are not `wanted` every win with a yaku does, which riichi is.
void score_wins(WinGraph& graph, const RootHand& root, const PointsOptions* points, bool wanted);

WinAnswer win_values(const WinGraph& graph, const ValueOptions& options);

}  // namespace haiyomi
