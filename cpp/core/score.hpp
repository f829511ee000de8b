// Yaku, han, fu and points of a winning hand, by Tenhou's rules by default.
#pragma once
#include <array>
#include <cstdint>

#include "decompose.hpp"

namespace haiyomi {

enum class MeldType : std::uint8_t { Chi = 0, Pon = 1, Daiminkan = 2, Kakan = 3, Ankan = 4 };

struct Meld {
  MeldType type;
  std::uint8_t kind;  // the lowest kind of a chi, else the kind
};

struct ScoreRules {
  bool kuitan = true;
  bool multiple_yakuman = true;
  bool double_yakuman = false;
  bool kiriage = false;
  std::uint8_t wind_pair_fu = 4;
};

struct WinInput {
  Counts concealed{};  // concealed tiles with the winning tile
  std::array<Meld, 4> melds{};
  std::uint8_t n_melds = 0;
  std::uint8_t win_kind = 0;
  std::uint8_t round_wind = 27;  // kinds 27-30
  std::uint8_t seat_wind = 27;   // 27 = dealer
  std::uint8_t riichi = 0;       // 1 riichi, 2 double riichi
  bool tsumo = false;
  bool ippatsu = false;
  bool rinshan = false;
  bool chankan = false;
  bool last_tile = false;   // haitei (tsumo) or houtei (ron)
  bool first_turn = false;  // tenhou / chiihou (tsumo before any call)
  std::uint8_t dora = 0, ura = 0, reds = 0;  // han each; counted by the caller
};

// Tenhou's yaku ids (0 menzen tsumo ... 51 four kans, 52 dora, 53 ura, 54 red five).
inline constexpr int kYakuIds = 55;

struct Score {
  bool complete = false;  // the tiles form a hand at all
  bool has_yaku = false;  // and it may win (dora alone may not)
  std::uint8_t han = 0;   // 13 a yakuman
  std::uint8_t fu = 0;    // 0 for a yakuman
  std::uint8_t yakuman = 0;             // number of limit hands counted
  std::array<std::uint8_t, kYakuIds> yaku_han{};  // han of each yaku, 0 = absent
  std::int32_t ron = 0;                 // what a discarder pays, without honba
  std::int32_t tsumo_dealer = 0;        // what the dealer pays on tsumo (0 if the winner deals)
  std::int32_t tsumo_other = 0;         // what each other pays on tsumo
};

Score score_win(const WinInput& in, const ScoreRules& rules = {});

// ---- the parts that score_win is made of, for scorers of many hands ----

// The han of each yaku with a closed and with an open hand; 13 a limit hand, 0 where it does
// not exist.
struct YakuHan {
  std::uint8_t closed, open;
};
extern const std::array<YakuHan, kYakuIds> kYakuHan;
inline constexpr std::uint64_t kLimitHands = ((std::uint64_t{1} << 52) - 1) ^
                                             ((std::uint64_t{1} << 37) - 1);

// What all decompositions of a hand share.
struct HandFacts {
  bool ok = false;  // the input makes sense: 3k + 2 tiles, the winning tile among them, ...
  bool closed = true;
  bool tsumo = false;
  std::uint8_t win_kind = 0;
  std::uint8_t n_melds = 0;
  std::uint8_t round_wind = 27, seat_wind = 27;
  std::uint8_t bonus = 0;               // dora, ura and red han
  std::uint64_t yaku = 0;               // bit id: yaku of the circumstances and the tiles
  std::uint64_t kinds = 0;              // kinds of all tiles, melds included
  std::uint64_t open_triplets = 0;      // pons, open and added kans
  std::uint64_t closed_kans = 0;
  std::array<std::uint8_t, 3> open_runs{};        // per suit; bit i: a chi from rank i
  std::uint8_t n_chi = 0, n_kans = 0;
  std::uint16_t meld_fu = 0;
};

// The kind of set that the winning tile completes, as far as fu and yaku depend on it.
enum class Ends : std::uint8_t { Pair, Triplet, ClosedRun, OpenRun };  // OpenRun: two-sided

struct Evaluation {
  std::int32_t base = -1;   // basic points; 0 without a yaku, -1 for no hand at all
  std::int32_t han = 0;     // bonus included; 13 a limit hand
  std::int32_t fu = 0;      // rounded; 0 for a limit hand
  std::int32_t yakuman = 0;
  std::uint64_t yaku = 0;   // bit id

  // Winners take what pays most, then the most han, then the most fu.
  bool better_than(const Evaluation& o) const {
    if (base != o.base) return base > o.base;
    if (han != o.han) return han > o.han;
    return fu > o.fu;
  }
};

HandFacts hand_facts(const WinInput& in);
// What a decomposition gives for a self-drawn win whichever set the winning tile completes: yaku,
// the fu of sets and pair without the wait, concealed triplets.
struct DrawnReading {
  std::uint64_t yaku = 0;
  int fu = 0;
  int own_triplets = 0;
};
DrawnReading read_drawn(const Decomposition& d, const HandFacts& hand, const ScoreRules& rules);
Evaluation evaluate_drawn(const DrawnReading& reading, Ends ends, const HandFacts& hand,
                          const ScoreRules& rules);
Evaluation evaluate(const Decomposition& d, Ends ends, const HandFacts& hand,
                    const ScoreRules& rules);
Evaluation evaluate_pairs(const Counts& concealed, const HandFacts& hand, const ScoreRules& rules);
Evaluation evaluate_orphans(const Counts& concealed, const HandFacts& hand,
                            const ScoreRules& rules);
Evaluation best_evaluation(const WinInput& in, const HandFacts& hand, const ScoreRules& rules);

// Calls visit(Ends) for each kind of set of a decomposition that the winning tile can end.
template <class Visit>
void for_each_end(const Decomposition& d, int win, Visit&& visit) {
  const auto suit = static_cast<std::size_t>(win / 9);
  const int rank = win % 9;
  if (d.pair == win) visit(Ends::Pair);
  if ((d.triplets >> win & 1) != 0) visit(Ends::Triplet);
  if (suit == 3 || d.runs[suit] == 0) return;
  bool two_sided = false;
  bool closed = false;
  for (int start = rank < 2 ? 0 : rank - 2; start <= (rank < 6 ? rank : 6); ++start) {
    if ((d.runs[suit] >> (4 * start) & 15) == 0) continue;
    const int place = rank - start;  // in the run
    const bool edge = (start == 0 && place == 2) || (start == 6 && place == 0);
    if (place == 1 || edge) closed = true;
    else two_sided = true;
  }
  if (two_sided) visit(Ends::OpenRun);
  if (closed) visit(Ends::ClosedRun);
}

// Calls visit(const Evaluation&) for every way to read the hand, those without a yaku too.
template <class Visit>
void for_each_evaluation(const WinInput& in, const HandFacts& h, const ScoreRules& rules,
                         Visit&& visit) {
  for_each_decomposition(SplitTable::get(), in.concealed.data(), [&](const Decomposition& d) {
    for_each_end(d, h.win_kind, [&](Ends ends) { visit(evaluate(d, ends, h, rules)); });
  });
  if (h.n_melds == 0) {
    visit(evaluate_pairs(in.concealed, h, rules));
    visit(evaluate_orphans(in.concealed, h, rules));
  }
}
std::int32_t basic_points(int han, int fu, int yakuman, const ScoreRules& rules);

// Payments for (han, fu) or a number of yakuman; fills ron, tsumo_dealer, tsumo_other.
void pay(Score& score, bool dealer, const ScoreRules& rules);

}  // namespace haiyomi
