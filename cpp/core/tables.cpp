#include "tables.hpp"

#include <stdexcept>
#include <string>
#include <utility>

#include "decode_games.hpp"
#include "shares.hpp"
#include "write_record.hpp"

namespace haiyomi {
namespace {

// Each game of a share plays its own course; a broken rule is an error of ours.
[[noreturn]] void broken(std::size_t table, const replay::Broken& rule) {
  throw std::logic_error("table " + std::to_string(table) + " broke a rule: " +
                         kFaultNames[std::size_t(rule.fault)]);
}

std::uint64_t place_key(const Game& game, int seat) {
  const replay::Table& t = game.table();
  return sample_hash(game.seed(), game.number(), game.hands(), 4 * t.draws_left + t.turn, seat);
}

}  // namespace

Tables::Tables(std::vector<std::unique_ptr<Game>> games) : games_(std::move(games)) {
  list_pending();
}

void Tables::list_pending() {
  pending_.clear();
  for (std::size_t i = 0; i < games_.size(); ++i) {
    const Game& game = *games_[i];
    for (int k = 0; game.pending() != 0 && k < 4; ++k) {
      const int seat = (game.table().turn + k) % 4;
      if ((game.pending() >> seat & 1) != 0)
        pending_.push_back({std::uint32_t(i), std::uint8_t(seat)});
    }
  }
}

void Tables::answer(const std::uint8_t* actions, std::size_t n, int threads) {
  if (n != pending_.size())
    throw std::invalid_argument(std::to_string(n) + " actions for " +
                                std::to_string(pending_.size()) + " decisions");
  for (std::size_t i = 0; i < n; ++i) {
    const auto [table, seat] = pending_[i];
    if (!games_[table]->legal(seat).has(actions[i]))
      throw std::invalid_argument("decision " + std::to_string(i) + ": action " +
                                  std::to_string(actions[i]) + " of seat " +
                                  std::to_string(seat) + " at table " + std::to_string(table) +
                                  " is not legal");
  }
  each_pending(threads, [&](std::size_t table, std::size_t first, std::size_t end) {
    std::array<int, 4> answers{};
    for (std::size_t i = first; i < end; ++i) answers[pending_[i].seat] = actions[i];
    try {
      games_[table]->answer(answers);
    } catch (const replay::Broken& rule) {
      broken(table, rule);
    }
  });
  list_pending();
}

template <class Work>
void Tables::each_pending(int threads, Work&& work) {
  std::vector<std::size_t> begins;  // of each table's entries
  for (std::size_t i = 0; i < pending_.size(); ++i)
    if (i == 0 || pending_[i].table != pending_[i - 1].table) begins.push_back(i);
  begins.push_back(pending_.size());
  in_shares(begins.size() - 1, threads, [&](std::size_t from, std::size_t to) {
    for (std::size_t b = from; b < to; ++b)
      work(std::size_t{pending_[begins[b]].table}, begins[b], begins[b + 1]);
  });
}

void Tables::write_records(record::DecisionBytes* out, int threads) {
  each_pending(threads, [&](std::size_t table, std::size_t first, std::size_t end) {
    Game& game = *games_[table];
    for (std::size_t i = first; i < end; ++i) {
      const int seat = pending_[i].seat;
      replay::write_record(game.table(), game.options(seat), seat, game.rules().rounds, out[i]);
    }
  });
}

std::unique_ptr<Tables> Tables::copied(const std::vector<std::size_t>& at) const {
  std::vector<std::unique_ptr<Game>> games;
  for (const std::size_t i : at) games.push_back(std::make_unique<Game>(*games_[i]));
  auto out = std::make_unique<Tables>(std::move(games));
  if (!imitated_.empty())
    for (const std::size_t i : at) out->imitated_.push_back(imitated_[i]);
  return out;
}

void Tables::replace(const std::vector<std::size_t>& at, std::vector<std::unique_ptr<Game>> games) {
  for (std::size_t i = 0; i < at.size(); ++i) {
    games_[at[i]] = std::move(games[i]);
    if (!imitated_.empty()) seat_generators(at[i]);
  }
  list_pending();
}

void Tables::choose(const ChoiceLogits& logits, double temperature, bool by_place,
                    std::uint8_t* out, int threads) {
  if (!by_place && imitated_.empty()) {
    imitated_.resize(games_.size());
    for (std::size_t i = 0; i < games_.size(); ++i) seat_generators(i);
  }
  const auto own = [&](std::size_t i) {
    const auto [table, seat] = pending_[i];
    return by_place ? Chances(place_key(*games_[table], seat)) : Chances(imitated_[table][seat]);
  };
  choose_by(own, logits, temperature, out, threads);
}

void Tables::choose_with(const ChoiceLogits& logits, const double* points, double temperature,
                         std::uint8_t* out, int threads) {
  const auto given = [&](std::size_t i) { return Chances(points + kPoints * i); };
  choose_by(given, logits, temperature, out, threads);
}

template <class ChancesOf>
void Tables::choose_by(ChancesOf&& chances_of, const ChoiceLogits& logits, double temperature,
                       std::uint8_t* out, int threads) {
  in_shares(pending_.size(), threads, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      const auto [table, seat] = pending_[i];
      const Game& game = *games_[table];
      const ChoiceLogits own{logits.discards + 34 * i, logits.kans + 34 * i,
                             logits.acts + record::kActs * i};
      const replay::Table& t = game.table();
      const int offered = seat == t.turn ? -1 : replay::kind_of(t.last);
      Chances chances = chances_of(i);
      out[i] = std::uint8_t(
          haiyomi::choose(game.options(seat), offered, own, temperature, chances));
    }
  });
}

void Tables::seat_generators(std::size_t i) {
  const Game& game = *games_[i];
  const std::string name = "imitated/" + std::to_string(game.number()) + "/";
  for (std::size_t seat = 0; seat < 4; ++seat)
    imitated_[i][seat] = Pcg64(game.seed(), name + std::to_string(seat));
}

}  // namespace haiyomi
