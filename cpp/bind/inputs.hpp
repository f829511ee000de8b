// NumPy arrays in: what a call copies of them, and what it refuses.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>

namespace haiyomi {

namespace nb = nanobind;

// An array that a call reads. Copied: its values are checked and then lead the work (indices,
// counts, factors), and other threads may change them once the interpreter's lock is released, so
// the call has a copy of its own from before the checks. Otherwise (numbers that only enter sums,
// often many) it is copied where it is not aligned. An array of another byte order is refused.
template <bool kCopied, class T, class... Shape>
class Read {
 public:
  using Array = nb::ndarray<const T, Shape..., nb::c_contig, nb::device::cpu>;

  Read() = default;
  explicit Read(Array&& array) : array_(std::move(array)), data_(array_.data()) {
    if (array_.size() == 0 || (!kCopied && aligned(data_))) return;
    own_.reset(new T[array_.size()]);
    std::memcpy(own_.get(), data_, array_.size() * sizeof(T));
    data_ = own_.get();
  }

  static bool aligned(const T* at) { return reinterpret_cast<std::uintptr_t>(at) % alignof(T) == 0; }

  const T* data() const { return data_; }
  std::size_t shape(std::size_t i) const { return array_.shape(i); }
  std::size_t size() const { return array_.size(); }
  T operator()(std::size_t i) const { return data_[i]; }
  T operator()(std::size_t i, std::size_t j) const { return data_[i * shape(1) + j]; }

 private:
  Array array_;
  const T* data_ = nullptr;
  std::unique_ptr<T[]> own_;
};

template <class T, class... Shape>
using Values = Read<true, T, Shape...>;
template <class T, class... Shape>
using Plain = Read<false, T, Shape...>;

}  // namespace haiyomi

namespace nanobind::detail {

// Takes what its array takes.
template <class Value_>
struct haiyomi_array_caster {
  using Array = typename Value_::Array;
  NB_TYPE_CASTER(Value_, make_caster<Array>::Name)

  bool from_python(handle src, uint32_t flags, cleanup_list* cleanup) noexcept {
    make_caster<Array> array;
    if (!array.from_python(src, flags, cleanup)) return false;
    try {
      value = Value_(std::move(array.value));
    } catch (...) {  // no memory, or an array to add to that is not aligned
      return false;
    }
    return true;
  }
};

template <bool kCopied, class T, class... Shape>
struct type_caster<haiyomi::Read<kCopied, T, Shape...>>
    : haiyomi_array_caster<haiyomi::Read<kCopied, T, Shape...>> {};

}  // namespace nanobind::detail
