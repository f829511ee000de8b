// What decision records say of tiles.
#include "bind.hpp"
#include "decision_records.hpp"

namespace haiyomi {
namespace {

using record::DecisionBytes;

// Copies of the records, each changed by `change(record, row)`; where that is false, they are
// damaged.
template <class Change>
Out<std::uint8_t, 2> changed(const Records& records, Change&& change) {
  const DecisionBytes* from = records_of(records);
  const std::size_t n = records.shape(0);
  auto out = make_2d<std::uint8_t>(n, sizeof(DecisionBytes));
  auto* to = reinterpret_cast<DecisionBytes*>(out.data());
  const std::size_t bad = without_gil([&] {
    for (std::size_t i = 0; i < n; ++i) {
      to[i] = from[i];
      if (!change(to[i], i)) return i;
    }
    return n;
  });
  if (bad < n) damaged(bad);
  return out;
}

auto with_tile_facts(const Records& records) {
  return changed(records, [](DecisionBytes& r, std::size_t) { return fill_tile_facts(r); });
}

auto seat_records(const Records& records, const Values<std::uint64_t, nb::ndim<1>>& barred) {
  if (barred.size() != records.shape(0)) throw nb::value_error("one mask for each decision record");
  return changed(records, [&](DecisionBytes& r, std::size_t i) {
    return complete_seat_record(r, barred(i));
  });
}

}  // namespace
}  // namespace haiyomi

void bind_record_facts(nb::module_& m) {
  using namespace haiyomi;
  m.def("with_tile_facts", &with_tile_facts, nb::arg("records"),
        "Decision records with their waits and the efficiency of discards and calls.");
  m.def("seat_records", &seat_records, nb::arg("records"), nb::arg("barred"),
        "The records of viewers at a discard, completed from the observation and the hand.");
}
