// Ron probabilities of an opponent with melds, after Kurita and Hoki: the sum (9) over every tenpai
// hand, weighted by (14)-(16), normalised by colour (13), mixed over colours (12) and (18).
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "open_hand.hpp"

namespace haiyomi {

inline constexpr int kHanCells = 14;  // 0-13, 13 = a yakuman or more
inline constexpr int kFuCells = 12;   // fu / 10, 2 = 25 fu, 0 = a yakuman

struct RonQuery {
  std::array<std::uint8_t, 34> unseen{};
  std::array<bool, 3> red_unseen{};   // the red five of each suit is among the unseen
  std::uint64_t furiten = 0;          // kinds the opponent cannot win on by ron
  std::uint8_t meld_suits = 0;        // bits m p s of the suits in the melds
  std::array<double, 4> tenpai{};     // P(tenpai and colour) of m, p, s and several colours
  double poor_wait = 0.2;             // factor (15) of a hand with no two-sided or shanpon wait
  std::uint64_t passed = 0;           // kinds let pass since the last discard from the hand
  double passed_wait = 1.0;           // factor of a hand that waits on one of them
  double yakuless = 1.0;              // factor of a hand that cannot win on any of its waits
  bool certain = false;               // four melds: (10)-(11) instead
};

struct RonAnswer {
  std::vector<double> ron;             // [34][kHanCells][kFuCells] probability of that ron
  std::array<double, 34> wait{};       // probability that the hand waits on the kind, yaku or not
  std::uint64_t possible = 0;          // some consistent hand waits on it with a yaku
  std::array<double, 4> total{};       // the denominators of (13)
  std::uint32_t consistent = 0;        // hands that the unseen tiles allow
};

RonAnswer ron_distribution(const TenpaiTable& table, const HanFu* scores, const RonQuery& query);

}  // namespace haiyomi
