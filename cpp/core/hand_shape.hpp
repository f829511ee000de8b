// A hand whose shanten and useful tiles stay known while tiles come and go.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <memory>

#include "shanten.hpp"

namespace haiyomi {

// Useful kinds of a suit, by the suit's slot and what the rest of the hand needs: hands that differ
// in one suit share the others' answers. Direct-mapped, one a thread.
class UsefulCache {
 public:
  static UsefulCache& of_thread();
  // Ranks (bit 0-8) of the suit whose draw lowers the standard shanten of the whole hand.
  unsigned ranks(const std::uint8_t* counts, unsigned low, unsigned high, bool honours,
                 ShantenTable::NeedId rest, int sets);

 private:
  struct Line {
    std::uint32_t key = ~0u;
    std::uint32_t ranks = 0;
  };
  static constexpr int kBits = 15;
  unsigned compute(const std::uint8_t* counts, unsigned low, unsigned high, bool honours,
                   ShantenTable::NeedId rest, int sets) const;

  const ShantenTable& table_ = ShantenTable::get();
  std::array<Line, std::size_t{1} << kBits> lines_{};
};

class HandShape {
 public:
  HandShape(const Counts& counts, int n_melds);

  void add(std::size_t kind) { change(kind, 1); }
  void remove(std::size_t kind) { change(kind, -1); }
  int count(std::size_t kind) const { return counts_[kind]; }
  int shanten() const;
  // Kinds whose draw lowers the shanten; none of which the hand holds four.
  std::uint64_t useful() const;

 private:
  using NeedId = ShantenTable::NeedId;

  void change(std::size_t kind, int by);
  int pairs() const { return 6 - pairs_ + (kinds_ < 7 ? 7 - kinds_ : 0); }
  int orphans() const { return 13 - orphans_ - (orphan_pairs_ > 0); }
  std::uint64_t useful_for_pairs() const;
  std::uint64_t useful_for_orphans() const;

  const ShantenTable& table_ = ShantenTable::get();
  UsefulCache& cache_ = UsefulCache::of_thread();
  Counts counts_{};
  int sets_;
  std::array<unsigned, 4> low_{}, high_{};
  std::array<NeedId, 4> part_{};
  int kinds_ = 0, pairs_ = 0, orphans_ = 0, orphan_pairs_ = 0;
};

}  // namespace haiyomi
