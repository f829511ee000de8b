// Everything that one suit of a standard-form tenpai hand can be, tabled once.
//
// A hand splits by suit, and the numbers of tiles mod 3 say what each suit does: 3k tiles are
// sets; 3k + 1 wait, the pair inside; of two suits with 3k + 2 tiles one is sets and the pair
// and the other waits to be sets (each may be able to do either). Patterns with the same number
// of tiles, waits, shape and yaku classes form a group: only their weights differ, so everything
// else is done once a group.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

namespace haiyomi {

inline constexpr int kMostConcealed = 13;
// Shape classes: 0 single wait, 1 edge or closed, 2 shanpon alone, 3 one end of a two-sided
// wait, 4 two-sided, 5 nobetan, 6 two single waits, 7 shanpon inside the suit, 8 other two
// waits, one of them good, 9 neither good, 10 three or more with a two-sided one, 11 other good
// ones, 12 none good; 13 both suits wait and this one's pair, 14 or more than its pair. *Good*:
// some reading is two-sided (nobetan too) or shanpon, factor (15) of Kurita and Hoki.
inline constexpr int kShapes = 15;

// What a complete suit, or a waiting one with its winning tile, contributes to yaku.
struct SuitYaku {
  std::uint8_t all = 0;        // bits kSimples ... kOutside: true of the whole suit
  std::uint8_t triplets = 0;   // most concealed triplets in any reading (a ron ends an open one)
  // Bit i: some reading has the run from rank i (0-6); bit 7 + r: the triplet of rank r. Of
  // honours bit r: the triplet.
  std::uint16_t sets = 0;
  std::uint8_t straights = 0;  // bit s - 1: some reading has the runs of the set s of 123 456 789
  bool twin_runs = false;      // some reading has two identical runs

  bool operator==(const SuitYaku&) const = default;
};
enum AllOf : std::uint8_t {
  kSimples = 1,   // tiles 2-8 only
  kRuns = 2,      // some reading has no triplet, and the wait is two-sided (pinfu)
  kTriplets = 4,  // some reading has no run
  kOutside = 8,   // some reading has a terminal (or honour) in every part
};

enum class WaitKind : std::uint8_t { TwoSided = 0, Shanpon = 1, EdgeClosed = 2, Single = 3 };

struct SuitWait {
  std::uint8_t rank;
  WaitKind kind;       // the first of the enum that some reading gives
  std::uint16_t yaku;  // with the winning tile, in SuitPatterns::yakus

  bool operator==(const SuitWait&) const = default;
};

struct PatternGroup {
  std::uint32_t first_wait = 0;  // SuitWaits follow each other
  std::uint16_t waits = 0;            // bit r: rank r completes it
  std::uint8_t tiles = 0;
  std::uint8_t n_waits = 0;
  std::uint8_t shape = 0;       // class of a waiting pattern beside a complete one
  bool complete = false;        // sets, with the pair if it holds 3k + 2 tiles
  bool pairs_only = false;      // every kind twice, but for at most one that is held once
  std::uint8_t single = 15;     // the rank of that one
  std::uint16_t wait_class = 0;  // in SuitPatterns::classes
  SuitYaku yaku;                // if complete
};

// One wait of a group.
struct SetWait {
  std::uint16_t group, yaku;
  std::uint8_t rank;
};

// A class merges the groups that differ only in their yaku, for sums that ignore yaku.
struct WaitClass {
  std::uint32_t first_wait = 0;
  std::uint16_t waits = 0;
  std::uint8_t tiles = 0, n_waits = 0, shape = 0;
  bool complete = false;
};

// Patterns as three base-5 numbers of three counts each: 125-entry tables give their weights.
struct PackedPattern {
  std::uint8_t part[3];
};

// The patterns that begin with the same two parts: most rows have zero weight in a position and
// are skipped as a whole.
struct PatternRow {
  std::uint8_t first_part, second_part;
  std::uint32_t first;               // into SuitPatterns::last_part and ::group
  std::array<std::uint32_t, 5> end;  // of the patterns of at most 1, 4, 7, 10, 13 tiles
};

// Groups of as many patterns each: with few patterns a group, most of the cost of a sum would be
// mispredicted loop ends.
struct GroupRun {
  std::uint32_t groups = 0, each = 0;
};

// Classes that wait on one rank and play one role: they end with the first `end` of that rank.
struct WaitRun {
  std::uint8_t tiles = 0;
  bool complete = false;
  std::uint32_t end = 0;
};

struct SuitPatterns {
  std::vector<PackedPattern> patterns;          // by group
  std::vector<std::uint32_t> first_pattern;     // of each group, then the end
  std::vector<PatternGroup> groups;             // by number of tiles
  std::array<std::uint32_t, 15> first_group{};  // by number of tiles 0-13, then the end
  std::array<std::uint32_t, 14> first_complete{};  // those that are complete come last
  std::vector<SuitWait> waits;
  std::vector<SuitYaku> yakus;                  // the distinct yaku that waits contribute
  std::vector<WaitClass> classes;               // by number of tiles
  std::vector<std::uint16_t> class_of;          // of each group
  std::array<std::uint32_t, 15> first_class{};  // as first_group
  // Few classes are complete and wait: the place of each among these, counted from 1; 0 for others.
  std::vector<std::uint16_t> both_place;
  std::vector<std::uint16_t> both_classes;     // by that place
  std::array<std::uint32_t, 15> first_both{};  // of these, as first_class
  // Groups in the order of `runs`, and the patterns of each, by their parts, in the same order.
  std::vector<std::uint16_t> run_groups;
  std::vector<PackedPattern> run_patterns;
  std::vector<GroupRun> runs;
  std::array<std::uint32_t, 5> runs_of{};       // how many are of at most 1, 4, 7, 10, 13 tiles
  std::vector<PatternRow> rows;
  std::vector<std::uint8_t> last_part;          // of the patterns of a row, by number of tiles
  std::vector<std::uint16_t> group;             // of the same
  std::vector<std::uint16_t> complete, pairs;   // groups that are complete; that are pairs only
  std::array<std::vector<std::uint16_t>, 9> waiting_classes;  // by a rank they wait on
  std::array<std::vector<WaitRun>, 9> waiting_runs;           // of these
  std::array<std::vector<std::uint16_t>, 9> waiting;          // groups by a rank they wait on
  std::array<std::vector<std::uint16_t>, 9> waiting_yaku;     // in yakus, of each of these
  // Where those of so many tiles begin, 2 * tiles, and where those of them that are complete do.
  std::array<std::array<std::uint32_t, 29>, 9> first_waiting{};
  // Of at most seven tiles and number suits, by a bit of SuitYaku::sets: complete groups that hold
  // that run or triplet, and waits that bring it.
  std::array<std::vector<std::uint16_t>, 16> complete_with_set;
  std::array<std::vector<SetWait>, 16> waits_with_set;

  // The group of a suit's counts (nine, or seven honours); nullptr if they are no pattern.
  const PatternGroup* find(const std::uint8_t* counts) const;

 private:
  friend SuitPatterns build_suit_patterns(bool honours);
  std::vector<std::uint32_t> keys_, group_of_;  // sorted packed patterns and their groups
  int kinds_ = 9;
};

// Of the nine ranks of m, p, s; of the seven honours. Built on first use.
const SuitPatterns& suit_patterns(bool honours);

}  // namespace haiyomi
