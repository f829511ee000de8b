// The forward pass of the small network over the kinds of tiles; reading/network.py defines it.
//
// A suit takes ten places, nine kinds and an empty one, so that a kind and its neighbours are
// consecutive and one matrix product covers them. The result is batch-invariant: a row's bits do
// not depend on the other rows.
#pragma once
#include <cstddef>

namespace haiyomi {

struct KindNet {
  // Features of a kind and of the context, width of a hidden layer (a multiple of 16), and outputs
  // of a kind.
  std::size_t features, contexts, width, layers, outputs;

  // The outputs, padded to whole registers.
  std::size_t lanes() const { return (outputs + 15) / 16 * 16; }
  // The weights in order, each by rows: in (features, width); in context, bias, context of the
  // honours; for each layer below, own, above, suit, hand, bias, honours, hand of the honours, bias
  // of the honours; out (width, lanes) and its bias, then both of the honours.
  std::size_t size() const {
    const std::size_t w = width;
    return features * w + 2 * contexts * w + w + layers * (7 * w * w + 2 * w) +
           2 * (w * lanes() + lanes());
  }
};

// out (n, 34, outputs) of x (n, 34, features) and context (n, contexts).
void forward(const KindNet& net, const float* weights, const float* x, const float* context,
             std::size_t n, float* out);

}  // namespace haiyomi
