// The action that a player takes who acts by a policy's logits.
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

// What a random number decides.
enum class Purpose : std::uint8_t { Tsumo, Nine, Kan, Riichi, Discard, Claim };

// The caller's numbers of one choice: of tsumo or a claim, nine terminals, a kan, riichi, a discard.
inline constexpr std::size_t kPoints = 5;

// The random numbers in [0, 1) of one choice: the next ones of a generator, one for each purpose
// from a key, or the caller's `points` (kPoints), one for each purpose. With a key or points the
// numbers do not depend on which of them were used. `in_order`: each use takes the next point.
class Chances {
 public:
  explicit Chances(Pcg64& generator) : generator_(&generator) {}
  explicit Chances(std::uint64_t key) : key_(key) {}
  explicit Chances(const double* points, bool in_order = false)
      : points_(points), in_order_(in_order) {}
  double of(Purpose purpose);
  std::size_t used() const { return used_; }

 private:
  Pcg64* generator_ = nullptr;
  std::uint64_t key_ = 0;
  const double* points_ = nullptr;
  bool in_order_ = false;
  std::size_t used_ = 0;
};

// `temperature` 0 always takes what is likeliest; 1 samples from the policy's probabilities.
// In its own turn a seat decides in order: tsumo, nine terminals, the likeliest kan, riichi, each
// against 0, and then the kind of its discard. Of equal kinds it discards the plain five and the
// tile just drawn; a call takes the red five. `offered`: the kind of another seat's tile that the
// options answer, -1 in the own turn, where there must be a discard.
int choose(const replay::Options& options, int offered, const ChoiceLogits& logits,
           double temperature, Chances& chances);

}  // namespace haiyomi
