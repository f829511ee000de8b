// The family of networks over decision records: one forward pass for every model.
//
// The decision tower reads the record. If the network answers for opponents, a second tower runs
// once for each of the three, with the same weights: a kind's inputs there are the channels that
// the decision tower ends in, and the opponent's own features. A new prediction is a new output
// of one of the towers.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "decision_features.hpp"
#include "opponent_features.hpp"
#include "tower.hpp"

namespace haiyomi::network {

// Sizes that a network chooses; its inputs are given. Width 0: no such tower.
struct TowerSizes {
  std::size_t width, blocks, hidden, kinds, whole;
};

struct Layout {
  TowerShape decision, opponent;
  bool opponents;
  std::vector<Part> parts;
  std::size_t size = 0, opponent_part = 0;

  Layout(const TowerSizes& decision, const TowerSizes& opponent);
};

struct Outputs {
  float *kinds, *whole;                    // (n, 34, kinds), (n, whole)
  float *opponent_kinds, *opponent_whole;  // (n, 3, 34, kinds), (n, 3, whole)
  // What the decision tower ends in, (n, 34, width) and (n, hidden), or null.
  float *channels = nullptr, *pooled = nullptr;
};

class Network {
 public:
  // `weights` (layout.size). `rounded`: every product is rounded before it is added, which takes more
  // time and gives the same bits on every processor.
  Network(Layout layout, std::vector<float> weights, bool rounded);

  const Layout& layout() const { return layout_; }

  // The outputs of n records. `mirror` (n): 1 to reverse the ranks of every suit; kinds and chi of
  // the outputs are as in the record. `style` (n, kStyle).
  void forward(const record::DecisionBytes* records, std::size_t n, const std::uint8_t* mirror,
               const float* style, const Outputs& out) const;

 private:
  Layout layout_;
  std::vector<float> weights_, taps_;  // taps of both towers' convolutions, unless rounded
  bool rounded_;
};

}  // namespace haiyomi::network
