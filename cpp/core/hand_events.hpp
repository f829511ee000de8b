// The events of a hand's words in a list, to look ahead in.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "decision_labels.hpp"
#include "options.hpp"
#include "replay_words.hpp"

namespace haiyomi::replay {

struct HandEvent {
  Event event;
  const std::int32_t* numbers;  // those that follow its first word
};

// Appends the events; fails at words that are none.
void list_events(Words words, std::vector<HandEvent>& out);

// What a seat chose of its options, by the events that follow. Nothing is decided where nobody can
// know: another's call or win came first. On one's own turn the choices are ordered: win, nine
// terminals, kan, riichi, discard; those after the choice made are not decided.
record::ChoiceBytes choice_of(std::span<const HandEvent> after, int seat, const Options& options);

}  // namespace haiyomi::replay
