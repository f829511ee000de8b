// The policy's network: residual blocks over the kinds of each suit, with shared weights.
//
// A block looks at a kind and its two neighbours, at the suit's mean and at the hand's mean.
// Answers: for each kind the logit of discarding it and of a kan of it, and for the whole the
// logits of Act, from the mean over the kinds, the drawn or offered kind and the context.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "policy_features.hpp"

namespace haiyomi::policy {

inline constexpr std::size_t kOutputs = 16;  // padded: per kind 2 are used, of acts kActs

struct Part {
  std::string name;
  std::size_t rows, columns, at;  // `at` in the flat array of all weights
};

// Where each weight lies in one flat array.
struct Layout {
  std::size_t width, blocks, hidden;
  std::vector<Part> parts;
  std::size_t size = 0;

  Layout(std::size_t width, std::size_t blocks, std::size_t hidden);
};

// What one row adds to a loss: sums over rows, and how many answers.
struct Losses {
  double discard = 0, kan = 0, turn = 0, offer = 0;
  std::size_t n_discard = 0, n_kan = 0, n_turn = 0, n_offer = 0;
};

struct Answers {
  float* kinds;  // (n, 34, 2): discard, kan
  float* acts;   // (n, kActs)
};

// Answers of n rows. `mirror` (n) bytes, `style` (n, kStyle).
void forward(const Layout& layout, const float* weights, const RowBytes* rows, std::size_t n,
             const std::uint8_t* mirror, const float* style, const Answers& out);

// A batch is summed in so many shares, and these in order: a sum does not depend on who made it.
inline constexpr std::size_t kShares = 4;
// Rows of each but the last share of a batch of n.
std::size_t share_size(std::size_t n);

// The summed negative log likelihood of the labels; its gradient is added to `slope` (of
// layout.size numbers) and to `style_slope` (n, kStyle). The same for any number of threads.
// `whole`: the rows are one share.
Losses learn(const Layout& layout, const float* weights, const RowBytes* rows, std::size_t n,
             const std::uint8_t* mirror, const float* style, const LabelBytes* labels,
             float* slope, float* style_slope, std::size_t threads, bool whole = false);

}  // namespace haiyomi::policy
