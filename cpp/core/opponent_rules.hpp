// What an observation says of the ron of one opponent: what it may win on, and what it would pay.
#pragma once
#include "decision.hpp"
#include "posterior.hpp"

namespace haiyomi {

// The kinds of its river and those that it let pass since its last discard or its riichi.
std::uint64_t furiten_kinds(const record::PlayerBytes& player);

// Those that others discarded since its hand last changed by a discard from it or by a meld, and that
// it did not win on: with the same hand it hardly will now. None in riichi, where they are furiten,
// and none where every ron has a yaku now: on the last discard and, with `chankan`, on a robbed kan.
std::uint64_t kinds_let_pass(const record::ObservationBytes& seen, std::size_t opponent, bool chankan);

// `opponent`: its relative seat; `chankan`: the tile is added to a pon of the viewer's.
RonRules ron_rules(const record::ObservationBytes& seen, std::size_t opponent,
                   const ScoreRules& rules, bool chankan);
PointsQuery points_query(const record::ObservationBytes& seen, std::size_t opponent,
                         const ScoreRules& rules, bool chankan);

}  // namespace haiyomi
