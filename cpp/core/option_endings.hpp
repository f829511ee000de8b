// How the hand may end after each option of many decisions: wins at once on its tile, and each
// joint ending in points.
//
// outcomes/forecast.py explains the quantities; their sums have one fixed order.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace haiyomi::option_endings {

inline constexpr std::size_t kSeats = 4, kOpponents = 3, kClasses = 9;
inline constexpr std::size_t kJoint = 33, kDrawn = 16;  // joint endings; those with a winner
inline constexpr std::size_t kOthersWin = kDrawn - kSeats;
inline constexpr std::size_t kEnds = kDrawn * kClasses + kJoint - kDrawn;

// Rons on the tiles of m options: k pairs of an option and an opponent.
struct Rons {
  std::size_t m, k;
  const std::int64_t* at;      // (k) option * 3 + opponent
  const double* chance;        // (k) above 0
  const double* loss;          // (k) points times their probability
  const std::int64_t* rows;    // (k) how many rows of `cells`
  const double* cells;         // (sum of rows, 4): han, fu, points with honba, probability
  const std::int64_t* honba;   // (m) points of the honba
  const std::int64_t* dealer;  // (m) relative seat
  bool triple_ron;
};

// first, lost (m, 3), classes (m, 3, 9) and aborted (m) as `AtOnce` has them, zeros before.
void at_once(const Rons& rons, double* first, double* lost, double* classes, double* aborted);

using Odds = std::array<std::array<double, kSeats>, kJoint>;

// The odds that a seat has paid a deposit, by joint ending: over those where it did not win and was
// not won on. 0 where it wins, because it takes its own back, and where it is noten at a draw.
// Measured on 20,872 decisions of the train split: of the seats that may still declare riichi .075
// pay one then, .14 if they deal in and .40 if they are tenpai at a draw.
constexpr Odds deposit_odds() {
  Odds out{};
  for (std::size_t j = 0; j < kJoint; ++j) {
    for (std::size_t seat = 0; seat < kSeats; ++seat) {
      if (j < kDrawn) {
        out[j][seat] = j / kSeats == seat ? 0 : j % kSeats == seat ? 2 : 1;
      } else {
        out[j][seat] = j == kJoint - 1 ? 1 : ((j - kDrawn) >> seat & 1) != 0 ? 8 : 0;
      }
    }
  }
  return out;
}
inline constexpr Odds kDepositOdds = deposit_odds();

// P of a deposit at an ending with these odds, from that at one with odds of 1.
inline double deposit_at(double chance, double odds) {
  return odds > 0 ? odds * chance / (1 + (odds - 1) * chance) : 0.0;
}

// out (4, m): P that a seat pays a deposit at an ending with odds of 1, from the mean over those
// that it does not win, mean (4, b); p (33, m) of the joint endings, where m is a multiple of b.
void deposit_chances(const double* mean, const double* p, std::size_t m, std::size_t b,
                     double* out);

// b options of n decisions by e members of an ensemble.
struct Paid {
  std::size_t n, b, e;
  const std::int64_t* begins;  // (n) the first option of each decision
  const double* changes;       // (n, kEnds) of the seat's score by the ends of the hand
  const double* own;           // (2, e, b, 9)
  const double* others;        // (n, 12, 9)
  const double* deposit;       // (4, e, b)
};

// out (33, e, b): the mean change of a relative seat's score with each joint ending.
void changes(const Paid& paid, std::size_t seat, double* out);

}  // namespace haiyomi::option_endings
