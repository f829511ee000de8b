// The small network over the kinds of tiles, forward: reading/network.py says what it computes.
//
// A suit is ten places, nine kinds and an empty one, so that a kind and its neighbours are three
// places in a row and one product takes all of them. Every number of a row is the same whatever
// rows stand beside it.
#pragma once
#include <cstddef>

namespace haiyomi {

struct KindNet {
  // Numbers of a kind, of the context, of a hidden place (a multiple of 16), and of an answer.
  std::size_t features, contexts, width, layers, outputs;

  // Answers are worked out in whole lanes.
  std::size_t lanes() const { return (outputs + 15) / 16 * 16; }
  // In order, row by row: in (features, width); in context, bias, in context of the honours; of
  // each layer below, own and above, suit, hand, bias, honours, hand of the honours, bias of the
  // honours; out (width, lanes), its bias, and both of the honours.
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
