// Words of hands in, the sums behind players' statistics out.
#include "arrays.hpp"
#include "bind.hpp"
#include "tally.hpp"

namespace haiyomi {
namespace {

using Words = Values<std::int32_t, nb::ndim<1>>;
using Offsets = Values<std::int64_t, nb::ndim<1>>;
using Masks = Values<std::uint8_t, nb::ndim<1>>;

nb::tuple tally(const Words& words, const Offsets& hands, const Masks& absent) {
  bool good = hands.size() == absent.size() + 1 && hands(0) == 0 &&
              hands(absent.size()) == static_cast<std::int64_t>(words.size());
  for (std::size_t i = 0; good && i < absent.size(); ++i) good = hands(i) <= hands(i + 1);
  if (!good) throw nb::value_error("the hands do not ascend from 0 to the end of the words");
  SeatSums sums;
  TallyEnd end;
  {
    const nb::gil_scoped_release release;
    end = tally_game({words.data(), words.size()}, {hands.data(), hands.size()},
                     {absent.data(), absent.size()}, sums);
  }
  if (end.fault == TallyFault::Damaged) throw nb::value_error("the words of a hand are damaged");
  std::vector<double> flat;
  for (const auto& of_seat : sums) flat.insert(flat.end(), of_seat.begin(), of_seat.end());
  return nb::make_tuple(static_cast<int>(end.fault), end.hand, end.detail, view(std::move(flat)));
}

}  // namespace
}  // namespace haiyomi

void bind_tally(nb::module_& m) {
  using namespace haiyomi;
  m.def("tally", &tally, nb::arg("words"), nb::arg("hands"), nb::arg("absent"),
        "A fault, its hand and detail, and the sums of the four seats of a game.");
}
