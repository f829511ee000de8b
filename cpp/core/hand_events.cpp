#include "hand_events.hpp"

#include <algorithm>

namespace haiyomi::replay {
namespace {

using namespace record;

constexpr std::uint16_t act(unsigned number) { return std::uint16_t(1u << number); }
constexpr std::uint16_t kOffers = act(kChiLow) | act(kChiMid) | act(kChiHigh) | act(kPon) |
                                  act(kOpenKan) | act(kRon);
constexpr ChoiceBytes kUnknown{kNone, kNotDecided, 0, 0};

void skip(Words& words, int n) {
  while (n-- > 0) words.next();
}

void skip_numbers(const Event& e, Words& words) {
  std::int32_t own[4];
  switch (e.op) {
    case Op::Start: return skip(words, 7);
    case Op::Deal: {
      int n = 0;
      for (int s = 0; s < 4; ++s) n += words.number(0, 136);
      return skip(words, n);
    }
    case Op::Chi:
    case Op::Pon:
    case Op::Daiminkan:
    case Op::Ankan: words.codes(own, 4); return;
    case Op::Win:
      skip(words, 4);
      skip(words, words.number(0, 5));
      skip(words, 2 * words.number(-1, kYakuIds));
      return skip(words, 3);
    case Op::Abort: return skip(words, 2);
    case Op::Exhaustive: return skip(words, 6);
    default: return;
  }
}

unsigned act_of(const HandEvent& call) {
  if (call.event.op == Op::Pon) return kPon;
  if (call.event.op == Op::Daiminkan) return kOpenKan;
  if (call.numbers[0] != 2) fail(Fault::CallShape, call.event.seat, call.event.code);
  const int called = kind_of(call.event.code);
  const auto [low, high] = std::minmax({kind_of(call.numbers[1]), kind_of(call.numbers[2])});
  return called < low ? kChiLow : called > high ? kChiHigh : kChiMid;
}

ChoiceBytes answer(std::span<const HandEvent> after, int seat, std::uint16_t legal) {
  while (!after.empty() &&
         (after[0].event.op == Op::Accepted || after[0].event.op == Op::Dora))
    after = after.subspan(1);
  if (after.empty()) return kUnknown;
  const Event& first = after[0].event;
  std::uint16_t decided = legal & kOffers;
  if (first.op == Op::Win) {
    const bool won = std::any_of(after.begin(), after.end(), [&](const HandEvent& e) {
      return e.event.op == Op::Win && e.event.seat == seat;
    });
    return won ? ChoiceBytes{kNone, kNotDecided, decided, act(kRon)} : kUnknown;
  }
  if (first.op == Op::Abort) return kUnknown;
  if (first.op == Op::Chi || first.op == Op::Pon || first.op == Op::Daiminkan) {
    if (first.seat == seat) return {kNone, kNotDecided, decided, act(act_of(after[0]))};
    // A pon or kan comes before a chi, whatever this seat wanted.
    if (first.op != Op::Chi) decided &= act(kRon) | act(kPon) | act(kOpenKan);
  }
  return decided == 0 ? kUnknown : ChoiceBytes{kNone, kNotDecided, decided, 0};
}

}  // namespace

void list_events(Words words, std::vector<HandEvent>& out) {
  while (words.at != words.end) {
    const Event e = next_event(words);
    out.push_back({e, words.at});
    skip_numbers(e, words);
  }
}

ChoiceBytes choice_of(std::span<const HandEvent> after, int seat, const Options& options) {
  if (options.acts & kOffers) return answer(after, seat, options.acts);
  std::size_t i = 0;
  const auto next = [&]() -> const HandEvent* {
    while (i < after.size() && after[i].event.op == Op::Dora) ++i;
    return i < after.size() ? &after[i] : nullptr;
  };
  const std::uint16_t before_kan = options.acts & (act(kTsumo) | act(kNine));
  std::uint16_t taken = 0;
  const HandEvent* first = next();
  if (first != nullptr && first->event.op == Op::Riichi) {
    taken = act(kRiichi);
    ++i;
    first = next();
  }
  if (first == nullptr) return kUnknown;
  switch (first->event.op) {
    case Op::Win: return {kNone, kNotDecided, act(kTsumo), act(kTsumo)};
    case Op::Abort: return {kNone, kNotDecided, before_kan, act(kNine)};
    case Op::Kakan: return {kNone, std::uint8_t(kind_of(first->event.code)), before_kan, 0};
    case Op::Ankan:
      if (first->numbers[0] != 4) fail(Fault::CallShape, first->event.seat, first->event.code);
      return {kNone, std::uint8_t(kind_of(first->numbers[1])), before_kan, 0};
    case Op::Discard:
      return {std::uint8_t(kind_of(first->event.code)),
              options.kans != 0 ? kNone : kNotDecided, options.acts, taken};
    default: return kUnknown;
  }
}

}  // namespace haiyomi::replay
