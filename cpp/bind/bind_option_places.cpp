#include "arrays.hpp"
#include "bind.hpp"
#include "option_places.hpp"

namespace haiyomi {
namespace {

using namespace option_places;

template <class T, class Shape>
using In = Plain<T, Shape>;
using ByOption = In<double, nb::ndim<1>>;
using Others = In<double, nb::shape<-1, kOthersWin, kClasses>>;

nb::object option_weights(const Values<std::int64_t, nb::ndim<1>>& begins,
                          const In<double, nb::shape<kJoint, -1, -1>>& later,
                          const ByOption& nobody, const In<double, nb::shape<2, -1, -1, kClasses>>& own,
                          const Others& others, const In<double, nb::ndim<2>>& deposit,
                          const In<double, nb::shape<-1, 3>>& first,
                          const In<double, nb::shape<-1, 3, kClasses>>& classes,
                          const ByOption& aborted, const In<std::uint8_t, nb::ndim<1>>& nine) {
  const Forecast f{begins.shape(0), later.shape(2), later.shape(1),  begins.data(), later.data(),
                   nobody.data(),   own.data(),     others.data(),   deposit.data(), first.data(),
                   classes.data(),  aborted.data(), nine.data()};
  if (nobody.shape(0) != f.b || own.shape(1) != f.e || own.shape(2) != f.b ||
      others.shape(0) != f.n || deposit.shape(0) != f.e || deposit.shape(1) != f.b ||
      first.shape(0) != f.b || classes.shape(0) != f.b || aborted.shape(0) != f.b ||
      nine.shape(0) != f.b) {
    throw nb::value_error("arrays of other numbers of decisions, options or members");
  }
  for (std::size_t d = 0; d < f.n; ++d) {
    const std::int64_t from = d == 0 ? 0 : begins(d - 1);
    if (begins(d) < from || (d == 0 && begins(d) != 0) || std::uint64_t(begins(d)) > f.b) {
      throw nb::value_error("options that do not stand side by side");
    }
  }
  auto whole = make_3d<double>(f.e, f.b, kColumns);
  auto likely = make_2d<double>(f.n, 2 * kEnds);
  without_gil([&] { weights(f, whole.data(), likely.data()); });
  return nb::make_tuple(whole, likely);
}

nb::object option_tables(const In<double, nb::shape<-1, kValues>>& values,
                         const haiyomi::Values<std::int64_t, nb::shape<-1, 2 * kEnds>>& row,
                         const Others& others) {
  const std::size_t n = row.shape(0);
  if (others.shape(0) != n) throw nb::value_error("arrays of other numbers of decisions");
  const auto k = static_cast<std::int64_t>(values.shape(0));
  if (std::any_of(row.data(), row.data() + row.size(), [&](std::int64_t i) { return i >= k; })) {
    throw nb::value_error("an end without a value");
  }
  auto out = make_3d<double>(n, kColumns, kValues);
  without_gil([&] { tables(values.data(), row.data(), others.data(), n, out.data()); });
  return nb::cast(out);
}

}  // namespace
}  // namespace haiyomi

void bind_option_places(nb::module_& m) {
  using namespace haiyomi;
  m.def("option_tables", &option_tables, nb::arg("values").noconvert(),
        nb::arg("row").noconvert(), nb::arg("others").noconvert());
  m.def("option_weights", &option_weights, nb::arg("begins").noconvert(),
        nb::arg("later").noconvert(), nb::arg("nobody").noconvert(), nb::arg("own").noconvert(),
        nb::arg("others").noconvert(), nb::arg("deposit").noconvert(),
        nb::arg("first").noconvert(), nb::arg("classes").noconvert(),
        nb::arg("aborted").noconvert(), nb::arg("nine").noconvert());
}
