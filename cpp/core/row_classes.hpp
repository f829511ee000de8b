// Rows that can do the same for a hand, though of other tiles or another suit: 45 and 56, 19m and
// 28p, and a hand with its last sets done here or there.
//
// While only useful tiles are kept and the shanten never rises, the wins that count are those
// nearest to the hand, and each step keeps a part of them. For one suit they are of some *goals*:
// m sets and p pairs in it, seven pairs, thirteen orphans. What every goal has, some sets or the pair,
// is taken off; how many sets are left to share out among the suits stays with the hand, and so
// does the pair: where it is shared out, more than one suit has goals with and without it. A row beside its goals then behaves like another where each goal lacks the same; where
// their draws, by which goals they help and what they lead to, have the same copies in the wall;
// where their discards lead to the same; and where all that holds beside any part of the goals,
// to which the other suits may narrow them. Rows are numbered by what they can do, exactly: two
// get the same number only if all of this is equal.
#pragma once
#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "key_index.hpp"
#include "shanten.hpp"

namespace haiyomi {

using RowId = std::uint16_t;
class SuitRows;

// Goals: bit 2 m + p, then seven pairs and thirteen orphans.
using Goals = std::uint32_t;
inline constexpr int kGoals = 12;
inline constexpr Goals kPairsGoal = 1u << 10, kOrphansGoal = 1u << 11;

class RowClasses {
 public:
  static constexpr std::size_t kMost = 0x7fff;  // classes

  // What stands for a row beside its goals: a row without spare tiles that does the same and
  // lacks the same for all goals, its class, and the sets that were taken off.
  struct Known {
    RowId row = 0;
    std::uint16_t number = kMost;  // not known yet
    std::uint8_t sets = 0;
    std::uint8_t tiles = 0;        // of that row
  };

  void clear();
  // `suit` tells rows of different tables apart.
  Known find(SuitRows& rows, std::size_t suit, RowId id, Goals goals) {
    return known_[place(rows, suit, id, goals)];
  }
  // Beside a rest that lacks `rest`, of a hand that lacks `total`, where only the standard form
  // counts.
  Known find(SuitRows& rows, std::size_t suit, RowId id, ShantenTable::NeedId rest, int total) {
    const std::size_t at = std::size_t{id} << 8 | rest;
    if (at < beside_[suit].size() && beside_[suit][at].number != kMost) return beside_[suit][at];
    return find_beside(rows, suit, id, rest, total);
  }

 private:
  Known find_beside(SuitRows& rows, std::size_t suit, RowId id, ShantenTable::NeedId rest,
                    int total);
  std::uint32_t place(SuitRows& rows, std::size_t suit, RowId id, Goals goals);
  std::uint16_t describe(SuitRows& rows, std::size_t suit, RowId id, Goals goals);

  KeyIndex index_;                    // of suit, row and goals
  std::vector<std::uint64_t> keys_;
  std::vector<Known> known_;
  std::array<std::vector<Known>, 4> beside_;          // 256 a row
  std::unordered_map<std::uint64_t, RowId> stands_;   // for suit, class, sets and need
  std::unordered_multimap<std::uint64_t, std::uint16_t> by_hash_;
  std::vector<std::vector<std::uint32_t>> described_;  // by class
};

}  // namespace haiyomi
