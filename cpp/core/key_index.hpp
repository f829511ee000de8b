// A hash table from hand keys to numbers 0, 1, 2, ... given in the order they come.
//
// A place holds half of the hash and the number; the keys themselves lie in the caller's list by
// number, and are looked at only where the halves agree. So a table takes eight bytes a place and
// that of most hands stays in the second-level cache.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace haiyomi {

class KeyIndex {
 public:
  explicit KeyIndex(int bits = 8) { reset(bits); }

  void reset(int bits = 8) {
    bits_ = bits;
    places_.assign(std::size_t{1} << bits, 0);
  }

  // Gives its memory back.
  void drop() { places_ = std::vector<std::uint64_t>(); }

  // Makes room for so many keys more than the list has. Invalidates earlier `places`.
  void make_room(const std::vector<std::uint64_t>& keys, std::size_t more) {
    while (2 * (keys.size() + more) >= places_.size()) grow(keys);
  }

  // The table while it has room: plain values, which the compiler need not reload after a store.
  class Places {
   public:
    // A key's hash; prefetches its place.
    std::uint64_t prepare(std::uint64_t key) const {
      const std::uint64_t mixed = mix(key);
#if defined(__GNUC__) || defined(__clang__)
      __builtin_prefetch(&places_[static_cast<std::size_t>(mixed >> shift_)]);
#endif
      return mixed;
    }

    // The number of a key in the list of keys, always the same list; where it is new it is added
    // as the last, and `added` called with it.
    template <class Added>
    std::uint32_t find_or_add(std::vector<std::uint64_t>& keys, std::uint64_t key,
                              std::uint64_t mixed, Added&& added) const {
      std::size_t at = static_cast<std::size_t>(mixed >> shift_);
      const std::uint64_t half = mixed << 32;
      while (true) {
        const std::uint64_t place = places_[at];
        if (place == 0) break;
        // The number + 1 is in the lower half.
        const std::uint32_t number = static_cast<std::uint32_t>(place) - 1;
        if (((place ^ half) >> 32) == 0 && keys[number] == key) return number;
        at = (at + 1) & mask_;
      }
      const auto number = static_cast<std::uint32_t>(keys.size());
      places_[at] = half | (number + 1);
      keys.push_back(key);
      added();
      return number;
    }

   private:
    friend class KeyIndex;
    std::uint64_t* places_;
    std::size_t mask_;
    int shift_;
  };
  Places places() {
    Places out;
    out.places_ = places_.data();
    out.mask_ = places_.size() - 1;
    out.shift_ = 64 - bits_;
    return out;
  }

  // The same for one key.
  struct Found {
    std::uint32_t number;
    bool fresh;
  };
  Found find_or_add(std::vector<std::uint64_t>& keys, std::uint64_t key) {
    make_room(keys, 1);
    bool fresh = false;
    const std::uint32_t number =
        places().find_or_add(keys, key, mix(key), [&] { fresh = true; });
    return {number, fresh};
  }

 private:
  static std::uint64_t mix(std::uint64_t key) {
    return (key ^ key >> 31) * 0x9e3779b97f4a7c15u;
  }

  void grow(const std::vector<std::uint64_t>& keys) {
    bits_ += bits_ < 16 ? 2 : 1;
    drop();  // before the larger one; the keys suffice to refill it
    places_.assign(std::size_t{1} << bits_, 0);
    const std::size_t mask = places_.size() - 1;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const std::uint64_t mixed = mix(keys[i]);
      std::size_t at = static_cast<std::size_t>(mixed >> (64 - bits_));
      while (places_[at] != 0) at = (at + 1) & mask;
      places_[at] = mixed << 32 | (i + 1);
    }
  }

  int bits_ = 0;
  std::vector<std::uint64_t> places_;
};

}  // namespace haiyomi
