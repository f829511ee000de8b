// Every standard-form tenpai hand of a few concealed tiles, enumerated once.
//
// The paper gives each possible tenpai hand of an opponent with melds a probability (5.2); what
// a hand waits on, and how each wait completes it, never changes, so it is tabled here.
#pragma once
#include <cstdint>
#include <vector>

namespace haiyomi {

enum class WaitType : std::uint8_t { TwoSided = 0, Shanpon = 1, EdgeClosed = 2, Single = 3 };

// One way to read hand + winning tile as sets and a pair, and which part the tile completed.
// Sequences are bits suit * 7 + first rank, triplets bits of their kind; both of the concealed
// part alone. `set_fu` counts its triplets (one completed by ron as open) and the wait.
struct Reading {
  std::uint32_t sequences;
  std::uint64_t triplets;
  std::uint8_t pair;
  std::uint8_t set_fu;
  std::uint8_t concealed_triplets;
  WaitType wait;
};

struct Wait {
  std::uint32_t first_reading;  // readings of this (hand, winning kind) follow each other
  std::uint16_t n_readings;
  std::uint8_t kind;
};

struct TenpaiHand {
  std::uint64_t kinds;  // bit k: holds kind k
  std::uint64_t waits;  // bit k: kind k completes it
  std::uint32_t first_wait;
  std::uint8_t n_waits;
  std::uint8_t n_parts;     // distinct kinds held
  std::uint8_t suits;       // bits m p s z of the tiles held
  bool good;                // some reading waits two-sided (nobetan too) or on two pairs, (15)
  std::uint8_t parts[10];   // kind * 5 + copies, one per distinct kind
};

struct TenpaiTable {
  int tiles = 0;
  std::vector<TenpaiHand> hands;
  std::vector<Wait> waits;
  std::vector<Reading> readings;
};

// The table for 1, 4, 7 or 10 concealed tiles, built on first use (10 only for checks: it is
// large). Throws std::invalid_argument otherwise.
const TenpaiTable& tenpai_table(int tiles);

}  // namespace haiyomi
