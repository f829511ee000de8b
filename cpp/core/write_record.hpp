// The record of a decision, from a table: only what its seat sees.
#pragma once
#include "decision.hpp"
#include "options.hpp"

namespace haiyomi::replay {

// `rounds` of the game: 1 East-only, 2 hanchan, 4 full game, 0 unknown. Writes every byte.
void write_record(Table& t, const Options& options, int seat, int rounds,
                  record::DecisionBytes& out);

}  // namespace haiyomi::replay
