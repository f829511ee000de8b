// Which of the 113 waits of the paper's section 4 a concealed tenpai hand contains.
//
// Index: 0-17 two-sided, suit * 6 + a for the wait on ranks a and a+3 (0-based; nobetan too);
// 18-44 edge and closed, suit * 9 + i: i = 1..7 the closed wait on rank i, 0 the edge wait on
// rank 2 (from 12), 8 the edge wait on rank 6 (from 89); 45-78 the pairs of shanpon waits by
// kind; 79-112 single waits by kind, nobetan ends left out, a seven-pairs wait included.
#pragma once
#include <bitset>

#include "score.hpp"

namespace haiyomi {

inline constexpr int kWaitForms = 113;

// `concealed` holds 3 * (4 - n_melds) + 1 tiles. Thirteen orphans are left out, as published.
// With `win` (0-33) only the readings that this kind completes count, -1 for all.
std::bitset<kWaitForms> wait_forms(const Counts& concealed, int n_melds, int win = -1);

// A number for how the hand waits on `win`, by which explanations are grouped: (kWaitForms + 1)
// times the first form (kWaitForms for none), plus for a shanpon the first pair that is not
// `win`'s, else kWaitForms.
int wait_name(const std::bitset<kWaitForms>& forms, int win);

}  // namespace haiyomi
