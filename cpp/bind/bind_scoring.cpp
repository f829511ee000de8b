#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bind.hpp"
#include "score.hpp"
#include "small_ints.hpp"

namespace haiyomi {
namespace {

using MeldRows = Values<std::uint8_t, nb::shape<-1, 4, 2>>;
using ContextRows = Values<std::uint8_t, nb::shape<-1, 13>>;

constexpr std::uint8_t kNoMeld = 255;

// Fills a WinInput; says what is wrong with a row, or null.
const char* read_row(const std::uint8_t* counts, const std::uint8_t* melds,
                     const std::uint8_t* context, WinInput& in) {
  const Profile p = profile(counts);
  if (!p.legal) return "a count above 4";
  std::memcpy(in.concealed.data(), counts, 34);
  in.n_melds = 0;
  std::array<int, 34> held{};
  for (std::size_t i = 0; i < 4; ++i) {
    const std::uint8_t type = melds[2 * i];
    const std::uint8_t kind = melds[2 * i + 1];
    if (type == kNoMeld) continue;
    if (type > 4) return "a meld's type must be 0 chi, 1 pon, 2 open kan, 3 added kan, 4 closed kan";
    if (kind > 33) return "a meld's kind must be 0-33";
    if (type == 0 && (kind > 26 || kind % 9 > 6)) return "no chi starts at this kind";
    in.melds[in.n_melds++] = {static_cast<MeldType>(type), kind};
    if (type == 0) {
      for (std::size_t k = kind; k < kind + std::size_t{3}; ++k) ++held[k];
    } else {
      held[kind] += type == 1 ? 3 : 4;
    }
  }
  if (in.n_melds != 0) {
    for (std::size_t k = 0; k < 34; ++k) {
      if (held[k] + counts[k] > 4) return "five copies of a kind";
    }
  }
  if (p.tiles != 14 - 3 * in.n_melds) return "expected 14 concealed tiles, 3 fewer for each meld";
  in.win_kind = context[0];
  if (in.win_kind > 33 || counts[in.win_kind] == 0) {
    return "the winning kind is not among the concealed tiles";
  }
  in.round_wind = context[1];
  in.seat_wind = context[2];
  if (in.round_wind < 27 || in.round_wind > 30 || in.seat_wind < 27 || in.seat_wind > 30) {
    return "winds are kinds 27-30";
  }
  in.riichi = context[3];
  if (in.riichi > 2) return "riichi is 0, 1 or 2";
  for (std::size_t i = 4; i < 10; ++i) {
    if (context[i] > 1) return "flags are 0 or 1";
  }
  in.tsumo = context[4] != 0;
  in.ippatsu = context[5] != 0;
  in.rinshan = context[6] != 0;
  in.chankan = context[7] != 0;
  in.last_tile = context[8] != 0;
  in.first_turn = context[9] != 0;
  in.dora = context[10];
  in.ura = context[11];
  in.reds = context[12];
  if (in.dora > 40 || in.ura > 40 || in.reds > 12) return "dora and ura are 0-40, red fives 0-12";
  return nullptr;
}

nb::tuple score_batch(const CountRows& concealed, const MeldRows& melds, const ContextRows& context,
                      bool kuitan, bool multiple_yakuman, bool double_yakuman, bool kiriage,
                      std::uint8_t wind_pair_fu) {
  const std::size_t n = concealed.shape(0);
  if (melds.shape(0) != n || context.shape(0) != n) {
    throw nb::value_error("concealed, melds and context must have as many rows");
  }
  const ScoreRules rules{kuitan, multiple_yakuman, double_yakuman, kiriage, wind_pair_fu};
  auto complete = make_1d<bool>(n);
  auto has_yaku = make_1d<bool>(n);
  auto han = make_1d<std::uint8_t>(n);
  auto fu = make_1d<std::uint8_t>(n);
  auto yakuman = make_1d<std::uint8_t>(n);
  auto yaku_han = make_2d<std::uint8_t>(n, kYakuIds);
  auto ron = make_1d<std::int32_t>(n);
  auto tsumo_dealer = make_1d<std::int32_t>(n);
  auto tsumo_other = make_1d<std::int32_t>(n);
  std::size_t row = 0;
  const char* wrong = without_gil([&]() -> const char* {
    WinInput in;
    for (; row < n; ++row) {
      if (const char* what = read_row(concealed.data() + 34 * row, melds.data() + 8 * row,
                                      context.data() + 13 * row, in)) {
        return what;
      }
      const Score s = score_win(in, rules);
      complete.data()[row] = s.complete;
      has_yaku.data()[row] = s.has_yaku;
      han.data()[row] = s.han;
      fu.data()[row] = s.fu;
      yakuman.data()[row] = s.yakuman;
      std::memcpy(yaku_han.data() + kYakuIds * row, s.yaku_han.data(), kYakuIds);
      ron.data()[row] = s.ron;
      tsumo_dealer.data()[row] = s.tsumo_dealer;
      tsumo_other.data()[row] = s.tsumo_other;
    }
    return nullptr;
  });
  if (wrong != nullptr) {
    throw nb::value_error(("row " + std::to_string(row) + ": " + wrong).c_str());
  }
  return nb::make_tuple(complete, has_yaku, han, fu, yakuman, yaku_han, ron, tsumo_dealer,
                        tsumo_other);
}

constexpr std::array<const char*, 12> kContext{
    "round_wind", "seat_wind", "riichi",     "tsumo", "ippatsu", "rinshan",
    "chankan",    "last_tile", "first_turn", "dora",  "ura",     "reds"};

// The kind of a tile: an integer, or an object that has one.
std::uint8_t kind_of(nb::handle tile) {
  static PyObject* const attribute = PyUnicode_InternFromString("kind");
  const nb::object own = PyLong_Check(tile.ptr())
                             ? nb::borrow(tile)
                             : nb::getattr(tile, nb::handle(attribute), tile);
  const long kind = small_int(own, "kinds");
  if (kind < 0 || kind > 33) {
    const std::string what = "no tile kind " + std::to_string(kind) + ": kinds are 0 to 33";
    throw nb::value_error(what.c_str());
  }
  return static_cast<std::uint8_t>(kind);
}

// Rows of (type, kind), as score takes them.
std::array<std::uint8_t, 8> meld_rows(nb::handle melds) {
  std::array<std::uint8_t, 8> rows;
  rows.fill(kNoMeld);
  for_each_item(melds, [&](std::size_t i, nb::handle meld) {
    if (i >= 4) throw nb::value_error("more than four melds: a hand has at most four");
    std::pair<nb::object, nb::object> pair;
    if (!nb::try_cast(meld, pair)) throw nb::type_error("a meld is a pair of type and tile");
    const long number = small_int(pair.first, "types of melds");
    if (number < 0 || number > 4) {
      throw nb::value_error((std::to_string(number) + " is not a valid MeldType").c_str());
    }
    rows[2 * i] = static_cast<std::uint8_t>(number);
    rows[2 * i + 1] = kind_of(pair.second);
  });
  return rows;
}

std::array<std::uint8_t, 13> context_row(nb::handle win, const nb::tuple& context) {
  std::array<std::uint8_t, 13> row{};
  if (context.size() != kContext.size()) throw nb::value_error("context must be 12 numbers");
  row[0] = kind_of(win);
  for (std::size_t i = 0; i < kContext.size(); ++i) {
    const long value = small_int(NB_TUPLE_GET_ITEM(context.ptr(), i), kContext[i]);
    if (value < 0 || value > 255) {
      throw nb::value_error((std::string(kContext[i]) + " must be 0 to 255").c_str());
    }
    row[i + 1] = static_cast<std::uint8_t>(value);
  }
  return row;
}

nb::tuple score_one(nb::handle concealed, nb::handle win, nb::handle melds,
                    const nb::tuple& context, const nb::tuple& names, bool kuitan,
                    bool multiple_yakuman, bool double_yakuman, bool kiriage,
                    std::uint8_t wind_pair_fu) {
  Counts counts{};
  for_each_item(concealed, [&](std::size_t, nb::handle tile) {
    std::uint8_t& count = counts[kind_of(tile)];
    if (count < 5) ++count;
  });
  WinInput in;
  if (const char* what = read_row(counts.data(), meld_rows(melds).data(),
                                  context_row(win, context).data(), in)) {
    throw nb::value_error(what);
  }
  const Score s =
      score_win(in, {kuitan, multiple_yakuman, double_yakuman, kiriage, wind_pair_fu});
  nb::list yaku;
  for (std::size_t id = 0; id < s.yaku_han.size(); ++id) {
    if (s.yaku_han[id] != 0) yaku.append(nb::make_tuple(names[id], s.yaku_han[id]));
  }
  return nb::make_tuple(s.complete, s.has_yaku, s.han, s.fu, s.yakuman, nb::tuple(yaku), s.ron,
                        s.tsumo_dealer, s.tsumo_other);
}

std::tuple<int, int, int> pay_one(int han, int fu, int yakuman, bool dealer, bool kiriage) {
  if (han < 0 || han > 255 || fu < 0 || fu > 255 || yakuman < 0 || yakuman > 13) {
    throw nb::value_error("han and fu are 0-255, limit hands 0-13");
  }
  Score s;
  s.han = static_cast<std::uint8_t>(han);
  s.fu = static_cast<std::uint8_t>(fu);
  s.yakuman = static_cast<std::uint8_t>(yakuman);
  ScoreRules rules;
  rules.kiriage = kiriage;
  pay(s, dealer, rules);
  return {s.ron, s.tsumo_dealer, s.tsumo_other};
}

std::vector<std::pair<int, int>> yaku_han() {
  std::vector<std::pair<int, int>> out;
  for (const YakuHan& han : kYakuHan) out.emplace_back(han.closed, han.open);
  return out;
}

}  // namespace
}  // namespace haiyomi

void bind_scoring(nb::module_& m) {
  using namespace haiyomi;
  m.def("score", &score_batch, nb::arg("concealed").noconvert(), nb::arg("melds").noconvert(),
        nb::arg("context").noconvert(), nb::arg("kuitan"), nb::arg("multiple_yakuman"),
        nb::arg("double_yakuman"), nb::arg("kiriage"), nb::arg("wind_pair_fu"),
        "Scores of winning hands; see haiyomi.kernels.scoring.");
  m.def("score_one", &score_one, nb::arg("concealed"), nb::arg("win"), nb::arg("melds"),
        nb::arg("context"), nb::arg("names"), nb::arg("kuitan"), nb::arg("multiple_yakuman"),
        nb::arg("double_yakuman"),
        nb::arg("kiriage"), nb::arg("wind_pair_fu"),
        "The score of one winning hand; see haiyomi.kernels.scoring.");
  m.def("pay", &pay_one, nb::arg("han"), nb::arg("fu"), nb::arg("yakuman"), nb::arg("dealer"),
        nb::arg("kiriage"), "What a discarder, the dealer and each other player pay.");
  m.def("yaku_han", &yaku_han, "Han of each yaku id with a closed and with an open hand.");
}
