// One table: a game played hand by hand, which stops wherever a seat has a choice.
//
// Every event is applied by the checked replay's own step functions, so that a game is legal by
// the rules that judge a record. Moments with a single option pass without a question.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "options.hpp"
#include "replay_words.hpp"
#include "wall.hpp"

namespace haiyomi {

struct GameRules {
  ReplayRules hand;
  int rounds = 2;  // 1 East-only, 2 hanchan, 4 full
  std::int32_t start_points = 25000, target_points = 30000;
  bool tobi = true;
};

// How a game goes on after a hand.
struct GameEnd {
  bool over = false;
  std::array<std::int32_t, 4> scores{};  // the leader has the deposits once the game is over
};
GameEnd end_of_game(const GameRules& rules, int kyoku, const HandEnd& end);

class Game {
 public:
  // A game from its first deal. `seed` and `number` name every wall as play/match.py does.
  // `most_hands`: stop after so many, 0 for the game's end; `keep`: record words and walls.
  Game(const GameRules& rules, std::uint64_t seed, std::uint64_t number, int most_hands, bool keep);
  // From the middle of a hand: the words so far, at least Start and Deal, and the hand's wall,
  // which must agree with them. Throws replay::Broken, std::invalid_argument.
  Game(const GameRules& rules, std::uint64_t seed, std::uint64_t number, int most_hands, bool keep,
       std::span<const std::int32_t> words, const Wall& wall);

  bool over() const { return over_; }
  // Seats with a choice, as bits; none once the game is over.
  unsigned pending() const { return pending_; }
  const replay::Actions& legal(int seat) const { return legal_[std::size_t(seat)]; }
  const replay::Options& options(int seat) const { return options_[std::size_t(seat)]; }
  // Take the answers (by seat, of the seats with a choice) and play on to the next choice. Throws
  // std::invalid_argument for an action that is not legal, and nothing has changed then.
  void answer(const std::array<int, 4>& actions);

  replay::Table& table() { return t_; }
  const replay::Table& table() const { return t_; }
  const GameRules& rules() const { return rules_; }
  std::uint64_t seed() const { return seed_; }
  std::uint64_t number() const { return number_; }
  int hands() const { return hands_; }  // finished
  // After the last finished hand, the deposits with the leader once the game is over; before the
  // first those it started with.
  const std::array<std::int32_t, 4>& scores() const { return scores_; }
  int kyoku() const { return kyoku_; }  // of the hand in play, or of the one that would follow
  int honba() const { return honba_; }
  int sticks() const { return sticks_; }
  bool finished() const { return finished_; }  // over by the rules, not for its number of hands

  // Recorded: the words of all hands, where each begins, and the tile ids of their walls.
  const std::vector<std::int32_t>& words() const { return words_; }
  const std::vector<std::size_t>& begins() const { return begins_; }
  const std::vector<std::array<std::uint8_t, 136>>& walls() const { return walls_; }

 private:
  enum class Next : std::uint8_t { Deal, Draw, Replacement, Turn, Claims, Robbers, Nothing };

  void run();
  void deal();
  void follow(std::span<const std::int32_t> words);
  void emit(const replay::Event& event, std::span<const std::int32_t> numbers = {});
  void ask(int seat);
  void draw(bool replacement);
  void turn_action(int seat, int action);
  void own_kan(int seat, int kind);
  void discard(int seat, int code, bool tsumogiri);
  void show_indicators(int n);
  void after_claims();
  void call(int seat, int action);
  void win(unsigned winners, bool tsumo);
  void abort(AbortReason reason, int seat);
  void exhausted();
  void hand_over(Op last);
  int code(int tile_id) const { return code_of_id(tile_id, rules_.hand.red_fives); }

  GameRules rules_;
  std::uint64_t seed_, number_;
  int most_hands_;
  bool keep_, over_ = false, finished_ = false;
  Next next_ = Next::Deal;
  unsigned pending_ = 0;
  int kyoku_ = 0, honba_ = 0, sticks_ = 0, hands_ = 0;
  std::array<std::int32_t, 4> scores_{};
  std::array<replay::Actions, 4> legal_{};
  std::array<replay::Options, 4> options_{};
  std::array<int, 4> answers_{};
  replay::Table t_;
  Wall wall_;
  std::vector<std::int32_t> words_;
  std::vector<std::size_t> begins_;
  std::vector<std::array<std::uint8_t, 136>> walls_;
};

}  // namespace haiyomi
