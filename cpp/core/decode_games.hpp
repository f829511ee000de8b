// Games as words become decision records with labels: the checked replay, four seats at once.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "decision_labels.hpp"
#include "replay.hpp"

namespace haiyomi {

// A seat's line drops, or is back, just before an event of a hand.
struct LineChange {
  std::int32_t hand, event, seat, back;
};

// A decision of a game of one hand: the event before it, and the seat.
struct DecisionPlace {
  std::int32_t event, seat;
};

struct PackedGame {
  std::uint64_t key = 0;                     // the game's name as a number: samples depend on it
  ReplayRules rules;
  int rounds = 0;
  bool whole = false;                        // the final scores are known
  std::array<std::int32_t, 4> final{};
  std::span<const std::int32_t> words;
  std::span<const std::int64_t> hands;       // where each hand begins in the words, and their end
  std::span<const LineChange> lines;         // in order
  std::optional<DecisionPlace> only;         // the one decision to decode, instead of a sample
};

// Which decisions are decoded.
struct Sampling {
  bool discards = false;  // every discard that no own riichi forces, instead of every choice
  std::uint64_t below = ~std::uint64_t{0};  // those whose hash is at most this
  std::uint64_t seed = 0;
};

struct DecodedRows {
  std::vector<record::DecisionBytes> records;
  std::vector<record::LabelBytes> labels;
};

// The first fault of a game: the hand in it, the event in that.
struct GameFault {
  Fault fault = Fault::None;
  std::int32_t hand = 0, event = 0;
  std::array<std::int32_t, 3> detail{};
};

// Appends the game's rows in order; `number` is its index in the batch. A game with a fault adds
// none.
GameFault decode_game(const PackedGame& game, std::uint32_t number, const Sampling& sampling,
                      DecodedRows& out);

// The hash that decides whether a decision is among a sample: nothing in it depends on what follows.
std::uint64_t sample_hash(std::uint64_t seed, std::uint64_t game, int hand, int event, int seat);

}  // namespace haiyomi
