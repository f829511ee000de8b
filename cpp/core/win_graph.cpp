#include "win_graph.hpp"

#include <algorithm>
#include <stdexcept>
#include <type_traits>

namespace haiyomi {

namespace {
// In an action set: it holds more than the moves of use.
constexpr ActionSet kAll = ActionSet{1} << 63;
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
  const ActionSet set = discarding_set_[node];
  if (node == 0) root_set_ = set & ~kAll;
  ActionSet riichi = 0;  // only a discard that leaves tenpai can declare it
  if (options_.riichi && closed_ && discarding_shanten[node] == 0 && (key & kRiichiBit) == 0) {
    riichi = (set & kAll) != 0 ? space.moves<false>(key).set : set;
  }
  // All keys first, so that their places are on the way when they are asked for.
  std::array<Step, kActions> steps;
  std::size_t n = 0;
  space.for_each_step<false>(key, set, [&](HandKey next, int suit, int action, int weight) {
    if ((riichi & action_bit(suit, action)) != 0) next |= kRiichiBit;
    steps[n++] = {next, drawing_index_.prepare(next), static_cast<std::int8_t>(suit),
                  static_cast<std::int8_t>(action), static_cast<std::int8_t>(weight)};
  });
  // The way back into a complete hand is a win, which the drawing hand makes itself.
  const bool back = options_.reverse && discarding_shanten[node] >= 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Step& step = steps[i];
    const ActionSet bit = action_bit(step.suit, step.action);
    const std::uint32_t to = add_drawing(step.key, step.hash);
    const bool way_back = back && !(options_.firm && (riichi & bit) != 0);
    made_discards_.edges.emplace_back(to, way_back ? step.weight : 0);
    if (way_back && (riichi & bit) == 0) drawing_set_[to] &= ~bit;
  }
  made_discards_.close();
}

void WinGraph::expand_drawing(std::uint32_t node) {
  const HandKey key = drawing[node];
  const ActionSet set = drawing_set_[node];
  ActionSet winning = 0;
  if (drawing_shanten[node] == 0) {
    winning = options_.tegawari && (key & kRiichiBit) == 0 ? space.moves<true>(key).set : set;
  }
  const bool may_riichi =
      options_.riichi && closed_ && drawing_shanten[node] == 0 && (key & kRiichiBit) == 0;
  std::array<Step, kActions> steps;
  std::size_t n = 0;
  const bool go_on = options_.go_on && !(options_.firm && (key & kRiichiBit) != 0);
  space.for_each_step<true>(
      key, go_on ? set : set & ~winning, [&](HandKey next, int suit, int action, int weight) {
        steps[n++] = {next, discarding_index_.prepare(next), static_cast<std::int8_t>(suit),
                      static_cast<std::int8_t>(action), static_cast<std::int8_t>(weight)};
      });
  if (!go_on) {
    for_each_action(set & winning, [&](int suit, int action) {
      add_win(node, kNoNode, suit, action, space.weight(key, suit, action));
    });
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Step& step = steps[i];
    const ActionSet bit = action_bit(step.suit, step.action);
    const std::uint32_t to = add_discarding(step.key, step.hash);
    // Throwing the same tile again may declare riichi, and so lead elsewhere.
    if (options_.reverse && !may_riichi) discarding_set_[to] &= ~bit;
    if ((winning & bit) != 0) add_win(node, to, step.suit, step.action, step.weight);
    else made_draws_.edges.emplace_back(to, step.weight);
  }
  made_draws_.close();
}

void WinGraph::add_win(std::uint32_t node, std::uint32_t to, int suit, int action, int weight) {
  made_draws_.edges.emplace_back(static_cast<std::uint32_t>(wins.size()), weight, DrawEdge::kWin);
  wins.push_back({node, to, static_cast<std::uint8_t>(suit), static_cast<std::uint8_t>(action)});
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
void WinGraph::lay_out_draws() {
  draws.lay_out(
      made_draws_, drawing_shanten, drawing_within,
      [&](DrawEdge edge) -> DrawEdge {
        if (edge.kind() == DrawEdge::kWin) return edge;
        return {edge.to() + (edge.kind() == DrawEdge::kToDrawing ? 0 : n_drawing), edge.copies()};
      },
      [&](auto&& visit) {
        if (!options_.reverse) return;
        for (std::uint32_t i = 0; i + 1 < made_discards_.first.size(); ++i) {
          for (std::uint32_t e = made_discards_.first[i]; e < made_discards_.first[i + 1]; ++e) {
            const DrawEdge edge = made_discards_.edges[e];
            if (edge.copies() > 0) visit(edge.to(), DrawEdge{n_drawing + i, edge.copies()});
          }
        }
      });
}

// Every draw is the way back from a discard.
void WinGraph::lay_out_discards() {
  discards.lay_out(
      made_discards_, discarding_shanten, discarding_within,
      [](DrawEdge edge) { return edge.to(); },
      [&](auto&& visit) {
        if (!options_.reverse) return;
        for (std::uint32_t i = 0; i + 1 < made_draws_.first.size(); ++i) {
          for (std::uint32_t e = made_draws_.first[i]; e < made_draws_.first[i + 1]; ++e) {
            const DrawEdge edge = made_draws_.edges[e];
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
  if (options.cores) {
    if (root_discards) {
      const HandSpace::Core core{space.root(), named_ ? kRootName : space.root()};
      add_discarding(core, discarding_index_.prepare(core.name));
    } else {
      const HandSpace::Core core = space.core(space.root());
      add_drawing(core, drawing_index_.prepare(core.name));
    }
  } else if (root_discards) {
    add_discarding(space.root(), discarding_index_.prepare(space.root()));
  } else {
    add_drawing(space.root(), drawing_index_.prepare(space.root()));
  }
  std::uint32_t next_discarding = 0;
  std::uint32_t next_drawing = 0;
  while (next_discarding < discarding.size() || next_drawing < drawing.size()) {
    const auto discarding_end = static_cast<std::uint32_t>(discarding.size());
    const int near = options.reach - static_cast<int>(drawing_within.size());
    while (next_discarding < discarding_end) {
      if (next_discarding > 0 && discarding_shanten[next_discarding] > near) {
        ++next_discarding;
        made_discards_.close();
      } else if (options.cores) expand_discarding_core(next_discarding++);
      else expand_discarding(next_discarding++);
    }
    discarding_within.push_back(discarding_end);
    const auto drawing_end = static_cast<std::uint32_t>(drawing.size());
    while (next_drawing < drawing_end) {
      if (drawing_shanten[next_drawing] > near) {
        ++next_drawing;
        made_draws_.close();
      } else if (options.cores) expand_drawing_core(next_drawing++);
      else expand_drawing(next_drawing++);
    }
    drawing_within.push_back(drawing_end);
    if (drawing.size() + discarding.size() > options.most_nodes) {
      throw std::length_error("the graph of hand changes has more nodes than the limit");
    }
  }
  if (root_discards) {
    std::size_t i = 0;
    for_each_action(root_set_, [&](int suit, int action) {
      root_edges.push_back({made_discards_.edges[i++].to(), suit, action});
    });
  }
  // A large graph gives back what it needed only to be made.
  const bool large = made_draws_.edges.size() + made_discards_.edges.size() > kLargeGraph / 2;
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
  n_drawing = static_cast<std::uint32_t>(drawing.size());
  n_discarding = static_cast<std::uint32_t>(discarding.size());
  lay_out_discards();
  lay_out_draws();
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
