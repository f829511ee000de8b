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

  // Sets the complete hand: the concealed tiles with the winning one; `win_kind` is any kind that
  // may complete it.
  void hold(const Counts& hand, int win_kind, int reds, bool riichi);
  // The points that the winner gains by drawing this tile last, the mean over the ura
  // indicators; 0 without a yaku.
  double operator()(int win_kind);

 private:
  struct Way {
    int han, fu, yakuman;
  };
  static constexpr std::size_t kMostSplits = 16;

  // The payment by fu and han; beyond 13 han and the most ura dora it does not rise.
  static constexpr std::size_t kFuRows = 12;  // by fu in tens, and 25 for none
  static constexpr std::size_t kHans = 14 + 20;
  using PaidRow = std::array<std::int32_t, kHans>;
  const std::int32_t* paid_by_han(const Way& way);

  void add_way(const Evaluation& e);
  double worth();
  double mean();
  void ura_shares(const Counts& held, const Counts& hand, std::uint64_t kinds);
  void choose(std::size_t draws, const std::array<int, 5>& tiles);

  RootHand root_;
  PointsOptions options_;
  std::array<PaidRow, kFuRows> paid_{};
  std::array<bool, kFuRows> is_paid_{};
  WinInput input_;
  Counts meld_tiles_{};
  Counts wall_{};                   // copies in the wall and in the root hand
  int wall_tiles_ = 0;
  std::array<double, 21> share_{};  // by number of ura dora
  std::size_t shares_ = 0;          // how many of them; 0: not found yet

  // The hand that is set. Its splits are found once; of the winning tile only the sets that it can
  // complete matter (bit 4 * split + Ends), unless `each_apart_`.
  Counts held_{};                   // with the melds
  HandFacts facts_;
  bool each_apart_ = false;
  bool has_pairs_ = false;
  Evaluation pairs_;
  std::array<Decomposition, kMostSplits> splits_;
  std::array<DrawnReading, kMostSplits> readings_;
  std::size_t n_splits_ = 0;
  struct Known {
    std::uint64_t ends;
    double points;
  };
  std::array<Known, 8> known_{};
  std::size_t n_known_ = 0;
  std::array<Way, 16> ways_{};
  std::size_t n_ways_ = 0;
  // The worth of each set of ways, cached.
  struct Worth {
    std::uint64_t ways;
    double points;
  };
  std::array<Worth, 8> worths_{};
  std::size_t n_worths_ = 0;
};

}  // namespace haiyomi
