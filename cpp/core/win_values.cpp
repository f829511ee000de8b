#include "win_values.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "double_pack.hpp"

namespace haiyomi {
namespace {

// How to value a draw. Literal: (6) as it stands; also where every draw can be undone, so that none
// makes a hand worse. Keep: only draws that help, any other tile is discarded again. Possible: as
// Keep, without hands that cannot be held any more.
enum class Rule { Literal, Keep, Possible };

// The quantities of a node are adjacent: win, then tenpai and points where wanted.
template <bool kTenpai, bool kScore, Rule R>
class Sweep {
 public:
  static constexpr std::size_t Q = 1 + kTenpai + kScore;
  static constexpr std::size_t kScoreAt = 1 + kTenpai;
  using Values = DoublePack<Q>;
  static constexpr std::size_t kParts = Values::kParts;

  Sweep(const WinGraph& graph, const ValueOptions& options)
      : g_(graph), o_(options), n_drawing_(graph.n_drawing),
        first_goal_(n_drawing_ + graph.n_discarding),
        values_(first_goal_ + graph.goals.size() + 1) {
    if constexpr (kTenpai) {
      // At the last turn only what is tenpai already counts, (7), (9).
      for (std::size_t i = 0; i < n_drawing_; ++i) {
        values_[i].set(1, g_.drawing_shanten[i] <= 0 ? 1.0 : 0.0);
      }
    }
    for (std::size_t w = 0; w < weight_.size(); ++w) {
      for (std::size_t q = 0; q < Values::kPlaces; ++q) weight_[w].set(q, static_cast<double>(w));
    }
    for (std::size_t i = 0; i < g_.goals.size(); ++i) {
      Values& worth = values_[first_goal_ + i];
      if (g_.goals[i].score > 0) win(g_.goals[i], worth);
      if (g_.goals[i].to != kNoNode) declined_.push_back(static_cast<std::uint32_t>(i));
    }
    // The total number of copies that a node draws is the same at every turn.
    all_.resize(n_drawing_);
    const DrawEdge* edge = g_.draws.edges.data();
    for (const Run& run : g_.draws.runs) {
      for (std::uint32_t j = run.begin; j < run.end; ++j) {
        int all = 0;
        for (std::uint32_t k = 0; k < run.each; ++k) all += (edge++)->copies();
        all_[j] = all;
      }
    }
  }

  WinAnswer run() {
    WinAnswer out;
    out.shanten = g_.root_shanten;
    out.drawing = g_.n_drawing;
    out.discarding = g_.n_discarding;
    out.edges = g_.edges;
    prepare(out);
    for (int t = o_.last; t >= o_.first; --t) {
      // Hands that the root can have become by now, and that can still win (be tenpai) in time.
      left_ = o_.last - t - (kTenpai ? 0 : 1);
      if (t < o_.last) draw(t);
      if (t > o_.first) discard(t);
      keep(out, t);
    }
    return out;
  }

 private:
  static std::uint32_t within(const std::vector<std::uint32_t>& counts, int exchanges) {
    const auto last = static_cast<int>(counts.size()) - 1;
    return counts[static_cast<std::size_t>(std::clamp(exchanges, 0, last))];
  }

  // The weight and the value of an edge, with as few steps as its layout allows.
  static const Values& weight_of(const Values* weights, DrawEdge edge) {
    constexpr std::size_t kScale = sizeof(Values) / 8;
    const auto* const bytes = reinterpret_cast<const std::byte*>(weights);
    return *reinterpret_cast<const Values*>(bytes + (edge.packed & 0xff) * kScale);
  }
  static const Values& value_of(const Values* values, DrawEdge edge) {
    if constexpr (sizeof(Values) < 16) {
      return values[edge.to()];
    } else {
      // The bit between is zero, so this is twice the number.
      const auto* const bytes = reinterpret_cast<const std::byte*>(values);
      return *reinterpret_cast<const Values*>(bytes + std::size_t{edge.packed >> 8} *
                                                          (sizeof(Values) / 2));
    }
  }

  // What a draw is worth: the hand that it makes, or the hand as it is where that is better.
  static Values drawn(const Values& value, const Values& own) {
    if constexpr (R == Rule::Literal) return value;
    Values out;
    for (std::size_t p = 0; p < kParts; ++p) out.part[p] = larger(value.part[p], own.part[p]);
    return out;
  }

  void draw(int t) {
    const double wall = o_.wall[static_cast<std::size_t>(t - 1)];
    const double part = wall > 0 ? 1.0 / wall : 0.0;
    const std::uint32_t n = within(g_.draws.runs_within, t - o_.first);
    for (std::uint32_t r = 0; r < n; ++r) {
      const Run& run = g_.draws.runs[r];
      if (run.shanten > left_) continue;
      switch (run.each) {
        case 1: draw_run<1>(run, wall, part); break;
        case 2: draw_run<2>(run, wall, part); break;
        case 3: draw_run<3>(run, wall, part); break;
        case 4: draw_run<4>(run, wall, part); break;
        case 5: draw_run<5>(run, wall, part); break;
        case 6: draw_run<6>(run, wall, part); break;
        case 7: draw_run<7>(run, wall, part); break;
        case 8: draw_run<8>(run, wall, part); break;
        default: draw_run<0>(run, wall, part);
      }
    }
  }

  // kEach edges a node, 0 for any number.
  template <std::uint32_t kEach>
  void draw_run(const Run& run, [[maybe_unused]] double wall, double part) {
    // Plain pointers, which the compiler need not reload after each store.
    const std::uint32_t* const nodes = g_.draws.nodes.data();
    const DrawEdge* edge = g_.draws.edges.data() + run.edges;
    const std::uint32_t each = kEach == 0 ? run.each : kEach;
    const double* const all = all_.data();
    const Values* const weights = weight_.data();
    Values* const values = values_.data();
    const std::uint32_t end = run.end;
    for (std::uint32_t j = run.begin; j < end; ++j) {
      // A draw straight to a drawing node leads to a later run, whose values are those of t + 1.
      Values& at = values[nodes[j]];
      const Values own = at;
      Values sum;
      for (std::uint32_t k = 0; k < each; ++k) {
        const Values& weight = weight_of(weights, edge[k]);
        const Values worth = drawn(value_of(values, edge[k]), own);
        for (std::size_t p = 0; p < kParts; ++p) {
          sum.part[p] = sum.part[p] + weight.part[p] * worth.part[p];
        }
      }
      const double tiles = all[j];
      for (std::size_t p = 0; p < kParts; ++p) {
        at.part[p] = own.part[p] + part * (sum.part[p] - tiles * own.part[p]);
      }
      if constexpr (R == Rule::Possible) {
        // Draws that help can outnumber the wall only where all draws do, which is seldom.
        if (tiles > wall) {
          at = nodes[j] == 0 && !g_.root_discards ? held(own, values, edge, each, wall, part)
                                                  : possible(at, own, values, edge, each, wall);
        }
      }
      edge += each;
    }
    if constexpr (kTenpai) {
      // A tenpai hand is tenpai, also where the literal (6) gives its neighbours more than one.
      if (run.shanten > 0) return;
      for (std::uint32_t j = run.begin; j < end; ++j) values[nodes[j]].set(1, 1.0);
    }
  }

  // What a node is worth: nothing in each quantity that more tiles help than the wall has. A tile
  // that can be thrown again leaves the value as it is, but for the order of its sum.
  static Values possible(Values at, const Values& own, const Values* values, const DrawEdge* edge,
                         std::uint32_t each, double wall) {
    Values tiles, same;
    for (std::size_t p = 0; p < kParts; ++p) same.part[p] = (1 + kSame) * own.part[p];
    for (std::uint32_t k = 0; k < each; ++k) {
      const Values& value = value_of(values, edge[k]);
      for (std::size_t p = 0; p < kParts; ++p) {
        tiles.part[p] = tiles.part[p] + where_larger(value.part[p], same.part[p], edge[k].copies());
      }
    }
    for (std::size_t q = 0; q < Q; ++q) {
      if (tiles.get(q) > wall) at.set(q, 0.0);
    }
    return at;
  }

  // What the root is worth that draws: it is held, whatever the wall. Where every draw helps (a
  // closed tenpai hand may declare riichi with any) it is at least what the worst of them makes it,
  // and only what is better than that counts as help.
  static Values held(const Values& own, const Values* values, const DrawEdge* edge,
                     std::uint32_t each, double wall, double part) {
    Values out;
    for (std::size_t q = 0; q < Q; ++q) {
      double base = value_of(values, edge[0]).get(q);
      for (std::uint32_t k = 1; k < each; ++k) {
        base = std::min(base, value_of(values, edge[k]).get(q));
      }
      base = std::max(base, own.get(q));
      double sum = 0, tiles = 0;
      for (std::uint32_t k = 0; k < each; ++k) {
        const double more = value_of(values, edge[k]).get(q) - base;
        if (more <= kSame * base) continue;
        sum += edge[k].copies() * more;
        tiles += edge[k].copies();
      }
      // Never more than if each draw that helps were sure to come.
      out.set(q, base + (tiles > wall && tiles > 0 ? sum / tiles : part * sum));
    }
    return out;
  }

  void discard(int t) {
    const std::uint32_t n = within(g_.discards.runs_within, t - o_.first);
    for (std::uint32_t r = 0; r < n; ++r) {
      const Run& run = g_.discards.runs[r];
      if (run.shanten > left_ || run.each == 0) continue;
      switch (run.each) {
        case 1: discard_run<1>(run); break;
        case 2: discard_run<2>(run); break;
        case 3: discard_run<3>(run); break;
        case 4: discard_run<4>(run); break;
        case 5: discard_run<5>(run); break;
        case 6: discard_run<6>(run); break;
        default: discard_run<0>(run);
      }
    }
    decline();
  }

  template <std::uint32_t kEach>
  void discard_run(const Run& run) {
    const std::uint32_t* const nodes = g_.discards.nodes.data();
    const std::uint32_t* edge = g_.discards.edges.data() + run.edges;
    const std::uint32_t each = kEach == 0 ? run.each : kEach;
    const Values* const drawing = values_.data();
    Values* const discarding = values_.data() + n_drawing_;
    const std::uint32_t end = run.end;
    for (std::uint32_t j = run.begin; j < end; ++j) {
      Values best = drawing[edge[0]];
      for (std::uint32_t k = 1; k < each; ++k) {
        for (std::size_t p = 0; p < kParts; ++p) {
          best.part[p] = larger(best.part[p], drawing[edge[k]].part[p]);
        }
      }
      edge += each;
      discarding[nodes[j]] = best;
    }
  }

  // What the wins are worth that may be passed by.
  void decline() {
    for (const std::uint32_t i : declined_) {
      Values& worth = values_[first_goal_ + i];
      worth = values_[n_drawing_ + g_.goals[i].to];
      if (g_.goals[i].score > 0) win(g_.goals[i], worth);
    }
  }

  // Turns what going on is worth into what the better of it and the win is.
  static void win(const Goal& goal, Values& worth) {
    worth.set(0, 1.0);
    if constexpr (kTenpai) worth.set(1, 1.0);
    if constexpr (kScore) worth.set(kScoreAt, std::max(goal.score, worth.get(kScoreAt)));
  }

  void prepare(WinAnswer& out) {
    if (!g_.root_discards) {
      out.values.emplace_back();
      rows_.push_back(0);
      return;
    }
    for (const WinGraph::RootEdge& edge : g_.root_edges) {
      DiscardValue value;
      value.suit = edge.suit;
      if (edge.action == kRedAction) {
        value.action = kRedAction;
        out.values.push_back(value);
        rows_.push_back(edge.to);
        continue;
      }
      // One row for each honour that is merged with this one.
      for (int k = 0; k < 9; ++k) {
        if ((g_.space.alike(edge.suit, edge.action) >> k & 1) == 0) continue;
        value.action = k;
        out.values.push_back(value);
        rows_.push_back(edge.to);
      }
    }
  }

  void keep(WinAnswer& out, int t) {
    const auto turn = static_cast<std::size_t>(t - 1);
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const Values& from = values_[rows_[r]];
      out.values[r].win[turn] = from.get(0);
      if constexpr (kTenpai) out.values[r].tenpai[turn] = from.get(1);
      if constexpr (kScore) out.values[r].score[turn] = from.get(kScoreAt);
    }
  }

  // Values that differ by less are the same but for the order of their sums.
  static constexpr double kSame = 1e-12;

  const WinGraph& g_;
  const ValueOptions& o_;
  std::size_t n_drawing_, first_goal_;
  std::vector<Values> values_;  // of drawing hands, discarding hands, goals
  std::vector<std::uint32_t> declined_;  // goals that may be passed by
  std::vector<double> all_;  // copies in the wall of all that a node draws, in the runs' order
  std::array<Values, 32> weight_;  // an edge's, once for each quantity
  int left_ = 0;  // shanten that can still come to something
  std::vector<std::uint32_t> rows_;
};

template <Rule R>
WinAnswer swept(const WinGraph& graph, const ValueOptions& options) {
  if (options.score && options.tenpai) return Sweep<true, true, R>(graph, options).run();
  if (options.score) return Sweep<false, true, R>(graph, options).run();
  if (options.tenpai) return Sweep<true, false, R>(graph, options).run();
  return Sweep<false, false, R>(graph, options).run();
}

}  // namespace

void score_wins(WinGraph& graph, const RootHand& root, const PointsOptions* points, bool wanted) {
  const std::size_t n = graph.wins.size();
  std::vector<std::uint32_t> goal(n);
  // Wins that are worth the same have one goal, but for where declining them leads.
  std::uint32_t same = kNoNode;
  const auto lead_to_same = [&](std::size_t i) {
    const std::uint32_t to = graph.wins[i].to;
    if (to == kNoNode && same != kNoNode) {
      goal[i] = same;
      return;
    }
    goal[i] = static_cast<std::uint32_t>(graph.goals.size());
    if (to == kNoNode) same = goal[i];
    graph.goals.push_back({to, 1.0});
  };
  if (points == nullptr) {
    for (std::size_t i = 0; i < n; ++i) lead_to_same(i);
    return graph.lead_to_goals(goal);
  }
  WinPoints worth;
  worth.begin(root, *points);
  const auto kind_of = [](const WinEdge& win) {
    return 9 * win.suit + (win.action == kRedAction ? 4 : win.action);
  };
  // Wins with the same complete hand are scored together: a list of them for each such hand, those
  // that are nodes and then, where the win is taken, those that are not.
  std::vector<HandKey> taken;
  KeyIndex index(std::clamp(static_cast<int>(std::bit_width(n)), 6, 13));
  std::vector<std::uint32_t> first(graph.discarding.size(), kNoNode);
  std::vector<std::uint32_t> next(n, kNoNode);
  for (std::size_t i = n; i-- > 0;) {
    const WinEdge& win = graph.wins[i];
    if (!wanted && (graph.drawing[win.from] & kRiichiBit) != 0) {
      lead_to_same(i);
      continue;
    }
    std::size_t hand = win.to;
    if (win.to == kNoNode) {
      const HandKey from = graph.drawing[win.from] & ~(kNoPairsBit | kNoOrphansBit);
      const HandKey key = graph.space.drawn(from, win.suit, win.action);
      hand = graph.discarding.size() + index.find_or_add(taken, key).number;
      if (hand == first.size()) first.push_back(kNoNode);
    }
    next[i] = first[hand];
    first[hand] = static_cast<std::uint32_t>(i);
  }
  for (std::size_t hand = 0; hand < first.size(); ++hand) {
    if (first[hand] == kNoNode) continue;
    const bool is_node = hand < graph.discarding.size();
    const HandKey key = is_node ? graph.discarding[hand] : taken[hand - graph.discarding.size()];
    worth.hold(graph.space.counts(key), kind_of(graph.wins[first[hand]]), graph.space.reds(key),
               (key & kRiichiBit) != 0);
    const std::size_t own = graph.goals.size();
    for (std::uint32_t i = first[hand]; i != kNoNode; i = next[i]) {
      const double paid = worth(kind_of(graph.wins[i]));
      const double score = wanted ? paid : paid > 0 ? 1.0 : 0.0;
      std::size_t at = own;
      while (at < graph.goals.size() && graph.goals[at].score != score) ++at;
      if (at == graph.goals.size()) graph.goals.push_back({graph.wins[i].to, score});
      goal[i] = static_cast<std::uint32_t>(at);
    }
  }
  graph.lead_to_goals(goal);
}

WinAnswer win_values(const WinGraph& graph, const ValueOptions& options) {
  const bool goes_on = std::all_of(graph.goals.begin(), graph.goals.end(),
                                   [](const Goal& goal) { return goal.to != kNoNode; });
  const bool never_worse = graph.undoes && (goes_on || !options.score);
  if (options.must_keep || (never_worse && options.excess == Excess::Literal)) {
    return swept<Rule::Literal>(graph, options);
  }
  if (options.excess == Excess::Literal) return swept<Rule::Keep>(graph, options);
  return swept<Rule::Possible>(graph, options);
}

}  // namespace haiyomi
