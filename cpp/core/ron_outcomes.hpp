// The outcomes of a ron: the (han, fu) cells that are not zero, with what each costs.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace haiyomi {

struct RonOutcomes {
  std::vector<double> rows;            // (., 4): han, fu, points, probability
  std::vector<std::int64_t> ends{0};   // rows before each distribution, and the end
  std::vector<double> sums, losses;    // of each: the sum of its probabilities, and of points times
};

// Adds a distribution (kHan, kFu) whose cells cost `points` (kHan, kFu).
void add_outcomes(const double* cells, const std::int64_t* points, RonOutcomes& to);

// The distribution of a ron on a red five from that of one on a plain five, both (kHan, kFu): a han
// more.
void add_red_five(const double* cells, double* out);

}  // namespace haiyomi
