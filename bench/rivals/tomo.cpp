// Times tomohxx/mahjong-win-prob on the hands that bench/win_rivals.py sends; see README.md.
//
// The argument is the folder of its tables. A line in: MODE HAND CALLS. A line out: microseconds of
// processor of the first call and of the fastest, then the highest win probability after the first
// discard.
#include <algorithm>
#include <ctime>
#include <iostream>
#include <memory>
#include <sstream>

#include "src/necessary-and-unnecessary-tiles/src/calsht_dw.hpp"
#include "src/settile.hpp"
#include "src/win_prob1.hpp"
#include "src/win_prob2.hpp"

static double cpu() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

int main(int, char** arguments) {
  const auto tables = std::make_shared<CalshtDW>();
  tables->initialize(arguments[1]);
  const win_prob::win_prob1::WinProb1 one(tables);
  const win_prob::win_prob2::WinProb2 two(tables);
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream in(line);
    std::string mode, text;
    int calls;
    in >> mode >> text >> calls;
    // main1: useful edges; main2: reverse edges; main2-extra1: one exchange more.
    const win_prob::Params params{
        .t_min = 1, .t_max = 18, .sum = 123, .extra = mode == "main2-extra1" ? 1 : 0, .mode = 7};
    std::vector<int> hand(34, 0);
    set_tile(text, hand, false);
    double first = 0, least = 1e18, win = 0;
    for (int i = 0; i < calls; ++i) {
      std::vector<int> copy = hand;
      const double began = cpu();
      const auto [stats, searched] = mode == "main1" ? one(copy, params) : two(copy, params);
      const double took = cpu() - began;
      if (i == 0) first = took;
      least = std::min(least, took);
      for (const auto& s : stats) win = std::max(win, s.prob[1]);
    }
    std::cout.precision(15);
    std::cout << first << ' ' << least << ' ' << win << std::endl;
  }
}
