// The rows of one suit that a hand can reach, numbered in the order they are found.
//
// A hand on its way to a win is four rows (m, p, s, honours), so its key is four small numbers
// and a draw or a discard changes one of them. What a row lacks for sets and pairs is one byte
// (shanten.hpp); which of its draws help depends on the other three rows only through the one
// byte of what they lack together, so it is cached by (row, rest).
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "row_classes.hpp"
#include "shanten.hpp"
#include "used_ranks.hpp"

namespace haiyomi {

// The actions within a suit: 0-8 its plain kinds (0-6 the honours), 9 the red five.
inline constexpr int kSuitActions = 10;
inline constexpr int kRedAction = 9;
inline constexpr int kActions = 4 * kSuitActions;

inline constexpr RowId kUnknownRow = 0xffff;
inline constexpr std::size_t kMostRows = 0x7fff;

// The draws and discards that a row's counts allow.
struct RowRanks {
  std::uint16_t none = 0, one = 0, two = 0, more = 0;  // ranks held 0, 1, 2, 3+ times
  // What the row lacks with one tile of a rank more, or less.
  std::array<ShantenTable::NeedId, 9> more_need{}, less_need{};
};

// What follows from a row's counts, whatever the wall.
struct RowShape {
  ShantenTable::NeedId need = 0;
  std::uint8_t tiles = 0;
  std::uint32_t forms = 0;  // pairs, kinds, orphans, orphan pairs: a byte each, to be summed
  RowRanks ranks;
};

// Tiles by action, with room for the processor to count them all at once.
using ByAction = std::array<std::uint8_t, 16>;

// A hand's row in one suit. The fields that each step reads share a cache line.
struct alignas(64) Row {
  ShantenTable::NeedId need = 0;  // these as of its shape
  std::uint8_t tiles = 0;
  bool red = false;
  std::uint8_t gained = 0;  // tiles beyond the root hand's: sum of max(row - root, 0)
  std::uint32_t forms = 0;
  std::uint16_t has = 0;   // actions whose discard is possible
  std::uint16_t live = 0;  // actions whose draw has a weight above 0
  std::array<RowId, kSuitActions> drawn{};  // the row after the action, or unknown
  std::array<RowId, kSuitActions> discarded{};
  std::array<std::uint8_t, kSuitActions> weight{};  // copies in the wall, by action

  RowRanks ranks;
  std::array<std::uint8_t, 9> counts{};  // the red five among the fives
  ByAction held{};                       // plain tiles without the red five
};

// Where a tile that was thrown is: gone, or in the wall again as the published programs have it.
enum class Thrown : std::uint8_t { Gone, Returns };

class SuitRows {
 public:
  // `root`, `live`: nine counts of the root row and of its copies in the wall (reds included).
  // `alike`: honours that start alike (as many held, as many in the wall) are merged: their counts
  // stay in descending order, one action stands for all honours of a count, and its weight is the
  // sum of theirs. Returns the root's row. Rows of the last root are reused and recounted, because
  // a player's next hand has most of them again; not if they are for another number of sets, are
  // too many, or depend on the root (`alike`) or the wall (`mirrors`).
  RowId begin(bool honours, const std::uint8_t* root, bool root_red, const std::uint8_t* live,
              bool live_red, Thrown thrown, int sets, bool alike);

  // A row of a suit of the same wall; whether it is kept as its mirror image.
  RowId other(const std::uint8_t* counts, bool& mirrored);

  // The ranks merged with this one, itself included.
  std::uint32_t alike(int rank) const { return alike_[static_cast<std::size_t>(rank)]; }

  const Row& operator[](RowId id) const { return rows_[id]; }
  const Row* data() const { return rows_.data(); }
  std::size_t size() const { return rows_.size(); }

  RowId draw(RowId id, int action) {
    const RowId known = rows_[id].drawn[static_cast<std::size_t>(action)];
    return known != kUnknownRow ? known : step(id, action, true);
  }
  RowId discard(RowId id, int action) {
    const RowId known = rows_[id].discarded[static_cast<std::size_t>(action)];
    return known != kUnknownRow ? known : step(id, action, false);
  }

  // The actions whose draw lowers the shanten of the standard form given what the other rows lack
  // (`rest`), or those whose discard keeps it.
  template <bool kDraw>
  std::uint32_t moves(RowId id, ShantenTable::NeedId rest) {
    std::uint32_t known = moves_[std::size_t{id} * kMoves + rest % kMoves];
    if (known >> 20 != (rest | 256u)) known = find_moves(id, rest);
    // What is not in the wall cannot be drawn.
    return kDraw ? known & rows_[id].live : known >> kSuitActions & kEach;
  }

  // The goals of the standard form of a row, given what the other rows lack (`rest`) and what all
  // lack together (`total`).
  Goals goals(RowId id, ShantenTable::NeedId rest, int total) const;
  // The row without the tiles that none of the nearest wins with these goals holds. A red five
  // stays before plain ones.
  RowId without_spare(RowId id, Goals goals);
  RowId core(RowId id, ShantenTable::NeedId rest, int total) {
    const std::size_t place = std::size_t{id} << 8 | rest;
    if (cores_[place] == kUnknownRow) {
      const RowId found = without_spare(id, goals(id, rest, total));  // it may make more rows
      cores_[place] = found;
    }
    return cores_[place];
  }
  // The same where other forms are as near as the standard one, or nearer (not `standard`).
  RowId core(RowId id, ShantenTable::NeedId rest, int total, bool standard, Goals other) {
    const std::uint32_t name = static_cast<std::uint32_t>(id) << 11 | (standard ? rest : 0u) << 3 |
                               static_cast<std::uint32_t>(standard) << 2 | other >> 10;
    const std::size_t place = name * 2654435769u >> (32 - kOtherCoreBits);
    if (other_cores_[place].name != name) {
      other_cores_[place] = {name,
                             without_spare(id, (standard ? goals(id, rest, total) : 0) | other)};
    }
    return other_cores_[place].core;
  }
  // Ranks that thirteen orphans hold.
  std::uint32_t orphans() const { return honours_ ? 0x7f : 0x101; }
  // Set before `begin`: whether `core` will be called, which costs memory, and whether a row also
  // stands for its mirror image (rank 1 for 9, 2 for 8, ...).
  bool with_cores = false;
  bool mirrors = false;

 private:
  static constexpr std::size_t kMostReused = 512;  // rows that a new root takes over
  static constexpr std::uint32_t kEach = (1u << kSuitActions) - 1;
  static constexpr std::size_t kMoves = 32;  // cache entries a row; a later rest replaces an earlier one

  void clear();
  // The number of a row, which is added if it is new.
  RowId add(std::array<std::uint8_t, 9> counts, bool red);
  void count(Row& row) const;
  void merge_alike(Row& row) const;
  RowId step(RowId id, int action, bool draw);
  std::uint32_t find_moves(RowId id, ShantenTable::NeedId rest);
  std::size_t place(std::uint32_t name) const;
  void grow();

  const ShantenTable* table_ = nullptr;
  bool honours_ = false;
  bool merges_ = false;
  int sets_ = 4;
  Thrown thrown_ = Thrown::Gone;
  bool keeps_ = false;  // the rows can serve other roots
  ByAction root_{}, live_{};
  std::array<std::uint32_t, 9> alike_{};
  std::vector<Row> rows_;
  // kMoves a row, of any wall: draws, then discards, then the rest and 256.
  std::vector<std::uint32_t> moves_;
  std::vector<RowId> cores_;           // 256 a row, if with_cores
  static constexpr int kOtherCoreBits = 10;
  struct OtherCore {
    std::uint32_t name = 0;  // 0 for none: some other goal is in each
    RowId core = 0;
  };
  std::vector<OtherCore> other_cores_;  // by hash; a later one replaces an earlier one
  std::vector<std::uint32_t> names_;   // open addressing: slot * 2 + red
  std::vector<RowId> ids_;
};

// The actions of a set of ranks: the red five goes with the fives.
inline std::uint32_t with_red(std::uint32_t ranks) { return ranks | (ranks >> 4 & 1) << kRedAction; }

}  // namespace haiyomi
