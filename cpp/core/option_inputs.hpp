// How often a policy takes each option of a decision, and the numbers that the options' network
// reads of it. outcomes/option_actions.py and outcomes/option_inputs.py say what both mean.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "decision.hpp"
#include "policy_choice.hpp"
#include "yaku_steps.hpp"

namespace haiyomi::options {

enum Sort : std::uint8_t {
  kDiscard, kRiichi, kTsumo, kNine, kKan, kChiLow, kChiMid, kChiHigh, kPon, kOpenKan, kRon, kPass,
  kSorts
};

// The options of one decision.
struct Options {
  const std::uint8_t* sort;
  const std::uint8_t* kind;  // tile discarded, made a kan of, or on offer; record::kNone without
  const std::uint8_t* red;   // 1: discards or shows a red five
  std::size_t n;
};

// What a network says of the opponents 1, 2, 3.
struct Opponents {
  static constexpr std::size_t kHan = 8;  // classes
  const float* ron;                       // (3, 34) log odds
  const float* tenpai;                    // (3) log odds
  const float* han;                       // (3, 34, kHan) logits
};

inline constexpr std::size_t kInputs = 45;

// share (n): those of a decision sum to one.
void shares(const record::DecisionBytes& decision, const Options& options,
            const ChoiceLogits& logits, double* share);

// The unseen tiles on which the hand that an option leaves tenpai may win later. Of those by own
// draw: dora, honours, ones and nines, twos and eights, threes and sevens. -1 of other options, and
// of kans and calls, after which the waits depend on the next discard.
struct WinTiles {
  int by_draw = -1, by_ron = -1, dora = -1;
  std::array<int, 4> kinds = {-1, -1, -1, -1};
};
inline constexpr std::size_t kWinTiles = 7;

// out (n). False as `inputs`.
bool win_tiles(const record::DecisionBytes& decision, const Options& options, bool kuitan,
               WinTiles* out);

// out (n): what the open hand that a discard leaves lacks for a yaku; zeros of other options and of
// closed hands. False as `inputs`.
bool open_steps(const record::DecisionBytes& decision, const Options& options, bool kuitan,
                YakuSteps* out);

// inputs (n, kInputs), and risk (n, 3): P that opponents 1, 2, 3 win on the option's tile at once.
// False if the hand of an option that leaves it tenpai is none.
bool inputs(const record::DecisionBytes& decision, const Options& options, const double* share,
            const Opponents& opponents, float* inputs, double* risk);

}  // namespace haiyomi::options
