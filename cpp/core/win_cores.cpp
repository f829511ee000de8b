// The graph without exchanges, where hands with the same useful tiles (the same core) are merged.
//
// While only useful tiles are kept and the shanten never rises, the wins that a hand can reach
// are those nearest to it, and each step keeps a part of them. Tiles that none of them holds
// change nothing: hands that differ in them have the same value, and throwing one keeps every
// win, so where a draw may be thrown again no discard is better.
#include "win_graph.hpp"

namespace haiyomi {
namespace {
constexpr int kHeld = 14;  // tiles after a draw, three for each meld
constexpr int kMostWeight = 31;  // of an edge
}

void WinGraph::expand_discarding_core(std::uint32_t node) {
  const HandKey key = hand_of(discarding, discarding_hands_, node);
  const ActionSet set = discarding_set_[node];
  if (node == 0) root_set_ = set;
  const bool may_riichi = options_.riichi && closed_ && discarding_shanten[node] == 0;
  // A hand that is not all core has a spare tile to throw.
  const int tiles = space.tiles(key) + 3 * (4 - space.sets());
  std::array<CoreStep, kActions + 1> steps;
  std::size_t n = 0;
  const KeyIndex::Places places = drawing_places();
  const auto step = [&](HandSpace::Core next) {
    if (may_riichi) next.name |= kRiichiBit;
    steps[n++] = {next, places.prepare(next.name), 0, false};
  };
  if (named_ && space.only_standard(key)) {
    space.for_each_next_class<false>(key, [&](HandSpace::Core next, int, int) { step(next); });
  } else if (!space.merges()) {
    space.for_each_next_core<false>(key, set,
                                       [&](HandSpace::Core next, int, int) { step(next); });
  } else {
    space.for_each_next_hand<false>(key, set,
                               [&](HandKey next, ActionSet, int) { step(space.core(next)); });
  }
  if (tiles < kHeld) step({key, discarding[node]});
  DrawEdge* edge = made_discards_.room();
  for (std::size_t i = 0; i < n; ++i) {
    *edge++ = {add_drawing(places, steps[i].core, steps[i].hash), 0};
  }
  made_discards_.close(edge);
}

void WinGraph::expand_drawing_core(std::uint32_t node) {
  const HandKey key = hand_of(drawing, drawing_hands_, node);
  const ActionSet set = drawing_set_[node];
  DrawEdge* edge = made_draws_.room();
  if (drawing_shanten[node] == 0) {
    edge = add_wins(node, key, set, edge);
  } else {
    const bool may_riichi = options_.riichi && closed_ && drawing_shanten[node] == 1;
    const int melds = 3 * (4 - space.sets());
    std::array<CoreStep, kActions> steps;
    std::size_t n = 0;
    const KeyIndex::Places to_drawing = drawing_places();
    const KeyIndex::Places to_discarding = discarding_places();
    const auto step = [&](HandSpace::Core next, int tiles, int weight) {
      const bool jump = options_.spare_first && tiles + melds < kHeld;
      if (jump && may_riichi) next.name |= kRiichiBit;
      const KeyIndex::Places& places = jump ? to_drawing : to_discarding;
      steps[n++] = {next, places.prepare(next.name), weight, jump};
    };
    // Draws of different tiles to the same hand are one.
    const auto merged = [&](HandSpace::Core next, int tiles, int weight) {
      step(next, tiles, weight);
      const CoreStep& last = steps[n - 1];
      for (std::size_t i = 0; i + 1 < n; ++i) {
        if (steps[i].core.name != last.core.name) continue;
        if (steps[i].weight + weight > kMostWeight) continue;
        steps[i].weight += weight;
        --n;
        return;
      }
    };
    if (named_ && space.only_standard(key)) {
      space.for_each_next_class<true>(key, merged);
    } else if (!space.merges()) {
      // The hand that a draw helps holds it.
      space.for_each_next_core<true>(key, set, step);
    } else {
      space.for_each_next_hand<true>(key, set, [&](HandKey drawn, ActionSet, int weight) {
        const HandSpace::Core next = space.core(drawn);
        merged(next, space.tiles(next.hand), weight);
      });
    }
    for (std::size_t i = 0; i < n; ++i) {
      const CoreStep& s = steps[i];
      if (s.jump) {
        *edge++ = {add_drawing(to_drawing, s.core, s.hash), s.weight, DrawEdge::kToDrawing};
      } else {
        *edge++ = {add_discarding(to_discarding, s.core, s.hash), s.weight};
      }
    }
  }
  made_draws_.close(edge);
}

}  // namespace haiyomi
