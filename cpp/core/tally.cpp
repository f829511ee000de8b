#include "tally.hpp"

#include <optional>

#include "replay_words.hpp"
#include "shanten.hpp"

namespace haiyomi {
namespace {

using replay::dora_of;
using replay::Event;
using replay::is_red;
using replay::kind_of;
using replay::Words;

struct Stop {
  TallyFault fault;
  std::int32_t detail = 0;
};

// One seat's tiles and acts in the hand so far.
struct Seat {
  Counts held{}, kans{};
  int tiles = 0;
  int reds = 0, kan_reds = 0;
  int discards = 0, calls = 0;
  bool declaring = false, riichi = false, tenpai = false;

  void add(int code) {
    std::uint8_t& count = held[static_cast<std::size_t>(kind_of(code))];
    if (count == 4) throw Stop{TallyFault::Fifth, code};
    ++count;
    ++tiles;
    reds += is_red(code);
  }
  void take(int code) {
    std::uint8_t& count = held[static_cast<std::size_t>(kind_of(code))];
    if (count == 0) throw Stop{TallyFault::NotHeld, code};
    --count;
    --tiles;
    reds -= is_red(code);
  }
  int honours() const {
    int n = 0;
    for (std::size_t k = 27; k < 34; ++k) n += held[k];
    return n;
  }
};

class Hand {
 public:
  Hand(Words words, unsigned absent, SeatSums& sums) : words_(words), absent_(absent), sums_(sums) {}

  // -1, or the first number of tiles that no hand has.
  int play() {
    const Event start = replay::next_event(words_);
    if (start.op != Op::Start) throw Stop{TallyFault::Damaged};
    begin(start);
    while (words_.at != words_.end) {
      const Event e = replay::next_event(words_);
      last_ = {last_[1], last_[2], e};
      apply(e);
    }
    end();
    return wrong_size_;
  }

 private:
  void begin(const Event& start) {
    dora_.fill(0);
    show(start.code);
    kyoku_ = words_.next();
    honba_ = words_.next();
    words_.next();
    for (auto& points : scores_) points = words_.next();
    last_[2] = start;
  }

  void apply(const Event& e) {
    auto& sits = seats_[static_cast<std::size_t>(e.seat)];
    Seat* const seat = sits ? &*sits : nullptr;
    switch (e.op) {
      case Op::Start: return skip(7);
      case Op::Deal: return deal();
      case Op::Draw:
        if (seat != nullptr) seat->add(e.code);
        return;
      case Op::Discard:
        if (seat != nullptr) discard(e, *seat);
        return;
      case Op::Riichi: return riichi(e.seat, seat);
      case Op::Chi:
      case Op::Pon:
      case Op::Daiminkan: return call(e.seat, seat);
      case Op::Ankan:
        for (int left = count(); left > 0; --left) {
          const int code = tile();
          if (seat == nullptr) continue;
          seat->take(code);
          ++seat->kans[static_cast<std::size_t>(kind_of(code))];
          seat->kan_reds += is_red(code);
        }
        return;
      case Op::Kakan:
        if (seat != nullptr) seat->take(e.code);
        return;
      case Op::Dora: return show(e.code);
      case Op::Win:
        skip(4);
        skip(count());
        if (const int yaku = words_.number(-1, kLots); yaku > 0) skip(2 * std::int64_t{yaku});
        return skip(3);
      case Op::Abort: return skip(2);
      case Op::Exhaustive: return skip(6);
      case Op::Accepted: return;
    }
  }

  // -- words --------------------------------------------------------------------------------

  static constexpr std::int32_t kLots = 1 << 24;

  void skip(std::int64_t n) {
    if (n > words_.end - words_.at) throw Stop{TallyFault::Damaged};
    words_.at += n;
  }
  int count() { return words_.number(0, kLots); }
  int tile() { return words_.number(0, 36); }

  // -- events -------------------------------------------------------------------------------

  void add(int seat, Sum sum, double value = 1) {
    sums_[static_cast<std::size_t>(seat)][static_cast<std::size_t>(sum)] += value;
  }
  std::int32_t points(int seat) const { return scores_[static_cast<std::size_t>(seat)]; }
  int dealer() const { return kyoku_ % 4; }

  void show(int indicator) { ++dora_[static_cast<std::size_t>(dora_of(kind_of(indicator)))]; }

  int dora(const Seat& seat) const {
    int n = seat.reds + seat.kan_reds;
    for (std::size_t k = 0; k < 34; ++k) n += dora_[k] * (seat.held[k] + seat.kans[k]);
    return n;
  }

  int shanten(const Seat& seat) {
    std::int8_t out = 0;
    if (shanten_rows(seat.held.data(), 1, &out) == 0 && wrong_size_ < 0) wrong_size_ = seat.tiles;
    return out;
  }

  void deal() {
    std::array<int, 4> sizes;
    for (int& n : sizes) n = count();
    for (int s = 0; s < 4; ++s) {
      auto& seat = seats_[static_cast<std::size_t>(s)];
      const int n = sizes[static_cast<std::size_t>(s)];
      if (n == 0 || absent_ >> s & 1) {
        seat.reset();
        add(s, n == 0 ? Sum::HiddenHands : Sum::AbsentHands);
        skip(n);
        continue;
      }
      seat.emplace();
      for (int i = 0; i < n; ++i) seat->add(tile());
      circumstances(s);
    }
  }

  void circumstances(int s) {
    add(s, Sum::Hands);
    if (s == 0) add(s, Sum::FirstDealerHands), add(s, Sum::FirstDealerPoints, points(s));
    if ((s - dealer() + 4) % 4 == 3) add(s, Sum::NorthHands), add(s, Sum::NorthPoints, points(s));
    if (kyoku_ < 4) {
      add(s, Sum::EastHands), add(s, Sum::EastPoints, points(s));
    } else if (kyoku_ < 8) {
      add(s, Sum::SouthHands), add(s, Sum::SouthPoints, points(s));
    }
  }

  void riichi(int s, Seat* seat) {
    const bool first = !declared_;
    declared_ = true;
    if (seat == nullptr) return;
    seat->declaring = true;
    add(s, Sum::Riichi);
    add(s, Sum::FirstRiichi, first);
    add(s, Sum::RiichiTurn, seat->discards + 1);
    add(s, Sum::RiichiPoints, points(s));
  }

  void discard(const Event& e, Seat& seat) {
    seat.take(e.code);
    ++seat.discards;
    if (seat.declaring) add(e.seat, Sum::RiichiDora, dora(seat));
    if (seat.calls == 0 && !seat.riichi) closed(e.seat, seat);
    seat.riichi |= seat.declaring;
    seat.declaring = false;
  }

  // A closed hand after a discard: whether it is tenpai for the first time.
  void closed(int s, Seat& seat) {
    if (shanten(seat) != 0 || seat.tenpai) return;
    seat.tenpai = true;
    add(s, Sum::Tenpai);
    add(s, Sum::Immediate, seat.declaring);
    if (s == dealer()) return;
    add(s, Sum::TenpaiChild);
    add(s, Sum::ImmediateChild, seat.declaring);
  }

  void call(int s, Seat* seat) {
    const int own = count();
    if (seat == nullptr) return skip(own);
    if (seat->calls == 0) {
      add(s, Sum::Opened);
      add(s, Sum::OpenedPoints, points(s));
      add(s, Sum::OpenedHonours, seat->honours());
      add(s, Sum::OpenedDora, dora(*seat));
      add(s, Sum::OpenedShanten, shanten(*seat));
    }
    ++seat->calls;
    add(s, Sum::Calls);
    add(s, Sum::CallTurn, seat->discards + 1);
    if (s == dealer()) add(s, Sum::DealerCalls), add(s, Sum::DealerCallHonba, honba_);
    for (int i = 0; i < own; ++i) seat->take(tile());
  }

  void end() {
    for (int s = 0; s < 4; ++s) {
      const auto& seat = seats_[static_cast<std::size_t>(s)];
      if (!seat) continue;
      add(s, Sum::EndHonours, seat->honours());
      bool won = false, dealt_in = false;
      for (const Event& e : last_) {
        won |= e.op == Op::Win && e.seat == s;
        dealt_in |= e.op == Op::Win && e.seat != s && e.target == s;
      }
      add(s, Sum::Wins, won);
      add(s, Sum::DealIns, dealt_in);
    }
  }

  Words words_;
  unsigned absent_;
  SeatSums& sums_;
  std::array<std::optional<Seat>, 4> seats_;  // of those that are seen and at the table
  std::array<int, 34> dora_{};  // how many indicators name each kind
  int kyoku_ = 0, honba_ = 0;
  std::array<std::int32_t, 4> scores_{};
  int wrong_size_ = -1;
  bool declared_ = false;  // somebody has declared riichi
  std::array<Event, 3> last_{};  // the last three events: a hand ends with at most three wins
};

void finish(SeatSums& sums) {
  for (auto& of_seat : sums) {
    const auto at = [&](Sum sum) -> double& { return of_seat[static_cast<std::size_t>(sum)]; };
    if (at(Sum::Riichi) > 0) {
      at(Sum::RiichiGames) = 1;
      at(Sum::RiichiGameTurn) = at(Sum::RiichiTurn) / at(Sum::Riichi);
    }
    at(Sum::Games) = at(Sum::Hands) > 0;
  }
}

}  // namespace

TallyEnd tally_game(std::span<const std::int32_t> words, std::span<const std::int64_t> hands,
                    std::span<const std::uint8_t> absent, SeatSums& sums) {
  sums = {};
  TallyEnd out;
  std::size_t hand = 0;
  try {
    for (; hand < absent.size(); ++hand) {
      const auto first = hands[hand], last = hands[hand + 1];
      const int wrong = Hand({words.data() + first, words.data() + last}, absent[hand], sums).play();
      if (wrong >= 0 && out.fault == TallyFault::None) out = {TallyFault::NoHand, hand, wrong};
    }
  } catch (const Stop& stop) {
    return {stop.fault, hand, stop.detail};
  } catch (const replay::Broken&) {
    return {TallyFault::Damaged, hand, 0};
  }
  finish(sums);
  return out;
}

}  // namespace haiyomi
