// Shared by the posterior's files: how four suits make up a hand, and the irregular forms.
#pragma once
#include "simd_lanes.hpp"
#include "posterior.hpp"

namespace haiyomi {

// One way for four suits to make up a standard tenpai hand.
struct Composition {
  std::array<Role, 4> role;
  std::array<std::uint8_t, 4> sets;
  std::uint8_t suits = 0;  // bits of the suits that hold tiles
};

// All compositions of a hand with so many concealed sets; no hand belongs to two.
const std::vector<Composition>& compositions(int sets);
// Those in which a suit waits, ordered by its role and its number of sets.
const std::vector<Composition>& waiting_compositions(int sets, std::size_t suit);

// `total` gains the sum over all hands, `outer` its derivative by each entry of `sums`.
template <class Number>
HAIYOMI_INLINE void add_compositions(int sets, const SumsOf<Number>& sums, Number& total,
                                     SumsOf<Number>& outer) {
  for (const Composition& c : compositions(sets)) {
    const Number a = sums[0][c.role[0]][c.sets[0]], b = sums[1][c.role[1]][c.sets[1]];
    const Number d = sums[2][c.role[2]][c.sets[2]], e = sums[3][c.role[3]][c.sets[3]];
    const Number ab = a * b, de = d * e;
    total += ab * de;
    outer[0][c.role[0]][c.sets[0]] += b * de;
    outer[1][c.role[1]][c.sets[1]] += a * de;
    outer[2][c.role[2]][c.sets[2]] += ab * e;
    outer[3][c.role[3]][c.sets[3]] += ab * d;
  }
}

// Lists of groups with cumulative weights, stored one after the other.
struct GroupLists {
  std::vector<std::uint16_t> group;
  std::vector<double> upto;
  std::size_t used = 0;

  // Makes room for a list of at most `most` groups. `add` skips zero weights without a branch.
  void begin(std::size_t most) {
    if (group.size() <= used + most) {
      group.resize(2 * (used + most + 1)), upto.resize(2 * (used + most + 1));
    }
  }
  void add(std::uint16_t g, double weight, double* sum) {
    *sum += weight;
    group[used] = g;
    upto[used] = *sum;
    used += weight > 0.0;
  }
};

// The groups that can play a role with so many sets: a range of the lists.
struct Choice {
  std::size_t first = 0, n = 0;
  bool made = false;

  // The first group whose cumulative weight exceeds the fraction u of the total: a binary search
  // without branches, because their outcome is random and would be mispredicted.
  std::uint32_t draw(const GroupLists& lists, double u) const {
    const double* const upto = lists.upto.data() + first;
    const double at = u * upto[n - 1];
    const double* from = upto;
    for (std::size_t left = n; left > 1;) {
      const std::size_t half = left / 2;
      from += from[half - 1] > at ? 0 : half;
      left -= half;
    }
    return lists.group[first + static_cast<std::size_t>(from - upto)];
  }
};

inline bool plays(const PatternGroup& g, Role role) {
  const int rest = g.tiles % 3;
  switch (role) {
    case kSets: return rest == 0;
    case kPairWait: return rest == 1;
    case kP: return rest == 2 && g.complete;
    case kQ: return rest == 2 && g.complete && g.waits == 0;
    case kW: return rest == 2 && !g.complete;
    default: return rest == 2 && g.complete && g.waits != 0;
  }
}

// Of a group or a class of groups.
template <class Group, class Visit>
void for_each_role(const Group& g, Visit&& visit) {
  const int rest = g.tiles % 3;
  if (rest == 0) return visit(kSets);
  if (rest == 1) return visit(kPairWait);
  if (!g.complete) return visit(kW);
  visit(kP);
  if (g.waits == 0) return visit(kQ);
  visit(kX);
  visit(kB);
}

// Roles in a hand that is seven pairs too: the suit with the single tile waits, and is not able
// to be complete; no other holds a single tile.
template <class Visit>
void for_each_twin_role(const PatternGroup& g, Visit&& visit) {
  const int rest = g.tiles % 3;
  const bool single = g.single < 9;
  if (rest == 0 && !single) return visit(kSets);
  if (rest == 1 && single) return visit(kPairWait);
  if (rest == 2 && !g.complete && single) return visit(kW);
  if (rest == 2 && g.complete && !single) return visit(kP);
}

inline std::size_t both_shape(const WaitClass& g) { return g.n_waits > 1 ? 14 : 13; }

// Of PosteriorWeights, or of LaneWeights.
template <class Weights>
auto single_wait(const Weights& w, std::size_t kind) {
  return w.wait[kind][static_cast<std::size_t>(WaitKind::Single)];
}

inline constexpr std::array<std::uint8_t, 13> kOrphans{0,  8,  9,  17, 18, 26, 27,
                                                       28, 29, 30, 31, 32, 33};
inline constexpr std::uint64_t kOrphanKinds = [] {
  std::uint64_t mask = 0;
  for (const std::uint8_t k : kOrphans) mask |= std::uint64_t{1} << k;
  return mask;
}();
inline constexpr bool is_orphan(std::size_t kind) { return (kOrphanKinds >> kind & 1) != 0; }

// Tenpai of thirteen orphans: one of each (34, 34), or without one kind and a pair of another.
struct OrphanHand {
  std::uint8_t missing = 34, pair = 34;
  std::uint8_t count(std::uint8_t kind) const { return kind == missing ? 0 : kind == pair ? 2 : 1; }
};
const std::vector<OrphanHand>& orphan_hands();

// Six pairs and a single tile; thirteen orphans with one to come. Of thirteen tiles.
inline bool is_seven_pairs(const Counts& hand, std::size_t* single) {
  int pairs = 0, ones = 0;
  for (std::size_t k = 0; k < 34; ++k) {
    pairs += hand[k] == 2;
    if (hand[k] == 1) ++ones, *single = k;
  }
  return pairs == 6 && ones == 1;
}
inline bool is_orphans(const Counts& hand) {
  int kinds = 0, tiles = 0;
  for (const std::uint8_t k : kOrphans) kinds += hand[k] > 0, tiles += hand[k];
  return tiles == 13 && kinds >= 12;
}

// Draws hands, given any or given that they wait on one kind. Lists of what a suit can hold are
// built at their first use: most are long and never needed.
class Posterior::Sampler {
 public:
  // Of any hand.
  explicit Sampler(const Posterior& posterior);
  // Only of hands that wait on the kind given to `aim`, one of `wins`, and on none of `barred`.
  Sampler(const Posterior& posterior, std::uint64_t barred, std::uint64_t wins);
  ~Sampler();
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;
  bool aim(int win);  // false if no hand waits on it
  // The hands drawn; valid until the next call.
  const std::vector<Counts>& draw(int n, std::uint64_t seed);

 private:
  using BySets = std::array<std::array<double, 5>, kRoles>;  // by role and number of sets
  // Compositions of positive weight, with their cumulative weights.
  struct Ways {
    std::vector<const Composition*> composition;
    std::vector<double> upto;

    void begin(std::size_t most) { composition.reserve(most), upto.reserve(most); }
    void add(const Composition& c, double weight, double* sum) {
      if (!(weight > 0.0)) return;
      upto.push_back(*sum += weight);
      composition.push_back(&c);
    }
  };
  // A range of compositions [first, end): the factor `by` of the waiting suit, and the
  // cumulative weight up to here.
  struct Part {
    Role role;
    std::uint8_t sets;
    std::size_t first, end;
    double by, upto;
  };
  // What a suit can wait on and what the other suits do meanwhile; made when one of its kinds is
  // first aimed at.
  struct Waiting {
    bool made = false;
    std::array<BySets, 9> sums{};  // by rank, of `wins`: all that the suit may be that waits on it
    Ways others;              // weights of the other suits
    std::vector<Part> parts;  // by role and number of sets; here `upto` is a part's own weight
  };

  // Weights of so many pairs from a kind on, without a single tile: after the single kind they are
  // the suffix sums over pairs, after[k][j][0] of Kept.
  using PairWays = std::array<std::array<double, 7>, 36>;
  const PairWays& pair_ways(std::size_t single);
  Counts seven_pairs(std::uint64_t* state);
  // The hand at a cumulative weight of thirteen orphans.
  Counts orphans(double u) const;

  bool won(const Composition& c, std::size_t s) const {
    return win_ >= 0 && s == static_cast<std::size_t>(win_ / 9) && waits_in(c.role[s]);
  }
  // The factors of a suit's classes where it waits, 0 of those that are barred: beside complete
  // suits, and beside another that waits, by SuitPatterns::both_place. In one array each, because
  // lists ask for them in no order.
  struct Factors {
    bool made = false;
    std::vector<double> beside, both;
  };
  const Factors& factors(std::size_t s);
  const Waiting& waiting(std::size_t s);
  const Choice& choice(const Composition& c, std::size_t s);

  const Posterior& p_;
  const Kept& kept_;
  std::uint64_t barred_, wins_;
  int win_ = -1;
  RoleSums sums_{};
  std::array<Waiting, 4> waiting_;
  std::array<std::array<std::array<Choice, 5>, kRoles>, 4> choice_;
  std::array<std::array<Choice, 5>, kRoles> winning_;
  // Reused from one sampler of a thread to the next.
  struct Memory {
    GroupLists lists, winning;  // of each choice
    std::array<Factors, 4> factors;
  };
  static Memory& spare();
  Memory memory_;
  Ways any_;                     // where no kind is aimed at
  const Ways* ways_ = nullptr;   // the compositions to draw from
  std::vector<Part> parts_;      // and the ranges of them
  double standard_ = 0.0, pairs_ = 0.0, orphans_ = 0.0;
  PairWays pair_ways_;             // of this single kind
  std::size_t ways_beside_ = 34;
  std::vector<Counts> drawn_;
};

}  // namespace haiyomi
