// Prints points of the shifted Sobol sequence as 32-bit numbers: sobol_points SEED N.
#include <cstdio>
#include <cstdlib>

#include "sobol.hpp"

int main(int, char** argv) {
  haiyomi::SobolPoints points(std::strtoull(argv[1], nullptr, 10));
  for (int n = std::atoi(argv[2]); n > 0; --n, points.next())
    for (std::size_t d = 0; d < haiyomi::kSobolDimensions; ++d)
      std::printf("%u\n", static_cast<unsigned>(points[d] * 0x1p32));
}
