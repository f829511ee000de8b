// The action that a player takes who acts by a policy's logits, as styles/imitator.py chooses.
#pragma once
#include "options.hpp"
#include "seeds.hpp"

namespace haiyomi {

// The logits of one decision: of each kind's discard and own kan, and of each record::Act.
struct ChoiceLogits {
  const float* discards;  // (34)
  const float* kans;      // (34)
  const float* acts;      // (record::kActs)
};

// `temperature` 0 always takes what is likeliest; 1 samples from the policy's probabilities.
// In its own turn a seat decides in order: tsumo, nine terminals, the likeliest kan, riichi, each
// against 0, and then the kind of its discard. Of equal kinds it discards the plain five and the
// tile just drawn; a call takes the red five.
int choose(const replay::Table& t, int seat, const replay::Options& options,
           const ChoiceLogits& logits, double temperature, Pcg64& random);

}  // namespace haiyomi
