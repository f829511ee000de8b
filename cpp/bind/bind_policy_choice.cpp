// Actions by a policy's logits, of decisions that need no table.
#include <string>

#include "bind.hpp"
#include "choice_inputs.hpp"
#include "options.hpp"

namespace haiyomi {
namespace {

using Bytes = Values<std::uint8_t, nb::ndim<1>>;
using Legal = Values<std::uint8_t, nb::shape<-1, replay::action::kCount>>;

// Of each decision its action, and how many of its points were used.
nb::tuple policy_choices(const Bytes& offered, const Legal& legal, const KindLogits& discards,
                         const KindLogits& kans, const Acts& acts, const Points& points,
                         double temperature, bool in_order) {
  constexpr std::size_t kGood = static_cast<std::size_t>(-1);
  const std::size_t n = offered.shape(0);
  if (legal.shape(0) != n) throw nb::value_error("legal actions for another number of decisions");
  check_logits(discards, kans, acts, temperature, n);
  check_points(points, n);
  auto chosen = make_1d<std::uint8_t>(n);
  auto used = make_1d<std::uint8_t>(n);
  const std::size_t bad = without_gil([&] {
    for (std::size_t i = 0; i < n; ++i) {
      replay::Actions actions;
      for (int a = 0; a < replay::action::kCount; ++a)
        if (legal.data()[std::size_t(replay::action::kCount) * i + std::size_t(a)] != 0)
          actions.add(a);
      const bool own = offered(i) == record::kNone;
      if (!own && offered(i) >= 34) return i;
      const int kind = own ? -1 : int(offered(i));
      const replay::Options options = replay::options_of(actions, kind);
      if (own ? options.discard_kinds() == 0 : !actions.has(replay::action::kPass)) return i;
      const ChoiceLogits logits{discards.data() + 34 * i, kans.data() + 34 * i,
                                acts.data() + record::kActs * i};
      Chances chances(points.data() + kPoints * i, in_order);
      chosen.data()[i] =
          static_cast<std::uint8_t>(choose(options, kind, logits, temperature, chances));
      used.data()[i] = static_cast<std::uint8_t>(chances.used());
    }
    return kGood;
  });
  if (bad != kGood)
    throw nb::value_error(("decision " + std::to_string(bad) +
                           ": no discard in the own turn, no pass, or no such tile").c_str());
  return nb::make_tuple(chosen, used);
}

}  // namespace
}  // namespace haiyomi

void bind_policy_choice(nb::module_& m) {
  using namespace haiyomi;
  m.def("policy_choices", &policy_choices, nb::arg("offered").noconvert(),
        nb::arg("legal").noconvert(), nb::arg("discards").noconvert(), nb::arg("kans").noconvert(),
        nb::arg("acts").noconvert(), nb::arg("points").noconvert(), nb::arg("temperature"),
        nb::arg("in_order"));
}
