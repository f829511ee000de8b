// The extension module haiyomi._core: each kernel binds itself in a file of its own.
#include "bind.hpp"

NB_MODULE(_core, m) {
  m.doc() = "The compiled core of haiyomi: arrays and scalars in, arrays out.";
#ifdef NDEBUG
  // Python frees nothing of the modules that it still holds at its end. Only who works on the
  // bindings has a use for a list of that.
  nb::set_leak_warnings(false);
#endif
  bind_tenpai_hands(m);
  bind_shanten(m);
  bind_waits(m);
  bind_scoring(m);
  bind_replay(m);
  bind_hand_counts(m);
  bind_posterior(m);
  bind_winning(m);
  bind_tables(m);
  bind_policy_choice(m);
  bind_decode(m);
  bind_tile_efficiency(m);
  bind_record_facts(m);
  bind_network(m);
  bind_pair_net(m);
  bind_option_inputs(m);
  bind_option_net(m);
  bind_mjlog(m);
  bind_tally(m);
  bind_option_places(m);
  bind_option_endings(m);
}
