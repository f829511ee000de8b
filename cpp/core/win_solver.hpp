// One task for the win-probability kernel, and many of them on several threads.
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
  bool paid = false;  // wins have points, and one without a yaku is none; without `values.score`
                      // only the latter holds
};

WinAnswer solve(const WinTask& task);

// Entry i is the answer to tasks[i], or an error that says why there is none.
struct Solved {
  WinAnswer answer;
  std::string error;
};
std::vector<Solved> solve_all(std::span<const WinTask> tasks, int threads);

}  // namespace haiyomi
