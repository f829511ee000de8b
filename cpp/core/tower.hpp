// A tower: residual blocks over the 34 kinds, of which a network has one or two.
//
// The suits share their weights; the honours have their own. A block reads a kind, its two
// neighbours, the suit's mean and the hand's mean. A tower ends in outputs for each kind, and in
// outputs for the whole, from the mean over the kinds, one kind in focus, and the context.
// A suit takes ten places, nine kinds and an empty one, so that a kind and its neighbours are
// consecutive and one matrix product covers them; or, with rounding of its own and fewer products,
// five products of thirds of suits do (convolution.hpp). A row's bits do not depend on the other rows.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "convolution.hpp"
#include "gemm.hpp"

namespace haiyomi::network {

inline constexpr std::size_t kHonourKinds = 7;
inline constexpr std::size_t kPlaces = 3 * kStep;

struct TowerShape {
  std::size_t features, context;     // numbers of a kind and of the whole
  std::size_t width, blocks, hidden; // channels of a kind, blocks, channels of the whole
  std::size_t kinds, whole;          // outputs of each kind and of the whole

  std::size_t taps() const { return blocks * kProducts * width * width; }
  std::size_t kind_lanes() const { return (kinds + kLane - 1) / kLane * kLane; }
  bool operator==(const TowerShape&) const = default;
  std::size_t whole_lanes() const { return (whole + kLane - 1) / kLane * kLane; }
};

struct Part {
  std::string name;
  std::size_t rows, columns, at;  // `at` in the flat array of all weights
};

// Appends the parts of a tower; `size` counts the numbers of all.
void add_parts(const TowerShape& shape, const std::string& prefix, std::vector<Part>& parts,
               std::size_t& size);

// Fills `out` (shape.taps()) with what a tower's convolutions multiply thirds of suits by; `first` is
// the tower's first part.
void spread_blocks(const TowerShape& shape, const std::vector<Part>& parts, std::size_t first,
                   const float* weights, float* out);

class Tower {
 public:
  // For up to `rows` rows at a time; `first` is the tower's first part.
  Tower(const TowerShape& shape, const std::vector<Part>& parts, std::size_t first,
        std::size_t rows);

  // `taps`: those of spread_blocks, or null to convolve by one product.
  void use(const float* weights, const float* taps, Multiply multiply) {
    weights_ = weights;
    taps_ = taps;
    multiply_ = multiply;
  }

  // The inputs of n rows become zero; the caller fills them in.
  void clear(std::size_t n);
  float* kind_in(std::size_t row, std::size_t k) {
    return k < 27 ? &suits_in_[place(row, k) * s_.features]
                  : &honours_in_[(row * kHonourKinds + k - 27) * s_.features];
  }
  float* context_in(std::size_t row) { return &context_[row * s_.context]; }
  // The kind in focus, kNoKind without.
  static constexpr std::size_t kNoKind = 255;
  void set_focus(std::size_t row, std::size_t k) {
    focus_kind_[row] = static_cast<std::uint8_t>(k);
  }

  // A row has the inputs of the row before it, but for what is written into its context after this:
  // what the kinds enter with is computed once for both.
  void repeat(std::size_t row);

  void run(std::size_t n);

  // After `run`: a kind's channels, the outputs, and the hidden channels of the whole.
  const float* channels(std::size_t row, std::size_t k) const {
    return k < 27 ? &suits_[(place(row, k) + 1) * s_.width]
                  : &honours_[(row * kHonourKinds + k - 27) * s_.width];
  }
  const float* kind_out(std::size_t row, std::size_t k) const {
    return k < 27 ? &suits_out_[place(row, k) * s_.kind_lanes()]
                  : &honours_out_[(row * kHonourKinds + k - 27) * s_.kind_lanes()];
  }
  const float* whole_out(std::size_t row) const { return &whole_[row * s_.whole_lanes()]; }
  const float* pooled(std::size_t row) const { return &pooled_[row * s_.hidden]; }

 private:
  static std::size_t place(std::size_t row, std::size_t k) {
    return row * kPlaces + k / 9 * kStep + k % 9;
  }
  const float* part(std::size_t i) const { return weights_ + parts_[first_ + i].at; }
  void enter(std::size_t n);
  void block(std::size_t b, std::size_t n);
  void convolve(std::size_t b, std::size_t n);
  void means(std::size_t n);
  void kind_outputs(std::size_t n);
  void whole_outputs(std::size_t n);

  TowerShape s_;
  const std::vector<Part>& parts_;
  std::size_t first_;
  const float *weights_ = nullptr, *taps_ = nullptr;
  Multiply multiply_ = nullptr;
  // `suits_` has an empty place before the first and after the last.
  std::vector<float> suits_in_, honours_in_, context_, suits_, honours_, up_, up_honours_,
      thirds_, products_, suit_mean_, mean_, by_suit_, by_hand_, suits_out_, honours_out_, focus_,
      pooled_, whole_;
  std::vector<std::uint8_t> focus_kind_, repeats_;
};

}  // namespace haiyomi::network
