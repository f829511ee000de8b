// The tags of mjlog, one after the other, and the numbers in them; limits as in logs/limits.py.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace haiyomi::mjlog {

// Thrown where a record is not spelled as Tenhou spells it.
struct NotRead {};

inline void need(bool good) {
  if (!good) throw NotRead{};
}

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
inline bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// A whole number of at most nine digits in its shortest form.
inline int number(std::string_view text) {
  const bool negative = !text.empty() && text[0] == '-';
  const std::string_view digits = text.substr(negative);
  need(!digits.empty() && digits.size() <= 9 && (digits[0] != '0' || text.size() == 1));
  int value = 0;
  for (const char c : digits) {
    need(is_digit(c));
    value = 10 * value + (c - '0');
  }
  return negative ? -value : value;
}

inline int number(std::string_view text, int low, int high) {
  const int value = number(text);
  need(value >= low && value <= high);
  return value;
}

// What stands between the commas of a value.
class Fields {
 public:
  explicit Fields(std::string_view text) : rest_(text) {}

  bool over() const { return over_; }
  std::string_view next() {
    need(!over_);
    const std::size_t comma = rest_.find(',');
    const std::string_view field = rest_.substr(0, comma);
    over_ = comma == std::string_view::npos;
    if (!over_) rest_.remove_prefix(comma + 1);
    return field;
  }

 private:
  std::string_view rest_;
  bool over_ = false;
};

// A tag other than a draw or discard: <name key="value"/>.
class Tag {
 public:
  std::string_view name;
  bool closing = false, empty = false;

  const std::string_view* find(std::string_view key) const {
    for (std::size_t i = 0; i < n_; ++i)
      if (keys_[i] == key) return &values_[i];
    return nullptr;
  }
  std::string_view operator[](std::string_view key) const {
    const std::string_view* value = find(key);
    need(value != nullptr);
    return *value;
  }
  // The value if there is one that is not empty.
  const std::string_view* given(std::string_view key) const {
    const std::string_view* value = find(key);
    return value == nullptr || value->empty() ? nullptr : value;
  }
  bool bare() const { return n_ == 0; }  // without attributes
  void begin() { n_ = 0; }
  void add(std::string_view key, std::string_view value) {
    need(n_ < kMostAttributes && value.size() <= kMostValue && find(key) == nullptr);
    keys_[n_] = key;
    values_[n_++] = value;
  }

 private:
  static constexpr std::size_t kMostAttributes = 64, kMostValue = 1 << 14;
  std::size_t n_ = 0;
  std::array<std::string_view, kMostAttributes> keys_, values_;
};

// Walks a text from tag to tag.
class Tags {
 public:
  explicit Tags(std::string_view text)
      : begin_(text.data()), at_(begin_), end_(begin_ + text.size()) {}

  // Whether another tag begins; the last one has ended.
  bool more() {
    while (at_ != end_ && is_space(*at_)) ++at_;
    need(at_ - begin_ <= kMostTag);
    if (at_ == end_) return false;
    need(take('<'));
    begin_ = at_;
    return true;
  }

  // A draw or discard: its letter, and the tile id; 0 for any other tag, of which nothing is taken.
  char tile(int& id) {
    if (end_ - at_ < 4 || !is_letter(*at_) || !is_digit(at_[1])) return 0;
    const char* stop = at_ + 1;
    while (stop != end_ && is_digit(*stop)) ++stop;
    id = number({at_ + 1, static_cast<std::size_t>(stop - at_ - 1)}, 0, 135);
    const char letter = *at_;
    at_ = stop;
    need(take('/') && take('>'));
    return letter;
  }

  // Any other tag; the next one takes its place.
  const Tag& tag() {
    Tag& out = tag_;
    out.begin();
    out.closing = take('/');
    out.name = word(is_letter);
    for (;;) {
      const bool apart = at_ != end_ && is_space(*at_);
      while (at_ != end_ && is_space(*at_)) ++at_;
      out.empty = take('/');
      if (take('>')) return out;
      need(apart && !out.empty);
      const std::string_view key =
          word([](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
      need(take('=') && take('"'));
      // Printable ASCII without entities: nothing of it is decoded.
      const char* const value = at_;
      while (at_ != end_ && *at_ != '"' && *at_ >= ' ' && *at_ <= '~' && *at_ != '<' && *at_ != '&')
        ++at_;
      out.add(key, {value, static_cast<std::size_t>(at_ - value)});
      need(take('"'));
    }
  }

 private:
  static constexpr std::ptrdiff_t kMostTag = 1 << 16;

  bool take(char c) {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }
  template <class Belongs>
  std::string_view word(Belongs belongs) {
    const char* const first = at_;
    while (at_ != end_ && belongs(*at_)) ++at_;
    need(at_ != first);
    return {first, static_cast<std::size_t>(at_ - first)};
  }

  Tag tag_;
  const char* begin_;  // of the last tag, behind its <
  const char* at_;
  const char* end_;
};

}  // namespace haiyomi::mjlog
