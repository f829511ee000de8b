// The graph without exchanges, where hands are told apart by what they can still use (hand cores).
//
// While only useful tiles are kept and the shanten never rises, the wins that a hand can reach
// are those nearest to it, and each step keeps a part of them. Tiles that none of them holds
// change nothing: hands that differ in them have the same value, and throwing one keeps every
// win, so where a draw may be thrown again no discard is better.
#include "win_graph.hpp"

namespace haiyomi {
namespace {
constexpr int kHeld = 14;  // tiles after a draw, three for each meld
}

void WinGraph::expand_discarding_core(std::uint32_t node) {
  const HandKey key = discarding[node];
  const ActionSet set = discarding_set_[node];
  if (node == 0) root_set_ = set;
  const bool may_riichi = options_.riichi && closed_ && discarding_shanten[node] == 0;
  // A hand that is not all core has a spare tile to throw.
  const int tiles = space.tiles(key) + 3 * (4 - space.sets());
  std::array<Step, kActions + 1> steps;
  std::size_t n = 0;
  const auto step = [&](HandKey next) {
    if (may_riichi) next |= kRiichiBit;
    steps[n++] = {next, drawing_index_.prepare(next), 0, 0, 0};
  };
  space.for_each_step<false>(key, set, [&](HandKey next, int, int, int) {
    step(space.canonical(space.core(next)));
  });
  if (tiles < kHeld) step(key);  // canonical already
  for (std::size_t i = 0; i < n; ++i) {
    made_discards_.edges.push_back(add_drawing(steps[i].key, steps[i].hash));
  }
  made_discards_.close();
}

void WinGraph::expand_drawing_core(std::uint32_t node) {
  const HandKey key = drawing[node];
  const ActionSet set = drawing_set_[node];
  if (drawing_shanten[node] == 0) {
    for_each_action(set, [&](int suit, int action) {
      add_win(node, kNoNode, suit, action, space.weight(key, suit, action));
    });
  } else {
    const bool may_riichi = options_.riichi && closed_ && drawing_shanten[node] == 1;
    const int melds = 3 * (4 - space.sets());
    std::array<Step, kActions> steps;
    std::size_t n = 0;
    space.for_each_step<true>(key, set, [&](HandKey drawn, int, int, int weight) {
      const HandKey next = space.canonical(space.core(drawn));
      const bool jump = options_.spare_first && space.tiles(next) + melds < kHeld;
      const HandKey to = jump && may_riichi ? next | kRiichiBit : next;
      const KeyIndex& index = jump ? drawing_index_ : discarding_index_;
      // A step's suit says where it leads: below 0 straight to the next drawing hand.
      steps[n++] = {to, index.prepare(to), static_cast<std::int8_t>(jump ? -1 : 0), 0,
                    static_cast<std::int8_t>(weight)};
    });
    for (std::size_t i = 0; i < n; ++i) {
      const Step& s = steps[i];
      if (s.suit < 0) made_jumps_.edges.emplace_back(add_drawing(s.key, s.hash), s.weight);
      else made_draws_.edges.emplace_back(add_discarding(s.key, s.hash), s.weight);
    }
  }
  made_draws_.close();
  made_jumps_.close();
}

}  // namespace haiyomi
