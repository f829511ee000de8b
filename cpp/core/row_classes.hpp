// Equivalence classes of rows: rows of different tiles or suits that can do the same for a hand,
// such as 45 and 56, or 19m and 28p.
//
// While only useful tiles are kept and the shanten never rises, the wins that count are those
// nearest to the hand, and each step keeps a part of them. For one suit they are of some *goals*:
// m sets and p pairs in it, seven pairs, thirteen orphans. Sets and the pair that every goal has are
// taken off; the hand remembers how many sets are left to distribute among the suits, and where the
// pair is open, more than one suit has goals with and without it.
//
// Two rows with goals are equivalent if each goal lacks as many tiles in both; if their draws,
// grouped by the goals they help and by where they lead, have the same copies in the wall; if their
// discards lead to equivalent rows; and if all this also holds for any subset of the goals, to
// which the other suits may narrow them. Rows are numbered exactly by this description: two get the
// same number only if all of it is equal.
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

  // The representative of a row with its goals: an equivalent row without spare tiles, its class,
  // and the number of sets that were taken off.
  struct Known {
    RowId row = 0;
    std::uint16_t number = kMost;  // not known yet
    std::uint8_t sets = 0;
    std::uint8_t tiles = 0;        // of that row
  };

  void clear();
  // `suit` names the table that the row is of.
  Known find(SuitRows& rows, std::size_t suit, RowId id, Goals goals) {
    return known_[place(rows, suit, id, goals)];
  }
  // The same given what the other rows lack (`rest`) and what the whole hand lacks (`total`), where
  // only the standard form counts.
  Known find(SuitRows& rows, std::size_t suit, RowId id, ShantenTable::NeedId rest, int total) {
    const std::size_t at = std::size_t{id} << 8 | rest;
    const std::vector<Known>& known = with_rest_[suit];
    if (at < known.size() && known[at].number != kMost) return known[at];
    return find_with_rest(rows, suit, id, rest, total);
  }

 private:
  Known find_with_rest(SuitRows& rows, std::size_t suit, RowId id, ShantenTable::NeedId rest,
                       int total);
  std::uint32_t place(SuitRows& rows, std::size_t suit, RowId id, Goals goals);
  std::uint16_t describe(SuitRows& rows, std::size_t suit, RowId id, Goals goals);

  KeyIndex index_;                    // of suit, row and goals
  std::vector<std::uint64_t> keys_;
  std::vector<Known> known_;
  std::array<std::vector<Known>, 4> with_rest_;       // 256 a row
  std::unordered_map<std::uint64_t, RowId> stands_;   // for suit, class, sets and need
  std::unordered_multimap<std::uint64_t, std::uint16_t> by_hash_;
  std::vector<std::vector<std::uint32_t>> described_;  // by class
};

}  // namespace haiyomi
