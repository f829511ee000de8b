// Shanten: how many tiles a hand is away from tenpai (-1 complete, 0 tenpai).
//
// Hands are concealed counts of 3k + 1 or 3k + 2 tiles, k + n_melds = 4, each count 0-4.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "profile.hpp"
#include "suits.hpp"

namespace haiyomi {

// What pairs and orphans answer for a hand with melds.
inline constexpr int kNoForm = 127;

// Tiles that a suit, or several together, lack for m sets, without and with a pair.
struct Need {
  std::array<std::uint8_t, 5> plain{};
  std::array<std::uint8_t, 5> paired{};
  bool operator==(const Need&) const = default;
};

int shanten_standard(const Counts& c, int n_melds);
int shanten(const Counts& c, int n_melds);  // the least of the three forms

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
//
// The 405,350 slots of a suit have only 126 different needs, the honours four more, and joined
// in any number they make 180: a small commutative monoid. So a suit's table holds one byte a
// slot, two parts are joined by one load from a table of 180 x 180 bytes, and the shanten of a
// hand is three joins away from its slots.
class ShantenTable {
 public:
  using NeedId = std::uint8_t;

  static const ShantenTable& get();

  NeedId suit(std::uint32_t slot) const { return suit_[slot]; }
  NeedId honours(std::uint32_t slot) const { return honours_[slot]; }
  NeedId join(NeedId a, NeedId b) const { return join_[a * std::size_t{256} + b]; }
  // The shanten of a whole hand's need.
  int shanten(NeedId whole, int sets) const {
    return needs_[whole].paired[static_cast<std::size_t>(sets)] - 1;
  }
  const Need& need(NeedId id) const { return needs_[id]; }
  std::size_t distinct() const { return needs_.size(); }

  // Of 34 counts, each 0-4, at most 14 tiles, for so many sets and a pair.
  int standard(const std::uint8_t* c, int sets) const {
    const auto slots = hand_slots(c);
    return shanten(join(join(suit(slots[0]), suit(slots[1])),
                        join(suit(slots[2]), honours(slots[3]))),
                   sets);
  }

 private:
  ShantenTable();
  NeedId number(const Need& need);
  void close();

  std::vector<NeedId> suit_;
  std::vector<NeedId> honours_;
  std::vector<NeedId> join_;  // rows of 256, so that an index is a shift and an or
  std::vector<Need> needs_;
  std::unordered_map<std::uint64_t, NeedId> ids_;  // of needs_, by their numbers in one word
};

}  // namespace haiyomi
