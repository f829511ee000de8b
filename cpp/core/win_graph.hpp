// The graph of hand changes: from hands that draw to hands that discard and back (figure 1 of the
// paper on win probability).
//
// Hands of 3k + 1 tiles draw, hands of 3k + 2 tiles discard. Nodes are numbered in the order of
// their distance from the root, so that what can be reached by a turn is a prefix.
#pragma once
#include <vector>

#include "edge_lists.hpp"
#include "hand_space.hpp"
#include "key_index.hpp"

namespace haiyomi {

// Which edges there are besides the useful draws and the discards that keep the shanten.
struct GraphOptions {
  bool reverse = false;   // every edge also the other way: what was thrown may be drawn again
  bool tegawari = false;  // draws that leave the shanten as it is, within `extra`
  bool back = false;      // discards that raise the shanten, within `extra`
  int extra = 0;          // exchanges beyond those that the root needs
  // Riichi is called with every discard that leaves a closed hand tenpai; then only the winning
  // draws and the discards that keep tenpai are left.
  bool riichi = false;
  bool firm = false;      // after riichi a win is always taken, and nothing leads back before it
  bool go_on = false;     // a complete hand is a node too: the win may be declined
  // Without reverse, tegawari and back: merge hands that differ only in tiles which no nearest win
  // holds. With `spare_first` such a tile is always the one discarded: as good as any discard
  // where a useful tile may be thrown again.
  bool cores = false;
  bool spare_first = false;
  // A hand whose exchanges from the root and shanten are together more than this is worth nothing
  // at any turn, and is not followed.
  int reach = 1000;
  std::uint32_t most_nodes = 6'000'000;
};

// A draw that completes the hand. Among the draws its edge leads to a goal.
struct WinEdge {
  std::uint32_t from;  // drawing hand
  std::uint32_t to;    // discarding hand, kNoNode unless the win may be declined
  std::uint8_t suit, action;
};

// What a winning draw leads to: its points by (8), none without a yaku, or the value of going on.
struct Goal {
  std::uint32_t to;  // as of its wins
  double score;
};

inline constexpr std::uint64_t kLargeGraph = 1'000'000;  // edges
inline constexpr std::uint32_t kNoNode = 0xffffffff;

class WinGraph {
 public:
  HandSpace space;
  int root_shanten = 0;
  bool root_discards = false;  // the root has 3k + 2 tiles

  std::vector<HandKey> drawing, discarding;  // keys, or names where equivalent hands are merged
  std::vector<std::int8_t> drawing_shanten, discarding_shanten;
  // Numbers of drawing (discarding) nodes within so many exchanges of the root.
  std::vector<std::uint32_t> drawing_within, discarding_within;

  EdgeLists<DrawEdge> draws;           // by drawing node
  EdgeLists<std::uint32_t> discards;   // by discarding node
  struct RootEdge {
    std::uint32_t to;
    int suit, action;
  };
  std::vector<RootEdge> root_edges;  // what the root can become by a discard
  std::uint64_t edges = 0;
  std::vector<WinEdge> wins;         // in the order of their drawing node
  std::vector<Goal> goals;
  std::uint32_t n_drawing = 0, n_discarding = 0;
  // Every draw can be undone at once, so that none makes a hand worse.
  bool undoes = false;

  // Leads the edge of each win to its goal.
  void lead_to_goals(const std::vector<std::uint32_t>& goal_of_win);

  // A large graph frees its keys, which the sweep does not need.
  void drop_keys();

  // Throws std::length_error if there are more nodes than the options allow.
  void build(const RootHand& root, const GraphOptions& options);

 private:
  struct Step {
    HandKey key;
    std::uint64_t hash;
    ActionSet bit;
    int weight;
  };
  struct CoreStep {
    HandSpace::Core core;
    std::uint64_t hash;
    int weight;
    bool jump;  // straight to the next drawing hand
  };
  void clear();
  // A step's hand, which is numbered and described if it is new.
  std::uint32_t add_drawing(const KeyIndex::Places& places, HandKey key, std::uint64_t hash) {
    return places.find_or_add(drawing, key, hash, [&] { describe_drawing(key); });
  }
  std::uint32_t add_discarding(const KeyIndex::Places& places, HandKey key, std::uint64_t hash) {
    return places.find_or_add(discarding, key, hash, [&] { describe_discarding(key); });
  }
  // The first hand of a name stands for all.
  std::uint32_t add_drawing(const KeyIndex::Places& places, const HandSpace::Core& core,
                            std::uint64_t hash) {
    return places.find_or_add(drawing, core.name, hash, [&] {
      describe_drawing(core.hand);
      if (named_) drawing_hands_.push_back(core.hand);
    });
  }
  std::uint32_t add_discarding(const KeyIndex::Places& places, const HandSpace::Core& core,
                               std::uint64_t hash) {
    return places.find_or_add(discarding, core.name, hash, [&] {
      describe_discarding(core.hand);
      if (named_) discarding_hands_.push_back(core.hand);
    });
  }
  // The tables, with room for all successors of one hand.
  KeyIndex::Places drawing_places() {
    drawing_index_.make_room(drawing, kActions + 1);
    return drawing_index_.places();
  }
  KeyIndex::Places discarding_places() {
    discarding_index_.make_room(discarding, kActions + 1);
    return discarding_index_.places();
  }
  HandKey hand_of(const std::vector<HandKey>& names, const std::vector<HandKey>& hands,
                  std::uint32_t node) const {
    return named_ ? hands[node] : names[node];
  }
  void lay_out_draws(std::vector<std::uint32_t> each);
  void lay_out_discards(std::vector<std::uint32_t> each);
  void describe_drawing(HandKey key);
  void describe_discarding(HandKey key);
  void expand_discarding(std::uint32_t node);
  void expand_drawing(std::uint32_t node);
  void expand_discarding_core(std::uint32_t node);
  void expand_drawing_core(std::uint32_t node);
  DrawEdge* add_wins(std::uint32_t node, HandKey key, ActionSet winning, DrawEdge* edge);
  DrawEdge add_win(std::uint32_t node, std::uint32_t to, ActionSet bit, int weight);
  // Whether an exchange beyond the needed ones is left.
  bool spare(HandKey key, const HandSpace::Moves& moves) const;

  GraphOptions options_;
  ActionSet root_set_ = 0;
  bool closed_ = true;
  KeyIndex drawing_index_, discarding_index_;
  std::vector<ActionSet> drawing_set_, discarding_set_;
  bool named_ = false;
  std::vector<HandKey> drawing_hands_, discarding_hands_;  // one hand of each name
  MadeEdges made_draws_, made_discards_;
};

}  // namespace haiyomi
