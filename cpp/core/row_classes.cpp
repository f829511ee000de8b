#include "row_classes.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "suit_rows.hpp"

namespace haiyomi {
namespace {

// The goals that are no further from one need than from another.
Goals as_near(const Need& now, const Need& then, int nearer, Goals goals) {
  Goals out = 0;
  for (std::size_t m = 0; m < 5; ++m) {
    if (then.plain[m] + nearer == now.plain[m]) out |= 1u << (2 * m);
    if (then.paired[m] + nearer == now.paired[m]) out |= 2u << (2 * m);
  }
  return out & goals;
}

// What every goal of the standard form has: sets, and the pair.
struct Done {
  int sets = 0, pairs = 0;
};

Done done_by_all(Goals goals) {
  constexpr Goals kWithPair = 0x2aa;
  const Goals standard = goals & (kPairsGoal - 1);
  if (standard == 0) return {};
  return {std::countr_zero(standard) / 2, (standard & ~kWithPair) == 0 ? 1 : 0};
}

// Goals with that taken off each.
Goals without(Goals goals, Done done) {
  return (goals & (kPairsGoal - 1)) >> (2 * done.sets + done.pairs) |
         (goals & (kPairsGoal | kOrphansGoal));
}

}  // namespace

void RowClasses::clear() {
  index_.reset(8);
  keys_.clear();
  known_.clear();
  for (auto& places : with_rest_) places.clear();
  by_hash_.clear();
  stands_.clear();
  described_.clear();
}

RowClasses::Known RowClasses::find_with_rest(SuitRows& rows, std::size_t suit, RowId id,
                                          ShantenTable::NeedId rest, int total) {
  const Known found = find(rows, suit, id, rows.goals(id, rest, total));
  if (std::size_t{id} << 8 >= with_rest_[suit].size()) with_rest_[suit].resize(rows.size() << 8);
  return with_rest_[suit][std::size_t{id} << 8 | rest] = found;
}

std::uint32_t RowClasses::place(SuitRows& rows, std::size_t suit, RowId id, Goals goals) {
  const std::uint64_t key = (static_cast<std::uint64_t>(suit) << 16 | id) << kGoals | goals;
  const auto [at, fresh] = index_.find_or_add(keys_, key);
  if (!fresh) return at;
  known_.emplace_back();
  const RowId core = rows.without_spare(id, goals);
  if (core != id) {
    const Known found = known_[place(rows, suit, core, goals)];
    known_[at] = found;
    return at;
  }
  Known found;
  found.number = describe(rows, suit, id, goals);
  found.sets = static_cast<std::uint8_t>(done_by_all(goals).sets);
  const Row& row = rows[id];
  found.tiles = row.tiles;
  // The need is that of all goals, also of those that do not count here: the hand's other rows
  // must find nothing nearer in the row that stands for this one.
  const std::uint64_t like = ((static_cast<std::uint64_t>(found.number) << 8 | row.need) << 4 |
                              found.sets) << 2 | suit;
  found.row = stands_.try_emplace(like, id).first->second;
  known_[at] = found;
  return at;
}

std::uint16_t RowClasses::describe(SuitRows& rows, std::size_t suit, RowId id, Goals goals) {
  const ShantenTable& table = ShantenTable::get();
  const Row row = rows[id];  // a copy: more rows are made below
  const Need need = table.need(row.need);
  const Done done = done_by_all(goals);
  std::vector<std::uint32_t> description{
      without(goals, done), static_cast<std::uint32_t>(row.tiles + 16 - 3 * done.sets - 2 * done.pairs)};
  // The irregular forms' counts matter only while those goals count.
  description.push_back((goals & kPairsGoal) != 0 ? row.forms & 0xffff : 0);
  description.push_back((goals & kOrphansGoal) != 0 ? row.forms >> 16 : 0);
  for (Goals rest = goals; rest != 0; rest &= rest - 1) {
    const int goal = std::countr_zero(rest);
    if (goal < 10) {
      const auto m = static_cast<std::size_t>(goal / 2);
      description.push_back(goal % 2 == 0 ? need.plain[m] : need.paired[m]);
    }
    const Goals others = goals & ~(1u << goal);
    if (others != 0) description.push_back(find(rows, suit, id, others).number);
  }
  const std::uint32_t wanted = rows.orphans();
  const auto rank_of = [](int action) {
    return static_cast<std::size_t>(action == kRedAction ? 4 : action);
  };
  // Where an action leads: which goals stay, and what the row then is.
  const auto leads_to = [&](RowId next, Goals left) {
    return without(left, done) << 16 | find(rows, suit, next, left).number;
  };
  std::vector<std::pair<std::uint32_t, std::uint32_t>> draws;
  for (unsigned actions = row.live; actions != 0; actions &= actions - 1) {
    const int action = std::countr_zero(actions);
    const std::size_t rank = rank_of(action);
    const std::uint32_t bit = 1u << rank;
    Goals left = as_near(need, table.need(row.ranks.more_need[rank]), 1, goals);
    if ((row.ranks.one & bit) != 0) left |= goals & kPairsGoal;
    if (((row.ranks.none | row.ranks.one) & wanted & bit) != 0) left |= goals & kOrphansGoal;
    if (left == 0) continue;
    draws.emplace_back(leads_to(rows.draw(id, action), left),
                       row.weight[static_cast<std::size_t>(action)]);
  }
  std::sort(draws.begin(), draws.end());
  for (std::size_t i = 0; i < draws.size();) {
    std::uint32_t weight = 0;
    std::size_t j = i;
    for (; j < draws.size() && draws[j].first == draws[i].first; ++j) weight += draws[j].second;
    description.push_back(draws[i].first);
    description.push_back(weight);
    i = j;
  }
  description.push_back(0xffffffff);
  std::vector<std::uint32_t> discards;
  for (unsigned actions = row.has; actions != 0; actions &= actions - 1) {
    const int action = std::countr_zero(actions);
    const std::size_t rank = rank_of(action);
    const std::uint32_t bit = 1u << rank;
    Goals left = as_near(need, table.need(row.ranks.less_need[rank]), 0, goals);
    if (((row.ranks.more | row.ranks.one) & bit) != 0) left |= goals & kPairsGoal;
    if (((row.ranks.more | row.ranks.two | ~wanted) & bit) != 0) left |= goals & kOrphansGoal;
    if (left == 0) continue;
    discards.push_back(leads_to(rows.discard(id, action), left));
  }
  std::sort(discards.begin(), discards.end());
  discards.erase(std::unique(discards.begin(), discards.end()), discards.end());
  description.insert(description.end(), discards.begin(), discards.end());

  std::uint64_t hash = 0;
  for (const std::uint32_t word : description) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  const auto [from, to] = by_hash_.equal_range(hash);
  for (auto it = from; it != to; ++it) {
    if (described_[it->second] == description) return it->second;
  }
  if (described_.size() >= kMost) throw std::length_error("more classes of rows than a key holds");
  const auto number = static_cast<std::uint16_t>(described_.size());
  by_hash_.emplace(hash, number);
  described_.push_back(std::move(description));
  return number;
}

}  // namespace haiyomi
