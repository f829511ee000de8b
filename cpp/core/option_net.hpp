// The forward pass of the networks of options: an ensemble of two hidden layers each.
//
// outcomes/option_model.py explains it. An option's bits do not depend on the other options.
#pragma once
#include <cstddef>
#include <cstdint>

namespace haiyomi {

struct OptionNet {
  static constexpr std::size_t kKinds = 34;
  // Networks; numbers of a tile, of the decision, of the option, of a hidden layer (a multiple of
  // 16) and of the answer.
  std::size_t members, channels, pooled, exact, hidden, out;
  // (members, rows, hidden) into the first hidden layer, and the rest, each by rows.
  const float *of_channels, *of_pooled, *of_exact, *bias, *of_hidden, *hidden_bias, *of_out;
};

// b options of n decisions, those of a decision side by side.
struct OptionBatch {
  std::size_t b;
  const std::int64_t* row;   // (b) the decision
  const std::uint8_t* kind;  // (b) whose channels count, below 34
  const float* channels;     // (n, 34, channels)
  const float* pooled;       // (n, pooled)
  const float* exact;        // (b, exact)
};

// to (members, b, out).
void forward(const OptionNet& net, const OptionBatch& batch, float* to);

}  // namespace haiyomi
