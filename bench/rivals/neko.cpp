// Times nekobean/mahjong-cpp on the hands that bench/win_rivals.py sends; see README.md.
//
// A line in: MODE HAND CALLS. A line out: microseconds of processor of the first call and of the
// fastest, then the highest win probability, tenpai probability and score after the first discard.
#include <algorithm>
#include <ctime>
#include <iostream>
#include <numeric>
#include <sstream>

#include "mahjong/mahjong.hpp"

using namespace mahjong;

static double cpu() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

int main() {
  spdlog::set_level(spdlog::level::off);
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream in(line);
    std::string mode, hand;
    int calls;
    in >> mode >> hand >> calls;
    TableConfig rules;
    RoundState round;
    round.round_wind = Tile::East;
    round.round_number = 1;
    TableState table;
    PlayerState player;
    player.hand = from_mpsz(hand);
    player.seat_wind = Tile::South;
    // A: win, tenpai and points; B: dora, ura dora and red fives too; C: one exchange more.
    ExpectedScoreCalculator::Config config;
    const bool dora = mode != "A", more = mode == "C";
    config.extra = more ? 1 : 0;
    config.enable_reddora = config.enable_uradora = dora;
    config.enable_shanten_down = config.enable_tegawari = more;
    if (dora) table.dora_indicators = {Tile::Pinzu3};
    const auto wall = create_wall(rules, table, player, config.enable_reddora);
    config.sum = dora ? std::accumulate(wall.begin(), wall.begin() + 34, 0) : 123;
    double first = 0, least = 1e18, win = 0, tenpai = 0, score = 0;
    for (int i = 0; i < calls; ++i) {
      const double began = cpu();
      const auto [stats, searched] =
          ExpectedScoreCalculator::calc(config, rules, round, table, player, wall);
      const double took = cpu() - began;
      if (i == 0) first = took;
      least = std::min(least, took);
      for (const auto& s : stats) {
        win = std::max(win, s.win_prob[1]);
        tenpai = std::max(tenpai, s.tenpai_prob[1]);
        score = std::max(score, s.exp_score[1]);
      }
    }
    std::cout.precision(15);
    std::cout << first << ' ' << least << ' ' << win << ' ' << tenpai << ' ' << score << std::endl;
  }
}
