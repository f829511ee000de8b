// The options of many decisions: those of a decision are side by side.
#include <algorithm>
#include <string>

#include "bind.hpp"
#include "decision_records.hpp"
#include "option_inputs.hpp"

namespace haiyomi {
namespace {

using options::Options;
using Numbers = Values<std::int64_t, nb::ndim<1>>;
using Bytes = Values<std::uint8_t, nb::ndim<1>>;
using OfKinds = Plain<float, nb::shape<-1, 34>>;
using OfActs = Plain<float, nb::shape<-1, record::kActs>>;
using Ron = Plain<float, nb::shape<-1, 3, 34>>;
using Tenpai = Plain<float, nb::shape<-1, 3>>;
using Han = Plain<float, nb::shape<-1, 3, 34, options::Opponents::kHan>>;

// Throws nb::value_error for options that are not of these decisions.
void check(const Numbers& row, const Bytes& sort, const Bytes& kind, const Bytes& red,
           std::size_t n) {
  const std::size_t b = row.shape(0);
  if (sort.shape(0) != b || kind.shape(0) != b || red.shape(0) != b) {
    throw nb::value_error("one row, sort, kind and red for each option");
  }
  for (std::size_t i = 0; i < b; ++i) {
    if (row(i) < (i == 0 ? 0 : row(i - 1)) || std::uint64_t(row(i)) >= n) {
      throw nb::value_error(("option " + std::to_string(i) + ": no ascending decision").c_str());
    }
    if (sort(i) >= options::kSorts || (kind(i) >= 34 && kind(i) != record::kNone)) {
      throw nb::value_error(("option " + std::to_string(i) + ": no such option").c_str());
    }
  }
}

void check_rows(std::size_t n, std::initializer_list<std::size_t> others) {
  for (const std::size_t m : others)
    if (m != n) throw nb::value_error("one row of each network for each decision record");
}

// Calls work(decision, first option, options) for each decision that has some.
template <class Work>
void by_decision(const Numbers& row, const Bytes& sort, const Bytes& kind, const Bytes& red,
                 Work&& work) {
  const std::size_t b = row.shape(0);
  for (std::size_t begin = 0, end = 0; begin < b; begin = end) {
    while (end < b && row(end) == row(begin)) ++end;
    work(std::size_t(row(begin)), begin,
         options::Options{sort.data() + begin, kind.data() + begin, red.data() + begin,
                          end - begin});
  }
}

nb::object shares(const Records& records, const Numbers& row, const Bytes& sort, const Bytes& kind,
                  const Bytes& red, const OfKinds& discards, const OfKinds& kans,
                  const OfActs& acts) {
  const record::DecisionBytes* of = records_of(records);
  check(row, sort, kind, red, records.shape(0));
  check_rows(records.shape(0), {discards.shape(0), kans.shape(0), acts.shape(0)});
  auto share = make_1d<double>(row.shape(0));
  without_gil([&] {
    by_decision(row, sort, kind, red, [&](std::size_t i, std::size_t at, const Options& o) {
      const ChoiceLogits logits{discards.data() + 34 * i, kans.data() + 34 * i,
                                acts.data() + record::kActs * i};
      options::shares(of[i], o, logits, share.data() + at);
    });
  });
  return nb::cast(share);
}

nb::object inputs(const Records& records, const Numbers& row, const Bytes& sort, const Bytes& kind,
                  const Bytes& red, const Values<double, nb::ndim<1>>& share, const Ron& ron,
                  const Tenpai& tenpai, const Han& han) {
  constexpr std::size_t kGood = static_cast<std::size_t>(-1);
  const record::DecisionBytes* of = records_of(records);
  check(row, sort, kind, red, records.shape(0));
  check_rows(records.shape(0), {ron.shape(0), tenpai.shape(0), han.shape(0)});
  if (share.shape(0) != row.shape(0)) throw nb::value_error("one share for each option");
  auto out = make_2d<float>(row.shape(0), options::kInputs);
  auto risk = make_2d<double>(row.shape(0), 3);
  std::size_t bad = kGood;
  without_gil([&] {
    by_decision(row, sort, kind, red, [&](std::size_t i, std::size_t at, const Options& o) {
      const options::Opponents opponents{ron.data() + 102 * i, tenpai.data() + 3 * i,
                                         han.data() + 102 * options::Opponents::kHan * i};
      if (!options::inputs(of[i], o, share.data() + at, opponents,
                           out.data() + options::kInputs * at, risk.data() + 3 * at)) {
        bad = std::min(bad, i);
      }
    });
  });
  if (bad != kGood) damaged(bad);
  return nb::make_tuple(out, risk);
}

nb::object win_tiles(const Records& records, const Numbers& row, const Bytes& sort,
                     const Bytes& kind, const Bytes& red, bool kuitan) {
  constexpr std::size_t kGood = static_cast<std::size_t>(-1);
  const record::DecisionBytes* of = records_of(records);
  check(row, sort, kind, red, records.shape(0));
  auto out = make_2d<std::int64_t>(row.shape(0), options::kWinTiles);
  std::size_t bad = kGood;
  without_gil([&] {
    std::vector<options::WinTiles> found;
    by_decision(row, sort, kind, red, [&](std::size_t i, std::size_t at, const Options& o) {
      found.assign(o.n, {});
      if (!options::win_tiles(of[i], o, kuitan, found.data())) bad = std::min(bad, i);
      std::int64_t* to = out.data() + options::kWinTiles * at;
      for (const options::WinTiles& each : found) {
        *to++ = each.by_draw, *to++ = each.by_ron, *to++ = each.dora;
        to = std::copy(each.kinds.begin(), each.kinds.end(), to);
      }
    });
  });
  if (bad != kGood) damaged(bad);
  return nb::cast(out);
}

nb::object open_steps(const Records& records, const Numbers& row, const Bytes& sort,
                      const Bytes& kind, const Bytes& red, bool kuitan) {
  constexpr std::size_t kGood = static_cast<std::size_t>(-1);
  const record::DecisionBytes* of = records_of(records);
  check(row, sort, kind, red, records.shape(0));
  auto out = make_2d<std::int64_t>(row.shape(0), 3);
  std::size_t bad = kGood;
  without_gil([&] {
    std::vector<YakuSteps> found;
    by_decision(row, sort, kind, red, [&](std::size_t i, std::size_t at, const Options& o) {
      found.assign(o.n, {});
      if (!options::open_steps(of[i], o, kuitan, found.data())) bad = std::min(bad, i);
      std::int64_t* to = out.data() + 3 * at;
      for (const YakuSteps& each : found) *to++ = each.plain, *to++ = each.flexible, *to++ = each.any;
    });
  });
  if (bad != kGood) damaged(bad);
  return nb::cast(out);
}

}  // namespace
}  // namespace haiyomi

void bind_option_inputs(nb::module_& m) {
  using namespace haiyomi;
  m.def("option_shares", &shares, nb::arg("records").noconvert(), nb::arg("row").noconvert(),
        nb::arg("sort").noconvert(), nb::arg("kind").noconvert(), nb::arg("red").noconvert(),
        nb::arg("discards").noconvert(), nb::arg("kans").noconvert(), nb::arg("acts").noconvert());
  m.def("option_win_tiles", &win_tiles, nb::arg("records").noconvert(),
        nb::arg("row").noconvert(), nb::arg("sort").noconvert(), nb::arg("kind").noconvert(),
        nb::arg("red").noconvert(), nb::arg("kuitan"));
  m.def("option_steps", &open_steps, nb::arg("records").noconvert(), nb::arg("row").noconvert(),
        nb::arg("sort").noconvert(), nb::arg("kind").noconvert(), nb::arg("red").noconvert(),
        nb::arg("kuitan"));
  m.def("option_inputs", &inputs, nb::arg("records").noconvert(), nb::arg("row").noconvert(),
        nb::arg("sort").noconvert(), nb::arg("kind").noconvert(), nb::arg("red").noconvert(),
        nb::arg("share").noconvert(), nb::arg("ron").noconvert(), nb::arg("tenpai").noconvert(),
        nb::arg("han").noconvert());
}
