// Scoring of a ron with an open hand, over precomputed readings: what the enumeration of an
// opponent's hands needs for each of some 10^5 of them. Agrees with score_win (tests).
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "score.hpp"
#include "tenpai_hands.hpp"

namespace haiyomi {

// What is fixed while an opponent's melds stand.
struct OpenContext {
  std::vector<Meld> melds;  // at least one of them open
  std::uint8_t round_wind = 27, seat_wind = 27;
  std::array<std::uint8_t, 34> dora{};  // han a tile of each kind brings
  std::uint8_t meld_reds = 0;
  bool houtei = false, chankan = false;
  ScoreRules rules;
};

// han 0: no yaku. fu 0: yakuman. Red fives of the concealed part and of the winning tile are
// left out: they only add han.
struct HanFu {
  std::uint8_t han = 0, fu = 0;
};

// One entry for each TenpaiTable::waits, in its order.
std::vector<HanFu> score_open_hands(const TenpaiTable& table, const OpenContext& context);

// The hand's (han, fu) ordering: points with no honba, 13 han for a yakuman.
int base_points(int han, int fu, bool kiriage);

}  // namespace haiyomi
