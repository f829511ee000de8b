#include "option_inputs.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "hand_shape.hpp"
#include "profile.hpp"
#include "score.hpp"
#include "waits.hpp"

namespace haiyomi::options {
namespace {

using record::DecisionBytes;
using record::PlayerBytes;
using record::kNone;

constexpr double kPointsOfHan[] = {1300, 2600, 5000, 7900, 8000, 12000, 14000, 18000};
constexpr double kLeastShare = 6e-6, kMostOdds = 12;

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

std::uint64_t bit(std::uint8_t kind) { return std::uint64_t(1) << (kind & 63); }

std::size_t tile_of(std::uint8_t kind) { return kind == kNone ? 0 : kind; }

// -- shares ---------------------------------------------------------------------------------------

class Shares {
 public:
  Shares(const DecisionBytes& decision, const Options& options, const ChoiceLogits& logits,
         double* share)
      : r_(decision),
        o_(options),
        logits_(logits),
        share_(share),
        there_(options.n),
        score_(options.n) {
    std::fill_n(share, o_.n, 0.0);
  }

  void fill() {
    accept(kTsumo, record::kTsumo);
    accept(kNine, record::kNine);
    accept_kan();
    for (const Sort sort : {kRiichi, kDiscard}) {
      for (std::size_t i = 0; i < o_.n; ++i) {
        // Only the preferred of a red and a plain five of one kind.
        there_[i] = o_.sort[i] == sort && !(o_.red[i] && has_twin(i));
        score_[i] = logits_.discards[tile_of(o_.kind[i])];
      }
      double taken = rest_;
      if (sort == kRiichi)
        taken = may(record::kRiichi) ? sigmoid(logits_.acts[record::kRiichi]) * rest_ : 0;
      spread(taken);
      rest_ -= taken;
    }
    for (std::size_t i = 0; i < o_.n; ++i) {
      const std::uint8_t sort = o_.sort[i];
      const bool claims = sort >= kChiLow && sort <= kRon;
      const unsigned act = claims ? record::kChiLow + (sort - kChiLow) : 0;
      there_[i] = sort == kPass || claims;
      score_[i] = claims ? logits_.acts[act] : 0;
      if (sort == kRon) there_[i] = may(act);
      if (sort >= kChiLow && sort <= kPon && !o_.red[i] && has_twin(i)) there_[i] = false;
    }
    spread(1);
  }

 private:
  bool may(unsigned act) const { return (r_.legal >> act & 1) != 0; }

  // Whether there is an option of this sort and tile with, and one without, a red five.
  bool has_twin(std::size_t i) const {
    for (std::size_t j = 0; j < o_.n; ++j) {
      if (o_.sort[j] == o_.sort[i] && o_.kind[j] == o_.kind[i] &&
          (o_.red[j] != 0) != (o_.red[i] != 0))
        return true;
    }
    return false;
  }

  void accept(Sort sort, unsigned act) {
    if (!may(act)) return;
    const double taken = sigmoid(logits_.acts[act]) * rest_;
    for (std::size_t i = 0; i < o_.n; ++i)
      if (o_.sort[i] == sort) share_[i] = taken;
    rest_ -= taken;
  }

  void accept_kan() {
    int best = -1;
    for (std::uint64_t kans = r_.kans & (bit(34) - 1); kans != 0; kans &= kans - 1) {
      const int kind = std::countr_zero(kans);
      if (best < 0 || logits_.kans[kind] > logits_.kans[best]) best = kind;
    }
    if (best < 0) return;
    const double taken = sigmoid(logits_.kans[best]) * rest_;
    for (std::size_t i = 0; i < o_.n; ++i)
      if (o_.sort[i] == kKan && o_.kind[i] == best) share_[i] = taken;
    rest_ -= taken;
  }

  // Adds `whole` by the softmax of the scores of those that are there.
  void spread(double whole) {
    double top = -std::numeric_limits<double>::infinity(), total = 0;
    for (std::size_t i = 0; i < o_.n; ++i)
      if (there_[i]) top = std::max(top, score_[i]);
    for (std::size_t i = 0; i < o_.n; ++i)
      if (there_[i]) total += score_[i] = std::exp(score_[i] - top);
    for (std::size_t i = 0; i < o_.n; ++i)
      if (there_[i]) share_[i] += score_[i] / total * whole;
  }

  const DecisionBytes& r_;
  const Options& o_;
  const ChoiceLogits& logits_;
  double* share_;
  double rest_ = 1;
  std::vector<std::uint8_t> there_;
  std::vector<double> score_;
};

// -- inputs ---------------------------------------------------------------------------------------

// What an option leaves of the hand.
struct Left {
  int shanten = 6;            // at most 6
  int tiles = 0, next = 0;    // useful tiles, and four times those after the next
  bool tenpai = false;
  std::uint64_t waits = 0;  // kinds that complete it, where they are known
  int alive = 0;            // unseen tiles of these
  bool furiten = false;
};

// The kinds of a player's river, and those let pass in riichi.
std::uint64_t lasting_furiten(const PlayerBytes& player) {
  std::uint64_t out = player.passed_riichi;
  for (const std::uint8_t kind : player.kind)
    if (kind != kNone) out |= bit(kind);
  return out;
}

bool discards(std::uint8_t sort) { return sort == kDiscard || sort == kRiichi; }

int next_kind(int kind) {
  if (kind < 27) return kind / 9 * 9 + (kind % 9 + 1) % 9;
  return kind < 31 ? 27 + (kind - 26) % 4 : 31 + (kind - 30) % 3;
}

int dora(const DecisionBytes& r, std::uint8_t kind) {
  const auto shows = [&](std::uint8_t shown) {
    return kind != kNone && shown != kNone && next_kind(shown) == kind;
  };
  return int(std::count_if(std::begin(r.indicators), std::end(r.indicators), shows));
}

int own_melds(const DecisionBytes& r) {
  const record::MeldBytes* const melds = r.players[0].melds;
  return int(std::count_if(melds, melds + 4,
                           [](const record::MeldBytes& m) { return m.type != kNone; }));
}

class Hand {
 public:
  explicit Hand(const DecisionBytes& decision)
      : r_(decision), barred_(lasting_furiten(decision.players[0])) {
    for (std::uint8_t kind = 1; kind < 34; ++kind)
      if (r_.efficiency[kind][0] < r_.efficiency[best_][0]) best_ = kind;
  }

  // False if the hand that is left is none.
  bool after(std::uint8_t sort, std::uint8_t kind, Left& left) const {
    if (sort >= kChiLow) {
      const int place = sort == kPon ? 4 : sort <= kChiHigh ? sort - kChiLow + 1 : 0;
      const std::uint8_t* call = r_.calls[place];
      left.shanten = call[0], left.tiles = call[1], left.next = call[2];
    } else {
      const std::uint8_t* of = r_.efficiency[discards(sort) ? tile_of(kind) : best_];
      left.shanten = of[0], left.tiles = of[1], left.next = of[3];
      if (sort == kKan && !after_kan(tile_of(kind), left)) return false;
    }
    left.shanten = std::min(left.shanten, 6);
    left.tenpai = left.shanten == 0;
    std::uint64_t found = 0, barred = barred_;
    if (left.tenpai && discards(sort)) {
      const Counts hand = concealed(sort, kind);
      const int melds = melds_of(hand, 1);
      if (melds < 0) return false;
      found = waits(hand, melds);
      barred |= bit(kind);
    } else if (left.tenpai && sort == kPass) {
      found = r_.waits;
      if (r_.players[0].riichi >= 0) barred |= bit(std::min<std::uint8_t>(r_.offered, 34));
    }
    left.waits = found & (bit(34) - 1);
    for (std::uint64_t rest = left.waits; rest != 0; rest &= rest - 1)
      left.alive += r_.unseen[std::countr_zero(rest)];
    left.furiten = (found & barred) != 0;
    return true;
  }

  // What an open hand lacks for a yaku after a discard; zeros after other options and of others.
  // False if the hand that is left is none.
  bool steps(std::uint8_t sort, std::uint8_t kind, bool kuitan, YakuSteps& out) const {
    const WinInput in = shown();
    const std::span melds(in.melds.data(), in.n_melds);
    const bool open = std::any_of(melds.begin(), melds.end(),
                                  [](const Meld& m) { return m.type != MeldType::Ankan; });
    out = {};
    if (!open || sort != kDiscard) return true;
    const Counts hand = concealed(sort, kind);
    if (melds_of(hand, 1) < 0) return false;
    out = yaku_steps({hand, melds, r_.unseen, in.round_wind, in.seat_wind}, kuitan);
    return true;
  }

  // The unseen tiles that a hand left with these waits may win on later.
  WinTiles win_tiles(std::uint8_t sort, std::uint8_t kind, bool kuitan, const Left& left) const {
    if (left.waits == 0) return {};
    WinTiles out{0, 0, 0, {}};
    const PlayerBytes& own = r_.players[0];
    if (sort == kRiichi || own.riichi >= 0) {
      out.by_ron = left.alive;
      for (std::uint64_t rest = left.waits; rest != 0; rest &= rest - 1)
        add_draws(std::countr_zero(rest), out);
      return out;
    }
    WinInput in = shown();
    const Counts hand = concealed(sort, kind);
    for (std::uint64_t rest = left.waits; rest != 0; rest &= rest - 1) {
      in.win_kind = std::uint8_t(std::countr_zero(rest));
      in.concealed = hand;
      ++in.concealed[in.win_kind];
      for (const bool tsumo : {false, true}) {
        in.tsumo = tsumo;
        const HandFacts facts = hand_facts(in);
        const bool wins = facts.ok && best_evaluation(in, facts, {kuitan}).base > 0;
        if (wins && tsumo) add_draws(in.win_kind, out);
        if (wins && !tsumo) out.by_ron += r_.unseen[in.win_kind];
      }
    }
    return out;
  }

 private:
  // The melds and winds of the hand.
  WinInput shown() const {
    WinInput in;
    for (const record::MeldBytes& meld : r_.players[0].melds)
      if (meld.type != kNone) in.melds[in.n_melds++] = {MeldType(meld.type), meld.base};
    in.round_wind = std::uint8_t(27 + r_.kyoku / 4 % 4);
    in.seat_wind = std::uint8_t(27 + (4 - r_.dealer) % 4);
    return in;
  }

  void add_draws(int kind, WinTiles& out) const {
    const int unseen = r_.unseen[kind], from_end = std::min(kind % 9, 8 - kind % 9);
    out.by_draw += unseen;
    if (dora(r_, std::uint8_t(kind)) > 0) out.dora += unseen;
    const int place = kind >= 27 ? 0 : 1 + from_end;
    if (place < 4) out.kinds[std::size_t(place)] += unseen;
  }

  // A kan leaves the hand as the best discard does, unless it breaks the shape. False if the hand
  // that is left is none.
  bool after_kan(std::size_t kind, Left& left) const {
    Counts hand;
    std::copy_n(r_.hand, 34, hand.begin());
    hand[kind] = 0;
    const int melds = melds_of(hand, 1);
    if (melds < 0) return false;
    const HandShape shape(hand, melds);
    if (shape.shanten() <= left.shanten) return true;
    left = {};
    left.shanten = shape.shanten();
    for (std::uint64_t rest = shape.useful(); rest != 0; rest &= rest - 1)
      left.tiles += r_.unseen[std::countr_zero(rest)];
    return true;
  }

  Counts concealed(std::uint8_t sort, std::uint8_t kind) const {
    Counts hand;
    std::copy_n(r_.hand, 34, hand.begin());
    if (discards(sort)) --hand[tile_of(kind)];
    return hand;
  }

  const DecisionBytes& r_;
  std::uint64_t barred_;
  std::uint8_t best_ = 0;  // kind of the best discard
};

// Writes numbers one after another.
struct Writer {
  float* at;
  void put(double number) { *at++ = float(number); }
};

// Of each opponent: the risk at once, the log odds, and the risk times the points.
void put_risks(const std::uint64_t* barred, std::uint8_t sort, std::uint8_t kind,
               const Opponents& opponents, double* risk, Writer& to) {
  double odds[3], loss[3];
  for (std::size_t seat = 0; seat < 3; ++seat) {
    const bool may = discards(sort) && (barred[seat] & bit(kind)) == 0;
    risk[seat] = loss[seat] = 0, odds[seat] = -kMostOdds;
    if (!may) continue;
    const std::size_t at = 34 * seat + tile_of(kind);
    odds[seat] = std::clamp(double(opponents.ron[at]), -kMostOdds, kMostOdds);
    risk[seat] = sigmoid(odds[seat]);
    const float* han = opponents.han + Opponents::kHan * at;
    const double top = *std::max_element(han, han + Opponents::kHan);
    double points = 0, total = 0;
    for (std::size_t i = 0; i < Opponents::kHan; ++i) {
      const double p = std::exp(han[i] - top);
      points += p * kPointsOfHan[i], total += p;
    }
    loss[seat] = risk[seat] * (points / total);
  }
  for (const double p : {risk[0], risk[1], risk[2]}) to.put(p);
  for (const double x : odds) to.put(x / 5);
  for (const double x : loss) to.put(x / 8000);
}

}  // namespace

void shares(const DecisionBytes& decision, const Options& options, const ChoiceLogits& logits,
            double* share) {
  Shares(decision, options, logits, share).fill();
}

bool win_tiles(const DecisionBytes& r, const Options& o, bool kuitan, WinTiles* out) {
  const Hand hand(r);
  for (std::size_t i = 0; i < o.n; ++i) {
    Left left;
    if (!hand.after(o.sort[i], o.kind[i], left)) return false;
    out[i] = hand.win_tiles(o.sort[i], o.kind[i], kuitan, left);
  }
  return true;
}

bool open_steps(const DecisionBytes& r, const Options& o, bool kuitan, YakuSteps* out) {
  const Hand hand(r);
  for (std::size_t i = 0; i < o.n; ++i)
    if (!hand.steps(o.sort[i], o.kind[i], kuitan, out[i])) return false;
  return true;
}

bool inputs(const DecisionBytes& r, const Options& o, const double* share,
            const Opponents& opponents, float* out, double* risk) {
  const Hand hand(r);
  std::vector<Left> every(o.n);
  double likeliest = 0;
  int least = 6, most = 0;
  for (std::size_t i = 0; i < o.n; ++i) {
    if (!hand.after(o.sort[i], o.kind[i], every[i])) return false;
    likeliest = std::max(likeliest, share[i]);
    least = std::min(least, every[i].shanten);
  }
  for (const Left& left : every)
    if (left.shanten == least) most = std::max(most, left.tiles);
  const PlayerBytes& own = r.players[0];
  std::uint64_t barred[3];
  for (std::size_t seat = 0; seat < 3; ++seat)
    barred[seat] = lasting_furiten(r.players[seat + 1]) | r.players[seat + 1].passed;
  const int melds = own_melds(r);
  Writer to{out};
  for (std::size_t i = 0; i < o.n; ++i) {
    const Left& left = every[i];
    const bool best = left.shanten == least;
    for (std::uint8_t sort = 0; sort < kSorts; ++sort) to.put(o.sort[i] == sort);
    to.put(o.red[i] != 0);
    to.put(std::log(std::max(share[i], kLeastShare)) / 4);
    to.put(share[i]);
    to.put(share[i] == likeliest);
    to.put(left.shanten / 3.0);
    to.put(left.tenpai);
    to.put(left.shanten == 1);
    to.put(left.shanten - least);
    to.put(left.tiles / 20.0);
    to.put(left.next / 80.0);
    to.put(best ? (most - left.tiles) / 20.0 : 0);
    to.put(left.alive / 8.0);
    to.put(left.furiten);
    put_risks(barred, o.sort[i], o.kind[i], opponents, risk + 3 * i, to);
    for (std::size_t seat = 0; seat < 3; ++seat) to.put(sigmoid(opponents.tenpai[seat]));
    for (std::size_t seat = 1; seat < 4; ++seat) to.put(r.players[seat].riichi >= 0);
    to.put(dora(r, o.kind[i]));
    to.put(r.draws_left / 70.0);
    to.put(own.riichi >= 0);
    to.put(double(melds) / 4);
    to.put(r.dealer == 0);
  }
  return true;
}

}  // namespace haiyomi::options
