#include <stdexcept>

#include "arrays.hpp"
#include "bind.hpp"
#include "forest.hpp"

namespace haiyomi {
namespace {

template <class T>
using Column = Plain<T, nb::ndim<1>>;
using Rows = Plain<float, nb::ndim<2>>;

auto forest(const Rows& rows, const Column<std::int32_t>& roots,
            const Column<std::int16_t>& feature, const Column<float>& value,
            const Column<std::int32_t>& left, const Column<std::int32_t>& right) {
  const std::size_t n = feature.shape(0);
  if (value.shape(0) != n || left.shape(0) != n || right.shape(0) != n)
    throw std::invalid_argument("the nodes' arrays differ in length");
  const Forest f{roots.data(), roots.shape(0), feature.data(), value.data(),
                 left.data(),  right.data(),   n};
  if (!sound(f, rows.shape(1)))
    throw std::invalid_argument("a tree points outside its nodes or its features");
  auto out = make_1d<double>(rows.shape(0));
  double* to = out.data();
  const std::size_t width = rows.shape(1), count = rows.shape(0);
  // With the interpreter's lock held: nobody changes the trees behind the check, and to copy
  // them would take as long as to use them.
  for (std::size_t i = 0; i < count; ++i) to[i] = forest_score(f, rows.data() + width * i);
  return out;
}

}  // namespace
}  // namespace haiyomi

void bind_forest(nb::module_& m) {
  using namespace haiyomi;
  m.def("forest", &forest, nb::arg("rows"), nb::arg("roots"), nb::arg("feature"),
        nb::arg("value"), nb::arg("left"), nb::arg("right"));
}
