// The sums behind players' statistics, of the words of hands (replay.hpp).
//
// styles/statistics.py and styles/game_sums.py say what each sum means. A seat that is dealt no
// tiles is hidden.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace haiyomi {

// In the order of styles.statistics.SUMS.
enum class Sum : std::uint8_t {
  Games, Hands, AbsentHands, HiddenHands,
  Riichi, FirstRiichi, RiichiTurn, RiichiPoints, RiichiDora, RiichiGames, RiichiGameTurn,
  Tenpai, Immediate, TenpaiChild, ImmediateChild,
  Calls, CallTurn, DealerCalls, DealerCallHonba,
  Opened, OpenedPoints, OpenedHonours, OpenedDora, OpenedShanten,
  EndHonours,
  FirstDealerHands, FirstDealerPoints, NorthHands, NorthPoints,
  EastHands, EastPoints, SouthHands, SouthPoints,
  Wins, DealIns,
  Count
};
inline constexpr std::size_t kSums = static_cast<std::size_t>(Sum::Count);
using SeatSums = std::array<std::array<double, kSums>, 4>;

enum class TallyFault : std::uint8_t {
  None,
  Damaged,   // words that are none
  Fifth,     // a seat gets a fifth copy of a tile
  NotHeld,   // a seat parts with a tile that it does not hold
  NoHand,    // a seat holds a number of tiles that no hand has
};

struct TallyEnd {
  TallyFault fault = TallyFault::None;
  std::size_t hand = 0;     // of the fault
  std::int32_t detail = 0;  // the tile's code, or how many tiles the seat holds
};

// Adds up the hands of a game: hand h is words[hands[h] .. hands[h + 1]), and absent[h] has bit s
// where the line of seat s was down. Stops at the first fault, but at one of a number of tiles only
// where there is no other.
TallyEnd tally_game(std::span<const std::int32_t> words, std::span<const std::int64_t> hands,
                    std::span<const std::uint8_t> absent, SeatSums& sums);

}  // namespace haiyomi
