#include "row_classes.hpp"

#include <algorithm>
#include <bit>

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

}  // namespace

void RowClasses::clear() {
  index_.reset(8);
  keys_.clear();
  numbers_.clear();
  by_hash_.clear();
  described_.clear();
  first_.clear();
}

std::uint32_t RowClasses::number(SuitRows& rows, RowId id, Goals goals) {
  const std::uint64_t key = static_cast<std::uint64_t>(id) << kGoals | goals;
  const auto [at, fresh] = index_.find_or_add(keys_, key, index_.prepare(key));
  if (!fresh) return numbers_[at];
  numbers_.push_back(0);
  const RowId core = rows.without_spare(id, goals);
  const std::uint32_t found = core != id ? number(rows, core, goals) : describe(rows, id, goals);
  return numbers_[at] = found;
}

std::uint32_t RowClasses::describe(SuitRows& rows, RowId id, Goals goals) {
  const ShantenTable& table = ShantenTable::get();
  const Row row = rows[id];  // a copy: more rows are made below
  const Need need = table.need(row.need);
  std::vector<std::uint32_t> said{goals, row.need, row.tiles};
  // What the forms sum up is looked at only while they count.
  said.push_back((goals & kPairsGoal) != 0 ? row.forms & 0xffff : 0);
  said.push_back((goals & kOrphansGoal) != 0 ? row.forms >> 16 : 0);
  for (Goals rest = goals; rest != 0; rest &= rest - 1) {
    const Goals others = goals & ~(1u << std::countr_zero(rest));
    if (others != 0) said.push_back(number(rows, id, others));
  }
  const std::uint32_t wanted = rows.orphans();
  const auto rank_of = [](int action) {
    return static_cast<std::size_t>(action == kRedAction ? 4 : action);
  };
  std::vector<std::pair<std::uint32_t, std::uint32_t>> draws;
  for (unsigned actions = row.live; actions != 0; actions &= actions - 1) {
    const int action = std::countr_zero(actions);
    const std::size_t rank = rank_of(action);
    const std::uint32_t bit = 1u << rank;
    Goals left = as_near(need, table.need(row.more_need[rank]), 1, goals);
    if ((row.one & bit) != 0) left |= goals & kPairsGoal;
    if (((row.none | row.one) & wanted & bit) != 0) left |= goals & kOrphansGoal;
    if (left == 0) continue;
    draws.emplace_back(number(rows, rows.draw(id, action), left),
                       row.weight[static_cast<std::size_t>(action)]);
  }
  std::sort(draws.begin(), draws.end());
  for (std::size_t i = 0; i < draws.size();) {
    std::uint32_t weight = 0;
    std::size_t j = i;
    for (; j < draws.size() && draws[j].first == draws[i].first; ++j) weight += draws[j].second;
    said.push_back(draws[i].first);
    said.push_back(weight);
    i = j;
  }
  said.push_back(0xffffffff);
  std::vector<std::uint32_t> discards;
  for (unsigned actions = row.has; actions != 0; actions &= actions - 1) {
    const int action = std::countr_zero(actions);
    const std::size_t rank = rank_of(action);
    const std::uint32_t bit = 1u << rank;
    Goals left = as_near(need, table.need(row.less_need[rank]), 0, goals);
    if (((row.more | row.one) & bit) != 0) left |= goals & kPairsGoal;
    if (((row.more | row.two | ~wanted) & bit) != 0) left |= goals & kOrphansGoal;
    if (left == 0) continue;
    discards.push_back(number(rows, rows.discard(id, action), left));
  }
  std::sort(discards.begin(), discards.end());
  discards.erase(std::unique(discards.begin(), discards.end()), discards.end());
  said.insert(said.end(), discards.begin(), discards.end());

  std::uint64_t hash = 0;
  for (const std::uint32_t word : said) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  const auto [from, to] = by_hash_.equal_range(hash);
  for (auto it = from; it != to; ++it) {
    if (described_[it->second] == said) return it->second;
  }
  const auto number = static_cast<std::uint32_t>(first_.size());
  by_hash_.emplace(hash, number);
  described_.push_back(std::move(said));
  first_.push_back(id);
  return number;
}

}  // namespace haiyomi
