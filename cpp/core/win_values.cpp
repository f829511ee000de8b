#include "win_values.hpp"

#include <algorithm>

#include "lanes.hpp"

namespace haiyomi {
namespace {

// How much a draw is worth: all that (6) says, or only where it helps (else the tile is thrown
// again), or that with hands taken out that cannot be held any more.
enum class Rule { Literal, Kept, Possible };

// Quantities of a node lie side by side: win, then tenpai and points as they are asked for.
template <bool kTenpai, bool kScore, Rule R>
class Sweep {
 public:
  static constexpr std::size_t Q = 1 + kTenpai + kScore;
  static constexpr std::size_t kScoreAt = 1 + kTenpai;
  using Values = Lanes<Q>;
  static constexpr std::size_t kParts = Values::kParts;

  Sweep(const WinGraph& graph, const ValueOptions& options)
      : g_(graph), o_(options), drawing_(graph.drawing.size()),
        discarding_(std::max<std::size_t>(graph.discarding.size() + graph.goals.size(), 1)),
        first_goal_(graph.discarding.size()), has_jumps_(!graph.jumps.edges.empty()) {
    if constexpr (kTenpai) {
      // At the last turn only what is tenpai already counts, (7), (9).
      for (std::size_t i = 0; i < drawing_.size(); ++i) {
        drawing_[i].set(1, g_.drawing_shanten[i] <= 0 ? 1.0 : 0.0);
      }
    }
    for (std::size_t w = 0; w < weight_.size(); ++w) {
      for (std::size_t q = 0; q < Values::kPlaces; ++q) weight_[w].set(q, static_cast<double>(w));
    }
    for (std::size_t i = 0; i < g_.goals.size(); ++i) {
      Values& worth = discarding_[first_goal_ + i];
      if (g_.goals[i].score > 0) win(g_.goals[i], worth);
      if (g_.goals[i].to != kNoNode) declined_.push_back(static_cast<std::uint32_t>(i));
    }
    // What a node draws in all is the same at every turn.
    all_.assign(g_.drawing.size(), 0);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      int all = 0;
      for (std::uint32_t e = g_.draws.first[i]; e < g_.draws.first[i + 1]; ++e) {
        all += static_cast<int>(g_.draws.edges[e].packed & 31);
      }
      for (std::uint32_t e = g_.jumps.first[i]; e < g_.jumps.first[i + 1]; ++e) {
        all += static_cast<int>(g_.jumps.edges[e].packed & 31);
      }
      all_[i] = static_cast<float>(all);
    }
  }

  WinAnswer run() {
    WinAnswer out;
    out.shanten = g_.root_shanten;
    out.drawing = static_cast<std::uint32_t>(g_.drawing.size());
    out.discarding = static_cast<std::uint32_t>(g_.discarding.size());
    out.edges = g_.edges;
    prepare(out);
    for (int t = o_.last; t >= 1; --t) {
      // Hands that the root can have become by now, and that can still win (be tenpai) in time.
      left_ = o_.last - t - (kTenpai ? 0 : 1);
      drawing_from_ = first_within(g_.drawing_shanten, left_);
      discarding_from_ = first_within(g_.discarding_shanten, left_);
      if (t < o_.last) draw(t);
      if (t > 1) discard(t);
      keep(out, t);
    }
    return out;
  }

 private:
  // The first node near enough; all before it are further away, and worth nothing yet.
  static std::uint32_t first_within(const std::vector<std::int8_t>& shanten, int left) {
    std::uint32_t i = 0;
    while (i < shanten.size() && shanten[i] > left) ++i;
    return i;
  }

  static std::uint32_t within(const std::vector<std::uint32_t>& counts, int exchanges) {
    const auto last = static_cast<int>(counts.size()) - 1;
    return counts[static_cast<std::size_t>(std::clamp(exchanges, 0, last))];
  }

  // The sum over a node's draws of (6).
  struct Gain {
    Values sum, tiles;
    void add(const Values& weight, int copies, const Values& value, const Values& own) {
      for (std::size_t p = 0; p < kParts; ++p) {
        if constexpr (R == Rule::Literal) {
          sum.part[p] = sum.part[p] + weight.part[p] * value.part[p];
        } else {
          sum.part[p] = sum.part[p] + weight.part[p] * larger(value.part[p], own.part[p]);
        }
        if constexpr (R == Rule::Possible) {
          tiles.part[p] = tiles.part[p] + where_larger(value.part[p], own.part[p], copies);
        }
      }
    }
  };

  void draw(int t) {
    const double wall = o_.wall[static_cast<std::size_t>(t - 1)];
    const double part = wall > 0 ? 1.0 / wall : 0.0;
    const std::uint32_t n = within(g_.drawing_within, t - 1);
    // Plain pointers: else every store of a value would have them read again.
    const int left = left_;
    const std::int8_t* const shanten = g_.drawing_shanten.data();
    const std::uint32_t* const first = g_.draws.first.data();
    const DrawEdge* const edges = g_.draws.edges.data();
    const std::uint32_t* const first_jump = g_.jumps.first.data();
    const DrawEdge* const jumps = g_.jumps.edges.data();
    const float* const all = all_.data();
    const Values* const weights = weight_.data();
    const Values* const discarding = discarding_.data();
    Values* const drawing = drawing_.data();
    const bool has_jumps = has_jumps_;
    for (std::uint32_t i = drawing_from_; i < n; ++i) {
      if (shanten[i] > left) continue;
      const Values own = drawing[i];
      Gain gain;
      const auto add = [&](const DrawEdge& edge, const Values* to) {
        const std::uint32_t copies = edge.packed & 31;
        gain.add(weights[copies], static_cast<int>(copies), to[edge.to()], own);
      };
      const DrawEdge* const end = edges + first[i + 1];
      for (const DrawEdge* e = edges + first[i]; e != end; ++e) add(*e, discarding);
      if (has_jumps) {
        // A jump leads to a drawing node of a higher number, which still has its value of t + 1.
        const DrawEdge* const jumps_end = jumps + first_jump[i + 1];
        for (const DrawEdge* e = jumps + first_jump[i]; e != jumps_end; ++e) add(*e, drawing);
      }
      const double tiles = all[i];
      for (std::size_t p = 0; p < kParts; ++p) {
        drawing[i].part[p] = own.part[p] + part * (gain.sum.part[p] - tiles * own.part[p]);
      }
      if constexpr (R == Rule::Possible) {
        if (tiles <= wall) continue;
        for (std::size_t q = 0; q < Q; ++q) {
          if (gain.tiles.get(q) > wall) drawing[i].set(q, 0.0);
        }
      }
    }
  }

  void discard(int t) {
    const std::uint32_t n = within(g_.discarding_within, t - 1);
    const int left = left_;
    const std::int8_t* const shanten = g_.discarding_shanten.data();
    const std::uint32_t* const first = g_.discards.first.data();
    const std::uint32_t* const edges = g_.discards.edges.data();
    const Values* const drawing = drawing_.data();
    Values* const discarding = discarding_.data();
    for (std::uint32_t i = discarding_from_; i < n; ++i) {
      if (shanten[i] > left) continue;
      Values best;
      const std::uint32_t* const end = edges + first[i + 1];
      for (const std::uint32_t* e = edges + first[i]; e != end; ++e) {
        for (std::size_t p = 0; p < kParts; ++p) {
          best.part[p] = larger(best.part[p], drawing[*e].part[p]);
        }
      }
      discarding[i] = best;
    }
    for (const std::uint32_t i : declined_) {
      Values& worth = discarding_[first_goal_ + i];
      worth = discarding_[g_.goals[i].to];
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
      // One row for each honour that is not told apart from this one.
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
      const Values& from = drawing_[rows_[r]];
      out.values[r].win[turn] = from.get(0);
      if constexpr (kTenpai) out.values[r].tenpai[turn] = from.get(1);
      if constexpr (kScore) out.values[r].score[turn] = from.get(kScoreAt);
    }
  }

  const WinGraph& g_;
  const ValueOptions& o_;
  std::vector<Values> drawing_, discarding_;
  std::size_t first_goal_;   // goals come after the discarding nodes
  bool has_jumps_;
  std::vector<std::uint32_t> declined_;  // goals that may be passed by
  std::vector<float> all_;   // copies in the wall of all that a drawing node draws
  std::array<Values, 32> weight_;  // an edge's, once for each quantity
  int left_ = 0;  // shanten that can still come to something
  std::uint32_t drawing_from_ = 0, discarding_from_ = 0;
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

void score_wins(WinGraph& graph, const RootHand& root, const PointsOptions* points) {
  const std::size_t n = graph.wins.size();
  std::vector<std::uint32_t> goal(n);
  if (points == nullptr) {
    // Every win is worth the same, but for where declining it leads.
    std::uint32_t taken = kNoNode;
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t to = graph.wins[i].to;
      if (to == kNoNode && taken != kNoNode) {
        goal[i] = taken;
        continue;
      }
      goal[i] = static_cast<std::uint32_t>(graph.goals.size());
      if (to == kNoNode) taken = goal[i];
      graph.goals.push_back({to, 1.0});
    }
    return graph.lead_to_goals(goal);
  }
  WinPoints worth;
  worth.begin(root, *points);
  const auto kind_of = [](const WinEdge& win) {
    return 9 * win.suit + (win.action == kRedAction ? 4 : win.action);
  };
  // Wins with the same complete hand are scored together: a list of them for each such hand.
  std::vector<std::uint32_t> first(graph.discarding.size(), kNoNode);
  std::vector<std::uint32_t> next(n, kNoNode);
  for (std::size_t i = n; i-- > 0;) {
    const std::uint32_t to = graph.wins[i].to;
    if (to == kNoNode) continue;
    next[i] = first[to];
    first[to] = static_cast<std::uint32_t>(i);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const WinEdge& win = graph.wins[i];
    const int kind = kind_of(win);
    const HandKey from = graph.drawing[win.from];
    const bool riichi = (from & kRiichiBit) != 0;
    if (win.to == kNoNode) {
      Counts hand = graph.space.counts(from);
      ++hand[static_cast<std::size_t>(kind)];
      worth.hold(hand, kind, graph.space.reds(from) + (win.action == kRedAction), riichi);
      goal[i] = static_cast<std::uint32_t>(graph.goals.size());
      graph.goals.push_back({kNoNode, worth(kind)});
    } else if (first[win.to] == i) {
      const HandKey hand = graph.discarding[win.to];
      worth.hold(graph.space.counts(hand), kind, graph.space.reds(hand), riichi);
      const std::size_t own = graph.goals.size();
      for (std::size_t k = i; k != kNoNode; k = next[k]) {
        const double score = worth(kind_of(graph.wins[k]));
        std::size_t at = own;
        while (at < graph.goals.size() && graph.goals[at].score != score) ++at;
        if (at == graph.goals.size()) graph.goals.push_back({win.to, score});
        goal[k] = static_cast<std::uint32_t>(at);
      }
    }
  }
  graph.lead_to_goals(goal);
}

WinAnswer win_values(const WinGraph& graph, const ValueOptions& options) {
  if (options.must_keep) return swept<Rule::Literal>(graph, options);
  if (options.excess == Excess::Literal) return swept<Rule::Kept>(graph, options);
  return swept<Rule::Possible>(graph, options);
}

}  // namespace haiyomi
