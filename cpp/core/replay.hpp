// A checked replay of one hand: an array of words in; the first fault, or how the hand went, out.
//
// A word holds one event:  op | code << 4 | flag << 10 | seat << 12 | target << 14
// (code 0-36 of a tile, seats 0-3). Events that need more are followed by plain numbers:
//
//   Start          kyoku honba sticks score0..score3      code = first dora indicator
//   Deal           n0 n1 n2 n3, then the codes of the four hands
//   Draw           flag 1 = rinshan
//   Discard        flag 1 = tsumogiri
//   Chi Pon Daiminkan   n, n codes of the own tiles       code = the called tile, target
//   Ankan          n, n codes
//   Win            delta0..3  n_ura codes..  n_yaku (id han)..  fu points pao
//                  n_yaku, fu, points, pao are -1 where the record does not state them
//   Abort          reason, seat or -1
//   Exhaustive     delta0..3  tenpai mask or -1   nagashi mask
//
// The others (Riichi, Accepted, Kakan, Dora) are one word.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "score.hpp"

namespace haiyomi {

enum class Op : std::uint8_t {
  Start, Deal, Draw, Discard, Riichi, Accepted, Chi, Pon, Daiminkan, Ankan, Kakan, Dora, Win,
  Abort, Exhaustive
};

enum class AbortReason : std::uint8_t { NineTerminals, FourWinds, FourRiichi, FourKans, TripleRon };

struct ReplayRules {
  ScoreRules score;
  bool red_fives = true;
  bool triple_ron = false;
  bool immediate_kan_dora = false;
  bool pao_whole = true;   // the liable player pays for all limit hands of the hand
  bool rob_ankan = false;  // thirteen orphans may win on the tile of a closed kan
};

// Every fault by name; kernels/replay.py has a sentence for each, with (a, b, c) filled in.
#define HAIYOMI_REPLAY_FAULTS(X)                                                                  \
  X(None) X(BadWord) X(BadNumber) X(NoStart) X(NoDeal) X(DealSize) X(TooManyCopies) X(RedTwice)   \
  X(RedForbidden) X(NoEnding) X(AfterEnd) X(OutOfTurn) X(WallEmpty) X(MustAct) X(NotYourAct)      \
  X(RinshanMissing) X(RinshanWrong) X(DoraMissing) X(DoraUnexpected) X(NotHeld) X(NotDrawn)       \
  X(TsumogiriAfterCall) X(Tsumogiri) X(RiichiMustTsumogiri) X(Kuikae) X(KuikaeOnly)               \
  X(RiichiTwice) X(RiichiOpen) X(RiichiPoor) X(RiichiLate) X(RiichiNoten) X(RiichiNoDraw)         \
  X(RiichiDiscard) X(AcceptMissing) X(AcceptUnexpected) X(NothingToCall) X(CallWrongTarget)       \
  X(CallWrongTile) X(CallOwn) X(ChiNotLeft) X(CallInRiichi) X(CallLastTile) X(CallShape)          \
  X(KanAfterCall) X(KanLastTile) X(KanFifth) X(KanInRiichi) X(KakanNoPon) X(AbortDue)             \
  X(WinNothing) X(WinWrongTile) X(WinTwice) X(WinOrder) X(WinIncomplete)                \
  X(WinFuriten) X(WinNoYaku) X(WinTriple) X(UraWithoutRiichi) X(UraCount)             \
  X(UraDiffer) X(YakuDiffer) X(FuDiffer) X(PointsDiffer) X(PaoDiffer)                \
  X(DeltaDiffer) X(NineNotFirst) X(NineTooFew) X(NotFourWinds) X(NotFourRiichi) X(NotFourKans)    \
  X(NotTripleRon) X(WallNotEmpty) X(TenpaiDiffer) X(NagashiDiffer)

enum class Fault : std::uint8_t {
#define HAIYOMI_FAULT(name) name,
  HAIYOMI_REPLAY_FAULTS(HAIYOMI_FAULT)
#undef HAIYOMI_FAULT
};

extern const std::vector<const char*> kFaultNames;

// How the hand ended and what must follow.
struct HandEnd {
  Op kind = Op::Win;
  bool renchan = false;
  bool draw = false;                    // nobody won
  std::array<std::int32_t, 4> scores{}; // after it
  std::int32_t sticks = 0;              // left on the table
  std::int32_t next_kyoku = 0, next_honba = 0;
};

// What was hidden at a discard or an added kan, before the tile leaves the hand.
struct DecisionRow {
  std::int32_t event = 0;
  std::uint8_t seat = 0;
  std::uint8_t code = 0;       // the tile discarded or added
  bool forced = false;         // in riichi already: nothing to decide
  std::uint8_t ronned = 0;     // bitmask of seats that won on it
  std::array<Counts, 4> concealed{};
  std::array<std::uint8_t, 4> reds{};
  std::array<std::uint64_t, 4> waits{};  // the decider's: after the discard
  std::array<std::uint64_t, 4> ron{};    // legal now; 0 for the decider
  std::array<bool, 4> furiten{};
  std::array<std::uint8_t, 4> han{}, fu{};
  std::array<std::int32_t, 4> points{};
};

struct ReplayResult {
  Fault fault = Fault::None;
  std::int32_t event = 0;  // of the fault
  std::array<std::int32_t, 3> detail{};
  HandEnd end;
  std::vector<DecisionRow> discards, kakans;
};

ReplayResult replay_hand(const std::int32_t* words, std::size_t n, const ReplayRules& rules,
                         bool truth);

}  // namespace haiyomi
