// What every binding file shares: one function a kernel, called by module.cpp.
#pragma once
#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_tenpai_hands(nb::module_& m);
void bind_shanten(nb::module_& m);
void bind_waits(nb::module_& m);
void bind_scoring(nb::module_& m);
void bind_replay(nb::module_& m);
void bind_hand_counts(nb::module_& m);
void bind_posterior(nb::module_& m);
void bind_winning(nb::module_& m);
void bind_tables(nb::module_& m);
void bind_policy_choice(nb::module_& m);
void bind_decode(nb::module_& m);
void bind_tile_efficiency(nb::module_& m);
void bind_record_facts(nb::module_& m);
void bind_network(nb::module_& m);
void bind_pair_net(nb::module_& m);
void bind_option_inputs(nb::module_& m);
void bind_option_net(nb::module_& m);
void bind_mjlog(nb::module_& m);
void bind_tally(nb::module_& m);
void bind_option_places(nb::module_& m);
void bind_option_endings(nb::module_& m);
