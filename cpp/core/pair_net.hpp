// The forward pass of the placement network: four seats, looked at in their 12 ordered pairs.
//
// outcomes/placement.py explains the network. A row's bits do not depend on the other rows.
#pragma once
#include <cstddef>

namespace haiyomi {

struct PairNet {
  static constexpr std::size_t kPairs = 12, kSeats = 4, kOut = 5;
  // Numbers of a pair, and the widths of the hidden vectors of a pair and of a seat, multiples of 16.
  std::size_t inputs, pair, seat;

  // The weights in order, each by rows and followed by its biases: (inputs, pair), (2 pair, seat),
  // (seat, kOut), (pair, 1).
  std::size_t size() const {
    return (inputs + 1) * pair + (2 * pair + 1) * seat + (seat + 1) * kOut + pair + 1;
  }
};

// places (n, 4, 5): of each seat a number for each place, and its gain; ahead (n, 12): of each pair
// a number for the first being ahead. x (n, 12, inputs), the pairs of a seat after each other.
void forward(const PairNet& net, const float* weights, const float* x, std::size_t n, float* places,
             float* ahead);

}  // namespace haiyomi
