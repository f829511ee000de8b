// The rules of a hand as Python passes them.
#pragma once
#include <nanobind/stl/array.h>

#include <array>
#include <stdexcept>

#include "replay.hpp"

namespace haiyomi {

// In the order of kernels/replay.py's rule_numbers: flags 0 or 1, and the fu of a double wind pair.
using RuleNumbers = std::array<int, 10>;

inline ReplayRules rules_of(const RuleNumbers& numbers) {
  const auto [red_fives, kuitan, multiple_yakuman, double_yakuman, kiriage, wind_pair_fu, triple_ron,
              immediate_kan_dora, pao_whole, rob_ankan] = numbers;
  if (wind_pair_fu < 0 || wind_pair_fu > 100)
    throw std::invalid_argument("wind_pair_fu must be 0 to 100");
  ReplayRules rules;
  rules.red_fives = red_fives != 0;
  rules.triple_ron = triple_ron != 0;
  rules.immediate_kan_dora = immediate_kan_dora != 0;
  rules.pao_whole = pao_whole != 0;
  rules.rob_ankan = rob_ankan != 0;
  rules.score.kuitan = kuitan != 0;
  rules.score.multiple_yakuman = multiple_yakuman != 0;
  rules.score.double_yakuman = double_yakuman != 0;
  rules.score.kiriage = kiriage != 0;
  rules.score.wind_pair_fu = static_cast<std::uint8_t>(wind_pair_fu);
  return rules;
}

}  // namespace haiyomi
