#include <cmath>

#include "arrays.hpp"
#include "bind.hpp"
#include "win_solver.hpp"

namespace haiyomi {
namespace {

using MeldRows = Values<std::uint8_t, nb::shape<-1, 4, 2>>;
using RedRows = Values<bool, nb::shape<-1, 6>>;
using ContextRows = Values<std::uint8_t, nb::shape<-1, 9>>;
using WallRows = Values<double, nb::shape<-1, kTurns>>;

constexpr std::uint8_t kNoMeld = 255;
constexpr std::size_t kMostRows = 14;
constexpr int kDrawCode = 37;

// Fills a task; says what is wrong with a row, or null. `reds` are bytes: a caller's array of bools
// may hold others than 0 and 1.
const char* read_task(const std::uint8_t* hand, const std::uint8_t* live, const std::uint8_t* reds,
                      const std::uint8_t* melds, const std::uint8_t* context, const double* wall,
                      WinTask& task) {
  const Profile p = profile(hand);
  if (!p.legal || !profile(live).legal) return "a count above 4";
  const int n_melds = melds_with(p.tiles);
  if (n_melds < 0) return "no hand has so many concealed tiles";
  std::memcpy(task.root.concealed.data(), hand, 34);
  std::memcpy(task.root.live.data(), live, 34);
  task.root.n_melds = n_melds;
  for (std::size_t k = 0; k < 34; ++k) {
    if (hand[k] + live[k] > 4) return "five copies of a kind";
  }
  for (std::size_t s = 0; s < 3; ++s) {
    const bool held = reds[s] != 0, in_wall = reds[3 + s] != 0;
    task.root.reds[s] = held;
    task.root.live_reds[s] = in_wall;
    if (held && hand[9 * s + 4] == 0) return "a red five that is not in the hand";
    if (in_wall && live[9 * s + 4] == 0) return "a red five that is not in the wall";
    if (held && in_wall) return "two red fives of a suit";
  }
  task.points.n_melds = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const std::uint8_t type = melds[2 * i];
    const std::uint8_t kind = melds[2 * i + 1];
    if (type == kNoMeld) continue;
    if (type > 4 || kind > 33) return "a meld has no such type or kind";
    if (type == 0 && (kind > 26 || kind % 9 > 6)) return "no chi starts at this kind";
    task.points.melds[task.points.n_melds++] = {static_cast<MeldType>(type), kind};
  }
  if (task.paid && task.points.n_melds != n_melds) {
    return "points need as many melds as the concealed tiles leave room for";
  }
  task.points.round_wind = context[0];
  task.points.seat_wind = context[1];
  if (context[0] < 27 || context[0] > 30 || context[1] < 27 || context[1] > 30) {
    return "winds are kinds 27-30";
  }
  if (context[2] > 3) return "more than three red fives in the melds";
  task.points.meld_reds = context[2];
  if (context[3] > 5) return "more than five dora indicators";
  for (std::size_t i = 0; i < context[3]; ++i) {
    if (context[4 + i] > 33) return "an indicator's kind must be 0-33";
    task.points.indicators.push_back(context[4 + i]);
  }
  for (std::size_t t = 0; t < static_cast<std::size_t>(kTurns); ++t) {
    if (!std::isfinite(wall[t])) return "the wall must be finite";
    task.values.wall[t] = wall[t];
  }
  return nullptr;
}

nb::tuple win_batch(const CountRows& hands, const CountRows& live, const RedRows& reds,
                    const MeldRows& melds, const ContextRows& context, const WallRows& wall,
                    int first, int last, unsigned forms, bool returns, bool reverse, bool tegawari,
                    bool back,
                    int extra, bool riichi, bool firm, bool go_on, bool paid, bool worth, bool ura,
                    bool tenpai,
                    bool literal, bool must_keep, bool kuitan, bool multiple_yakuman,
                    bool double_yakuman,
                    bool kiriage, std::uint8_t wind_pair_fu, int threads) {
  const std::size_t n = hands.shape(0);
  if (live.shape(0) != n || reds.shape(0) != n || melds.shape(0) != n || context.shape(0) != n ||
      wall.shape(0) != n) {
    throw nb::value_error("all arrays must have as many rows");
  }
  if (first < 1 || first > kTurns) throw nb::value_error("the first turn must be 1 to 18");
  if (last < 0 || last > kTurns) throw nb::value_error("the last turn must be 0 to 18");
  if (extra < 0 || extra > 3) throw nb::value_error("extra must be 0 to 3");
  if (threads < 1) throw nb::value_error("threads must be at least 1");
  if (forms < 1 || forms > 7) throw nb::value_error("forms must name at least one form");
  auto codes = make_2d<std::int8_t>(n, kMostRows);
  auto info = make_2d<std::int64_t>(n, 4);
  std::unique_ptr<double[]> numbers(new double[n * kMostRows * 3 * kTurns]());
  double* const out = numbers.get();
  std::size_t bad = 0;
  std::string wrong;
  const auto* red_bytes = reinterpret_cast<const std::uint8_t*>(reds.data());
  without_gil([&] {
    std::vector<WinTask> tasks(n);
    for (std::size_t i = 0; i < n; ++i) {
      WinTask& task = tasks[i];
      task.paid = paid;
      task.root.forms = forms;
      task.root.thrown = returns ? Thrown::Returns : Thrown::Gone;
      task.graph = {.reverse = reverse, .tegawari = tegawari, .back = back, .extra = extra,
                    .riichi = riichi, .firm = firm, .go_on = go_on};
      task.values.tenpai = tenpai;
      task.values.score = paid && worth;
      task.values.first = first;
      task.values.last = last;
      task.values.excess = literal ? Excess::Literal : Excess::Never;
      task.values.must_keep = must_keep;
      task.points.ura = ura;
      task.points.rules = {kuitan, multiple_yakuman, double_yakuman, kiriage, wind_pair_fu};
      if (const char* what = read_task(hands.data() + 34 * i, live.data() + 34 * i,
                                       red_bytes + 6 * i, melds.data() + 8 * i,
                                       context.data() + 9 * i, wall.data() + kTurns * i, task)) {
        bad = i;
        wrong = what;
        return;
      }
    }
    const std::vector<Solved> solved = solve_all(tasks, threads);
    for (std::size_t i = 0; i < n; ++i) {
      if (!solved[i].error.empty()) {
        bad = i;
        wrong = solved[i].error;
        return;
      }
      WinAnswer answer = solved[i].answer;
      const auto code_of = [](const DiscardValue& v) {
        return v.suit < 0 ? kDrawCode : v.action == kRedAction ? 34 + v.suit : 9 * v.suit + v.action;
      };
      std::sort(answer.values.begin(), answer.values.end(),
                [&](const auto& a, const auto& b) { return code_of(a) < code_of(b); });
      const std::int64_t facts[4] = {answer.shanten, answer.drawing, answer.discarding,
                                     static_cast<std::int64_t>(answer.edges)};
      std::copy_n(facts, 4, info.data() + 4 * i);
      for (std::size_t r = 0; r < kMostRows; ++r) {
        std::int8_t& code = codes.data()[kMostRows * i + r];
        code = -1;
        if (r >= answer.values.size()) continue;
        const DiscardValue& value = answer.values[r];
        code = static_cast<std::int8_t>(code_of(value));
        double* to = out + (kMostRows * i + r) * 3 * kTurns;
        std::copy_n(value.win.begin(), kTurns, to);
        std::copy_n(value.tenpai.begin(), kTurns, to + kTurns);
        std::copy_n(value.score.begin(), kTurns, to + 2 * kTurns);
      }
    }
  });
  if (!wrong.empty()) {
    throw nb::value_error(("row " + std::to_string(bad) + ": " + wrong).c_str());
  }
  const nb::capsule hold = owner(std::move(numbers));
  Out<double, 4> values(out, {n, kMostRows, 3, static_cast<std::size_t>(kTurns)}, hold);
  return nb::make_tuple(codes, values, info);
}

}  // namespace
}  // namespace haiyomi

void bind_winning(nb::module_& m) {
  using namespace haiyomi;
  m.def("win", &win_batch, nb::arg("hands").noconvert(), nb::arg("live").noconvert(),
        nb::arg("reds").noconvert(), nb::arg("melds").noconvert(), nb::arg("context").noconvert(),
        nb::arg("wall").noconvert(), nb::arg("first"), nb::arg("last"), nb::arg("forms"),
        nb::arg("returns"),
        nb::arg("reverse"), nb::arg("tegawari"), nb::arg("back"), nb::arg("extra"),
        nb::arg("riichi"), nb::arg("firm"), nb::arg("go_on"), nb::arg("paid"), nb::arg("worth"),
        nb::arg("ura"),
        nb::arg("tenpai"),
        nb::arg("literal"), nb::arg("must_keep"), nb::arg("kuitan"), nb::arg("multiple_yakuman"),
        nb::arg("double_yakuman"), nb::arg("kiriage"), nb::arg("wind_pair_fu"), nb::arg("threads"),
        "Win and tenpai probability and points by turn; see haiyomi.kernels.winning.");
}
