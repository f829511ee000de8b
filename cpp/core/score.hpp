// Yaku, han, fu and points of a winning hand, by Tenhou's rules unless told otherwise.
#pragma once
#include <array>
#include <cstdint>

namespace haiyomi {

using Counts = std::array<std::uint8_t, 34>;

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

// Payments for (han, fu) or a number of yakuman; fills ron, tsumo_dealer, tsumo_other.
void pay(Score& score, bool dealer, const ScoreRules& rules);

}  // namespace haiyomi
