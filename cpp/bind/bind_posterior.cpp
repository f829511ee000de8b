#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <tuple>

#include "bind.hpp"
#include "decision_records.hpp"
#include "opponent_rules.hpp"
#include "ron_chances.hpp"
#include "ron_outcomes.hpp"

namespace haiyomi {
namespace {

template <class T, class... S>
using In = Values<T, S...>;
using Melds = std::vector<std::tuple<int, int>>;

void non_negative(const double* at, std::size_t n, const char* what) {
  for (std::size_t i = 0; i < n; ++i)
    if (!(at[i] >= 0.0) || at[i] > 1e30)
      throw std::invalid_argument(std::string(what) + " must be finite and not negative");
}

PosteriorWeights weights(const double* count, const double* tiles, const double* wait,
                         const double* shape, double pairs, double orphans) {
  non_negative(count, 34 * 5, "count factors");
  non_negative(tiles, 4 * 14, "tile factors");
  non_negative(wait, 34 * 4, "wait factors");
  non_negative(shape, kShapes, "shape factors");
  non_negative(&pairs, 1, "the factor of seven pairs");
  non_negative(&orphans, 1, "the factor of thirteen orphans");
  PosteriorWeights w;
  for (std::size_t k = 0; k < 34; ++k) {
    std::copy_n(count + 5 * k, 5, w.count[k].begin());
    std::copy_n(wait + 4 * k, 4, w.wait[k].begin());
  }
  for (std::size_t s = 0; s < 4; ++s) std::copy_n(tiles + 14 * s, 14, w.tiles[s].begin());
  std::copy_n(shape, kShapes, w.shape.begin());
  w.pairs = pairs;
  w.orphans = orphans;
  return w;
}

RonRules checked_rules(std::uint64_t barred, bool certain, const Melds& melds, int round_wind,
                   int seat_wind, bool kuitan) {
  RonRules r;
  r.barred = barred;
  r.certain_yaku = certain;
  r.kuitan = kuitan;
  if (melds.size() > 4) throw std::invalid_argument("at most 4 melds");
  for (const auto& [type, kind] : melds) {
    if (type < 0 || type > 4) throw std::invalid_argument("a meld's type must be 0 to 4");
    if (kind < 0 || kind > 33) throw std::invalid_argument("a meld's kind must be 0 to 33");
    if (type == 0 && (kind >= 27 || kind % 9 > 6))
      throw std::invalid_argument("no chi starts at this kind");
    r.melds.push_back({static_cast<MeldType>(type), static_cast<std::uint8_t>(kind)});
  }
  if (round_wind < 27 || round_wind > 30 || seat_wind < 27 || seat_wind > 30)
    throw std::invalid_argument("winds must be 27 to 30");
  r.round_wind = static_cast<std::uint8_t>(round_wind);
  r.seat_wind = static_cast<std::uint8_t>(seat_wind);
  return r;
}

Posterior* make(int concealed, In<double, nb::shape<34, 5>> count, In<double, nb::shape<4, 14>> tiles,
                In<double, nb::shape<34, 4>> wait, In<double, nb::shape<kShapes>> shape,
                double pairs, double orphans) {
  const PosteriorWeights w =
      weights(count.data(), tiles.data(), wait.data(), shape.data(), pairs, orphans);
  const nb::gil_scoped_release release;
  return new Posterior(concealed, w);
}

// Writes the three rows of an answer to `found`, each `apart` numbers after the one before.
void put(const PosteriorAnswer& a, double* found, std::size_t apart, double* kind) {
  std::copy(a.wait.begin(), a.wait.end(), found);
  std::copy(a.live.begin(), a.live.end(), found + apart);
  std::copy(a.ron.begin(), a.ron.end(), found + 2 * apart);
  for (const auto& row : a.kind) kind = std::copy(row.begin(), row.end(), kind);
}

auto answer(const Posterior& p, std::uint64_t barred, bool certain, const Melds& melds,
            int round_wind, int seat_wind, bool kuitan) {
  const RonRules rules = checked_rules(barred, certain, melds, round_wind, seat_wind, kuitan);
  auto out = make_2d<double>(3, 34);
  auto kinds = make_2d<double>(34, 4);
  double *to = out.data(), *kind = kinds.data();
  {
    const nb::gil_scoped_release release;
    put(p.answer(rules), to, 34, kind);
  }
  return nb::make_tuple(out, kinds);
}

// What is seen of some opponents: an observation and the relative seat of each; the rules (kuitan,
// kiriage, fu of a pair of two winds), and whether the tile is added to a pon.
using Seats = Values<std::uint8_t, nb::ndim<1>>;
using ShownRules = std::tuple<bool, bool, int, bool>;

const record::ObservationBytes* shown(const Records& observations, const Seats& seats) {
  const auto* out = rows_of<record::ObservationBytes>(observations);
  if (seats.size() != observations.shape(0)) throw nb::value_error("one seat for each observation");
  for (std::size_t i = 0; i < seats.size(); ++i) {
    if (seats(i) < 1 || seats(i) > 3) throw nb::value_error("the opponents' seats must be 1 to 3");
    for (const std::uint8_t n : out[i].unseen)
      if (n > 4) throw nb::value_error("at most 4 of a kind are unseen");
    for (const record::MeldBytes& meld : out[i].players[seats(i)].melds) {
      if (meld.type == 0 && (meld.base >= 27 || meld.base % 9 > 6))
        throw nb::value_error("no chi starts at this kind");
      if (meld.type != record::kNone && meld.reds > 3)
        throw nb::value_error("a meld holds at most 3 red fives");
    }
  }
  return out;
}

ScoreRules score_rules(const ShownRules& rules) {
  const auto [kuitan, kiriage, wind_pair_fu, chankan] = rules;
  // With more a score could have a fu beyond the cells.
  if (wind_pair_fu < 0 || wind_pair_fu > 4)
    throw nb::value_error("wind_pair_fu must be 0 to 4");
  ScoreRules out;
  out.kuitan = kuitan;
  out.kiriage = kiriage;
  out.wind_pair_fu = static_cast<std::uint8_t>(wind_pair_fu);
  return out;
}

// What the rules say of each opponent: the arguments of `answer` but the last.
auto rules_of(const Records& observations, const Seats& seats, const ShownRules& given) {
  const record::ObservationBytes* seen = shown(observations, seats);
  std::vector<std::tuple<std::uint64_t, bool, Melds, int, int>> out;
  for (std::size_t i = 0; i < seats.size(); ++i) {
    const RonRules r = ron_rules(seen[i], seats(i), score_rules(given), std::get<3>(given));
    Melds melds;
    for (const Meld& m : r.melds) melds.emplace_back(static_cast<int>(m.type), m.kind);
    out.emplace_back(r.barred, r.certain_yaku, melds, r.round_wind, r.seat_wind);
  }
  return out;
}

// The weights of hands: the ways to draw them from the unseen tiles, times the factors of each kind
// (of holding 1-4 of it, of waiting on it in four ways), of the number of tiles of a number suit
// and of the honours, and of the waiting suits.
PosteriorWeights weights_of(const std::uint8_t* unseen, const double* kinds, const double* tiles,
                            const double* shape, const double* irregular) {
  static constexpr double kWays[5][5] = {
      {1, 0, 0, 0, 0}, {1, 1, 0, 0, 0}, {1, 2, 1, 0, 0}, {1, 3, 3, 1, 0}, {1, 4, 6, 4, 1}};
  double count[34 * 5], wait[34 * 4], suits[4 * 14];
  for (std::size_t k = 0; k < 34; ++k) {
    count[5 * k] = 1.0;
    for (std::size_t n = 1; n < 5; ++n)
      count[5 * k + n] = kWays[unseen[k]][n] * kinds[8 * k + n - 1];
    std::copy_n(kinds + 8 * k + 4, 4, wait + 4 * k);
  }
  for (std::size_t s = 0; s < 4; ++s) std::copy_n(tiles + (s == 3 ? 14 : 0), 14, suits + 14 * s);
  return weights(count, suits, wait, shape, irregular[0], irregular[1]);
}

// The factors of a hand in one row: of each kind, of the tiles of suits, of shapes, irregular.
constexpr std::size_t kTilesAt = 34 * 8, kShapesAt = kTilesAt + 28,
                      kIrregularAt = kShapesAt + kShapes, kFactors = kIrregularAt + 2;

// n posteriors and the answer of each: (3, n, 34) and (n, 34, 4); `keep` as in Posterior::make.
auto read_all(const Records& observations, const Seats& seats, const ShownRules& given,
              In<double, nb::shape<-1, kFactors>> factors, bool keep) {
  const record::ObservationBytes* seen = shown(observations, seats);
  const std::size_t n = seats.size();
  if (factors.shape(0) != n) throw std::invalid_argument("the arrays differ in length");
  const ScoreRules table = score_rules(given);
  std::vector<int> hands(n);
  std::vector<PosteriorWeights> weighed;
  std::vector<RonRules> rules;
  weighed.reserve(n), rules.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    rules.push_back(ron_rules(seen[i], seats(i), table, std::get<3>(given)));
    hands[i] = 13 - 3 * static_cast<int>(rules[i].melds.size());
    const double* const own = factors.data() + kFactors * i;
    weighed.push_back(weights_of(seen[i].unseen, own, own + kTilesAt, own + kShapesAt,
                                 own + kIrregularAt));
  }
  auto found = make_3d<double>(3, n, 34);
  auto found_kinds = make_3d<double>(n, 34, 4);
  double *to = found.data(), *kind = found_kinds.data();
  std::vector<std::unique_ptr<Posterior>> made;
  {
    const nb::gil_scoped_release release;
    std::vector<PosteriorAnswer> answers;
    made = Posterior::make(hands, weighed, &rules, &answers, keep);
    for (std::size_t i = 0; i < n; ++i) put(answers[i], to + 34 * i, 34 * n, kind + 136 * i);
  }
  nb::list posteriors;
  for (std::unique_ptr<Posterior>& each : made)
    posteriors.append(nb::cast(each.release(), nb::rv_policy::take_ownership));
  return nb::make_tuple(posteriors, found, found_kinds);
}

// P(tenpai) (n,), by hands (n, 34) and P(ron) (n, 34), see ron_chances.hpp.
auto chances(const Records& observations, const Seats& seats, bool chankan,
             In<float, nb::ndim<1>> tenpai,
             In<float, nb::shape<-1, 34>> network, In<double, nb::shape<-1, 34>> ron,
             In<double, nb::shape<-1, 34>> wait,
             const std::optional<In<float, nb::shape<kOddsClasses, kOddsFeatures>>>& weights,
             double floor) {
  const record::ObservationBytes* seen = shown(observations, seats);
  const std::size_t n = seats.size();
  if (tenpai.size() != n || network.shape(0) != n || ron.shape(0) != n || wait.shape(0) != n)
    throw std::invalid_argument("the arrays differ in length");
  auto certain = make_1d<double>(n);
  auto by_hands = make_2d<double>(n, 34), rons = make_2d<double>(n, 34);
  for (std::size_t i = 0; i < n; ++i) {
    const RonChances found =
        ron_chances(seen[i], seats(i), chankan,
                    {tenpai(i), network.data() + 34 * i, ron.data() + 34 * i, wait.data() + 34 * i},
                    weights ? weights->data() : nullptr, floor);
    certain.data()[i] = found.tenpai;
    std::copy(found.by_hands.begin(), found.by_hands.end(), by_hands.data() + 34 * i);
    std::copy(found.ron.begin(), found.ron.end(), rons.data() + 34 * i);
  }
  return nb::make_tuple(certain, by_hands, rons);
}

// (n, 34, kOddsFeatures): what the chances of a ron are joined by, see ron_chances.hpp.
auto odds(const Records& observations, const Seats& seats, bool chankan,
          In<float, nb::shape<-1, 34>> network, In<double, nb::shape<-1, 34>> by_hands) {
  const record::ObservationBytes* seen = shown(observations, seats);
  const std::size_t n = seats.size();
  if (network.shape(0) != n || by_hands.shape(0) != n)
    throw std::invalid_argument("the arrays differ in length");
  auto out = make_3d<double>(n, 34, kOddsFeatures);
  double* to = out.data();
  for (std::size_t i = 0; i < n; ++i) {
    const RonOdds own(seen[i], seats(i), chankan);
    for (std::size_t k = 0; k < 34; ++k)
      to = std::ranges::copy(own.of(k, network(i, k), by_hands(i, k)), to).out;
  }
  return out;
}

// (n,) twice: the kinds on which opponents are furiten, and those that they let pass.
auto masks(const Records& observations, const Seats& seats, bool chankan) {
  const record::ObservationBytes* seen = shown(observations, seats);
  auto furiten = make_1d<std::uint64_t>(seats.size()), passed = make_1d<std::uint64_t>(seats.size());
  for (std::size_t i = 0; i < seats.size(); ++i) {
    furiten.data()[i] = furiten_kinds(seen[i].players[seats(i)]);
    passed.data()[i] = kinds_let_pass(seen[i], seats(i), chankan);
  }
  return nb::make_tuple(furiten, passed);
}

// One row: 34 * 5 counts, 4 * 14 tiles, 34 * 4 waits, shapes, pairs, orphans.
constexpr std::size_t kMarginals = 34 * 5 + 4 * 14 + 34 * 4 + kShapes + 2;

void put(const Marginals& m, double* to) {
  for (const auto& row : m.count) to = std::copy(row.begin(), row.end(), to);
  for (const auto& row : m.tiles) to = std::copy(row.begin(), row.end(), to);
  for (const auto& row : m.wait) to = std::copy(row.begin(), row.end(), to);
  to = std::copy(m.shape.begin(), m.shape.end(), to);
  *to++ = m.pairs;
  *to = m.orphans;
}

auto marginals(const Posterior& p) {
  auto out = make_1d<double>(kMarginals);
  double* to = out.data();
  const nb::gil_scoped_release release;
  put(p.marginals(), to);
  return out;
}

auto weight(const Posterior& p, const CountRows& hands) {
  auto out = make_1d<double>(hands.shape(0));
  double* to = out.data();
  const std::uint8_t* row = hands.data();
  for (std::size_t i = 0; i < hands.shape(0); ++i) {
    Counts c;
    std::copy_n(row + 34 * i, 34, c.begin());
    to[i] = p.weight(c);
  }
  return out;
}

auto sample(const Posterior& p, int n, std::uint64_t seed, int win, std::uint64_t barred) {
  if (n < 0 || n > 1'000'000) throw std::invalid_argument("0 to 1000000 samples");
  if (win < -1 || win > 33) throw std::invalid_argument("win must be -1 to 33");
  std::vector<Counts> hands;
  {
    const nb::gil_scoped_release release;
    hands = p.sample(n, seed, win, barred);
  }
  auto out = make_2d<std::uint8_t>(hands.size(), 34);
  for (std::size_t i = 0; i < hands.size(); ++i)
    std::copy(hands[i].begin(), hands[i].end(), out.data() + 34 * i);
  return out;
}

std::vector<const Posterior*> posteriors_of(const std::vector<nb::object>& given, std::size_t n) {
  if (given.size() != n) throw nb::value_error("one posterior for each observation");
  std::vector<const Posterior*> out(n);
  for (std::size_t i = 0; i < n; ++i)
    if (!nb::try_cast(given[i], out[i]) || out[i] == nullptr) throw nb::type_error("no posterior");
  return out;
}

// (n, k, kHan, kFu): the probability of a ron of each opponent on each of k kinds, `chance`, by its
// han and fu. Of a ron of which no hand was found the least is said. (w, 4): of chances of at least
// `named_from` the ways of waiting, as rows of opponent, place of the kind, name and hands.
auto ron_cells(const std::vector<nb::object>& posteriors, const Records& observations,
               const Seats& seats, const ShownRules& given, const Seats& kinds,
               In<std::int32_t, nb::ndim<2>> samples, In<double, nb::ndim<2>> chance,
               double named_from) {
  const record::ObservationBytes* seen = shown(observations, seats);
  const std::size_t n = seats.size(), k = kinds.size();
  const std::vector<const Posterior*> of = posteriors_of(posteriors, n);
  const ScoreRules rules = score_rules(given);
  const bool chankan = std::get<3>(given);
  if (samples.shape(0) != n || samples.shape(1) != k || chance.shape(0) != n ||
      chance.shape(1) != k)
    throw nb::value_error("one number of samples and one chance for each opponent and kind");
  for (std::size_t i = 0; i < k; ++i)
    if (kinds(i) > 33) throw nb::value_error("kinds must be 0 to 33");
  for (std::size_t i = 0; i < n * k; ++i)
    if (samples(i) < 0 || samples(i) > 1'000'000)
      throw nb::value_error("0 to 1000000 samples a kind");
  constexpr std::size_t kCells = kHan * kFu;
  const std::size_t shape[4] = {n, k, kHan, kFu};
  std::unique_ptr<double[]> data(new double[n * k * kCells]());
  double* const cells = data.get();
  const nb::capsule hold = owner(std::move(data));
  std::vector<std::array<std::int32_t, 4>> waits;
  without_gil([&] {
    std::vector<KindDraws> draws(k);
    std::vector<std::vector<WaitCount>> named(k);
    for (std::size_t i = 0; i < n; ++i) {
      double* const own = cells + i * k * kCells;
      for (std::size_t j = 0; j < k; ++j)
        draws[j] = {kinds(j), chance(i, j) > 0.0 ? samples(i, j) : 0, own + j * kCells,
                    chance(i, j) >= named_from ? &named[j] : nullptr};
      of[i]->points(ron_rules(seen[i], seats(i), rules, chankan),
                    points_query(seen[i], seats(i), rules, chankan), seats(i), draws);
      for (std::size_t j = 0; j < k; ++j) {
        const double p = chance(i, j);
        double* const first = draws[j].cells;
        if (p > 0.0 && std::all_of(first, first + kCells, [](double c) { return c == 0.0; }))
          first[kFu + 3] = 1.0;
        std::transform(first, first + kCells, first, [p](double c) { return c * p; });
        for (const WaitCount& wait : named[j])
          waits.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), wait.name,
                           wait.hands});
        named[j].clear();
      }
    }
    return 0;
  });
  auto rows = make_2d<std::int32_t>(waits.size(), 4);
  for (std::size_t i = 0; i < waits.size(); ++i)
    std::copy(waits[i].begin(), waits[i].end(), rows.data() + 4 * i);
  return nb::make_tuple(Out<double, 4>(cells, 4, shape, hold), rows);
}

// The outcomes of t tiles, from the cells of (n, k) distributions: rows (read-only), where each
// distribution ends, and its sums. `places` (t): the column among the k; `red` (t): a red five?
auto ron_outcomes(In<double, nb::shape<-1, -1, kHan, kFu>> cells,
                  In<std::int64_t, nb::shape<-1, kHan, kFu>> points,
                  const std::vector<std::size_t>& places, const std::vector<bool>& red) {
  constexpr std::size_t kCells = kHan * kFu;
  const std::size_t n = cells.shape(0), k = cells.shape(1);
  if (points.shape(0) != n) throw nb::value_error("one grid of points for each opponent");
  if (red.size() != places.size()) throw nb::value_error("one place for each tile");
  for (const std::size_t place : places)
    if (place >= k) throw nb::value_error("the tiles' places must be among the kinds");
  RonOutcomes found;
  double shifted[kCells];
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < places.size(); ++j) {
      const double* own = cells.data() + (i * k + places[j]) * kCells;
      if (red[j]) add_red_five(own, shifted), own = shifted;
      add_outcomes(own, points.data() + i * kCells, found);
    }
  }
  const std::size_t size = found.rows.size();
  std::unique_ptr<double[]> data(new double[size]);
  double* const rows = std::copy_n(found.rows.data(), size, data.get()) - size;
  const nb::capsule hold = owner(std::move(data));
  return nb::make_tuple(Out<const double, 2>(rows, {size / 4, 4}, hold), found.ends, found.sums,
                        found.losses);
}

// For fits: the total, the true hand's weight, and what that hand uses less the marginals (the
// gradient of its log probability), a row a hand.
auto batch(In<std::uint8_t, nb::ndim<1>> concealed, In<double, nb::shape<-1, 34, 5>> count,
           In<double, nb::shape<-1, 4, 14>> tiles, In<double, nb::shape<-1, 34, 4>> wait,
           In<double, nb::shape<-1, kShapes>> shape, In<double, nb::shape<-1, 2>> irregular,
           const CountRows& truth) {
  const std::size_t n = concealed.shape(0);
  if (count.shape(0) != n || tiles.shape(0) != n || wait.shape(0) != n || shape.shape(0) != n ||
      irregular.shape(0) != n || truth.shape(0) != n)
    throw std::invalid_argument("the arrays differ in length");
  auto logs = make_2d<double>(n, 2);
  auto gradients = make_2d<double>(n, kMarginals);
  double *to = logs.data(), *row = gradients.data();
  without_gil([&] {
    constexpr std::size_t kBatch = 8;
    std::vector<int> hands;
    std::vector<PosteriorWeights> weighed;
    for (std::size_t from = 0; from < n; from += kBatch) {
      const std::size_t end = std::min(n, from + kBatch);
      hands.assign(concealed.data() + from, concealed.data() + end);
      weighed.clear();
      for (std::size_t i = from; i < end; ++i)
        weighed.push_back(weights(count.data() + 170 * i, tiles.data() + 56 * i,
                                  wait.data() + 136 * i, shape.data() + kShapes * i,
                                  irregular.data()[2 * i], irregular.data()[2 * i + 1]));
      const std::vector<std::unique_ptr<Posterior>> made = Posterior::make(hands, weighed);
      for (std::size_t i = from; i < end; ++i, row += kMarginals) {
        const Posterior& p = *made[i - from];
        Counts hand;
        std::copy_n(truth.data() + 34 * i, 34, hand.begin());
        to[2 * i] = p.total();
        to[2 * i + 1] = p.weight(hand);
        put(p.uses(hand), row);
        double expected[kMarginals];
        put(p.marginals(), expected);
        for (std::size_t j = 0; j < kMarginals; ++j) row[j] -= expected[j];
      }
    }
    return 0;
  });
  return nb::make_tuple(logs, gradients);
}

}  // namespace
}  // namespace haiyomi

void bind_posterior(nb::module_& m) {
  using namespace haiyomi;
  nb::class_<Posterior>(m, "Posterior", "Every tenpai hand of an opponent, by weight.")
      .def(nb::new_(&make), nb::arg("concealed"), nb::arg("count"), nb::arg("tiles"),
           nb::arg("wait"), nb::arg("shape"), nb::arg("pairs"), nb::arg("orphans"))
      .def_prop_ro("total", &Posterior::total)
      .def("answer", &answer, nb::arg("barred"), nb::arg("certain_yaku"), nb::arg("melds"),
           nb::arg("round_wind"), nb::arg("seat_wind"), nb::arg("kuitan"))
      .def("marginals", &marginals)
      .def("weight", &weight, nb::arg("hands").noconvert())
      .def("sample", &sample, nb::arg("n"), nb::arg("seed"), nb::arg("win"), nb::arg("barred"));
  m.def("ron_cells", &ron_cells, nb::arg("posteriors"), nb::arg("observations"), nb::arg("seats"),
        nb::arg("rules"), nb::arg("kinds"), nb::arg("samples"), nb::arg("chance"),
        nb::arg("named_from"));
  m.def("ron_outcomes", &ron_outcomes, nb::arg("cells"), nb::arg("points"), nb::arg("places"),
        nb::arg("red"));
  m.def("read_posteriors", &read_all, nb::arg("observations"), nb::arg("seats"), nb::arg("rules"),
        nb::arg("factors"), nb::arg("keep"));
  m.def("ron_chances", &chances, nb::arg("observations"), nb::arg("seats"), nb::arg("chankan"),
        nb::arg("tenpai"), nb::arg("network"), nb::arg("ron"), nb::arg("wait"),
        nb::arg("weights").none(), nb::arg("floor"));
  m.def("ron_odds", &odds, nb::arg("observations"), nb::arg("seats"), nb::arg("chankan"),
        nb::arg("network"), nb::arg("by_hands"));
  m.def("ron_masks", &masks, nb::arg("observations"), nb::arg("seats"), nb::arg("chankan"));
  m.def("ron_rules", &rules_of, nb::arg("observations"), nb::arg("seats"), nb::arg("rules"));
  m.def("posterior_batch", &batch, nb::arg("concealed"), nb::arg("count"), nb::arg("tiles"),
        nb::arg("wait"), nb::arg("shape"), nb::arg("irregular"), nb::arg("truth").noconvert());
}
