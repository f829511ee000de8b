// A forest of decision trees, as gradient boosting fits it, in flat arrays.
#pragma once
#include <cstddef>
#include <cstdint>

namespace haiyomi {

// Nodes of all trees one after the other; a child is its place among the nodes of all.
struct Forest {
  const std::int32_t* roots;
  std::size_t trees;
  const std::int16_t* feature;  // -1: a leaf
  const float* value;           // a leaf's value; else a row goes left if its number is <= this
  const std::int32_t* left;
  const std::int32_t* right;
  std::size_t nodes;
};

// The sum of the leaves that a row of features reaches; `sound` must hold.
inline double forest_score(const Forest& f, const float* row) {
  double sum = 0.0;
  for (std::size_t t = 0; t < f.trees; ++t) {
    std::int32_t at = f.roots[t];
    while (f.feature[at] >= 0) {
      at = row[f.feature[at]] <= f.value[at] ? f.left[at] : f.right[at];
    }
    sum += f.value[at];
  }
  return sum;
}

// Whether every path ends at a leaf (children come after parents) and reads only `features`
// columns.
inline bool sound(const Forest& f, std::size_t features) {
  for (std::size_t t = 0; t < f.trees; ++t)
    if (f.roots[t] < 0 || static_cast<std::size_t>(f.roots[t]) >= f.nodes) return false;
  for (std::size_t i = 0; i < f.nodes; ++i) {
    if (f.feature[i] < 0) continue;
    if (static_cast<std::size_t>(f.feature[i]) >= features) return false;
    for (const std::int32_t child : {f.left[i], f.right[i]}) {
      if (child <= static_cast<std::int32_t>(i)) return false;
      if (static_cast<std::size_t>(child) >= f.nodes) return false;
    }
  }
  return true;
}

}  // namespace haiyomi
