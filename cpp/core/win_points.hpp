// What a self-drawn win is worth on average: dora, red fives, and ura dora still unseen.
#pragma once
#include <vector>

#include "hand_space.hpp"
#include "score.hpp"

namespace haiyomi {

struct PointsOptions {
  std::array<Meld, 4> melds{};
  std::uint8_t n_melds = 0;
  std::uint8_t meld_reds = 0;
  std::uint8_t round_wind = 27, seat_wind = 27;
  std::vector<std::uint8_t> indicators;  // kinds
  bool ura = true;                       // as many ura indicators as dora indicators, after riichi
  std::int32_t honba_points = 0;         // added to every win
  ScoreRules rules;
};

class WinPoints {
 public:
  void begin(const RootHand& root, const PointsOptions& options);

  // The points that the winner gains by drawing the last tile of a complete hand, the mean over
  // the ura indicators; 0 without a yaku. `hand`: the concealed tiles with the winning one.
  double operator()(const Counts& hand, int win_kind, int reds, bool riichi);

 private:
  void ura_shares(const Counts& held, const Counts& hand, std::uint64_t kinds);
  void choose(std::size_t draws, const std::array<int, 5>& tiles);

  RootHand root_;
  PointsOptions options_;
  WinInput input_;
  Counts meld_tiles_{};
  Counts wall_{};                   // copies in the wall and in the root hand
  int wall_tiles_ = 0;
  std::array<double, 21> share_{};  // by number of ura dora
  std::size_t shares_ = 0;          // how many of them
};

}  // namespace haiyomi
