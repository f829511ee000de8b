// P(ron) from two answers: a logistic regression for each class of opponents joins the log odds of
// the network and those of the sums over hands (dealin/combination.py). What the rules say of both.
#pragma once
#include "decision.hpp"

namespace haiyomi {

// Of the classes: in riichi, with three and more, two and one open meld, closed.
inline constexpr std::size_t kOddsClasses = 5;
// Numbers of a kind: both log odds, one, an honour, a dora, two or more opponents in riichi.
inline constexpr std::size_t kOddsFeatures = 6;

// The log odds of a ron by an opponent (a relative seat) on each of the 34 kinds; `weights`
// (kOddsClasses, kOddsFeatures). The terms of a sum are added in order.
void ron_odds(const record::ObservationBytes& seen, std::size_t opponent, const float* weights,
              const float* by_network, const double* by_hands, double* out);

// Whether an opponent is tenpai for certain: in riichi, or with four melds.
bool surely_tenpai(const record::PlayerBytes& player);

// P(ron) of each kind by the rules: none where the opponent is furiten or no tenpai hand waits on
// the kind (`wait` is 0), and else at least `floor`.
void rule_rons(const record::ObservationBytes& seen, std::size_t opponent, const double* ron,
               const double* wait, double floor, double* out);

}  // namespace haiyomi
