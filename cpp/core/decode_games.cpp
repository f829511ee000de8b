#include "decode_games.hpp"

#include <algorithm>
#include <cstring>

#include "hand_events.hpp"
#include "mixed.hpp"
#include "write_record.hpp"

namespace haiyomi {
namespace {

using namespace record;
using namespace replay;

constexpr std::size_t kNoRow = ~std::size_t{0};

// Bits of absolute seats as bits of seats relative to one.
std::uint8_t relative(int mask, int seat) {
  return std::uint8_t((mask >> seat | mask << (4 - seat)) & 15);
}

// How a hand ended, by absolute seat.
struct HandResult {
  Op kind = Op::Abort;
  int winners = 0;         // or who made nagashi mangan
  int from = -1;           // who dealt in
  int tenpai = 0;          // at an exhaustive draw
  std::int32_t worth = 0;  // a ron of the first winner's hand

  Ending of(int seat) const {
    const bool mine = winners >> seat & 1;
    if (kind == Op::Abort) return kAborted;
    if (kind == Op::Exhaustive && winners != 0) return kNagashi;
    if (kind == Op::Exhaustive) return tenpai >> seat & 1 ? kDrawTenpai : kDrawNoten;
    if (from < 0) return mine ? kWinsByDraw : kOtherDraws;
    return mine ? kWinsByRon : from == seat ? kDealsIn : kOtherRon;
  }
};

// Seats from first to last place: 0 first. On equal points the earlier seat ranks higher.
std::array<std::uint8_t, 4> places(const std::array<std::int32_t, 4>& scores) {
  std::array<std::uint8_t, 4> out{};
  for (std::size_t a = 0; a < 4; ++a)
    for (std::size_t b = 0; b < 4; ++b)
      out[a] = std::uint8_t(out[a] + (scores[b] > scores[a] || (scores[b] == scores[a] && b < a)));
  return out;
}

// Who is away from the table, as the game goes on.
class Lines {
 public:
  explicit Lines(std::span<const LineChange> changes) : rest_(changes) {}
  // The changes that come before event `next` of a hand.
  void pass(int hand, int next) {
    for (; !rest_.empty(); rest_ = rest_.subspan(1)) {
      const LineChange& c = rest_[0];
      if (c.hand > hand || (c.hand == hand && c.event > next)) return;
      down_ = c.back != 0 ? down_ & ~(1 << c.seat) : down_ | 1 << c.seat;
    }
  }
  int down() const { return down_; }

 private:
  std::span<const LineChange> rest_;
  int down_ = 0;
};

class HandDecoder {
 public:
  HandDecoder(const PackedGame& game, std::uint32_t number, const Sampling& sampling, int hand,
              Lines& lines, DecodedRows& out)
      : game_(game), number_(number), sampling_(sampling), hand_(hand), lines_(lines), out_(out),
        first_(out.labels.size()) {
    t_.rules = game.rules;
  }

  GameFault run() {
    const auto h = std::size_t(hand_);
    const std::int32_t* words = game_.words.data();
    end_ = words + game_.hands[h + 1];
    int i = 0;
    try {
      list_events({words + game_.hands[h], end_}, events_);
      for (; i < int(events_.size()); ++i) step(i);
      if (t_.phase != Phase::Won && t_.phase != Phase::End) fail(Fault::NoEnding);
    } catch (const Broken& broken) {
      return {broken.fault, hand_, i, {broken.a, broken.b, broken.c}};
    }
    for (std::size_t row = first_; row < out_.labels.size(); ++row) finish(out_.labels[row]);
    return {};
  }

 private:
  void step(int i) {
    const auto [e, numbers] = events_[std::size_t(i)];
    const bool own_turn = t_.phase == Phase::Act || t_.phase == Phase::Riichi;
    if ((e.op == Op::Discard || e.op == Op::Kakan) && own_turn && e.seat == t_.turn)
      before_tile(i, e);
    Words words{numbers, end_};
    const std::optional<Score> worth = apply(t_, e, words);
    if (worth) note_win(e, *worth);
    if (e.op == Op::Exhaustive) note_exhaustive();
    lines_.pass(hand_, i + 1);
    if (e.op == Op::Draw || e.op == Op::Chi || e.op == Op::Pon) {
      own_row_ = kNoRow;
      add_choice(i, e.seat);
    } else if (e.op == Op::Discard || e.op == Op::Kakan || e.op == Op::Ankan) {
      for (int r = 1; r < 4; ++r) add_choice(i, (e.seat + r) % 4);
    }
  }

  bool wanted(int i, int seat) const {
    if (lines_.down() >> seat & 1) return false;
    if (game_.only) return game_.only->event == i && game_.only->seat == seat;
    return sampling_.below == ~std::uint64_t{0} ||
           sample_hash(sampling_.seed, game_.key, hand_, i, seat) <= sampling_.below;
  }

  // The decision of a seat after event i, if it has two options at least; one will do in `only`.
  void add_choice(int i, int seat) {
    if (sampling_.discards || !wanted(i, seat)) return;
    const Options found = options(t_, seat);
    if (actions(t_, seat, found).count() < (game_.only ? 1 : 2)) return;
    const std::span<const HandEvent> events(events_);
    add(i, seat, found, choice_of(events.subspan(std::size_t(i) + 1), seat, found));
  }

  // A tile is about to be discarded or added to a pon.
  void before_tile(int i, const Event& e) {
    if (sampling_.discards) {
      own_row_ = kNoRow;
      if (e.op == Op::Kakan || t_.players[std::size_t(e.seat)].accepted) return;
      if (!wanted(i - 1, e.seat)) return;
      const std::uint16_t riichi = t_.phase == Phase::Riichi ? 1 << kRiichi : 0;
      add(i - 1, e.seat, options(t_, e.seat),
          {std::uint8_t(kind_of(e.code)), kNotDecided, riichi, riichi});
    }
    if (own_row_ == kNoRow) return;
    LabelBytes& row = out_.labels[own_row_];
    if (e.op == Op::Discard) row.code = std::uint8_t(e.code);
    const bool robbed = e.op == Op::Kakan;
    for (int r = 1; r < 4; ++r) {
      const int s = (e.seat + r) % 4;
      if (ron_mask(t_, s, robbed) & bit(kind_of(e.code)))
        set_worth(row, r, score_win(t_.win_input(s, e.code, false, robbed), t_.rules.score));
    }
  }

  void add(int i, int seat, const Options& found, const ChoiceBytes& choice) {
    write_record(t_, found, seat, game_.rounds, out_.records.emplace_back());
    LabelBytes& row = out_.labels.emplace_back();
    std::memset(&row, 0, sizeof row);
    row.game = number_;
    row.hand = std::uint16_t(hand_);
    row.event = std::uint16_t(i);
    row.discards = std::uint16_t(t_.n_discards);
    row.seat = std::uint8_t(seat);
    row.away = relative(lines_.down(), seat);
    row.choice = choice;
    row.code = kNone;
    row.deposits = std::uint8_t(deposits());
    for (int r = 1; r < 4; ++r) write_opponent((seat + r) % 4, row.opponents[r - 1]);
    for (int r = 0; r < 4; ++r) row.deltas[r] = t_.scores[std::size_t((seat + r) % 4)];
    if (seat == t_.turn) own_row_ = out_.labels.size() - 1;
  }

  void write_opponent(int s, OpponentBytes& out) {
    Player& p = t_.players[std::size_t(s)];
    std::copy(p.concealed.begin(), p.concealed.end(), out.concealed);
    out.reds = p.reds;
    const std::uint64_t waits = p.waits_now();
    out.waits = waits;
    out.furiten = p.furiten(waits);
    out.ron = ron_mask(t_, s, false);
  }

  static void set_worth(LabelBytes& row, int r, const Score& score) {
    OpponentBytes& o = row.opponents[r - 1];
    o.han = score.han;
    o.fu = score.fu;
    o.points = score.ron;
  }

  void note_win(const Event& e, const Score& score) {
    result_.kind = Op::Win;
    if (result_.winners == 0) result_.worth = score.ron;
    result_.winners |= 1 << e.seat;
    if (e.seat == e.target) return;
    result_.from = e.target;
    if (own_row_ == kNoRow) return;
    LabelBytes& row = out_.labels[own_row_];
    const int r = (e.seat - row.seat + 4) % 4;
    row.ronned |= std::uint8_t(1 << r);
    set_worth(row, r, score);
  }

  void note_exhaustive() {
    result_.kind = Op::Exhaustive;
    for (int s = 0; s < 4; ++s) {
      Player& p = t_.players[std::size_t(s)];
      result_.winners |= p.nagashi << s;
      result_.tenpai |= (p.waits_now() != 0) << s;
    }
  }

  // Bits of the seats that have paid a riichi deposit in this hand.
  int deposits() const {
    int out = 0;
    for (int s = 0; s < 4; ++s) out |= t_.players[std::size_t(s)].accepted << s;
    return out;
  }

  void finish(LabelBytes& row) const {
    const int seat = row.seat;
    row.ending = result_.of(seat);
    row.winners = relative(result_.winners, seat);
    row.tenpai = relative(result_.tenpai, seat);
    row.deposits = relative(deposits() & ~row.deposits, seat);
    row.worth = result_.worth;
    row.from = result_.from < 0 ? kNone : std::uint8_t((result_.from - seat + 4) % 4);
    const auto place = places(game_.final);
    for (int r = 0; r < 4; ++r) {
      const auto s = std::size_t((seat + r) % 4);
      row.deltas[r] = t_.scores[s] - row.deltas[r];
      row.final[r] = game_.whole ? game_.final[s] : 0;
      row.places[r] = game_.whole ? place[s] : kNone;
    }
  }

  const PackedGame& game_;
  std::uint32_t number_;
  const Sampling& sampling_;
  int hand_;
  Lines& lines_;
  DecodedRows& out_;
  std::size_t first_;
  Table t_;
  std::vector<HandEvent> events_;
  const std::int32_t* end_ = nullptr;
  std::size_t own_row_ = kNoRow;  // of the decision of whose turn it is
  HandResult result_;
};

}  // namespace

GameFault decode_game(const PackedGame& game, std::uint32_t number, const Sampling& sampling,
                      DecodedRows& out) {
  const std::size_t before = out.labels.size();
  Lines lines(game.lines);
  for (int hand = 0; hand + 1 < int(game.hands.size()); ++hand) {
    const GameFault fault = HandDecoder(game, number, sampling, hand, lines, out).run();
    if (fault.fault == Fault::None) continue;
    out.records.resize(before);
    out.labels.resize(before);
    return fault;
  }
  return {};
}

std::uint64_t sample_hash(std::uint64_t seed, std::uint64_t game, int hand, int event, int seat) {
  const std::uint64_t place = std::uint64_t(hand) << 32 | std::uint64_t(event) << 2 |
                              std::uint64_t(seat);
  return mixed(mixed(mixed(seed + kGolden) ^ game) + place);
}

}  // namespace haiyomi
