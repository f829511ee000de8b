// Opponents of as many concealed tiles, weighed and asked side by side.
//
// What the tables of suits say is looked up once for all of them. Each of their numbers is the
// same sum in the same order, whoever stands beside it.
#pragma once
#include <memory>

#include "abreast.hpp"
#include "posterior_parts.hpp"

namespace haiyomi {

using AbreastSums = SumsOf<Abreast>;

// As PosteriorWeights and, below, Posterior::Suit.
struct AbreastWeights {
  std::array<std::array<Abreast, 5>, 34> count;
  std::array<std::array<Abreast, 14>, 4> tiles;
  std::array<std::array<Abreast, 4>, 34> wait;
  std::array<Abreast, kShapes> shape;
};

struct AbreastSuit {
  const SuitPatterns* table = nullptr;
  std::size_t groups = 0, classes = 0, boths = 0;  // those of no more tiles than a hand holds
  std::array<std::array<Abreast, 125>, 3> part;
  std::vector<Abreast> raw, sum, beside;
  std::vector<Abreast> both;  // by SuitPatterns::both_place
};

struct AbreastAnswer {
  std::array<Abreast, 34> live, none;  // `none`: without a yaku
  std::array<std::array<Abreast, 4>, 34> kind;
};

struct YakuSums;

struct AbreastHands {
  AbreastHands();
  ~AbreastHands();

  int sets = 0;
  AbreastWeights w;
  std::array<AbreastSuit, 4> suit;
  AbreastSums sums, outer;
  Abreast standard;
  // Kept from call to call.
  std::vector<Abreast> one, two;  // of groups, beside a complete suit and beside one that waits
  std::unique_ptr<YakuSums> yaku;
};

// What decides the yaku of number suits; opponents are asked together where it is the same.
struct SharedYaku {
  unsigned all = 15;      // what all suits may still share
  bool closed = true;
  unsigned triplets = 0;  // concealed kans
  unsigned suits = 0;     // number suits among the melds
  std::array<unsigned, 3> sets{};  // sets of the melds, bits as in SuitYaku::sets

  explicit SharedYaku(const RonRules& rules);
  auto operator<=>(const SharedYaku&) const = default;
};
// Bits 0-6: honours whose triplet is a yaku.
unsigned valued_honours(const RonRules& rules);
// Whether any hand has one, whatever it holds.
bool certain_yaku(const RonRules& rules);

// From the weights to the sums over all hands.
void weigh_abreast(AbreastHands& hands);
// What waits, and what of that is not furiten.
void waits_abreast(const AbreastHands& hands, const AbreastMasks& furiten, AbreastAnswer& out);
// What of that has no yaku; of those who stand in the same bit of `honours` as in valued_honours.
void no_yaku_abreast(AbreastHands& hands, const SharedYaku& yaku, const AbreastMasks& honours,
                     const AbreastMasks& furiten, AbreastAnswer& out);

// Makes and asks posteriors, at most kAbreast at a time.
class Posterior::Together {
 public:
  // Of as many concealed tiles each; their weights are set.
  void weigh(Posterior* const* of, std::size_t n);
  void load(const Posterior& one);
  // Of those weighed or loaded last. Those who are asked alike but for honours and furiten.
  void answer(const Posterior* const* of, const RonRules* const* rules, std::size_t n,
              PosteriorAnswer* const* out);

  static Together& kept();  // this thread's

 private:
  AbreastHands hands_;
  AbreastAnswer answer_;
};

}  // namespace haiyomi
