// Where the game ends after each option of many decisions, as weights and values of the hand's ends.
//
// outcomes/places.py explains the ends. The weights of an option's columns times the values of its
// decision's columns are the option's places and final score.
#pragma once
#include <cstddef>
#include <cstdint>

namespace haiyomi::option_places {

inline constexpr std::size_t kSeats = 4, kClasses = 9;    // of worth of a hand that wins
inline constexpr std::size_t kJoint = 33, kDrawn = 16;    // joint endings; those with a winner
inline constexpr std::size_t kOthersWin = kDrawn - kSeats;  // those that an opponent wins
inline constexpr std::size_t kWon = kDrawn * kClasses, kEnds = kWon + kJoint - kDrawn;
inline constexpr std::size_t kOwn = kSeats * kClasses;    // ends that the seat itself wins
inline constexpr std::size_t kRest = kJoint - kSeats;     // joint endings that it does not win
inline constexpr std::size_t kOnce = (kSeats - 1) * kClasses;  // deal-ins on the option's own tile
inline constexpr std::size_t kColumns = kOwn + 2 * kRest + kOnce;
inline constexpr std::size_t kValues = 6;  // P(1st) to P(4th), the final score, and 1

// b options of n decisions by e members of an ensemble, as outcomes/forecast.py has them.
struct Forecast {
  std::size_t n, b, e;
  const std::int64_t* begins;  // (n) the first option of each decision
  const double* later;         // (33, e, b) P of each joint ending, if nobody wins at once
  const double* nobody;        // (b) P of that
  const double* own;           // (2, e, b, 9) classes of the own hand by ron and by tsumo
  const double* others;        // (n, 12, 9) of another's
  const double* deposit;       // (e, b) P that the seat pays one, as option_endings has it
  const double* first;         // (b, 3) P that an opponent wins at once, the first in turn
  const double* classes;       // (b, 3, 9) of that hand
  const double* aborted;       // (b) P that three win and the hand is aborted
  const std::uint8_t* nine;    // (b) whether the option aborts the hand itself
};

// weights (e, b, kColumns): P of the own wins by class; of the other joint endings without and with
// the own deposit; of the deal-ins on the option's own tile by winner and class. likely (n, 2,
// kEnds): the most that an option of the decision gives each end, without and with the deposit.
void weights(const Forecast& forecast, double* weights, double* likely);

// tables (n, kColumns, kValues): the value of each column. `values` (k, kValues) of ends; `row` (n,
// 2, kEnds) which of them an end is, -1 where it is left out; `others` as above.
void tables(const double* values, const std::int64_t* row, const double* others, std::size_t n,
            double* tables);

}  // namespace haiyomi::option_places
