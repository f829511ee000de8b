// Many tables in lockstep: games by seed or from given hands; decisions out, actions in.
#include <nanobind/stl/array.h>
#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <span>

#include "bind.hpp"
#include "choice_inputs.hpp"
#include "rule_numbers.hpp"
#include "shares.hpp"
#include "tables.hpp"
#include "world.hpp"

namespace haiyomi {
namespace {

using Seeds = Values<std::uint64_t, nb::ndim<1>>;
using Bytes1 = Values<std::uint8_t, nb::ndim<1>>;
using Walls = Values<std::uint8_t, nb::shape<-1, 136>>;
using Ints = Values<std::int32_t, nb::ndim<1>>;
using Bytes2 = Values<std::uint8_t, nb::ndim<2>>;
using Hands = Values<std::uint8_t, nb::shape<-1, 4, kMostTiles>>;
// Rounds, points at the start, the target, and whether a game ends below zero.
using GameNumbers = std::array<int, 4>;

GameRules game_rules(const RuleNumbers& hand, const GameNumbers& game) {
  GameRules rules{rules_of(hand), game[0], game[1], game[2], game[3] != 0};
  if (rules.rounds < 1 || rules.rounds > 4) throw nb::value_error("rounds must be 1 to 4");
  if (std::abs(std::int64_t{rules.start_points}) > 1'000'000)
    throw nb::value_error("the points at the start must be within a million");
  return rules;
}

void check_wall(const std::uint8_t* tiles, std::size_t number) {
  std::array<bool, 136> there{};
  for (std::size_t i = 0; i < 136; ++i) {
    if (tiles[i] >= 136 || std::exchange(there[tiles[i]], true))
      throw nb::value_error(
          ("wall " + std::to_string(number) + " is no order of the tile ids 0 to 135").c_str());
  }
}

// Codes up to the first 255.
std::vector<std::uint8_t> tiles_of(const std::uint8_t* codes, std::size_t most) {
  return {codes, std::find(codes, codes + most, std::uint8_t{255})};
}

// One Python thread at a time: a second that comes while the first works is refused.
class PyTables {
 public:
  PyTables(const RuleNumbers& hand, const GameNumbers& numbers, const Seeds& seeds,
           const Seeds& games, int most_hands, bool keep)
      : PyTables(game_rules(hand, numbers), most_hands, keep) {
    tables_ = std::make_unique<Tables>(begun(seeds, games));
  }

  static std::unique_ptr<PyTables> resume(const RuleNumbers& hand, const GameNumbers& numbers,
                                          const Seeds& seeds, const Seeds& games, int most_hands,
                                          bool keep, const Ints& words, const Seeds& begins,
                                          const Walls& walls) {
    const GameRules rules = game_rules(hand, numbers);
    const std::size_t n = seeds.size();
    if (games.size() != n || walls.shape(0) != n || begins.size() != n + 1)
      throw nb::value_error("a number, a wall and words for each seed, and begins with the end");
    std::vector<std::unique_ptr<Game>> all(n);
    for (std::size_t i = 0; i < n; ++i) {
      if (begins(i) > begins(i + 1) || begins(i + 1) > words.size())
        throw nb::value_error("the words of the hands must lie in order");
      check_wall(walls.data() + 136 * i, i);
      Wall wall;
      std::copy_n(walls.data() + 136 * i, 136, wall.tiles.begin());
      try {
        all[i] = std::make_unique<Game>(rules, seeds(i), games(i), std::max(most_hands, 0), keep,
                                        std::span(words.data() + begins(i), begins(i + 1) - begins(i)),
                                        wall);
      } catch (const replay::Broken& rule) {
        throw nb::value_error(("hand " + std::to_string(i) + " breaks a rule: " +
                               kFaultNames[static_cast<std::size_t>(rule.fault)]).c_str());
      } catch (const std::invalid_argument& error) {
        throw nb::value_error(("hand " + std::to_string(i) + ": " + error.what()).c_str());
      }
    }
    auto out = std::unique_ptr<PyTables>(new PyTables(rules, most_hands, keep));
    out->tables_ = std::make_unique<Tables>(std::move(all));
    return out;
  }

  // One game for each world: a view, the hidden hands and the rest of the wall.
  static std::unique_ptr<PyTables> from_views(const RuleNumbers& hand, const GameNumbers& numbers,
                                              const Seeds& seeds, const Seeds& games,
                                              int most_hands, bool keep, const Ints& words,
                                              const Seeds& begins, const Ints& views,
                                              const Hands& hands, const Bytes2& rest,
                                              int threads) {
    const GameRules rules = game_rules(hand, numbers);
    const std::size_t n = seeds.size(), width = rest.shape(1);
    if (games.size() != n || views.size() != n || hands.shape(0) != n || rest.shape(0) != n ||
        begins.size() == 0)
      throw nb::value_error("a number, a view, hands and the rest of a wall for each seed");
    const std::size_t n_views = begins.size() - 1;
    for (std::size_t v = 0; v < n_views; ++v)
      if (begins(v) > begins(v + 1) || begins(v + 1) > words.size())
        throw nb::value_error("the words of the views must lie in order");
    for (std::size_t i = 0; i < n; ++i)
      if (views(i) < 0 || static_cast<std::size_t>(views(i)) >= n_views)
        throw nb::value_error(("world " + std::to_string(i) + " is of no view").c_str());
    std::vector<std::unique_ptr<Game>> all(n);
    without_gil([&] {
      in_shares(n, threads, [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
          const auto view = static_cast<std::size_t>(views(i));
          std::array<std::vector<std::uint8_t>, 4> held;
          for (std::size_t s = 0; s < 4; ++s)
            held[s] = tiles_of(hands.data() + (4 * i + s) * kMostTiles, kMostTiles);
          const auto wall = tiles_of(rest.data() + i * width, width);
          const Pcg64 random(seeds(i), "wall/" + std::to_string(games(i)));
          try {
            const World world = world_of(
                std::span(words.data() + begins(view), begins(view + 1) - begins(view)), held, wall,
                random, rules.hand.red_fives);
            all[i] = std::make_unique<Game>(rules, seeds(i), games(i), std::max(most_hands, 0),
                                            keep, world.words, world.wall);
          } catch (const replay::Broken& rule) {
            throw std::invalid_argument("world " + std::to_string(i) + " breaks a rule: " +
                                        kFaultNames[static_cast<std::size_t>(rule.fault)]);
          } catch (const std::invalid_argument& error) {
            throw std::invalid_argument("world " + std::to_string(i) + ": " + error.what());
          }
        }
      });
      return 0;
    });
    auto out = std::unique_ptr<PyTables>(new PyTables(rules, most_hands, keep));
    out->tables_ = std::make_unique<Tables>(std::move(all));
    return out;
  }

  // Tables that stand as those of some places, of which any may come more than once.
  std::unique_ptr<PyTables> copy(const Ints& at) {
    const Use use(busy_);
    const std::vector<std::size_t> where = places(at);
    auto out = std::unique_ptr<PyTables>(new PyTables(rules_, most_hands_, keep_));
    out->tables_ = without_gil([&] { return tables_->copied(where); });
    return out;
  }

  std::size_t size() const { return tables_->size(); }

  nb::tuple pending() {
    const Use use(busy_);
    const auto& list = tables_->pending();
    auto tables = make_1d<std::int32_t>(list.size());
    auto seats = make_1d<std::uint8_t>(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      tables.data()[i] = static_cast<std::int32_t>(list[i].table);
      seats.data()[i] = list[i].seat;
    }
    return nb::make_tuple(tables, seats);
  }

  Out<bool, 2> legal() {
    const Use use(busy_);
    const auto& list = tables_->pending();
    auto out = make_2d<bool>(list.size(), replay::action::kCount);
    bool* at = out.data();
    without_gil([&] {
      for (const auto [table, seat] : list) {
        const replay::Actions& actions = tables_->game(table).legal(seat);
        for (int a = 0; a < replay::action::kCount; ++a) *at++ = actions.has(a);
      }
      return 0;
    });
    return out;
  }

  void answer(const Bytes1& actions, int threads) {
    const Use use(busy_);
    without_gil([&] {
      tables_->answer(actions.data(), actions.size(), threads);
      return 0;
    });
  }

  // Each row one decision record, as bytes.
  Out<std::uint8_t, 2> records(int threads) {
    const Use use(busy_);
    auto out = make_2d<std::uint8_t>(tables_->pending().size(), sizeof(record::DecisionBytes));
    without_gil([&] {
      tables_->write_records(reinterpret_cast<record::DecisionBytes*>(out.data()), threads);
      return 0;
    });
    return out;
  }

  // New games, of their seeds and numbers, at some tables.
  void renew(const Ints& at, const Seeds& seeds, const Seeds& games) {
    const Use use(busy_);
    const std::vector<std::size_t> where = places(at);
    if (seeds.size() != where.size()) throw nb::value_error("one seed for each table");
    tables_->replace(where, begun(seeds, games));
  }

  Out<std::uint8_t, 1> choose(const KindLogits& discards, const KindLogits& kans, const Acts& acts,
                              double temperature, bool by_place, int threads) {
    const Use use(busy_);
    check_logits(discards, kans, acts, temperature, tables_->pending().size());
    auto out = make_1d<std::uint8_t>(discards.shape(0));
    std::uint8_t* at = out.data();
    without_gil([&] {
      tables_->choose({discards.data(), kans.data(), acts.data()}, temperature, by_place, at,
                       threads);
      return 0;
    });
    return out;
  }

  Out<std::uint8_t, 1> choose_with(const KindLogits& discards, const KindLogits& kans,
                                   const Acts& acts, const Points& points, double temperature,
                                   int threads) {
    const Use use(busy_);
    check_logits(discards, kans, acts, temperature, tables_->pending().size());
    check_points(points, discards.shape(0));
    auto out = make_1d<std::uint8_t>(discards.shape(0));
    std::uint8_t* at = out.data();
    without_gil([&] {
      tables_->choose_with({discards.data(), kans.data(), acts.data()}, points.data(), temperature,
                           at, threads);
      return 0;
    });
    return out;
  }

  // Of each game: over, hands finished, kyoku, honba, deposits; and the four scores.
  nb::tuple standings() {
    const Use use(busy_);
    const std::size_t n = tables_->size();
    auto facts = make_2d<std::int32_t>(n, 6);
    auto scores = make_2d<std::int32_t>(n, 4);
    for (std::size_t i = 0; i < n; ++i) {
      const Game& game = tables_->game(i);
      const std::int32_t row[6] = {game.over(), game.finished(), game.hands(),
                                   game.kyoku(), game.honba(), game.sticks()};
      std::copy_n(row, 6, facts.data() + 6 * i);
      std::copy_n(game.scores().data(), 4, scores.data() + 4 * i);
    }
    return nb::make_tuple(facts, scores);
  }

  // What was recorded of a game: words, where each hand begins, and walls.
  nb::tuple recorded(std::size_t i) {
    const Use use(busy_);
    if (i >= tables_->size()) throw nb::value_error("no such table");
    const Game& game = tables_->game(i);
    auto words = make_1d<std::int32_t>(game.words().size());
    std::ranges::copy(game.words(), words.data());
    auto begins = make_1d<std::int64_t>(game.begins().size());
    std::ranges::copy(game.begins(), begins.data());
    auto walls = make_2d<std::uint8_t>(game.walls().size(), 136);
    for (std::size_t h = 0; h < game.walls().size(); ++h)
      std::ranges::copy(game.walls()[h], walls.data() + 136 * h);
    return nb::make_tuple(words, begins, walls);
  }

 private:
  PyTables(const GameRules& rules, int most_hands, bool keep)
      : rules_(rules), most_hands_(std::max(most_hands, 0)), keep_(keep) {}

  // Numbers of tables.
  std::vector<std::size_t> places(const Ints& at) const {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < at.size(); ++i) {
      const std::int32_t place = at(i);
      if (place < 0 || static_cast<std::size_t>(place) >= tables_->size())
        throw nb::value_error("no such table");
      out.push_back(static_cast<std::size_t>(place));
    }
    return out;
  }

  std::vector<std::unique_ptr<Game>> begun(const Seeds& seeds, const Seeds& games) const {
    if (games.size() != seeds.size()) throw nb::value_error("one seed for each game");
    std::vector<std::unique_ptr<Game>> all(seeds.size());
    without_gil([&] {
      for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = std::make_unique<Game>(rules_, seeds(i), games(i), most_hands_, keep_);
      return 0;
    });
    return all;
  }

  class Use {
   public:
    explicit Use(std::atomic_flag& busy) : busy_(busy) {
      if (busy.test_and_set()) throw std::runtime_error("another thread is using these tables");
    }
    ~Use() { busy_.clear(); }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    std::atomic_flag& busy_;
  };

  GameRules rules_;
  int most_hands_;
  bool keep_;
  std::unique_ptr<Tables> tables_;
  std::atomic_flag busy_;
};

Out<std::uint8_t, 1> wall(std::uint64_t seed, std::uint64_t number, std::uint64_t hand) {
  const std::string name = "game/" + std::to_string(number) + "/wall/" + std::to_string(hand);
  auto out = make_1d<std::uint8_t>(136);
  std::ranges::copy(Wall::shuffled(Pcg64(seed, name)).tiles, out.data());
  return out;
}

}  // namespace
}  // namespace haiyomi

void bind_tables(nb::module_& m) {
  using namespace haiyomi;
  nb::class_<PyTables>(m, "Tables")
      .def(nb::init<const RuleNumbers&, const GameNumbers&, const Seeds&, const Seeds&, int, bool>(),
           nb::arg("rules"), nb::arg("game"), nb::arg("seeds").noconvert(),
           nb::arg("numbers").noconvert(), nb::arg("most_hands"), nb::arg("keep"))
      .def_static("resume", &PyTables::resume, nb::arg("rules"), nb::arg("game"),
                  nb::arg("seeds").noconvert(), nb::arg("numbers").noconvert(),
                  nb::arg("most_hands"), nb::arg("keep"), nb::arg("words").noconvert(),
                  nb::arg("begins").noconvert(), nb::arg("walls").noconvert())
      .def_static("from_views", &PyTables::from_views, nb::arg("rules"), nb::arg("game"),
                  nb::arg("seeds").noconvert(), nb::arg("numbers").noconvert(),
                  nb::arg("most_hands"), nb::arg("keep"), nb::arg("words").noconvert(),
                  nb::arg("begins").noconvert(), nb::arg("views").noconvert(),
                  nb::arg("hands").noconvert(), nb::arg("rest").noconvert(), nb::arg("threads"))
      .def("copy", &PyTables::copy, nb::arg("tables").noconvert())
      .def("__len__", &PyTables::size)
      .def("pending", &PyTables::pending)
      .def("legal", &PyTables::legal)
      .def("records", &PyTables::records, nb::arg("threads"))
      .def("renew", &PyTables::renew, nb::arg("tables").noconvert(), nb::arg("seeds").noconvert(),
           nb::arg("numbers").noconvert())
      .def("answer", &PyTables::answer, nb::arg("actions").noconvert(), nb::arg("threads"))
      .def("choose", &PyTables::choose, nb::arg("discards").noconvert(), nb::arg("kans").noconvert(),
           nb::arg("acts").noconvert(),
           nb::arg("temperature"), nb::arg("by_place"), nb::arg("threads"))
      .def("choose_with", &PyTables::choose_with, nb::arg("discards").noconvert(),
           nb::arg("kans").noconvert(), nb::arg("acts").noconvert(), nb::arg("points").noconvert(),
           nb::arg("temperature"), nb::arg("threads"))
      .def("standings", &PyTables::standings)
      .def("recorded", &PyTables::recorded, nb::arg("table"));
  m.def("wall", &wall, nb::arg("seed"), nb::arg("number"), nb::arg("hand"),
        "The tile ids of a game's wall, in the order of play/wall.py.");
}
