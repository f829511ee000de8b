// Times akochan's deal-in risks on the positions that bench/dealin_rival.py sends; see README.md.
//
// A line in: SEAT CALLS EVENTS, the events an array in mjai. A line out: microseconds of processor
// of the first call and of the fastest, and the sum of P(ron) over kinds and opponents. A call reads
// all three opponents: for each, the tiles that it wins on by ron and by tsumo, with han and fu.
#include <ctime>
#include <iostream>
#include <sstream>

#include "ai_src/selector.hpp"
#include "ai_src/tenpai_est.hpp"

extern std::array<json11::Json, 4> tactics_json;

static double cpu() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

static double ron(const Tenpai_Estimator_Simple& read) {
  double sum = 0;
  for (const auto& by_han : read.hai_ron_prob_now)
    for (const auto& by_fu : by_han)
      for (const float p : by_fu) sum += p;
  return sum * read.tenpai_prob;
}

int main() {
  set_tactics_one(load_json_from_file("setup_mjai.json"));
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream in(line);
    int seat, calls;
    in >> seat >> calls;
    std::string events, error;
    std::getline(in, events);
    const Moves record = json11::Json::parse(events, error).array_items();
    const Game_State state = get_game_state(record);
    const Tactics tactics(tactics_json[seat]);
    std::array<Tenpai_Estimator_Simple, 3> read;
    double first = 0, least = 1e18;
    for (int i = 0; i < calls; ++i) {
      const double began = cpu();
      for (int k = 0; k < 3; ++k)
        read[k].set_tenpai_estimator(record, state, seat, (seat + k + 1) % 4, tactics);
      const double took = cpu() - began;
      if (i == 0) first = took;
      least = std::min(least, took);
    }
    std::cout << first << ' ' << least << ' ' << ron(read[0]) + ron(read[1]) + ron(read[2]);
    std::cout << std::endl;
  }
}
