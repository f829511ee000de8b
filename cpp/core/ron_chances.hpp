// P(tenpai) and P(ron) of an opponent from two answers: a logistic regression for each class of
// opponents joins the log odds of the network and those of the sums over hands
// (dealin/combination.py); then what the rules say of both.
#pragma once
#include <array>

#include "decision.hpp"

namespace haiyomi {

// Of the classes: in riichi, with three and more, two and one open meld, closed.
inline constexpr std::size_t kOddsClasses = 5;
// Numbers of a kind: both log odds, one, an honour, a dora, two or more opponents in riichi, let pass
// with the same hand.
inline constexpr std::size_t kOddsFeatures = 7;

// The log odds of tenpai and of a ron on each kind that the network has found, and the sums over
// hands: P(can ron it) and P(waits on it) given tenpai.
struct RonAnswers {
  float tenpai;
  const float* network;  // (34,)
  const double *ron, *wait;
};

// The numbers of every kind of an opponent, a relative seat; `chankan` as of ron_rules.
class RonOdds {
 public:
  using Features = std::array<double, kOddsFeatures>;
  RonOdds(const record::ObservationBytes& seen, std::size_t opponent, bool chankan);
  // By the network's log odds of a ron on the kind, and its chance by the sums over hands.
  Features of(std::size_t kind, float network, double by_hands) const;

 private:
  std::uint64_t dora_ = 0, let_pass_;
  double riichi_;
};

struct RonChances {
  double tenpai;                     // 1 of an opponent in riichi or with four melds
  std::array<double, 34> by_hands;   // P(tenpai) times P(can ron it | tenpai)
  std::array<double, 34> ron;
};

// Of an opponent. `weights` (kOddsClasses, kOddsFeatures), whose terms are added in order; null: P(ron)
// is that by hands. It is zero where the opponent is furiten or no tenpai hand waits on the kind, and
// else at least `floor`.
RonChances ron_chances(const record::ObservationBytes& seen, std::size_t opponent, bool chankan,
                       const RonAnswers& answers, const float* weights, double floor);

}  // namespace haiyomi
