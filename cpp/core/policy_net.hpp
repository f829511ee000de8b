// The policy's network: residual blocks over the kinds of each suit, with shared weights.
//
// A block reads a kind and its two neighbours, the suit's mean and the hand's mean. Outputs: for
// each kind the logits of discarding it and of a kan of it; for the decision the logits of each
// Act, from the mean over the kinds, the drawn or offered kind, and the context.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "decision_labels.hpp"
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

// Losses summed over rows, and the number of labels in each sum.
struct Losses {
  double discard = 0, kan = 0, turn = 0, offer = 0;
  std::size_t n_discard = 0, n_kan = 0, n_turn = 0, n_offer = 0;
};

struct Answers {
  float* kinds;  // (n, 34, 2): discard, kan
  float* acts;   // (n, kActs)
};

// Answers of n rows. `mirror` (n) bytes, `style` (n, kStyle).
void forward(const Layout& layout, const float* weights, const DecisionBytes* rows, std::size_t n,
             const std::uint8_t* mirror, const float* style, const Answers& out);

// A batch is summed in this many shares, which are then added in order, so that the sum does not
// depend on which thread or process computed a share.
inline constexpr std::size_t kShares = 4;
// Rows in each share of a batch of n, except the last.
std::size_t share_size(std::size_t n);

// The summed negative log likelihood of the labels; its gradient is added to `gradient` (of
// layout.size numbers) and to `style_gradient` (n, kStyle). The same for any number of threads.
// `whole`: the rows are one share.
Losses learn(const Layout& layout, const float* weights, const DecisionBytes* rows, std::size_t n,
             const std::uint8_t* mirror, const float* style, const ChoiceBytes* labels,
             float* gradient, float* style_gradient, std::size_t threads, bool whole = false);

}  // namespace haiyomi::policy
