// All ways to split concealed tiles into sets and a pair, from a table of the suits' splits.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "suits.hpp"

namespace haiyomi {

inline constexpr std::uint8_t kNoPair = 255;

// Concealed sets and the pair of a standard hand; melds stay outside.
struct Decomposition {
  std::array<std::uint32_t, 3> runs{};  // per suit; nibble i: how many runs start at rank i
  std::uint64_t triplets = 0;           // bit k: a concealed triplet of kind k
  std::uint8_t pair = kNoPair;          // kind of the pair
};

class SplitTable {
 public:
  static const SplitTable& get();  // built on first use; safe to call from many threads

  // The splits of a suit; empty if it is not complete. `slot` as of suit_slot or honour_slot.
  std::span<const SuitSplit> suit(std::uint32_t slot) const { return of(suit_[slot]); }
  std::span<const SuitSplit> honours(std::uint32_t slot) const { return of(honours_[slot]); }
  std::size_t patterns() const { return first_.size() - 2; }

 private:
  SplitTable();
  std::span<const SuitSplit> of(std::uint16_t pattern) const {
    return {splits_.data() + first_[pattern], splits_.data() + first_[pattern + 1u]};
  }
  void add(bool honours, std::vector<std::uint16_t>& table);

  std::vector<std::uint16_t> suit_;     // slot -> number of the complete pattern, 0 for none
  std::vector<std::uint16_t> honours_;
  std::vector<std::uint32_t> first_;    // pattern -> its first split
  std::vector<SuitSplit> splits_;
};

// Calls visit(const Decomposition&) for every decomposition of 3k + 2 concealed tiles.
template <class Visit>
void for_each_decomposition(const SplitTable& table, const std::uint8_t* concealed, Visit&& visit) {
  const auto slots = hand_slots(concealed);
  const auto z = table.honours(slots[3]);
  if (z.empty()) return;
  const std::array<std::span<const SuitSplit>, 3> s{table.suit(slots[0]), table.suit(slots[1]),
                                                    table.suit(slots[2])};
  if (s[0].empty() || s[1].empty() || s[2].empty()) return;
  // An honours' pattern has one split. Whether a suit has the pair follows from its number of
  // tiles, hence from any of its splits.
  int pairs = z[0].pair != 15;
  for (const auto& suit : s) pairs += suit[0].pair != 15;
  if (pairs != 1) return;
  for (const SuitSplit& m : s[0]) {
    for (const SuitSplit& p : s[1]) {
      for (const SuitSplit& b : s[2]) {
        Decomposition d;
        d.runs = {m.runs, p.runs, b.runs};
        d.triplets = m.triplets | static_cast<std::uint64_t>(p.triplets) << 9 |
                     static_cast<std::uint64_t>(b.triplets) << 18 |
                     static_cast<std::uint64_t>(z[0].triplets) << 27;
        d.pair = static_cast<std::uint8_t>(m.pair != 15   ? m.pair
                                           : p.pair != 15 ? 9 + p.pair
                                           : b.pair != 15 ? 18 + b.pair
                                                          : 27 + z[0].pair);
        visit(static_cast<const Decomposition&>(d));
      }
    }
  }
}

}  // namespace haiyomi
