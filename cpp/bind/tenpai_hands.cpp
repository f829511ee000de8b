#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>
#include <tuple>

#include "bind.hpp"
#include "inputs.hpp"
#include "ron_distribution.hpp"
#include "wait_forms.hpp"

using namespace haiyomi;

namespace {

template <class T, class... S>
using In = Values<T, S...>;
template <class T>
using Out = nb::ndarray<nb::numpy, T>;

template <class T>
Out<T> give(std::vector<T>&& data, std::initializer_list<std::size_t> shape) {
  auto* held = new std::vector<T>(std::move(data));
  nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return Out<T>(held->data(), shape, owner);
}

auto tenpai_hands(int tiles) {
  std::vector<std::uint8_t> counts;
  std::vector<std::uint64_t> waits;
  std::vector<std::uint8_t> good;
  {
    nb::gil_scoped_release release;
    const TenpaiTable& table = tenpai_table(tiles);
    counts.assign(table.hands.size() * 34, 0);
    waits.reserve(table.hands.size());
    good.reserve(table.hands.size());
    for (std::size_t i = 0; i < table.hands.size(); ++i) {
      const TenpaiHand& hand = table.hands[i];
      for (int p = 0; p < hand.n_parts; ++p)
        counts[i * 34 + hand.parts[p] / 5] = static_cast<std::uint8_t>(hand.parts[p] % 5);
      waits.push_back(hand.waits);
      good.push_back(hand.good);
    }
  }
  const std::size_t n = waits.size();
  return std::make_tuple(give(std::move(counts), {n, 34}), give(std::move(waits), {n}),
                         give(std::move(good), {n}));
}

auto tenpai_wait_index(int tiles) {
  std::vector<std::uint32_t> out;
  {
    nb::gil_scoped_release release;
    const TenpaiTable& table = tenpai_table(tiles);
    out.reserve(table.waits.size() * 2);
    for (std::size_t i = 0; i < table.hands.size(); ++i)
      for (int w = 0; w < table.hands[i].n_waits; ++w) {
        out.push_back(static_cast<std::uint32_t>(i));
        out.push_back(table.waits[table.hands[i].first_wait + w].kind);
      }
  }
  const std::size_t n = out.size() / 2;
  return give(std::move(out), {n, 2});
}

void need_kind(int kind, const char* what) {
  if (kind < 0 || kind > 33) throw std::invalid_argument(std::string(what) + " must be 0 to 33");
}

auto score_open(int tiles, const std::vector<std::tuple<int, int>>& melds, int round_wind,
                int seat_wind, In<std::uint8_t, nb::shape<34>> dora, int meld_reds, bool houtei,
                bool chankan, bool kuitan, bool kiriage, int wind_pair_fu) {
  OpenContext context;
  if (melds.empty() || melds.size() > 4) throw std::invalid_argument("1 to 4 melds");
  for (const auto& [type, kind] : melds) {
    need_kind(kind, "a meld's kind");
    if (type < 0 || type > 4) throw std::invalid_argument("a meld's type must be 0 to 4");
    if (type == 0 && (kind >= 27 || kind % 9 > 6))
      throw std::invalid_argument("no chi starts at this kind");
    context.melds.push_back({static_cast<MeldType>(type), static_cast<std::uint8_t>(kind)});
  }
  if (round_wind < 27 || round_wind > 30 || seat_wind < 27 || seat_wind > 30)
    throw std::invalid_argument("winds must be 27 to 30");
  if (meld_reds < 0 || meld_reds > 3) throw std::invalid_argument("meld_reds must be 0 to 3");
  if (wind_pair_fu < 0 || wind_pair_fu > 4)
    throw std::invalid_argument("wind_pair_fu must be 0 to 4");
  context.round_wind = static_cast<std::uint8_t>(round_wind);
  context.seat_wind = static_cast<std::uint8_t>(seat_wind);
  for (int k = 0; k < 34; ++k) {
    if (dora(k) > 5) throw std::invalid_argument("a kind brings at most 5 dora");
    context.dora[k] = dora(k);
  }
  context.meld_reds = static_cast<std::uint8_t>(meld_reds);
  context.houtei = houtei;
  context.chankan = chankan;
  context.rules.kuitan = kuitan;
  context.rules.kiriage = kiriage;
  context.rules.wind_pair_fu = static_cast<std::uint8_t>(wind_pair_fu);
  std::vector<std::uint8_t> out;
  {
    nb::gil_scoped_release release;
    const std::vector<HanFu> scores = score_open_hands(tenpai_table(tiles), context);
    out.reserve(scores.size() * 2);
    for (const HanFu& s : scores) {
      out.push_back(s.han);
      out.push_back(s.fu);
    }
  }
  const std::size_t n = out.size() / 2;
  return give(std::move(out), {n, 2});
}

auto ron_dist(int tiles, In<std::uint8_t, nb::ndim<2>> scores,
              In<std::uint8_t, nb::shape<34>> unseen, int reds_unseen, std::uint64_t furiten,
              int meld_suits, const std::array<double, 4>& tenpai, double poor_wait,
              double yakuless, std::uint64_t passed, double passed_wait, bool certain) {
  const TenpaiTable& table = tenpai_table(tiles);
  if (scores.shape(0) != table.waits.size() || scores.shape(1) != 2)
    throw std::invalid_argument("scores are not those of score_open for as many tiles");
  for (std::size_t i = 0; i < scores.shape(0); ++i)
    if (scores(i, 1) >= 10 * kFuCells) throw std::invalid_argument("a score of more than 110 fu");
  RonQuery query;
  for (int k = 0; k < 34; ++k) {
    if (unseen(k) > 4) throw std::invalid_argument("at most 4 of a kind are unseen");
    query.unseen[k] = unseen(k);
  }
  for (int s = 0; s < 3; ++s) query.red_unseen[s] = (reds_unseen >> s & 1) != 0;
  query.furiten = furiten;
  query.meld_suits = static_cast<std::uint8_t>(meld_suits & 7);
  query.tenpai = tenpai;
  query.poor_wait = poor_wait;
  query.yakuless = yakuless;
  query.passed = passed;
  query.passed_wait = passed_wait;
  query.certain = certain;
  RonAnswer answer;
  {
    nb::gil_scoped_release release;
    static_assert(sizeof(HanFu) == 2);
    answer = ron_distribution(table, reinterpret_cast<const HanFu*>(scores.data()), query);
  }
  std::vector<double> wait(answer.wait.begin(), answer.wait.end());
  return std::make_tuple(give(std::move(answer.ron), {34, kHanCells, kFuCells}),
                         give(std::move(wait), {34}), answer.possible, answer.total,
                         answer.consistent);
}

auto forms(In<std::uint8_t, nb::ndim<2>> counts, In<std::int8_t, nb::ndim<1>> win) {
  if (counts.shape(1) != 34 || counts.shape(0) != win.shape(0))
    throw std::invalid_argument("counts must be (n, 34) and win (n,)");
  std::vector<std::uint8_t> out(counts.shape(0) * kWaitForms);
  for (std::size_t i = 0; i < counts.shape(0); ++i) {
    Counts hand{};
    int total = 0;
    for (std::size_t k = 0; k < 34; ++k) {
      if (counts(i, k) > 4) throw std::invalid_argument("at most 4 of a kind");
      hand[k] = counts(i, k);
      total += hand[k];
    }
    if (total > 13 || total % 3 != 1)
      throw std::invalid_argument("a waiting hand has 1, 4, 7, 10 or 13 concealed tiles");
    if (win(i) < -1 || win(i) > 33) throw std::invalid_argument("win must be -1 to 33");
    const std::bitset<kWaitForms> found = wait_forms(hand, (13 - total) / 3, win(i));
    for (std::size_t f = 0; f < kWaitForms; ++f) out[i * kWaitForms + f] = found[f];
  }
  return give(std::move(out), {counts.shape(0), static_cast<std::size_t>(kWaitForms)});
}

}  // namespace

void bind_tenpai_hands(nb::module_& m) {
  m.def("tenpai_hands", &tenpai_hands, nb::arg("tiles"));
  m.def("tenpai_wait_index", &tenpai_wait_index, nb::arg("tiles"));
  m.def("score_open", &score_open, nb::arg("tiles"), nb::arg("melds"), nb::arg("round_wind"),
        nb::arg("seat_wind"), nb::arg("dora"), nb::arg("meld_reds"), nb::arg("houtei"),
        nb::arg("chankan"), nb::arg("kuitan"), nb::arg("kiriage"), nb::arg("wind_pair_fu"));
  m.def("ron_distribution", &ron_dist, nb::arg("tiles"), nb::arg("scores"), nb::arg("unseen"),
        nb::arg("reds_unseen"), nb::arg("furiten"), nb::arg("meld_suits"), nb::arg("tenpai"),
        nb::arg("poor_wait"), nb::arg("yakuless"), nb::arg("passed"),
        nb::arg("passed_wait"), nb::arg("certain"));
  m.def("wait_forms", &forms, nb::arg("counts"), nb::arg("win"));
}
