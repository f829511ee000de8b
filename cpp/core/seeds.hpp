// Random numbers as numpy makes them: the generator of a seed and a name, as seeds.py has it.
#pragma once
#include <cstdint>
#include <string_view>

#include "mixed.hpp"

namespace haiyomi {

// PCG64 (XSL-RR output), the same stream as numpy's for the same state.
class Pcg64 {
 public:
  Pcg64() = default;
  // The generator of a name (seeds.generator's names joined by slashes) under a seed.
  Pcg64(std::uint64_t seed, std::string_view name);

  std::uint64_t next();
  double uniform() { return unit(next()); }  // numpy's random()

 private:
  struct Wide {
    std::uint64_t high = 0, low = 0;
  };
  void step();
  Wide state_, increment_;
};

}  // namespace haiyomi
