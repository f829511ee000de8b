// Packed games in, decision records and their labels out.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <vector>

#include "arrays.hpp"
#include "bind.hpp"
#include "decode_games.hpp"
#include "rule_numbers.hpp"

namespace haiyomi {
namespace {

using Words = Values<std::int32_t, nb::ndim<1>>;
using Offsets = Values<std::int64_t, nb::ndim<1>>;
using Keys = Values<std::uint64_t, nb::ndim<1>>;
using Scores = Values<std::int32_t, nb::shape<-1, 4>>;
using Flags = Values<std::uint8_t, nb::ndim<1>>;
using Rules = Values<std::int32_t, nb::shape<-1, 11>>;
using Places = Values<std::int32_t, nb::shape<-1, 2>>;
using Changes = Values<std::int32_t, nb::shape<-1, 5>>;

// Ascending from 0 to `last`.
void check_offsets(const Offsets& at, std::size_t last, const char* what) {
  const std::size_t n = at.size();
  bool good = n > 0 && at(0) == 0 && at(n - 1) == static_cast<std::int64_t>(last);
  for (std::size_t i = 1; good && i < n; ++i) good = at(i) >= at(i - 1);
  if (!good) throw nb::value_error((std::string(what) + " do not ascend from 0 to the end").c_str());
}

std::vector<std::vector<LineChange>> lines_of(const Changes& changes, std::size_t games) {
  std::vector<std::vector<LineChange>> out(games);
  for (std::size_t i = 0; i < changes.shape(0); ++i) {
    const std::int32_t game = changes(i, 0), seat = changes(i, 3);
    if (game < 0 || static_cast<std::size_t>(game) >= games || seat < 0 || seat > 3)
      throw nb::value_error("a change of a line names no game or no seat");
    out[static_cast<std::size_t>(game)].push_back({changes(i, 1), changes(i, 2), seat,
                                                   changes(i, 4)});
  }
  return out;
}

// Row i: as rule_numbers says, then the rounds of the game.
ReplayRules rules_in(const Rules& rules, std::size_t i) {
  RuleNumbers numbers;
  for (std::size_t j = 0; j < numbers.size(); ++j) numbers[j] = rules(i, j);
  if (rules(i, 10) < 0 || rules(i, 10) > 4) throw nb::value_error("rounds must be 0 to 4");
  return rules_of(numbers);
}

// The rows of a vector as an array of bytes that owns them.
template <class T>
nb::object as_bytes(std::vector<T>&& rows) {
  auto* kept = new std::vector<T>(std::move(rows));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(Out<std::uint8_t, 2>(reinterpret_cast<std::uint8_t*>(kept->data()),
                                       {kept->size(), sizeof(T)}, owner));
}

nb::tuple decode(const Words& words, const Offsets& hands, const Offsets& games, const Keys& keys,
                 const Rules& rules, const Flags& whole, const Scores& final,
                 const Changes& changes, bool discards, std::uint64_t below, std::uint64_t seed,
                 const std::optional<Places>& only) {
  const std::size_t n = keys.size();
  if (games.size() != n + 1 || rules.shape(0) != n || whole.size() != n || final.shape(0) != n)
    throw nb::value_error("one key, one row of rules, one flag and four scores for each game");
  if (only && only->shape(0) != n) throw nb::value_error("one decision for each game");
  check_offsets(hands, words.size(), "the beginnings of hands");
  check_offsets(games, hands.size() - 1, "the beginnings of games");
  const auto lines = lines_of(changes, n);
  std::vector<ReplayRules> rules_of_game;
  for (std::size_t i = 0; i < n; ++i) rules_of_game.push_back(rules_in(rules, i));
  PackedGame game;
  game.words = {words.data(), words.size()};
  const Sampling sampling{discards, below, seed};
  DecodedRows rows;
  GameFault fault;
  std::size_t at = 0;
  without_gil([&] {
    for (; at < n && fault.fault == Fault::None; ++at) {
      game.key = keys(at);
      game.rules = rules_of_game[at];
      game.rounds = rules(at, 10);
      game.whole = whole(at) != 0;
      for (std::size_t s = 0; s < 4; ++s) game.final[s] = final(at, s);
      game.hands = {hands.data() + games(at), static_cast<std::size_t>(games(at + 1) - games(at) + 1)};
      game.lines = lines[at];
      if (only) game.only = DecisionPlace{(*only)(at, 0), (*only)(at, 1)};
      fault = decode_game(game, static_cast<std::uint32_t>(at), sampling, rows);
    }
    return 0;
  });
  if (fault.fault != Fault::None) {
    const auto& d = fault.detail;
    return nb::make_tuple(static_cast<int>(fault.fault), at - 1, fault.hand, fault.event,
                          nb::make_tuple(d[0], d[1], d[2]), nb::none(), nb::none());
  }
  return nb::make_tuple(0, 0, 0, 0, nb::make_tuple(0, 0, 0), as_bytes(std::move(rows.records)),
                        as_bytes(std::move(rows.labels)));
}

}  // namespace
}  // namespace haiyomi

void bind_decode(nb::module_& m) {
  using namespace haiyomi;
  m.def("decode_games", &decode, nb::arg("words").noconvert(), nb::arg("hands").noconvert(),
        nb::arg("games").noconvert(), nb::arg("keys").noconvert(), nb::arg("rules").noconvert(),
        nb::arg("whole").noconvert(), nb::arg("final").noconvert(),
        nb::arg("changes").noconvert(), nb::arg("discards"), nb::arg("below"), nb::arg("seed"),
        nb::arg("only").noconvert().none(),
        "The decisions of games: a fault or 0, its game, hand, event and "
        "detail; records and labels as rows of bytes.");
}
