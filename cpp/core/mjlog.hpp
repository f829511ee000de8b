// mjlog, the XML of Tenhou, straight to the words of the checked replay (replay.hpp).
//
// Reads a record in the one spelling that Tenhou writes, and no other. What is spelled otherwise,
// damaged or against a limit is not read: logs/mjlog_read.py reads it, or says what is wrong.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace haiyomi::mjlog {

struct Game {
  int rounds = 2;                           // of the rules: 1 East only, 2 a hanchan
  std::array<std::string_view, 4> names{};  // as the record writes them, percent-encoded
  std::vector<std::int32_t> words;          // of all hands, in the canonical order of events
  std::vector<std::int64_t> hands{0};       // where each hand begins in the words, and their end
  std::vector<std::uint8_t> absent;         // of each hand, bit s: the line of seat s was down
};

// The game of a record, in time and memory in proportion to its length. The names point into it.
std::optional<Game> read(std::string_view record);

}  // namespace haiyomi::mjlog
