// The exact posterior over every tenpai hand of an opponent, whatever its number of melds.
//
// A hand's weight is a product: a factor for each kind's count, for each suit's number of tiles,
// for each kind waited on (by the kind of wait) and for the shape of each waiting suit. The sum
// over all hands is then a short sum over the suits' patterns (suit_patterns.hpp). Seven pairs
// and thirteen orphans are components of their own; a hand of both forms is a standard one.
#pragma once
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "score.hpp"
#include "suit_patterns.hpp"

namespace haiyomi {

struct PosteriorWeights {
  std::array<std::array<double, 5>, 34> count{};  // factor of holding n of a kind, n = 0-4
  std::array<std::array<double, 14>, 4> tiles{};  // factor of a suit holding n tiles
  std::array<std::array<double, 4>, 34> wait{};   // factor of waiting on a kind, by WaitKind
  std::array<double, kShapes> shape{};            // factor of a waiting suit's shape
  double pairs = 0.0, orphans = 0.0;              // of seven pairs, thirteen orphans (0: none)
};

// What decides whether a waiting hand can win by ron.
struct RonRules {
  // A hand that waits on one of these kinds wins by no ron: furiten, and let pass (opponent_rules.hpp).
  std::uint64_t barred = 0;
  bool certain_yaku = false;  // riichi, the last discard, a robbed kan
  std::vector<Meld> melds;
  std::uint8_t round_wind = 27, seat_wind = 27;
  bool kuitan = true;
};

// What the points of a ron depend on.
struct PointsQuery {
  std::array<std::uint8_t, 34> unseen{};  // copies the viewer does not see
  std::array<bool, 3> red_unseen{};
  std::array<std::uint8_t, 5> dora{};     // the dora of each indicator shown
  std::uint8_t shown = 0;                 // indicators
  std::uint8_t meld_reds = 0;
  std::uint8_t riichi = 0;                // 2: double
  std::uint8_t ura = 0;                   // hidden indicators that would count
  bool ippatsu = false, houtei = false, chankan = false;
  ScoreRules rules;
};
inline constexpr std::size_t kHan = 14;  // 0-13, 13 and more a limit hand
inline constexpr std::size_t kFu = 12;   // fu / 10; 2 = 25 fu, 0 = limit hand
// How many of the hands drawn wait on a kind in one way, by the number of `wait_name`.
struct WaitCount {
  int name, hands;
};
// One kind: how many hands to draw for it, 0 for none, its cells (kHan, kFu), zeros so far, and the
// ways of waiting on it, likeliest first, if they are wanted.
struct KindDraws {
  std::uint8_t kind;
  int samples;
  double* cells;
  std::vector<WaitCount>* waits;
};

struct Marginals {
  std::array<std::array<double, 5>, 34> count{};  // P(the hand holds n of kind k)
  std::array<std::array<double, 14>, 4> tiles{};  // P(standard, and suit s holds n tiles)
  std::array<std::array<double, 4>, 34> wait{};   // P(waits on k by that kind of wait)
  std::array<double, kShapes> shape{};            // expected number of waiting suits of a shape
  double pairs = 0.0, orphans = 0.0;              // P(the hand is of that form)
};

struct PosteriorAnswer {
  std::array<double, 34> wait{};  // P(waits on k)
  std::array<double, 34> live{};  // P(waits on k and on no barred kind)
  std::array<double, 34> ron{};   // P(that, and has a yaku with k)
  std::array<std::array<double, 4>, 34> kind{};  // P(waits on k by that kind of wait), as Marginals
};

// The role of a suit in a hand: complete sets; waiting, with the pair inside; and of the two suits
// with 3k + 2 tiles: sets and a pair (P), P that could not wait instead (Q), waiting only (W),
// waiting though it could be P, next to a Q (X) or next to another suit that could do both (B).
enum Role : std::uint8_t { kSets, kPairWait, kP, kQ, kW, kX, kB, kRoles };
inline bool waits_in(Role role) {
  return role == kPairWait || role == kW || role == kX || role == kB;
}
template <class Number>
using SumsOf = std::array<std::array<std::array<Number, 5>, kRoles>, 4>;  // suit, role, sets
using RoleSums = SumsOf<double>;

// The numbers of one opponent: an array of its own, or its lane of a batch's.
class Column {
 public:
  Column() = default;
  // n numbers, each `apart` bytes after the one before.
  Column(const void* first, std::size_t apart, std::size_t n)
      : first_(static_cast<const char*>(first)), apart_(apart), n_(n) {}

  std::size_t size() const { return n_; }
  double operator[](std::size_t i) const {
    double out;
    std::memcpy(&out, first_ + i * apart_, sizeof out);
    return out;
  }

 private:
  const char* first_ = nullptr;
  std::size_t apart_ = 0, n_ = 0;
};

class Posterior {
 public:
  // `concealed`: 1, 4, 7, 10 or 13 tiles. Throws std::invalid_argument for other numbers.
  Posterior(int concealed, const PosteriorWeights& weights);
  // A batch of posteriors and, with `rules`, their answers: bit for bit those of one at a time,
  // but faster (posterior_batch.hpp). With `keep` what drawing from them needs is kept at once;
  // else it is summed again when they are first asked for more than their answers.
  static std::vector<std::unique_ptr<Posterior>> make(const std::vector<int>& concealed,
                                                      const std::vector<PosteriorWeights>& weights,
                                                      const std::vector<RonRules>* rules = nullptr,
                                                      std::vector<PosteriorAnswer>* answers = nullptr,
                                                      bool keep = true);

  double total() const { return total_; }  // sum of all weights; 0 if no hand is possible
  PosteriorAnswer answer(const RonRules& rules) const;
  Marginals marginals() const;
  double weight(const Counts& hand) const;  // of one hand; 0 if it is not tenpai
  // Which factors make up that weight, as ones and zeros; all zeros if it is 0.
  Marginals uses(const Counts& hand) const;

  // n hands in proportion to their weights; with `win` 0-33 of those that wait on it and on none
  // of `barred`. None if there is no such hand.
  std::vector<Counts> sample(int n, std::uint64_t seed, int win = -1,
                             std::uint64_t barred = 0) const;
  // Fills in the cells of some kinds: the distribution of a ron on each over hands drawn given that
  // they can win on it; and counts how these wait. Where no such hand was found, they stay zero.
  void points(const RonRules& rules, const PointsQuery& query, std::uint64_t seed,
              std::span<const KindDraws> kinds) const;

  class Sampler;
  template <std::size_t N>
  class Batch;  // of up to N opponents

 private:
  struct Unweighed {};
  Posterior(int concealed, const PosteriorWeights& weights, Unweighed);

  struct Suit {
    const SuitPatterns* table = nullptr;
    std::array<std::array<double, 125>, 3> part;
    Column raw;  // of each group: the sum of its patterns' count factors
    Column sum;  // of each class: the sum of its groups'
    // Of each class the factor of its tiles, waits and shape: `beside` where the other suits are
    // complete, `both` where another suit waits too.
    Column beside;
    struct {
      Column few;  // by SuitPatterns::both_place
      const std::uint16_t* place = nullptr;
      double operator[](std::size_t i) const { return few[place[i]]; }
    } both;
    std::shared_ptr<const void> memory;  // of the columns

    // Calls visit(first part, second part, their weight, first pattern, end) for each row of
    // the table with a positive weight.
    template <class Visit>
    void for_each_row(int concealed, Visit&& visit) const {
      for (const PatternRow& row : table->rows) {
        const double f = part[0][row.first_part] * part[1][row.second_part];
        if (f == 0.0) continue;
        visit(row.first_part, row.second_part, f, row.first,
              row.end[static_cast<std::size_t>(concealed / 3)]);
      }
    }
  };

  // Pairs over some kinds: [kinds][pairs][singles].
  using PairSums = std::array<std::array<std::array<double, 2>, 7>, 35>;
  // What draws, marginals and weights of hands need beyond the totals.
  struct Kept {
    std::array<Suit, 4> suit;
    RoleSums sums, outer;
    // Of 13 tiles:
    RoleSums twin_sums, twin_outer;  // seven pairs that are standard hands too
    PairSums before, after;          // over the kinds before k, and from k on
  };
  const Kept& kept() const;

  bool regular(const Counts& hand, std::array<const PatternGroup*, 4>& groups,
               std::array<Role, 4>& roles) const;
  // The factor of a role, by which the sum of a group or class is multiplied.
  double factor(std::size_t s, const WaitClass& c, std::size_t at, Role role) const {
    if (role == kB) return kept().suit[s].both[at];
    return waits_in(role) ? kept().suit[s].beside[at] : w_.tiles[s][c.tiles];
  }
  // The sums where no suit of two that both wait does so on a kind of `barred`.
  RoleSums live_sums(std::uint64_t barred) const;

  int concealed_, sets_;
  PosteriorWeights w_;
  mutable std::unique_ptr<Kept> kept_;
  mutable std::once_flag once_;
  std::array<double, 34> pairs_{};    // weight of seven pairs waiting on k, standard ones left out
  std::array<double, 34> orphans_{};  // weight of thirteen orphans waiting on k
  double thirteen_ = 0.0;             // of the one that waits on all thirteen
  double standard_ = 0.0, all_pairs_ = 0.0, all_orphans_ = 0.0, total_ = 0.0;
};

}  // namespace haiyomi
