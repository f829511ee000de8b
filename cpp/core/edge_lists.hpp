// The edges of the graph of hand changes, laid out for the sweep over it.
//
// A level's nodes are visited in runs of the same shanten and the same number of edges: with short
// edge lists, most of the cost would be mispredicted loop ends.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace haiyomi {

// A draw in 32 bits, laid out for the sum over a node's draws: where it leads, and the copies in
// the wall, e of (6), 0-31, times eight. While the graph is made its lowest bits say what kind of
// a place it leads to; then all places are numbered together: drawing hands, discarding hands,
// goals.
struct DrawEdge {
  enum Kind : std::uint32_t { kToDiscarding = 0, kToDrawing = 1, kWin = 2 };
  static constexpr std::uint32_t kMostPlaces = 1u << 23;
  std::uint32_t packed;
  DrawEdge() = default;
  DrawEdge(std::uint32_t to, int copies, Kind kind = kToDiscarding)
      : packed(to << 9 | static_cast<std::uint32_t>(copies) << 3 | kind) {}
  Kind kind() const { return static_cast<Kind>(packed & 7); }
  std::uint32_t to() const { return packed >> 9; }
  int copies() const { return static_cast<int>(packed >> 3 & 31); }
};

// Edges as they are made, in the order of their nodes, each one way: a draw is a way back from a
// discard too, and a discard with copies in the wall the way back from a draw.
class MadeEdges {
 public:
  std::vector<std::uint32_t> first;

  void clear() { first.assign(1, 0); }
  std::size_t size() const { return first.back(); }
  DrawEdge operator[](std::size_t i) const { return edges_[i]; }
  std::span<const DrawEdge> of(std::size_t node) const {
    return {edges_.get() + first[node], edges_.get() + first[node + 1]};
  }

  // Where to write the next node's edges, with room for as many as it can have. `close` takes their
  // end.
  DrawEdge* room() {
    const std::size_t made = size();
    if (made + kMostOfNode > room_) {
      const std::size_t more = std::max<std::size_t>(2 * room_, 4096);
      std::unique_ptr<DrawEdge[]> edges(new DrawEdge[more]);
      std::copy_n(edges_.get(), made, edges.get());
      edges_ = std::move(edges);
      room_ = more;
    }
    return edges_.get() + made;
  }
  void close(const DrawEdge* end) {
    first.push_back(static_cast<std::uint32_t>(end - edges_.get()));
  }
  void close() { first.push_back(first.back()); }  // a node without edges

 private:
  static constexpr std::size_t kMostOfNode = 64;
  std::unique_ptr<DrawEdge[]> edges_;
  std::size_t room_ = 0;
};

// Nodes with as many edges each: their lists follow one another.
struct Run {
  std::uint32_t begin, end;  // places in `nodes`
  std::uint32_t edges;       // where the first list begins
  std::uint32_t each;        // edges of a list
  std::int8_t shanten;
};

template <class Edge>
struct EdgeLists {
  // Runs are made within blocks of nodes, so that nodes close in memory are visited together.
  static constexpr std::uint32_t kBlock = 4096;
  std::vector<std::uint32_t> nodes;
  std::vector<Edge> edges;
  std::vector<Run> runs;
  std::vector<std::uint32_t> runs_within;  // how many are of nodes within so many exchanges

  // `each`: the number of edges of each node. `within`: the number of nodes within so many
  // exchanges. `own` converts an edge as it was made; `each_back` calls its argument with (from,
  // edge) for every reverse edge.
  template <class Own, class EachBack>
  void lay_out(const MadeEdges& made, std::vector<std::uint32_t> each,
               const std::vector<std::int8_t>& shanten, const std::vector<std::uint32_t>& within,
               Own&& own, EachBack&& each_back);
};

template <class Edge>
template <class Own, class EachBack>
void EdgeLists<Edge>::lay_out(const MadeEdges& made, std::vector<std::uint32_t> at,
                              const std::vector<std::int8_t>& shanten,
                              const std::vector<std::uint32_t>& within, Own&& own,
                              EachBack&& each_back) {
  const std::size_t n = at.size();
  std::uint32_t most = 0;
  int furthest = -1;
  for (std::size_t i = 0; i < n; ++i) {
    most = std::max(most, at[i]);
    furthest = std::max<int>(furthest, shanten[i]);
  }
  // A level's nodes, counted by shanten and number of edges.
  const std::size_t row = std::size_t{most} + 1;
  std::vector<std::uint32_t> counted(row * static_cast<std::size_t>(furthest + 2));
  nodes.resize(n);
  runs.clear();
  runs_within.clear();
  std::uint32_t place = 0;
  std::uint32_t edge = 0;
  const auto kind = [&](std::size_t i) {
    return row * static_cast<std::size_t>(shanten[i] + 1) + at[i];
  };
  for (const std::uint32_t level_end : within) {
    while (place < level_end) {
      const std::uint32_t from = place;
      const std::uint32_t to = std::min(level_end, from + kBlock);
      std::fill(counted.begin(), counted.end(), 0);
      for (std::uint32_t i = from; i < to; ++i) ++counted[kind(i)];
      for (std::size_t k = 0; k < counted.size(); ++k) {
        const std::uint32_t count = counted[k];
        if (count == 0) continue;
        const auto each = static_cast<std::uint32_t>(k % row);
        const auto far = static_cast<std::int8_t>(static_cast<int>(k / row) - 1);
        runs.push_back({place, place + count, edge, each, far});
        counted[k] = place;
        place += count;
        edge += count * each;
      }
      for (std::uint32_t i = from; i < to; ++i) nodes[counted[kind(i)]++] = i;
    }
    runs_within.push_back(static_cast<std::uint32_t>(runs.size()));
  }
  edges.resize(edge);
  // Plain pointers, which the compiler need not reload after each store.
  Edge* const all = edges.data();
  std::uint32_t* const next = at.data();
  for (const Run& run : runs) {
    Edge* list = all + run.edges;
    for (std::uint32_t j = run.begin; j < run.end; ++j, list += run.each) {
      const std::uint32_t i = nodes[j];
      Edge* to = list;
      for (const DrawEdge e : made.of(i)) *to++ = own(e);
      next[i] = static_cast<std::uint32_t>(to - all);
    }
  }
  each_back([=](std::uint32_t from, Edge e) { all[next[from]++] = e; });
}

}  // namespace haiyomi
