#include "win_solver.hpp"

#include <algorithm>
#include <atomic>
#include <exception>

#include "shares.hpp"

namespace haiyomi {

namespace {

// The rows of fives that are red: beside that of the plain five, or in its place.
void name_reds(const RootHand& root, WinAnswer& answer) {
  for (std::size_t i = answer.values.size(); i-- > 0;) {
    const DiscardValue value = answer.values[i];
    if (value.action != 4 || value.suit > 2) continue;
    const auto suit = static_cast<std::size_t>(value.suit);
    if (!root.reds[suit]) continue;
    if (root.concealed[9 * suit + 4] > 1) answer.values.push_back(value);
    (root.concealed[9 * suit + 4] > 1 ? answer.values.back() : answer.values[i]).action =
        kRedAction;
  }
}

}  // namespace

WinAnswer solve(const WinTask& task) {
  // The buffers of the last graph are reused, unless they are large.
  thread_local WinGraph graph;
  RootHand root = task.root;
  root.merge_honours = !task.paid;
  GraphOptions options = task.graph;
  // A small graph is built faster than the cores are found.
  options.cores = !options.reverse && !options.tegawari && !options.back && !options.go_on &&
                  shanten(root.concealed, root.n_melds) > (task.paid ? 3 : 2);
  options.spare_first = options.cores && !task.values.must_keep;
  root.with_cores = options.cores;
  root.merge_suits = options.cores && !task.paid;
  const bool seven_kinds = root.n_melds > 0 || profile(root.concealed.data()).kinds >= 7;
  root.merge_like = root.merge_suits && seven_kinds;
  // Of a win one more draw is left than of tenpai.
  options.reach = task.values.last - task.values.first - (task.values.tenpai ? 0 : 1);
  // Without points, a red five is a five.
  if (!task.paid) root.reds = root.live_reds = {};
  graph.build(root, options);
  score_wins(graph, root, task.paid ? &task.points : nullptr, task.values.score);
  graph.drop_keys();
  WinAnswer answer = win_values(graph, task.values);
  if (!task.paid) name_reds(task.root, answer);
  if (answer.edges > kLargeGraph) graph = WinGraph();
  return answer;
}

std::vector<Solved> solve_all(std::span<const WinTask> tasks, int threads) {
  std::vector<Solved> out(tasks.size());
  std::atomic<std::size_t> next{0};
  // The tasks differ too much for shares of neighbours: whoever is free takes the next.
  in_shares(tasks.size(), threads, [&](std::size_t, std::size_t) {
    for (std::size_t i = next++; i < tasks.size(); i = next++) {
      try {
        out[i].answer = solve(tasks[i]);
      } catch (const std::exception& error) {
        out[i].error = error.what();
      }
    }
  });
  return out;
}

}  // namespace haiyomi
