// The canonical order of a hand's events, as logs/dora_order.py restores it.
#pragma once
#include <span>
#include <vector>

#include "replay_words.hpp"

namespace haiyomi::replay {

// The indices of the events in canonical order; empty where they stand in it.
std::vector<std::size_t> canonical_order(std::span<const Event> events);

}  // namespace haiyomi::replay
