// What choices by a policy are made of, as it comes from Python.
#pragma once
#include <algorithm>
#include <cmath>

#include "arrays.hpp"
#include "policy_choice.hpp"

namespace haiyomi {

using KindLogits = Values<float, nb::shape<-1, 34>>;
using Acts = Values<float, nb::shape<-1, record::kActs>>;
using Points = Values<double, nb::shape<-1, static_cast<int>(kPoints)>>;

// Throws nb::value_error for logits of another number of decisions than n, and for no numbers.
inline void check_logits(const KindLogits& discards, const KindLogits& kans, const Acts& acts,
                         double temperature, std::size_t n) {
  if (discards.shape(0) != n || kans.shape(0) != n || acts.shape(0) != n)
    throw nb::value_error("logits for another number of decisions");
  const auto sound = [](const auto& array) {
    return std::none_of(array.data(), array.data() + array.size(),
                        [](float x) { return std::isnan(x); });
  };
  if (!sound(discards) || !sound(kans) || !sound(acts) || std::isnan(temperature))
    throw nb::value_error("a logit or the temperature is not a number");
}

// Throws nb::value_error for points of another number of decisions than n, or outside [0, 1).
inline void check_points(const Points& points, std::size_t n) {
  if (points.shape(0) != n)
    throw nb::value_error("random numbers for another number of decisions");
  if (!std::all_of(points.data(), points.data() + points.size(),
                   [](double x) { return x >= 0 && x < 1; }))
    throw nb::value_error("a random number outside [0, 1)");
}

}  // namespace haiyomi
