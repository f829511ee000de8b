// e to the power of a number, by basic operations alone.
#pragma once
#include <cmath>

namespace haiyomi {

// Of x <= 0, the last bit may be wrong. The same bits on every processor and with every library,
// where the compiler rounds a product before it is added (CMakeLists.txt).
inline double exp_of(double x) {
  constexpr int kTerms = 14;  // of the series within half a doubling
  if (x < -700) return 0;
  const double doublings = std::floor(x * 0x1.71547652b82fep0 + 0.5);
  const double rest = (x - doublings * 0x1.62e42fefa38p-1) - doublings * 0x1.ef35793c7673p-45;
  double sum = 1;
  for (int k = kTerms; k > 0; --k) sum = 1 + sum * rest / k;
  return std::ldexp(sum, int(doublings));
}

}  // namespace haiyomi
