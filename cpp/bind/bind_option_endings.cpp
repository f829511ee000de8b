#include "arrays.hpp"
#include "bind.hpp"
#include "option_endings.hpp"

namespace haiyomi {
namespace {

using namespace option_endings;

using Numbers = Plain<double, nb::ndim<1>>;
using Whole = Values<std::int64_t, nb::ndim<1>>;

nb::object wins_at_once(const Whole& at, const Numbers& chance, const Numbers& loss,
                        const Whole& rows, const Plain<double, nb::shape<-1, 4>>& cells,
                        const Whole& honba, const Whole& dealer, bool triple_ron) {
  const std::size_t m = honba.shape(0), k = at.shape(0);
  if (chance.shape(0) != k || loss.shape(0) != k || rows.shape(0) != k || dealer.shape(0) != m) {
    throw nb::value_error("arrays of other numbers of options or rons");
  }
  std::size_t all = 0;
  for (std::size_t i = 0; i < k; ++i) {
    if (at(i) < 0 || std::uint64_t(at(i)) >= 3 * m) throw nb::value_error("a ron of no option");
    if (i > 0 && at(i) <= at(i - 1)) throw nb::value_error("rons that do not ascend");
    if (rows(i) < 0 || std::uint64_t(rows(i)) > cells.shape(0) - all) {
      throw nb::value_error("rows of rons beyond their end");
    }
    all += static_cast<std::size_t>(rows(i));
  }
  auto first = make_2d<double>(m, 3), lost = make_2d<double>(m, 3);
  auto classes = make_3d<double>(m, 3, kClasses);
  auto aborted = make_1d<double>(m);
  const Rons rons{m, k, at.data(), chance.data(), loss.data(), rows.data(), cells.data(),
                  honba.data(), dealer.data(), triple_ron};
  without_gil([&] {
    at_once(rons, first.data(), lost.data(), classes.data(), aborted.data());
  });
  return nb::make_tuple(first, lost, classes, aborted);
}

nb::object option_deposits(const Plain<double, nb::shape<4, -1>>& mean,
                           const Plain<double, nb::shape<kJoint, -1, -1>>& p) {
  const std::size_t e = p.shape(1), b = p.shape(2);
  if (mean.shape(1) != b) throw nb::value_error("arrays of other numbers of options");
  auto out = make_3d<double>(4, e, b);
  without_gil([&] { deposit_chances(mean.data(), p.data(), e * b, b, out.data()); });
  return nb::cast(out);
}

nb::object option_changes(const Whole& begins, const Plain<double, nb::shape<-1, kEnds>>& ends,
                          const Plain<double, nb::shape<2, -1, -1, kClasses>>& own,
                          const Plain<double, nb::shape<-1, kOthersWin, kClasses>>& others,
                          const Plain<double, nb::shape<4, -1, -1>>& deposit, std::size_t seat) {
  const Paid paid{begins.shape(0), own.shape(2), own.shape(1),   begins.data(),
                  ends.data(),     own.data(),   others.data(), deposit.data()};
  if (ends.shape(0) != paid.n || others.shape(0) != paid.n || deposit.shape(1) != paid.e ||
      deposit.shape(2) != paid.b) {
    throw nb::value_error("arrays of other numbers of decisions, options or members");
  }
  if (seat > 3) throw nb::value_error("the seat must be 0 to 3");
  for (std::size_t d = 0; d < paid.n; ++d) {
    const std::int64_t from = d == 0 ? 0 : begins(d - 1);
    if (begins(d) < from || (d == 0 && begins(d) != 0) || std::uint64_t(begins(d)) > paid.b) {
      throw nb::value_error("options that do not stand side by side");
    }
  }
  auto out = make_3d<double>(kJoint, paid.e, paid.b);
  without_gil([&] { changes(paid, seat, out.data()); });
  return nb::cast(out);
}

}  // namespace
}  // namespace haiyomi

void bind_option_endings(nb::module_& m) {
  using namespace haiyomi;
  m.def("deposit_odds", [] {
    auto out = make_2d<double>(kJoint, kSeats);
    for (std::size_t j = 0; j < kJoint; ++j) {
      std::copy(kDepositOdds[j].begin(), kDepositOdds[j].end(), out.data() + j * kSeats);
    }
    return nb::cast(out);
  });
  m.def("option_changes", &option_changes, nb::arg("begins").noconvert(),
        nb::arg("ends").noconvert(), nb::arg("own").noconvert(), nb::arg("others").noconvert(),
        nb::arg("deposit").noconvert(), nb::arg("seat"));
  m.def("option_deposits", &option_deposits, nb::arg("mean").noconvert(),
        nb::arg("p").noconvert());
  m.def("wins_at_once", &wins_at_once, nb::arg("at").noconvert(), nb::arg("chance").noconvert(),
        nb::arg("loss").noconvert(), nb::arg("rows").noconvert(), nb::arg("cells").noconvert(),
        nb::arg("honba").noconvert(), nb::arg("dealer").noconvert(), nb::arg("triple_ron"));
}
