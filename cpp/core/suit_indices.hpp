// The indices of a suit's patterns that sums run over.
#pragma once
#include <cstdint>
#include <vector>

#include "suit_patterns.hpp"

namespace haiyomi {

// Makes them from the patterns, the groups and their waits: classes of groups, runs of groups, rows
// of patterns, groups and classes by their waits.
void index_groups(SuitPatterns& out);

// Sorts numbers by the bytes between two bits; equal ones keep their order.
void sort_by_bytes(std::vector<std::uint64_t>& numbers, int from, int to);

}  // namespace haiyomi
