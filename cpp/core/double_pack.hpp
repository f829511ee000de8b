// One, two or three doubles that are computed together, two to a vector register.
#pragma once
#include <cstddef>
#include <type_traits>

namespace haiyomi {

#if defined(__GNUC__) || defined(__clang__)
typedef double DoublePair __attribute__((vector_size(16)));
inline DoublePair larger(DoublePair a, DoublePair b) { return a > b ? a : b; }
inline DoublePair where_larger(DoublePair a, DoublePair b, double value) {
  return a > b ? value - DoublePair{} : DoublePair{};
}
#else
struct DoublePair {
  double v[2];
  double& operator[](std::size_t i) { return v[i]; }
  double operator[](std::size_t i) const { return v[i]; }
};
inline DoublePair operator+(DoublePair a, DoublePair b) {
  return {{a.v[0] + b.v[0], a.v[1] + b.v[1]}};
}
inline DoublePair operator-(DoublePair a, DoublePair b) {
  return {{a.v[0] - b.v[0], a.v[1] - b.v[1]}};
}
inline DoublePair operator*(double a, DoublePair b) { return {{a * b.v[0], a * b.v[1]}}; }
inline DoublePair operator*(DoublePair a, DoublePair b) {
  return {{a.v[0] * b.v[0], a.v[1] * b.v[1]}};
}
inline DoublePair larger(DoublePair a, DoublePair b) {
  return {{a.v[0] > b.v[0] ? a.v[0] : b.v[0], a.v[1] > b.v[1] ? a.v[1] : b.v[1]}};
}
inline DoublePair where_larger(DoublePair a, DoublePair b, double value) {
  return {{a.v[0] > b.v[0] ? value : 0, a.v[1] > b.v[1] ? value : 0}};
}
#endif
inline double larger(double a, double b) { return a > b ? a : b; }
inline double where_larger(double a, double b, double value) { return a > b ? value : 0; }

// kQuantities doubles; three are padded to four.
template <std::size_t kQuantities>
struct DoublePack {
  using Part = std::conditional_t<kQuantities == 1, double, DoublePair>;
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
