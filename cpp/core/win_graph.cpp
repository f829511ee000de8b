#include "win_graph.hpp"

#include <algorithm>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace haiyomi {

namespace {
// Flag in an action set: it holds more than the useful moves.
constexpr ActionSet kAll = ActionSet{1} << 63;
// Above its actions, an action set counts the node's reverse edges, which other nodes made.
constexpr int kWaysBackAt = 42;
constexpr ActionSet kWayBack = ActionSet{1} << kWaysBackAt;

// The number of edges of each node: its own and the reverse ones.
std::vector<std::uint32_t> edges_of(const MadeEdges& made, const std::vector<ActionSet>& sets) {
  std::vector<std::uint32_t> out(sets.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto back = static_cast<std::uint32_t>((sets[i] & ~kAll) >> kWaysBackAt);
    out[i] = made.first[i + 1] - made.first[i] + back;
  }
  return out;
}
}  // namespace

bool WinGraph::spare(HandKey key, const HandSpace::Moves& moves) const {
  return (key & kRiichiBit) == 0 && moves.gained + moves.shanten < root_shanten + options_.extra;
}

void WinGraph::describe_drawing(HandKey key) {
  const HandSpace::Moves moves = space.moves<true>(key);
  drawing_shanten.push_back(static_cast<std::int8_t>(moves.shanten));
  const bool all = options_.tegawari && spare(key, moves);
  drawing_set_.push_back(all ? space.live(key) | kAll : moves.set);
}

void WinGraph::describe_discarding(HandKey key) {
  const HandSpace::Moves moves = space.moves<false>(key);
  discarding_shanten.push_back(static_cast<std::int8_t>(moves.shanten));
  const bool all = options_.back && spare(key, moves);
  discarding_set_.push_back(all ? space.has(key) | kAll : moves.set);
}

// With reverse edges one expansion makes both directions, so it takes the action out of what its
// other end has still to expand: each edge is looked up once.
void WinGraph::expand_discarding(std::uint32_t node) {
  const HandKey key = discarding[node];
  const ActionSet set = discarding_set_[node] & kEveryAction;
  if (node == 0) root_set_ = set;
  ActionSet riichi = 0;  // only a discard that leaves tenpai can declare it
  if (options_.riichi && closed_ && discarding_shanten[node] == 0 && (key & kRiichiBit) == 0) {
    riichi = (discarding_set_[node] & kAll) != 0 ? space.moves<false>(key).set : set;
  }
  // All keys first, so that their places are prefetched before they are looked up.
  std::array<Step, kActions> steps;
  Step* end = steps.data();
  const KeyIndex::Places places = drawing_places();
  space.for_each_next_hand<false>(key, set, [&](HandKey next, ActionSet bit, int weight) {
    if ((riichi & bit) != 0) next |= kRiichiBit;
    *end++ = {next, places.prepare(next), bit, weight};
  });
  // The way back into a complete hand is a win, which the drawing hand makes itself; one out of
  // a firm riichi is none.
  const bool back = options_.reverse && discarding_shanten[node] >= 0;
  const ActionSet ways_back = !back ? 0 : options_.firm ? ~riichi : kEveryAction;
  const ActionSet undone = ways_back & ~riichi;
  DrawEdge* edge = made_discards_.room();
  for (const Step* step = steps.data(); step != end; ++step) {
    const std::uint32_t to = add_drawing(places, step->key, step->hash);
    const int copies = (ways_back & step->bit) != 0 ? step->weight : 0;
    *edge++ = {to, copies};
    drawing_set_[to] = (drawing_set_[to] & ~(undone & step->bit)) + (copies > 0 ? kWayBack : 0);
  }
  made_discards_.close(edge);
}

void WinGraph::expand_drawing(std::uint32_t node) {
  const HandKey key = drawing[node];
  const ActionSet set = drawing_set_[node] & kEveryAction;
  ActionSet winning = 0;
  if (drawing_shanten[node] == 0) {
    winning = options_.tegawari && (key & kRiichiBit) == 0 ? space.moves<true>(key).set : set;
  }
  const bool may_riichi =
      options_.riichi && closed_ && drawing_shanten[node] == 0 && (key & kRiichiBit) == 0;
  std::array<Step, kActions> steps;
  Step* end = steps.data();
  const bool go_on = options_.go_on && !(options_.firm && (key & kRiichiBit) != 0);
  const KeyIndex::Places places = discarding_places();
  space.for_each_next_hand<true>(
      key, go_on ? set : set & ~winning, [&](HandKey next, ActionSet bit, int weight) {
        *end++ = {next, places.prepare(next), bit, weight};
      });
  DrawEdge* edge = made_draws_.room();
  if (!go_on) edge = add_wins(node, key, set & winning, edge);
  // Throwing the same tile again may declare riichi, and so lead elsewhere.
  const ActionSet undone = options_.reverse && !may_riichi ? kEveryAction : 0;
  const ActionSet way_back = options_.reverse ? kWayBack : 0;
  for (const Step* step = steps.data(); step != end; ++step) {
    const std::uint32_t to = add_discarding(places, step->key, step->hash);
    discarding_set_[to] = (discarding_set_[to] & ~(undone & step->bit)) + way_back;
    *edge++ = (winning & step->bit) != 0 ? add_win(node, to, step->bit, step->weight)
                                         : DrawEdge{to, step->weight};
  }
  made_draws_.close(edge);
}

DrawEdge* WinGraph::add_wins(std::uint32_t node, HandKey key, ActionSet winning, DrawEdge* edge) {
  for_each_action(winning, [&](int suit, int action) {
    *edge++ = add_win(node, kNoNode, action_bit(suit, action), space.weight(key, suit, action));
  });
  return edge;
}

DrawEdge WinGraph::add_win(std::uint32_t node, std::uint32_t to, ActionSet bit, int weight) {
  const auto win = static_cast<std::uint32_t>(wins.size());
  for_each_action(bit, [&](int suit, int action) {
    wins.push_back({node, to, static_cast<std::uint8_t>(suit), static_cast<std::uint8_t>(action)});
  });
  return {win, weight, DrawEdge::kWin};
}

void WinGraph::lead_to_goals(const std::vector<std::uint32_t>& goal_of_win) {
  const std::uint32_t places = n_drawing + n_discarding;
  if (places + goals.size() > DrawEdge::kMostPlaces) {
    throw std::length_error("the graph of hand changes has more wins than the limit");
  }
  for (const Run& run : draws.runs) {
    if (run.shanten != 0) continue;  // only tenpai hands win
    const std::size_t end = run.edges + std::size_t{run.end - run.begin} * run.each;
    for (std::size_t e = run.edges; e < end; ++e) {
      DrawEdge& edge = draws.edges[e];
      if (edge.kind() == DrawEdge::kWin) edge = {places + goal_of_win[edge.to()], edge.copies()};
    }
  }
}

// Every discard with copies in the wall is the way back from a draw.
void WinGraph::lay_out_draws(std::vector<std::uint32_t> each) {
  draws.lay_out(
      made_draws_, std::move(each), drawing_shanten, drawing_within,
      [&](DrawEdge edge) -> DrawEdge {
        if (edge.kind() == DrawEdge::kWin) return edge;
        return {edge.to() + (edge.kind() == DrawEdge::kToDrawing ? 0 : n_drawing), edge.copies()};
      },
      [&](auto&& visit) {
        if (!options_.reverse) return;
        for (std::uint32_t i = 0; i < n_discarding; ++i) {
          for (const DrawEdge edge : made_discards_.of(i)) {
            if (edge.copies() > 0) visit(edge.to(), DrawEdge{n_drawing + i, edge.copies()});
          }
        }
      });
}

// Every draw is the way back from a discard.
void WinGraph::lay_out_discards(std::vector<std::uint32_t> each) {
  discards.lay_out(
      made_discards_, std::move(each), discarding_shanten, discarding_within,
      [](DrawEdge edge) { return edge.to(); },
      [&](auto&& visit) {
        if (!options_.reverse) return;
        for (std::uint32_t i = 0; i < n_drawing; ++i) {
          for (const DrawEdge edge : made_draws_.of(i)) {
            const std::uint32_t to =
                edge.kind() == DrawEdge::kWin ? wins[edge.to()].to : edge.to();
            if (to != kNoNode) visit(to, i);
          }
        }
      });
}

void WinGraph::build(const RootHand& root, const GraphOptions& options) {
  options_ = options;
  undoes = options.reverse && !options.firm;
  closed_ = root.n_melds == 0;
  space.begin(root);
  clear();
  int tiles = 0;
  for (const std::uint8_t n : root.concealed) tiles += n;
  root_discards = tiles % 3 == 2;
  root_shanten = root_discards ? space.moves<false>(space.root()).shanten
                               : space.moves<true>(space.root()).shanten;
  // The nearest tables for the usual hand of so many exchanges; they grow if need be.
  const int further = options.extra + (options.tegawari ? 1 : 0);
  const int bits = std::clamp(6 + 2 * (root_shanten + further), 8, 13);
  drawing_index_.reset(bits);
  discarding_index_.reset(bits);
  named_ = root.merge_like;
  const auto add_root = [&](const HandSpace::Core& core) {
    if (root_discards) {
      const KeyIndex::Places places = discarding_places();
      add_discarding(places, core, places.prepare(core.name));
    } else {
      const KeyIndex::Places places = drawing_places();
      add_drawing(places, core, places.prepare(core.name));
    }
  };
  if (!options.cores) add_root({space.root(), space.root()});
  else if (root_discards) add_root({space.root(), named_ ? kRootName : space.root()});
  else add_root(space.core(space.root()));
  std::uint32_t next_discarding = 0;
  std::uint32_t next_drawing = 0;
  // Asked at each node: one more exchange can add many times the limit.
  const auto check_size = [&] {
    if (drawing.size() + discarding.size() > options.most_nodes) {
      throw std::length_error("the graph of hand changes has more nodes than the limit");
    }
  };
  while (next_discarding < discarding.size() || next_drawing < drawing.size()) {
    const auto discarding_end = static_cast<std::uint32_t>(discarding.size());
    const int near = options.reach - static_cast<int>(drawing_within.size());
    while (next_discarding < discarding_end) {
      if (next_discarding > 0 && discarding_shanten[next_discarding] > near) {
        ++next_discarding;
        made_discards_.close();
      } else if (options.cores) expand_discarding_core(next_discarding++);
      else expand_discarding(next_discarding++);
      check_size();
    }
    discarding_within.push_back(discarding_end);
    const auto drawing_end = static_cast<std::uint32_t>(drawing.size());
    while (next_drawing < drawing_end) {
      if (drawing_shanten[next_drawing] > near) {
        ++next_drawing;
        made_draws_.close();
      } else if (options.cores) expand_drawing_core(next_drawing++);
      else expand_drawing(next_drawing++);
      check_size();
    }
    drawing_within.push_back(drawing_end);
  }
  if (root_discards) {
    std::size_t i = 0;
    for_each_action(root_set_, [&](int suit, int action) {
      root_edges.push_back({made_discards_[i++].to(), suit, action});
    });
  }
  n_drawing = static_cast<std::uint32_t>(drawing.size());
  n_discarding = static_cast<std::uint32_t>(discarding.size());
  std::vector<std::uint32_t> each_drawing = edges_of(made_draws_, drawing_set_);
  std::vector<std::uint32_t> each_discarding = edges_of(made_discards_, discarding_set_);
  // A large graph frees what only its construction needed.
  const bool large = made_draws_.size() + made_discards_.size() > kLargeGraph / 2;
  const auto done_with = [large](auto& used) {
    if (large) used = std::remove_reference_t<decltype(used)>();
  };
  done_with(drawing_set_);
  done_with(discarding_set_);
  done_with(drawing_hands_);
  done_with(discarding_hands_);
  if (large) {
    drawing_index_.drop();
    discarding_index_.drop();
  }
  lay_out_discards(std::move(each_discarding));
  lay_out_draws(std::move(each_drawing));
  done_with(made_draws_);
  done_with(made_discards_);
  edges = draws.edges.size() + discards.edges.size();
}

void WinGraph::drop_keys() {
  if (edges <= kLargeGraph) return;
  drawing = std::vector<HandKey>();
  discarding = std::vector<HandKey>();
}

void WinGraph::clear() {
  const auto empty = [](auto&... all) { (all.clear(), ...); };
  empty(drawing, discarding, drawing_shanten, discarding_shanten, drawing_within,
        discarding_within, root_edges, wins, goals, drawing_set_, discarding_set_, drawing_hands_,
        discarding_hands_);
  made_draws_.clear();
  made_discards_.clear();
}

}  // namespace haiyomi
