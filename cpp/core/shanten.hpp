// Shanten: how many tiles a hand is away from tenpai (-1 complete, 0 tenpai).
//
// Hands are concealed counts of 3k + 1 or 3k + 2 tiles, k + n_melds = 4, each count 0-4.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "profile.hpp"
#include "suits.hpp"

namespace haiyomi {

// What pairs and orphans answer for a hand with melds.
inline constexpr int kNoForm = 127;

// Tiles that a suit lacks for m sets, without and with a pair.
struct alignas(16) Need {
  std::array<std::uint8_t, 5> plain;
  std::array<std::uint8_t, 5> paired;
};

int shanten_standard(const Counts& c, int n_melds);
int shanten_pairs(const Counts& c, int n_melds);    // kNoForm with melds
int shanten_orphans(const Counts& c, int n_melds);  // kNoForm with melds
int shanten(const Counts& c, int n_melds);          // the least of the three

// Pairs and orphans of a closed hand's profile.
inline int pairs_of(const Profile& p) { return 6 - p.pairs + (p.kinds < 7 ? 7 - p.kinds : 0); }
inline int orphans_of(const Profile& p) { return 13 - p.orphans - p.orphan_pair; }

// Kinds (bit k) whose draw lowers the shanten of a 3k + 1 hand. A kind of which the hand
// holds four is never useful.
std::uint64_t useful_tiles(const Counts& c, int n_melds);

// The shanten of n rows of 34 counts, the least over the forms. Stops at the first row that is
// no hand (a count above 4, or a number of tiles that none has) and answers its index, else n.
std::size_t shanten_rows(const std::uint8_t* counts, std::size_t n, std::int8_t* out);

// The shanten tables, built on first use; safe to call from many threads.
class ShantenTable {
 public:
  static const ShantenTable& get();

  const Need& suit(std::uint32_t slot) const { return needs_[suit_[slot]]; }
  const Need& honours(std::uint32_t slot) const { return needs_[honours_[slot]]; }
  std::size_t distinct() const { return needs_.size(); }
  int standard(const std::uint8_t* c, int sets) const;

 private:
  ShantenTable();
  std::vector<std::uint16_t> suit_;
  std::vector<std::uint16_t> honours_;
  std::vector<Need> needs_;
};

}  // namespace haiyomi
