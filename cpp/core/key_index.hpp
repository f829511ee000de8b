// A hash table from hand keys to numbers 0, 1, 2, ... given in the order they come.
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
    count_ = 0;
    places_.assign(std::size_t{1} << bits, {});
  }

  std::uint32_t size() const { return count_; }

  // A key's hash, and its place on the way into the cache before it is asked for.
  std::uint64_t prepare(std::uint64_t key) const {
    const std::uint64_t mixed = mix(key);
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch(&places_[static_cast<std::size_t>(mixed >> (64 - bits_))]);
#endif
    return mixed;
  }

  // The number of a key and whether it was new, and so got the next number.
  struct Found {
    std::uint32_t number;
    bool fresh;
  };
  Found find_or_add(std::uint64_t key, std::uint64_t mixed) {
    if (2 * std::size_t{count_} >= places_.size()) grow();
    Place* place = probe(key, mixed);
    if (place->next != 0) return {place->next - 1, false};
    place->key = key;
    place->next = ++count_;
    return {count_ - 1, true};
  }

 private:
  struct Place {
    std::uint64_t key = 0;
    std::uint32_t next = 0;  // its number + 1; 0: free
  };

  static std::uint64_t mix(std::uint64_t key) {
    return (key ^ key >> 31) * 0x9e3779b97f4a7c15u;
  }

  Place* probe(std::uint64_t key, std::uint64_t mixed) {
    const std::size_t mask = places_.size() - 1;
    std::size_t at = static_cast<std::size_t>(mixed >> (64 - bits_));
    while (places_[at].next != 0 && places_[at].key != key) at = (at + 1) & mask;
    return &places_[at];
  }

  void grow() {
    const int more = bits_ < 16 ? 2 : 1;
    std::vector<Place> old(places_.size() << more);
    old.swap(places_);
    bits_ += more;
    for (const Place& place : old) {
      if (place.next != 0) *probe(place.key, mix(place.key)) = place;
    }
  }

  int bits_ = 0;
  std::uint32_t count_ = 0;
  std::vector<Place> places_;
};

}  // namespace haiyomi
