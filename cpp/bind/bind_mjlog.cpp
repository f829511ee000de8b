// mjlog in, words of its hands out.
#include <string_view>

#include "arrays.hpp"
#include "bind.hpp"
#include "mjlog.hpp"

namespace haiyomi {
namespace {

nb::object read_mjlog(const nb::bytes& record) {
  // The bytes do not change, and the call holds them.
  const std::string_view text(record.c_str(), record.size());
  std::optional<mjlog::Game> game;
  {
    const nb::gil_scoped_release release;
    game = mjlog::read(text);
  }
  if (!game) return nb::none();
  const auto name = [&](std::size_t s) { return nb::str(game->names[s].data(), game->names[s].size()); };
  return nb::make_tuple(game->rounds, nb::make_tuple(name(0), name(1), name(2), name(3)),
                        view(std::move(game->words)), view(std::move(game->hands)),
                        view(std::move(game->absent)));
}

}  // namespace
}  // namespace haiyomi

void bind_mjlog(nb::module_& m) {
  using namespace haiyomi;
  m.def("read_mjlog", &read_mjlog, nb::arg("record"),
        "Rounds, names, words, hands and absent seats of a record; None if it is not read.");
}
