// One, two or four doubles that are computed together, two in a register where there is one.
#pragma once
#include <cstddef>
#include <type_traits>

namespace haiyomi {

#if defined(__GNUC__) || defined(__clang__)
typedef double Two __attribute__((vector_size(16)));
inline Two larger(Two a, Two b) { return a > b ? a : b; }
inline Two where_larger(Two a, Two b, double value) { return a > b ? value - Two{} : Two{}; }
#else
struct Two {
  double v[2];
  double& operator[](std::size_t i) { return v[i]; }
  double operator[](std::size_t i) const { return v[i]; }
};
inline Two operator+(Two a, Two b) { return {{a.v[0] + b.v[0], a.v[1] + b.v[1]}}; }
inline Two operator-(Two a, Two b) { return {{a.v[0] - b.v[0], a.v[1] - b.v[1]}}; }
inline Two operator*(double a, Two b) { return {{a * b.v[0], a * b.v[1]}}; }
inline Two operator*(Two a, Two b) { return {{a.v[0] * b.v[0], a.v[1] * b.v[1]}}; }
inline Two larger(Two a, Two b) {
  return {{a.v[0] > b.v[0] ? a.v[0] : b.v[0], a.v[1] > b.v[1] ? a.v[1] : b.v[1]}};
}
inline Two where_larger(Two a, Two b, double value) {
  return {{a.v[0] > b.v[0] ? value : 0, a.v[1] > b.v[1] ? value : 0}};
}
#endif
inline double larger(double a, double b) { return a > b ? a : b; }
inline double where_larger(double a, double b, double value) { return a > b ? value : 0; }

// kQuantities numbers, three padded to four.
template <std::size_t kQuantities>
struct Lanes {
  using Part = std::conditional_t<kQuantities == 1, double, Two>;
  static constexpr std::size_t kParts = kQuantities > 2 ? 2 : 1;
  static constexpr std::size_t kPlaces = kQuantities > 2 ? 4 : kQuantities;
  Part part[kParts] = {};

  double get(std::size_t i) const {
    if constexpr (kQuantities == 1) return part[0];
    else return part[i / 2][i % 2];
  }
  void set(std::size_t i, double value) {
    if constexpr (kQuantities == 1) part[0] = value;
    else part[i / 2][i % 2] = value;
  }
};

}  // namespace haiyomi
