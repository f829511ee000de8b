// The options of a seat: what the rules let it do now. They depend on the seat's own hand and on
// what all seats see, and on nothing hidden.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "decision.hpp"
#include "replay_state.hpp"

namespace haiyomi::replay {

struct Options {
  std::uint64_t discards = 0;   // tile codes (0-36) from the hand
  int tsumogiri = -1;           // the code of the drawn tile, if it may be discarded
  std::uint64_t kans = 0;       // kinds of closed and added kans
  std::uint16_t acts = 0;       // bits of record::Act
  std::uint16_t with_red = 0;   // chi and pon: those that may take a red five from the hand
  std::uint16_t plain = 0;      // and those that may do without

  bool any() const { return (discards | kans | acts) != 0 || tsumogiri >= 0; }
  std::uint64_t discard_kinds() const;
};

// In its own turn, on another's discard, on the tile of another's kan; none at any other moment.
// A seat that may answer another's tile may also pass.
Options options(Table& t, int seat);

// One number for every action of a seat; play/actions.py has the same numbers, with their names.
namespace action {
inline constexpr int kDiscard = 0;     // + code: this tile, from the hand
inline constexpr int kTsumogiri = 37;  // + code: this tile, just drawn
inline constexpr int kKan = 74;        // + kind: closed, added, or open
inline constexpr int kPon = 108;       // + kind of two plain tiles, or code of the red one
inline constexpr int kChi = 145;       // + number of the pair that the hand gives
inline constexpr int kChiPairs = 57;
inline constexpr int kRiichi = kChi + kChiPairs;
inline constexpr int kTsumo = kRiichi + 1, kRon = kRiichi + 2, kNine = kRiichi + 3;
inline constexpr int kPass = kRiichi + 4;
inline constexpr int kCount = kPass + 1;

struct Pair {
  int low = 0, high = 0;  // codes, the lower kind first
};
// The pairs in order: by the kinds, plain before red.
inline constexpr std::array<Pair, kChiPairs> kPairs = [] {
  std::array<Pair, kChiPairs> pairs{};
  std::size_t n = 0;
  for (int low = 0; low < 27; ++low)
    for (int high = low + 1; high <= low + 2 && high / 9 == low / 9 && high < 27; ++high)
      for (int a = 0; a < (low % 9 == 4 ? 2 : 1); ++a)
        for (int b = 0; b < (high % 9 == 4 ? 2 : 1); ++b)
          pairs[n++] = {a != 0 ? 34 + low / 9 : low, b != 0 ? 34 + high / 9 : high};
  return pairs;
}();
int chi(int low_code, int high_code);
}  // namespace action

// A set of actions, bit by number.
struct Actions {
  static constexpr std::size_t kWords = 4;
  std::array<std::uint64_t, kWords> bits{};

  void add(int a) { bits[std::size_t(a) >> 6] |= std::uint64_t{1} << (a & 63); }
  bool has(int a) const {
    return a >= 0 && a < action::kCount && (bits[std::size_t(a) >> 6] >> (a & 63) & 1) != 0;
  }
  int count() const;
  int first() const;  // -1 of none
};

// The options as actions, with passing where the seat answers another's tile.
Actions actions(const Table& t, int seat, const Options& options);

// The options that these actions are. `offered`: the kind of another seat's tile that they answer,
// -1 in the own turn; actions of another moment are left out.
Options options_of(const Actions& actions, int offered);

// The options of the seats after an event of a record.
struct OptionRow {
  std::int32_t event;
  std::uint8_t seat;
  Actions actions;
};
struct HandOptions {
  Fault fault = Fault::None;  // the first; the rows end there
  std::int32_t event = 0;     // of the fault
  std::array<std::int32_t, 3> detail{};
  std::vector<OptionRow> rows;
};
// Of every moment of a hand (its words as replay.hpp says) at which a seat has something to do.
HandOptions options_of_hand(const std::int32_t* words, std::size_t n, const ReplayRules& rules);

}  // namespace haiyomi::replay
