// Wait sets: the kinds that complete a hand of 3k + 1 concealed tiles.
#pragma once
#include <cstdint>
#include <vector>

#include "suits.hpp"

namespace haiyomi {

// The waits of one suit. Bits 0-8: the ranks that complete it, to sets and a pair if it
// holds 3j + 1 tiles, to sets if 3j + 2; bit 9: it is complete itself (3j: sets; 3j + 2: sets
// and a pair); bits 10-11: its number of tiles mod 3.
using SuitWaits = std::uint16_t;
inline constexpr SuitWaits kWaitRanks = 0x1ff;
inline constexpr SuitWaits kComplete = 0x200;
inline constexpr int suit_class(SuitWaits w) { return w >> 10; }

class WaitTable {
 public:
  static const WaitTable& get();  // built on first use; safe to call from many threads
  SuitWaits suit(std::uint32_t slot) const { return suit_[slot]; }
  SuitWaits honours(std::uint32_t slot) const { return honours_[slot]; }
  std::uint64_t standard(const std::uint8_t* c) const;

 private:
  WaitTable();
  std::vector<SuitWaits> suit_;
  std::vector<SuitWaits> honours_;
};

// Kinds (bit k) that complete a 3k + 1 hand in any form; pairs and orphans only without
// melds. A kind of which the concealed tiles hold four is no wait. Each count 0-4.
std::uint64_t waits(const Counts& concealed, int n_melds);

// Only the four sets and a pair.
std::uint64_t waits_standard(const Counts& concealed);

}  // namespace haiyomi
