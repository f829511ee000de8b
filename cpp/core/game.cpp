// The course of a game: deals, draws, answers in their priority, endings.
#include "game.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace haiyomi {

using replay::Event;
using replay::is_red;
using replay::kind_of;
namespace action = replay::action;

namespace {

constexpr int kExtraRound = 4;  // hands, while nobody has reached the target
constexpr int kLastKyoku = 15;  // North 4: no rules play on after it
constexpr std::int32_t kDeposit = 1000;

int leader(const std::array<std::int32_t, 4>& scores) {
  return int(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

// The codes of n own tiles of a kind, plain before red; `red`: the red five is among them.
void own_tiles(std::int32_t* out, int n, int kind, bool red) {
  std::fill(out, out + n, kind);
  if (red) out[n - 1] = 34 + kind / 9;
}

}  // namespace

GameEnd end_of_game(const GameRules& rules, int kyoku, const HandEnd& end) {
  GameEnd out{false, end.scores};
  const auto& scores = end.scores;
  const int last = 4 * rules.rounds - 1;
  if (rules.tobi && *std::min_element(scores.begin(), scores.end()) < 0) {
    out.over = true;
  } else if (kyoku >= last && end.kind != Op::Abort) {
    const bool reached = *std::max_element(scores.begin(), scores.end()) >= rules.target_points;
    out.over = end.renchan ? reached && leader(scores) == kyoku % 4
                           : reached || kyoku >= std::min(last + kExtraRound, kLastKyoku);
  }
  if (out.over) out.scores[std::size_t(leader(scores))] += kDeposit * end.sticks;
  return out;
}

Game::Game(const GameRules& rules, std::uint64_t seed, std::uint64_t number, int most_hands,
           bool keep)
    : rules_(rules), seed_(seed), number_(number), most_hands_(most_hands), keep_(keep) {
  scores_.fill(rules.start_points);
  run();
}

Game::Game(const GameRules& rules, std::uint64_t seed, std::uint64_t number, int most_hands,
           bool keep, std::span<const std::int32_t> words, const Wall& wall)
    : rules_(rules), seed_(seed), number_(number), most_hands_(most_hands), keep_(keep),
      wall_(wall) {
  follow(words);
  run();
}

void Game::emit(const Event& event, std::span<const std::int32_t> numbers) {
  replay::Words words{numbers.data(), numbers.data() + numbers.size()};
  replay::apply(t_, event, words);
  if (!keep_) return;
  words_.push_back(replay::word(event));
  words_.insert(words_.end(), numbers.begin(), numbers.end());
}

void Game::run() {
  while (!over_ && pending_ == 0) {
    switch (next_) {
      case Next::Deal: deal(); break;
      case Next::Draw: draw(false); break;
      case Next::Replacement: draw(true); break;
      case Next::Turn: {
        ask(t_.turn);
        if (pending_ == 0) throw std::logic_error("a seat in turn has no option");
        if (legal(t_.turn).count() == 1) {
          pending_ = 0;
          turn_action(t_.turn, legal(t_.turn).first());
        }
        break;
      }
      case Next::Claims:
      case Next::Robbers:
        for (int i = 1; i < 4; ++i) ask((t_.turn + i) % 4);
        if (pending_ == 0) after_claims();
        break;
      case Next::Nothing: over_ = true; break;
    }
  }
}

void Game::ask(int seat) {
  const auto s = std::size_t(seat);
  options_[s] = replay::options(t_, seat);
  if (!options_[s].any()) return;
  legal_[s] = replay::actions(t_, seat, options_[s]);
  pending_ |= 1u << seat;
}

void Game::answer(const std::array<int, 4>& actions) {
  for (int seat = 0; seat < 4; ++seat) {
    if ((pending_ >> seat & 1) != 0 && !legal(seat).has(actions[std::size_t(seat)]))
      throw std::invalid_argument("action " + std::to_string(actions[std::size_t(seat)]) +
                                  " of seat " + std::to_string(seat) + " is not legal");
  }
  const unsigned pending = pending_;
  pending_ = 0;
  if (next_ == Next::Turn) {
    turn_action(t_.turn, actions[std::size_t(t_.turn)]);
  } else {
    for (int seat = 0; seat < 4; ++seat)
      answers_[std::size_t(seat)] =
          (pending >> seat & 1) != 0 ? actions[std::size_t(seat)] : action::kPass;
    after_claims();
    answers_.fill(action::kPass);
  }
  run();
}

void Game::deal() {
  const std::string name =
      "game/" + std::to_string(number_) + "/wall/" + std::to_string(hands_);
  wall_ = Wall::shuffled(Pcg64(seed_, name));
  if (keep_) {
    begins_.push_back(words_.size());
    walls_.push_back(wall_.tiles);
  }
  t_ = replay::Table{};
  t_.rules = rules_.hand;
  answers_.fill(action::kPass);
  const std::int32_t start[7] = {kyoku_,     honba_,     sticks_,   scores_[0],
                                 scores_[1], scores_[2], scores_[3]};
  emit({Op::Start, code(wall_.indicator(0))}, start);
  std::array<std::int32_t, 56> dealt{13, 13, 13, 13};
  auto at = dealt.begin() + 4;
  for (const auto& hand : wall_.deal(kyoku_ % 4))
    at = std::transform(hand.begin(), hand.end(), at, [&](int tile) { return code(tile); });
  emit({Op::Deal}, dealt);
  next_ = Next::Draw;
}

void Game::draw(bool replacement) {
  if (!replacement && t_.draws_left == 0) return exhausted();
  const int seat = replacement || t_.phase == replay::Phase::Draw ? t_.turn : (t_.turn + 1) % 4;
  const int tile = replacement ? wall_.replacement() : wall_.draw();
  emit({Op::Draw, code(tile), seat, 0, replacement});
  next_ = Next::Turn;
}

void Game::turn_action(int seat, int a) {
  if (a < action::kKan) return discard(seat, a % action::kTsumogiri, a >= action::kTsumogiri);
  if (a < action::kPon) return own_kan(seat, a - action::kKan);
  if (a == action::kTsumo) return win(1u << seat, true);
  if (a == action::kNine) return abort(AbortReason::NineTerminals, seat);
  emit({Op::Riichi, 0, seat});
}

void Game::discard(int seat, int code, bool tsumogiri) {
  show_indicators(t_.pending_dora);
  emit({Op::Discard, code, seat, 0, tsumogiri});
  next_ = Next::Claims;
}

void Game::show_indicators(int n) {
  for (; n > 0; --n) emit({Op::Dora, code(wall_.indicator(t_.n_indicators))});
}

void Game::own_kan(int seat, int kind) {
  const replay::Player& p = t_.players[seat];
  const bool red = kind < 27 && kind % 9 == 4 && (p.reds >> (kind / 9) & 1) != 0;
  if (p.concealed[kind] == 4) {
    std::int32_t numbers[5] = {4};
    own_tiles(numbers + 1, 4, kind, red);
    emit({Op::Ankan, 0, seat}, numbers);
  } else {
    emit({Op::Kakan, red ? 34 + kind / 9 : kind, seat});
  }
  next_ = Next::Robbers;
}

// Of those who answer another's tile, winners come before a pon or kan, and these before a chi.
void Game::after_claims() {
  unsigned winners = 0;
  for (int seat = 0; seat < 4; ++seat)
    if (answers_[std::size_t(seat)] == action::kRon) winners |= 1u << seat;
  if (winners != 0) return win(winners, false);
  if (next_ == Next::Robbers) {
    show_indicators(t_.due_dora);
    next_ = Next::Replacement;
    return;
  }
  if (t_.accept_due) emit({Op::Accepted, 0, t_.turn});
  if (t_.four_winds()) return abort(AbortReason::FourWinds, -1);
  if (t_.four_kans()) return abort(AbortReason::FourKans, -1);
  if (t_.four_riichi()) return abort(AbortReason::FourRiichi, -1);
  int caller = -1;
  for (int i = 3; i > 0; --i) {  // the chi is the next seat's
    const int seat = (t_.turn + i) % 4, a = answers_[std::size_t(seat)];
    if (a == action::kPass) continue;
    if (caller < 0 || a < action::kChi) caller = seat;
  }
  if (caller >= 0) return call(caller, answers_[std::size_t(caller)]);
  next_ = Next::Draw;
}

void Game::call(int seat, int a) {
  const int kind = kind_of(t_.last);
  std::int32_t numbers[4] = {2};
  Op op = Op::Pon;
  if (a >= action::kChi) {
    op = Op::Chi;
    const action::Pair pair = action::kPairs[std::size_t(a - action::kChi)];
    numbers[1] = pair.low;
    numbers[2] = pair.high;
  } else if (a >= action::kPon) {
    own_tiles(numbers + 1, 2, kind, is_red(a - action::kPon));
  } else {
    op = Op::Daiminkan;
    numbers[0] = 3;
    const bool red = kind < 27 && kind % 9 == 4 && (t_.players[seat].reds >> (kind / 9) & 1) != 0;
    own_tiles(numbers + 1, 3, kind, red);
  }
  emit({op, t_.last, seat, t_.turn}, std::span(numbers, std::size_t(numbers[0]) + 1));
  next_ = op == Op::Daiminkan ? Next::Robbers : Next::Turn;
}

void Game::win(unsigned winners, bool tsumo) {
  if (winners == (0xfu ^ 1u << t_.turn) && !rules_.hand.triple_ron)
    return abort(AbortReason::TripleRon, -1);
  const int target = t_.turn;
  for (int i = 0; i < 4; ++i) {
    const int seat = (target + i) % 4;
    if ((winners >> seat & 1) == 0) continue;
    std::array<std::uint8_t, 5> ura{};
    const int n_ura = t_.players[seat].accepted ? t_.n_indicators : 0;
    for (int k = 0; k < n_ura; ++k) ura[std::size_t(k)] = std::uint8_t(code(wall_.ura(k)));
    const replay::WinWorth worth = replay::win_worth(t_, seat, tsumo, ura.data(), n_ura);
    std::vector<std::int32_t> numbers(worth.deltas.begin(), worth.deltas.end());
    numbers.push_back(n_ura);
    numbers.insert(numbers.end(), ura.begin(), ura.begin() + n_ura);
    const std::size_t n_yaku = numbers.size();
    numbers.push_back(0);
    for (int id = 0; id < kYakuIds; ++id) {
      if (worth.score.yaku_han[id] == 0) continue;
      ++numbers[n_yaku];
      numbers.push_back(id);
      numbers.push_back(worth.score.yaku_han[id]);
    }
    numbers.insert(numbers.end(), {worth.score.fu, worth.points, worth.pao});
    emit({Op::Win, tsumo ? t_.drawn : t_.last, seat, target}, numbers);
  }
  hand_over(Op::Win);
}

void Game::abort(AbortReason reason, int seat) {
  const std::int32_t numbers[2] = {std::int32_t(reason), seat};
  emit({Op::Abort}, numbers);
  hand_over(Op::Abort);
}

void Game::exhausted() {
  const replay::WallOut out = replay::wall_out(t_);
  const std::int32_t numbers[6] = {out.deltas[0], out.deltas[1], out.deltas[2],
                                   out.deltas[3], out.tenpai,    out.nagashi};
  emit({Op::Exhaustive}, numbers);
  hand_over(Op::Exhaustive);
}

void Game::hand_over(Op last) {
  const HandEnd end = replay::end_of(t_, last);
  const GameEnd game = end_of_game(rules_, kyoku_, end);
  ++hands_;
  scores_ = game.scores;
  sticks_ = game.over ? 0 : end.sticks;
  kyoku_ = end.next_kyoku;
  honba_ = end.next_honba;
  finished_ = game.over;
  over_ = game.over || hands_ == most_hands_;
  next_ = Next::Deal;
}

// Reads the beginning of a hand, whose tiles must be the wall's.
void Game::follow(std::span<const std::int32_t> given) {
  using replay::Phase;
  t_.rules = rules_.hand;
  answers_.fill(action::kPass);
  replay::Words words{given.data(), given.data() + given.size()};
  const auto differs = [](const char* what) {
    throw std::invalid_argument(std::string("the wall has another ") + what + " than the hand");
  };
  while (words.at != words.end) {
    const Event e = replay::next_event(words);
    if (e.op == Op::Deal) {
      const std::int32_t* at = words.at + 4;
      for (const auto& hand : wall_.deal(t_.dealer)) {
        for (const int tile : hand)
          if (at >= words.end || *at++ != code(tile)) differs("deal");
      }
    }
    const int shown = t_.n_indicators;
    replay::apply(t_, e, words);
    if (e.op == Op::Draw && e.code != code(e.flag ? wall_.replacement() : wall_.draw()))
      differs("draw");
    if ((e.op == Op::Start || e.op == Op::Dora) && e.code != code(wall_.indicator(shown)))
      differs("indicator");
  }
  switch (t_.phase) {
    case Phase::Draw: next_ = Next::Draw; break;
    case Phase::Act:
    case Phase::Riichi: next_ = Next::Turn; break;
    case Phase::Claim: next_ = Next::Claims; break;
    case Phase::Kan: next_ = Next::Robbers; break;
    default: throw std::invalid_argument("the hand has not been dealt, or has ended");
  }
  if (keep_) {
    begins_.push_back(0);
    walls_.push_back(wall_.tiles);
    words_.assign(given.begin(), given.end());
  }
  kyoku_ = t_.kyoku;
  honba_ = t_.honba;
  sticks_ = t_.sticks;
  scores_ = t_.scores;
}

}  // namespace haiyomi
