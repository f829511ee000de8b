// One question to the win-probability kernel, and many of them on several threads.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "win_values.hpp"

namespace haiyomi {

struct WinTask {
  RootHand root;
  GraphOptions graph;
  ValueOptions values;
  PointsOptions points;
  bool paid = false;  // wins have points, and one without a yaku is none
};

WinAnswer solve(const WinTask& task);

// Answers[i] is that of tasks[i], or its error says why there is none.
struct Solved {
  WinAnswer answer;
  std::string error;
};
std::vector<Solved> solve_all(std::span<const WinTask> tasks, int threads);

}  // namespace haiyomi
