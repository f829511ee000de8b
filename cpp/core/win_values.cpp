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
      : g_(graph), o_(options), drawing_(graph.drawing.size()), discarding_(std::max<std::size_t>(graph.discarding.size(), 1)) {
    if constexpr (kTenpai) {
      // At the last turn only what is tenpai already counts, (7), (9).
      for (std::size_t i = 0; i < drawing_.size(); ++i) {
        drawing_[i].set(1, g_.drawing_shanten[i] <= 0 ? 1.0 : 0.0);
      }
    }
  }

  WinAnswer run() {
    // What a node draws in all is the same at every turn.
    all_.assign(g_.drawing.size(), 0);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      int all = 0;
      for (std::uint32_t e = g_.draws.first[i]; e < g_.draws.first[i + 1]; ++e) {
        all += static_cast<int>(g_.draws.edges[e].weight());
      }
      for (std::uint32_t e = g_.jumps.first[i]; e < g_.jumps.first[i + 1]; ++e) {
        all += static_cast<int>(g_.jumps.edges[e].weight());
      }
      all_[i] = all;
    }
    for (const WinEdge& win : g_.wins) all_[win.from] += win.weight;
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

  // The sum over a node's draws of (6); `all`, the sum of the weights.
  struct Gain {
    Values sum, tiles;
    void add(double weight, const Values& value, const Values& own) {
      for (std::size_t p = 0; p < kParts; ++p) {
        if constexpr (R == Rule::Literal) {
          sum.part[p] = sum.part[p] + weight * value.part[p];
        } else {
          sum.part[p] = sum.part[p] + weight * larger(value.part[p], own.part[p]);
        }
        if constexpr (R == Rule::Possible) {
          tiles.part[p] = tiles.part[p] + where_larger(value.part[p], own.part[p], weight);
        }
      }
    }
  };

  void draw(int t) {
    const double wall = o_.wall[static_cast<std::size_t>(t - 1)];
    const double part = wall > 0 ? 1.0 / wall : 0.0;
    const std::uint32_t n = within(g_.drawing_within, t - 1);
    const WinEdge* const wins_end = g_.wins.data() + g_.wins.size();
    const WinEdge* win = std::lower_bound(
        g_.wins.data(), wins_end, drawing_from_,
        [](const WinEdge& edge, std::uint32_t node) { return edge.from < node; });
    for (std::uint32_t i = drawing_from_; i < n; ++i) {
      if (g_.drawing_shanten[i] > left_) continue;
      const Values own = drawing_[i];
      Gain gain;
      const DrawEdge* const end = g_.draws.edges.data() + g_.draws.first[i + 1];
      for (const DrawEdge* e = g_.draws.edges.data() + g_.draws.first[i]; e != end; ++e) {
        gain.add(e->weight(), discarding_[e->to()], own);
      }
      // A jump leads to a drawing node of a higher number, which still has its value of t + 1.
      const DrawEdge* const jumps_end = g_.jumps.edges.data() + g_.jumps.first[i + 1];
      for (const DrawEdge* e = g_.jumps.edges.data() + g_.jumps.first[i]; e != jumps_end; ++e) {
        gain.add(e->weight(), drawing_[e->to()], own);
      }
      for (; win != wins_end && win->from == i; ++win) {
        Values value;
        if (win->to != kNoNode) value = discarding_[win->to];
        if (win->score > 0) {
          value.set(0, 1.0);
          if constexpr (kTenpai) value.set(1, 1.0);
          if constexpr (kScore) value.set(kScoreAt, std::max(win->score, value.get(kScoreAt)));
        }
        gain.add(win->weight, value, own);
      }
      for (std::size_t p = 0; p < kParts; ++p) {
        drawing_[i].part[p] = own.part[p] + part * (gain.sum.part[p] - all_[i] * own.part[p]);
      }
      if constexpr (R == Rule::Possible) {
        if (all_[i] <= wall) continue;
        for (std::size_t q = 0; q < Q; ++q) {
          if (gain.tiles.get(q) > wall) drawing_[i].set(q, 0.0);
        }
      }
    }
  }

  void discard(int t) {
    const std::uint32_t n = within(g_.discarding_within, t - 1);
    for (std::uint32_t i = discarding_from_; i < n; ++i) {
      if (g_.discarding_shanten[i] > left_) continue;
      Values best;
      const std::uint32_t* const end = g_.discards.edges.data() + g_.discards.first[i + 1];
      const std::uint32_t* e = g_.discards.edges.data() + g_.discards.first[i];
      for (; e != end; ++e) {
        const Values& from = drawing_[*e];
        for (std::size_t p = 0; p < kParts; ++p) {
          best.part[p] = larger(best.part[p], from.part[p]);
        }
      }
      discarding_[i] = best;
    }
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
  std::vector<double> all_;  // copies in the wall of all that a drawing node draws
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
  if (points == nullptr) {
    for (WinEdge& win : graph.wins) win.score = 1;
    return;
  }
  WinPoints worth;
  worth.begin(root, *points);
  const auto kind_of = [](const WinEdge& win) {
    return 9 * win.suit + (win.action == kRedAction ? 4 : win.action);
  };
  const std::size_t n = graph.wins.size();
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
    WinEdge& win = graph.wins[i];
    const int kind = kind_of(win);
    const HandKey from = graph.drawing[win.from];
    const bool riichi = (from & kRiichiBit) != 0;
    if (win.to == kNoNode) {
      Counts hand = graph.space.counts(from);
      ++hand[static_cast<std::size_t>(kind)];
      worth.hold(hand, kind, graph.space.reds(from) + (win.action == kRedAction), riichi);
      win.score = worth(kind);
    } else if (first[win.to] == i) {
      const HandKey hand = graph.discarding[win.to];
      worth.hold(graph.space.counts(hand), kind, graph.space.reds(hand), riichi);
      for (std::size_t k = i; k != kNoNode; k = next[k]) {
        graph.wins[k].score = worth(kind_of(graph.wins[k]));
      }
    }
  }
}

WinAnswer win_values(const WinGraph& graph, const ValueOptions& options) {
  if (options.must_keep) return swept<Rule::Literal>(graph, options);
  if (options.excess == Excess::Literal) return swept<Rule::Kept>(graph, options);
  return swept<Rule::Possible>(graph, options);
}

}  // namespace haiyomi
