// The state of a table with all four hands visible.
#pragma once
#include <array>
#include <cstdint>

#include "public_history.hpp"
#include "replay.hpp"
#include "score.hpp"

namespace haiyomi::replay {

inline constexpr int kLiveWall = 70;

inline int kind_of(int code) { return code < 34 ? code : 4 + 9 * (code - 34); }
inline bool is_red(int code) { return code >= 34; }
inline std::uint64_t bit(int kind) { return std::uint64_t{1} << kind; }
inline bool is_yaochu(int kind) { return kind >= 27 || kind % 9 == 0 || kind % 9 == 8; }
inline int dora_of(int indicator) {
  if (indicator < 27) return indicator % 9 == 8 ? indicator - 8 : indicator + 1;
  if (indicator < 31) return indicator == 30 ? 27 : indicator + 1;
  return indicator == 33 ? 31 : indicator + 1;
}

// A rule that is broken, Fault::None for none. Thrown inside the replay only; replay_hand turns it
// into a result.
struct Broken {
  Fault fault = Fault::None;
  std::int32_t a = 0, b = 0, c = 0;
};
[[noreturn]] inline void fail(Fault f, std::int32_t a = 0, std::int32_t b = 0, std::int32_t c = 0) {
  throw Broken{f, a, b, c};
}

struct Player {
  Counts concealed{};
  std::uint8_t reds = 0;       // concealed red fives, bit = suit
  std::uint8_t meld_reds = 0;  // how many red fives in melds
  std::array<Meld, 4> melds{};
  std::uint8_t n_melds = 0;
  bool open = false;
  std::uint8_t riichi = 0;  // 1 or 2 (double) once declared
  bool accepted = false;
  bool ippatsu = false;
  bool nagashi = true;          // every discard a terminal or honour, none called
  bool acted = false;           // has discarded
  std::uint64_t river = 0;      // kinds discarded, called ones too
  std::uint64_t passed = 0;     // kinds let pass since the own last discard
  std::uint64_t passed_riichi = 0;  // and since the own riichi
  // the seat that discarded for the third / fourth triplet
  std::int8_t pao_dragons = -1, pao_winds = -1;
  // caches, valid while the concealed tiles stay as they are
  bool waits_known = false, yaku_known = false;
  std::uint64_t waits = 0, yaku = 0;

  bool holds(int code) const;
  void take(int code);
  void give(int code);  // must hold it
  void add_meld(MeldType type, int kind, int reds);
  Meld* pon_of(int kind);  // nullptr without
  std::uint64_t waits_now();  // of 3k+1 concealed tiles, kinds of which all four are held left out
  bool furiten(std::uint64_t waits_) const {
    return (waits_ & (river | passed | passed_riichi)) != 0;
  }
};

// What may come next.
enum class Phase : std::uint8_t {
  Start,      // nothing yet
  Deal,
  Draw,       // `turn` draws first (no discard before it)
  Act,        // `turn` has drawn or called
  Riichi,     // `turn` has declared and must discard
  Claim,      // `turn` has discarded: calls, wins, or the next draw
  Kan,        // `turn` has made a kan: reveals, then the replacement draw
  Won,        // a win: further wins on the same tile
  End
};

struct Table {
  ReplayRules rules;
  Phase phase = Phase::Start;
  int kyoku = 0, honba = 0, sticks = 0, dealer = 0;
  std::array<std::int32_t, 4> scores{};
  std::array<Player, 4> players{};
  PublicHistory history;
  std::array<std::uint8_t, 34> seen{};  // copies that have appeared, by kind
  std::uint8_t seen_reds = 0;
  std::array<std::uint8_t, 5> indicators{};
  int n_indicators = 0;
  int draws_left = kLiveWall;
  int turn = 0;         // who acts, or acted last
  int drawn = -1;       // code drawn, -1 after a call
  bool rinshan = false; // the last draw replaced a kan tile
  int last = -1;        // code of the last discard or added tile
  bool kakan_open = false;    // that tile was added to a pon
  bool ankan_open = false;    // that tile made a closed kan that thirteen orphans may rob
  bool accept_due = false;    // the riichi of `turn` awaits its deposit
  bool accepted_now = false;  // it was made: nobody can win on that discard any more
  bool calls_made = false;    // any call or kan so far
  int kans = 0;
  std::uint8_t kan_owners = 0;
  int pending_dora = 0;       // open kans whose indicator is still to come
  int due_dora = 0;           // indicators that must come before the replacement draw
  bool must_discard = false;  // an indicator was shown: the discard follows
  std::uint64_t kuikae = 0;   // kinds that may not be discarded after a call
  // the drawer's caches from before the draw: a tsumogiri brings them back
  bool waits_before_known = false, yaku_before_known = false;
  std::uint64_t waits_before = 0, yaku_before = 0;
  int n_discards = 0;
  int accepted = 0;           // riichi deposits made
  // wins so far
  int n_wins = 0;
  int last_winner = -1;
  std::uint8_t winners = 0;
  std::array<std::uint8_t, 5> ura{};
  int n_ura = 0;

  int seat_wind(int seat) const { return 27 + (seat - dealer + 4) % 4; }
  bool first_turn(int seat) const { return !calls_made && !players[seat].acted; }
  void appear(int code);  // a tile is seen for the first time: conservation
  // A win by `seat` on `code` (already in hand for a tsumo) as the circumstances are now.
  WinInput win_input(int seat, int code, bool tsumo, bool chankan) const;
  bool abort_due() const { return four_winds() || four_riichi() || four_kans(); }
  bool four_winds() const { return same_winds == 4 && n_discards == 4 && !calls_made; }
  bool four_riichi() const { return accepted == 4; }
  bool four_kans() const { return kans == 4 && (kan_owners & (kan_owners - 1)) != 0; }
  void let_pass();  // nobody won on the last tile
  int winds_discarded = -1;   // kind of the first discards while all are the same wind
  int same_winds = 0;
};

// Han that the indicators give a winning hand.
std::uint8_t bonus(const WinInput& in, const std::array<std::uint8_t, 5>& indicators, int n);

// replay_legality.cpp
void draw(Table& t, int seat, int code, bool rinshan);
void discard(Table& t, int seat, int code, bool tsumogiri);
void riichi(Table& t, int seat);
void accept(Table& t, int seat);
void call(Table& t, Op op, int seat, int target, int code, const std::int32_t* own, int n);
void ankan(Table& t, int seat, const std::int32_t* own, int n);
void kakan(Table& t, int seat, int code);
void reveal(Table& t, int code);

// replay_ending.cpp
struct WinClaim {
  int seat, target, code;
  std::array<std::int32_t, 4> deltas{};
  std::array<std::uint8_t, 5> ura{};
  int n_ura = 0;
  bool has_yaku_list = false;
  std::array<std::uint8_t, kYakuIds> yaku{};
  std::int32_t fu = -1, points = -1, pao = -1;
};
// What a win is worth, on the tile just drawn or on the one that others may win on now.
struct WinWorth {
  Score score;
  std::int32_t points = 0;              // without honba and deposits
  std::array<std::int32_t, 4> deltas{};
  int pao = -1;                         // the seat that is liable
};
WinWorth win_worth(const Table& t, int seat, bool tsumo, const std::uint8_t* ura, int n_ura);
Score win(Table& t, const WinClaim& claim);
void abort_hand(Table& t, AbortReason reason, int seat);
// What an exhaustive draw pays, and the seats that are tenpai or made nagashi mangan, as bits.
struct WallOut {
  std::array<std::int32_t, 4> deltas{};
  int tenpai = 0, nagashi = 0;
};
WallOut wall_out(Table& t);
void exhaust(Table& t, const std::array<std::int32_t, 4>& deltas, int tenpai, int nagashi);
HandEnd end_of(Table& t, Op last);

// replay_truth.cpp
// Kinds on which `seat` may win now by ron if another lets them go, furiten and yaku regarded.
std::uint64_t ron_mask(Table& t, int seat, bool chankan);
DecisionRow decision(Table& t, int event, int seat, int code, bool added_kan);
void set_worth(DecisionRow& row, int seat, const Score& score);

}  // namespace haiyomi::replay
