// Many games in lockstep: all their open decisions are listed, answered and played on together.
//
// A game depends on its seed, its number and the answers alone: not on the number of threads, nor
// on which games stand beside it. The core's own players draw their numbers from a generator for
// each game and seat.
//
//   Tables tables(...);
//   while (!tables.pending().empty()) {        // one entry for each seat with a choice
//     ...write records, choose an action for each entry...
//     tables.answer(actions, threads);
//   }
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "decision.hpp"
#include "game.hpp"
#include "policy_choice.hpp"

namespace haiyomi {

// A seat with a choice. A game in which several seats may claim a tile has an entry for each, in
// the order of the turn; all are answered together.
struct Pending {
  std::uint32_t table;
  std::uint8_t seat;
};

class Tables {
 public:
  explicit Tables(std::vector<std::unique_ptr<Game>> games);

  std::size_t size() const { return games_.size(); }
  Game& game(std::size_t i) { return *games_[i]; }
  const Game& game(std::size_t i) const { return *games_[i]; }
  const std::vector<Pending>& pending() const { return pending_; }

  // One action for each entry of pending(), in its order. Throws std::invalid_argument for one that
  // is not legal, before anything has changed.
  void answer(const std::uint8_t* actions, std::size_t n, int threads);

  // Tables that stand as those of some places, each with its own game and generators.
  std::unique_ptr<Tables> copied(const std::vector<std::size_t>& at) const;

  // Puts other games at some tables; the open decisions are listed anew.
  void replace(const std::vector<std::size_t>& at, std::vector<std::unique_ptr<Game>> games);

  // The decision records of all entries of pending(), in its order.
  void write_records(record::DecisionBytes* out, int threads);

  // The action that a policy's logits choose for each entry: `logits` are those of the first
  // entry, the others' follow. The numbers come from the generator "imitated/GAME/SEAT" under the
  // game's seed, which goes on from call to call.
  // `by_place`: the numbers are instead a hash of the game's seed and number, the hand, the seat, the
  // draws left and whose turn it is, so that games of one seed and number share them as long as
  // their seats stand at the same places.
  void choose(const ChoiceLogits& logits, double temperature, bool by_place, std::uint8_t* out,
              int threads);

  // The same with the caller's numbers: `points` in [0, 1), kPoints for each entry.
  void choose_with(const ChoiceLogits& logits, const double* points, double temperature,
                   std::uint8_t* out, int threads);

 private:
  void list_pending();
  // chances_of(entry) gives the numbers of a decision.
  template <class ChancesOf>
  void choose_by(ChancesOf&& chances_of, const ChoiceLogits& logits, double temperature,
                 std::uint8_t* out, int threads);
  void seat_generators(std::size_t i);
  // Calls work(table, first entry, entries) for each table with a decision, in shares.
  template <class Work>
  void each_pending(int threads, Work&& work);

  std::vector<std::unique_ptr<Game>> games_;
  std::vector<std::array<Pcg64, 4>> imitated_;  // none before the first choice
  std::vector<Pending> pending_;
};

}  // namespace haiyomi
