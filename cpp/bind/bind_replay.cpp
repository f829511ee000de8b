// The checked replay: words of a hand in, the first fault or the end and the truth columns out.
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>

#include "bind.hpp"
#include "arrays.hpp"
#include "options.hpp"
#include "rule_numbers.hpp"

using namespace haiyomi;

namespace {

// A column of the rows as a numpy array of shape (n, width...) that owns its memory.
template <class T, class Fill>
nb::object column(const std::vector<DecisionRow>& rows, std::initializer_list<std::size_t> shape,
                  std::size_t width, Fill fill) {
  T* data = new T[rows.size() * width];
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  for (std::size_t i = 0; i < rows.size(); ++i) fill(rows[i], data + i * width);
  return nb::cast(nb::ndarray<nb::numpy, T>(data, shape, owner));
}

nb::object columns(const std::vector<DecisionRow>& rows) {
  if (rows.empty()) return nb::none();
  const std::size_t n = rows.size();
  const auto scalar = [&]<class T>(T, auto get) {
    return column<T>(rows, {n}, 1, [&](const DecisionRow& r, T* out) { *out = T(get(r)); });
  };
  const auto four = [&]<class T>(T, auto get) {
    return column<T>(rows, {n, 4}, 4, [&](const DecisionRow& r, T* out) {
      for (std::size_t s = 0; s < 4; ++s) out[s] = T(get(r)[s]);
    });
  };
  return nb::make_tuple(
      scalar(std::int32_t{}, [](const DecisionRow& r) { return r.event; }),
      scalar(std::uint8_t{}, [](const DecisionRow& r) { return r.seat; }),
      scalar(std::uint8_t{}, [](const DecisionRow& r) { return r.code; }),
      scalar(bool{}, [](const DecisionRow& r) { return r.forced; }),
      column<std::uint8_t>(rows, {n, 4, 34}, 136,
                           [](const DecisionRow& r, std::uint8_t* out) {
                             for (std::size_t s = 0; s < 4; ++s)
                               for (std::size_t k = 0; k < 34; ++k)
                                 out[s * 34 + k] = r.concealed[s][k];
                           }),
      four(std::uint8_t{}, [](const DecisionRow& r) { return r.reds; }),
      four(std::uint64_t{}, [](const DecisionRow& r) { return r.waits; }),
      four(bool{}, [](const DecisionRow& r) { return r.furiten; }),
      four(std::uint64_t{}, [](const DecisionRow& r) { return r.ron; }),
      four(std::uint8_t{}, [](const DecisionRow& r) { return r.han; }),
      four(std::uint8_t{}, [](const DecisionRow& r) { return r.fu; }),
      four(std::int32_t{}, [](const DecisionRow& r) { return r.points; }),
      scalar(std::uint8_t{}, [](const DecisionRow& r) { return r.ronned; }));
}

nb::tuple replay_words(Values<std::int32_t, nb::ndim<1>> words, const RuleNumbers& numbers, bool truth) {
  const ReplayRules rules = rules_of(numbers);
  ReplayResult r;
  {
    nb::gil_scoped_release release;
    r = replay_hand(words.data(), words.shape(0), rules, truth);
  }
  const HandEnd& e = r.end;
  return nb::make_tuple(
      static_cast<int>(r.fault), r.event,
      nb::make_tuple(r.detail[0], r.detail[1], r.detail[2]),
      nb::make_tuple(static_cast<int>(e.kind), e.renchan,
                     nb::make_tuple(e.scores[0], e.scores[1], e.scores[2], e.scores[3]), e.sticks,
                     e.next_kyoku, e.next_honba),
      columns(r.discards), columns(r.kakans));
}

nb::tuple options_of_words(Values<std::int32_t, nb::ndim<1>> words, const RuleNumbers& numbers) {
  const ReplayRules rules = rules_of(numbers);
  const replay::HandOptions found =
      without_gil([&] { return replay::options_of_hand(words.data(), words.size(), rules); });
  const std::size_t n = found.rows.size();
  auto events = make_1d<std::int32_t>(n);
  auto seats = make_1d<std::uint8_t>(n);
  auto actions = make_2d<std::uint64_t>(n, replay::Actions::kWords);
  for (std::size_t i = 0; i < n; ++i) {
    events.data()[i] = found.rows[i].event;
    seats.data()[i] = found.rows[i].seat;
    std::ranges::copy(found.rows[i].actions.bits, actions.data() + i * replay::Actions::kWords);
  }
  const auto& [a, b, c] = found.detail;
  return nb::make_tuple(static_cast<int>(found.fault), found.event, nb::make_tuple(a, b, c), events,
                        seats, actions);
}

}  // namespace

void bind_replay(nb::module_& m) {
  m.def("replay", &replay_words, nb::arg("words"), nb::arg("rules"), nb::arg("truth"));
  m.def("replay_options", &options_of_words, nb::arg("words"), nb::arg("rules"),
        "Fault, its event and detail, and the events, seats and actions of every moment with options.");
  m.def("replay_faults", [] {
    return std::vector<std::string>(kFaultNames.begin(), kFaultNames.end());
  });
}
