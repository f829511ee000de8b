#include "suit_indices.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <unordered_map>

namespace haiyomi {

void sort_by_bytes(std::vector<std::uint64_t>& numbers, int from, int to) {
  std::vector<std::uint64_t> sorted(numbers.size());
  for (int bit = from; bit < to; bit += 8) {
    std::array<std::uint32_t, 257> place{};
    for (const std::uint64_t n : numbers) ++place[(n >> bit & 255) + 1];
    std::partial_sum(place.begin(), place.end(), place.begin());
    for (const std::uint64_t n : numbers) sorted[place[n >> bit & 255]++] = n;
    numbers.swap(sorted);
  }
}

namespace {

// Puts the groups into runs; returns where the first pattern of each goes.
std::vector<std::uint32_t> make_runs(SuitPatterns& out) {
  const auto kind = [&](std::uint16_t i) {
    return std::pair((out.groups[i].tiles + 1) / 3, out.first_pattern[i + 1u] - out.first_pattern[i]);
  };
  for (std::size_t i = 0; i < out.groups.size(); ++i)
    out.run_groups.push_back(static_cast<std::uint16_t>(i));
  std::stable_sort(out.run_groups.begin(), out.run_groups.end(),
                   [&](std::uint16_t a, std::uint16_t b) { return kind(a) < kind(b); });
  std::vector<std::uint32_t> first(out.groups.size());
  std::uint32_t at = 0;
  std::pair last{-1, 0u};
  for (const std::uint16_t i : out.run_groups) {
    if (kind(i) != last) out.runs.push_back({0, kind(i).second});
    last = kind(i);
    ++out.runs.back().groups;
    for (auto n = static_cast<std::size_t>(last.first); n < out.runs_of.size(); ++n)
      out.runs_of[n] = static_cast<std::uint32_t>(out.runs.size());
    first[i] = at;
    at += last.second;
  }
  out.run_patterns.resize(at);
  return first;
}

}  // namespace

void index_groups(SuitPatterns& out) {
  std::unordered_map<std::uint64_t, std::size_t> class_of;
  int tiles = 0;
  for (std::uint32_t i = 0; i < out.groups.size(); ++i) {
    PatternGroup& g = out.groups[i];
    for (; tiles < g.tiles; ++tiles) {
      out.first_class[static_cast<std::size_t>(tiles) + 1] =
          static_cast<std::uint32_t>(out.classes.size());
    }
    // Tiles, complete, shape, and the kind of wait on each rank.
    std::uint64_t what = (static_cast<unsigned>(g.tiles) << 1 | static_cast<unsigned>(g.complete))
                             << 4 | g.shape;
    std::uint64_t kinds = 0;
    for (std::uint32_t n = 0; n < g.n_waits; ++n) {
      const SuitWait& w = out.waits[g.first_wait + n];
      kinds |= std::uint64_t{4u | static_cast<unsigned>(w.kind)} << (3 * w.rank);
    }
    what = what << 27 | kinds;
    const auto [it, made] = class_of.try_emplace(what, out.classes.size());
    const auto group = static_cast<std::uint16_t>(i);
    if (made) {
      out.classes.push_back({g.first_wait, g.waits, g.tiles, g.n_waits, g.shape, g.complete});
    }
    g.wait_class = static_cast<std::uint16_t>(it->second);
    out.class_of.push_back(g.wait_class);
    if (g.complete) out.complete.push_back(group);
    if (g.pairs_only) out.pairs.push_back(group);
    for (std::uint32_t n = 0; n < g.n_waits; ++n) {
      const SuitWait& w = out.waits[g.first_wait + n];
      out.waiting[w.rank].push_back(group);
      out.waiting_yaku[w.rank].push_back(w.yaku);
      auto& first = out.first_waiting[w.rank];
      for (std::size_t place = 2u * g.tiles + g.complete + 1; place < first.size(); ++place)
        first[place] = static_cast<std::uint32_t>(out.waiting[w.rank].size());
    }
  }
  for (; tiles < 14; ++tiles) {
    out.first_class[static_cast<std::size_t>(tiles) + 1] =
        static_cast<std::uint32_t>(out.classes.size());
  }
  std::uint32_t both = 1;
  out.first_both.fill(both);
  out.both_classes.push_back(0);
  for (const WaitClass& c : out.classes) {
    const bool may = c.complete && c.waits != 0;
    if (may) out.both_classes.push_back(static_cast<std::uint16_t>(out.both_place.size()));
    out.both_place.push_back(static_cast<std::uint16_t>(may ? both : 0));
    both += may;
    for (std::size_t n = c.tiles + std::size_t{1}; n < out.first_both.size(); ++n)
      out.first_both[n] = both;
  }
  for (std::size_t i = 0; i < out.classes.size(); ++i) {
    const WaitClass& c = out.classes[i];
    for (unsigned left = c.waits; left != 0; left &= left - 1) {
      const auto rank = static_cast<std::size_t>(std::countr_zero(left));
      std::vector<WaitRun>& runs = out.waiting_runs[rank];
      if (runs.empty() || runs.back().tiles != c.tiles || runs.back().complete != c.complete)
        runs.push_back({c.tiles, c.complete, 0});
      out.waiting_classes[rank].push_back(static_cast<std::uint16_t>(i));
      runs.back().end = static_cast<std::uint32_t>(out.waiting_classes[rank].size());
    }
  }
  for (std::size_t n = 0; n < out.first_complete.size(); ++n) {
    std::uint32_t at = out.first_group[n];
    while (at < out.first_group[n + 1] && !out.groups[at].complete) ++at;
    out.first_complete[n] = at;
  }
  std::vector<std::uint64_t> places;  // parts, tiles, last part, group: a byte each but the last
  places.reserve(out.patterns.size());
  for (std::uint32_t i = 0; i < out.groups.size(); ++i) {
    for (std::uint32_t j = out.first_pattern[i]; j < out.first_pattern[i + 1]; ++j) {
      const PackedPattern& p = out.patterns[j];
      places.push_back(((std::uint64_t{p.part[0]} << 8 | p.part[1]) << 8 |
                        out.groups[i].tiles) << 24 |
                       static_cast<std::uint64_t>(p.part[2]) << 16 | i);
    }
  }
  sort_by_bytes(places, 16, 48);  // the groups are in order
  std::vector<std::uint32_t> next = make_runs(out);
  for (const std::uint64_t place : places) {
    const auto a = place >> 40, b = place >> 32 & 255, c = place >> 16 & 255;
    const int n = static_cast<int>(place >> 24 & 255);
    const auto g = place & 0xffff;
    out.run_patterns[next[g]++] = {{static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b),
                                    static_cast<std::uint8_t>(c)}};
    if (out.rows.empty() || out.rows.back().first_part != a || out.rows.back().second_part != b) {
      const auto at = static_cast<std::uint32_t>(out.group.size());
      out.rows.push_back({static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b), at, {}});
      out.rows.back().end.fill(at);
    }
    out.last_part.push_back(static_cast<std::uint8_t>(c));
    out.group.push_back(static_cast<std::uint16_t>(g));
    for (int k = 0; k < 5; ++k) {
      if (n <= 3 * k + 1) out.rows.back().end[static_cast<std::size_t>(k)] =
          static_cast<std::uint32_t>(out.group.size());
    }
  }
}

}  // namespace haiyomi
