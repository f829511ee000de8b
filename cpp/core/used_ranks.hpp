// Which tiles of a suit can still be part of a nearest win.
//
// Let a row lack l tiles for m sets and p pairs. A target is a row of just m sets and p pairs that
// it can become with l draws. A tile that no target holds is spare: it can be thrown without
// giving up any nearest win, and from then on it is as if it had never been there.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "shanten.hpp"

namespace haiyomi {

class UsedRanks {
 public:
  explicit UsedRanks(bool honours) : honours_(honours) {}

  // Bit k: some target holds at least as many of rank k as the row, which holds one. Where a
  // target would need more tiles than a suit is tabled for, every rank that is held counts.
  std::uint16_t used(const std::array<std::uint8_t, 9>& counts, int sets, int pairs);

 private:
  static constexpr std::uint16_t kUnknown = 0xffff;

  std::uint16_t find(const std::array<std::uint8_t, 9>& counts, int sets, int pairs);
  ShantenTable::NeedId need(const std::array<std::uint8_t, 9>& counts) const;
  std::size_t place(std::uint32_t slot) const;
  void grow();

  bool honours_;
  std::size_t count_ = 0;
  struct Entry {
    std::uint32_t slot = 0xffffffff;
    std::array<std::uint16_t, 10> ranks;
  };
  std::vector<Entry> entries_ = std::vector<Entry>(1024);  // open addressing
};

}  // namespace haiyomi
