#include "event_order.hpp"

#include <algorithm>

namespace haiyomi::replay {
namespace {

bool is_kan(Op op) { return op == Op::Ankan || op == Op::Daiminkan || op == Op::Kakan; }

// The wins stand in turn order after the discarder, at the places that they have together.
void order_wins(std::span<const Event> events, std::vector<std::size_t>& order) {
  std::vector<std::size_t> places, wins;
  for (std::size_t k = 0; k < order.size(); ++k)
    if (events[order[k]].op == Op::Win) places.push_back(k), wins.push_back(order[k]);
  std::sort(wins.begin(), wins.end());
  std::stable_sort(wins.begin(), wins.end(), [&](std::size_t a, std::size_t b) {
    const auto turns = [&](std::size_t i) { return (events[i].seat - events[i].target + 4) % 4; };
    return turns(a) < turns(b);
  });
  for (std::size_t k = 0; k < wins.size(); ++k) order[places[k]] = wins[k];
}

}  // namespace

std::vector<std::size_t> canonical_order(std::span<const Event> events) {
  std::vector<std::size_t> order, waiting;
  std::size_t wins = 0;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events[i].op == Op::Dora) waiting.push_back(i);
    wins += events[i].op == Op::Win;
  }
  if (waiting.empty() && wins < 2) return order;
  order.reserve(events.size());
  std::size_t placed = 0;  // of the reveals that wait
  std::size_t owed = 0;  // open or added kans whose indicator is still to come
  Op before = Op::Start;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Op op = events[i].op;
    if (op == Op::Dora) continue;
    const bool replaces = op == Op::Draw && is_kan(before);
    if (op == Op::Discard || replaces) {
      std::size_t due = owed;
      owed = 0;
      if (replaces) (before == Op::Ankan ? due : owed) += 1;
      for (; due > 0 && placed < waiting.size(); --due) order.push_back(waiting[placed++]);
    }
    order.push_back(i);
    before = op;
  }
  // More reveals than kans, or the hand ended before the place: where the record has them.
  for (; placed < waiting.size(); ++placed) {
    const auto place = std::find_if(order.begin(), order.end(),
                                    [&](std::size_t j) { return j > waiting[placed]; });
    order.insert(place, waiting[placed]);
  }
  if (wins > 1) order_wins(events, order);
  return order;
}

}  // namespace haiyomi::replay
