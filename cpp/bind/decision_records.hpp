// Decision records and observations in, as rows of bytes.
#pragma once
#include <string>

#include "arrays.hpp"
#include "record_facts.hpp"

namespace haiyomi {

using Records = Values<std::uint8_t, nb::ndim<2>>;

[[noreturn]] inline void damaged(std::size_t row) {
  throw nb::value_error(("decision record " + std::to_string(row) + " is damaged").c_str());
}

// Throws nb::value_error for a record that is not good.
template <class Bytes>
const Bytes* rows_of(const Records& records) {
  if (records.shape(1) != sizeof(Bytes)) {
    throw nb::value_error("decision records of another size than expected");
  }
  const auto* out = reinterpret_cast<const Bytes*>(records.data());
  for (std::size_t i = 0; i < records.shape(0); ++i)
    if (!record::is_good(out[i])) damaged(i);
  return out;
}
inline const record::DecisionBytes* records_of(const Records& records) {
  return rows_of<record::DecisionBytes>(records);
}

}  // namespace haiyomi
