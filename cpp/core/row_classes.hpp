// Rows of a suit that can do the same for a hand, though of other tiles: 45 and 56, 19 and 28.
//
// While only useful tiles are kept and the shanten never rises, the wins that count are those
// nearest to the hand, and each step keeps a part of them. For one suit they are of some *goals*:
// m sets and p pairs in it, seven pairs, thirteen orphans. A row beside its goals behaves like
// another where both lack the same; where their draws, by which goals they help and what they
// lead to, have the same copies in the wall; where their discards lead to the same; and where all
// that holds beside any part of the goals, to which the other suits may narrow them. Rows are
// numbered by what they can do, exactly: two get the same number only if all of this is equal.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "key_index.hpp"

namespace haiyomi {

using RowId = std::uint16_t;
class SuitRows;

// Goals: bit 2 m + p, then seven pairs and thirteen orphans.
using Goals = std::uint32_t;
inline constexpr int kGoals = 12;
inline constexpr Goals kPairsGoal = 1u << 10, kOrphansGoal = 1u << 11;

class RowClasses {
 public:
  void clear();
  // The first row met that does the same as this one beside these goals, without spare tiles.
  RowId first_like(SuitRows& rows, RowId id, Goals goals) {
    return first_[number(rows, id, goals)];
  }

 private:
  std::uint32_t number(SuitRows& rows, RowId id, Goals goals);
  std::uint32_t describe(SuitRows& rows, RowId id, Goals goals);

  KeyIndex index_;                     // of row and goals
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> numbers_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> by_hash_;
  std::vector<std::vector<std::uint32_t>> described_;  // by class
  std::vector<RowId> first_;                           // by class
};

}  // namespace haiyomi
