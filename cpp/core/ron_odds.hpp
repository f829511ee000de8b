// P(ron) from two answers: a logistic regression for each class of opponents joins the log odds of
// the network and those of the sums over hands (dealin/combination.py).
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

}  // namespace haiyomi
