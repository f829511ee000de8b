// The words of a hand, read one event at a time and applied to a table.
#pragma once
#include <optional>

#include "replay_state.hpp"

namespace haiyomi::replay {

struct Words {
  const std::int32_t* at;
  const std::int32_t* end;

  std::int32_t next() {
    if (at == end) fail(Fault::BadWord);
    return *at++;
  }
  std::int32_t number(std::int32_t low, std::int32_t high) {
    const std::int32_t value = next();
    if (value < low || value > high) fail(Fault::BadNumber, value, low, high);
    return value;
  }
  // n codes; n itself comes first and is at most `most`.
  int codes(std::int32_t* out, int most);
  std::array<std::int32_t, 4> four();
};

// The first word of an event; the numbers that follow it are still in the words.
struct Event {
  Op op = Op::Start;
  int code = 0, seat = 0, target = 0;
  bool flag = false;
};
inline std::int32_t word(const Event& e) {
  return std::int32_t(e.op) | e.code << 4 | std::int32_t(e.flag) << 10 | e.seat << 12 |
         e.target << 14;
}
Event next_event(Words& words);

// Changes the table by an event, whose numbers are read from the words; fails where the rules
// forbid it. What a win is worth, for a win.
std::optional<Score> apply(Table& t, const Event& event, Words& words);

}  // namespace haiyomi::replay
