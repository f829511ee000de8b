#include "network.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <utility>

namespace haiyomi::network {
namespace {

constexpr std::size_t kChunk = 8;  // decisions worked on together

TowerShape shape_of(const TowerSizes& s, std::size_t features, std::size_t context) {
  return {features, context, s.width, s.blocks, s.hidden, s.kinds, s.whole};
}

class Pass {
 public:
  explicit Pass(const Layout& layout)
      : l_(layout), decision_(l_.decision, l_.parts, 0, kChunk) {
    if (l_.opponents) {
      opponent_ = std::make_unique<Tower>(l_.opponent, l_.parts, l_.opponent_part, 3 * kChunk);
    }
  }

  bool fits(const Layout& other) const {
    return l_.decision == other.decision && l_.opponent == other.opponent;
  }

  void use(const float* weights, const float* taps, Multiply multiply) {
    decision_.use(weights, taps, multiply);
    if (taps != nullptr) taps += l_.decision.taps();
    if (opponent_) opponent_->use(weights, taps, multiply);
  }

  void run(const record::DecisionBytes* records, std::size_t n, const std::uint8_t* mirror,
           const float* style, const Outputs& out) {
    decision_.clear(n);
    for (std::size_t i = 0; i < n; ++i) {
      const bool again = i > 0 && mirror[i] == mirror[i - 1] &&
                         std::memcmp(&records[i], &records[i - 1], sizeof records[i]) == 0;
      if (again) decision_.repeat(i);
      else read(records[i], i, mirror[i] != 0);
      std::copy_n(style + i * kStyle, kStyle, decision_.context_in(i) + kStyleAt);
    }
    decision_.run(n);
    for (std::size_t i = 0; i < n; ++i) {
      copy_kinds(decision_, i, mirror[i] != 0, l_.decision.kinds,
                 out.kinds + i * 34 * l_.decision.kinds);
      if (out.channels != nullptr) copy_channels(i, mirror[i] != 0, out);
      if (l_.decision.whole == 0) continue;
      float* whole = out.whole + i * l_.decision.whole;
      std::copy_n(decision_.whole_out(i), l_.decision.whole, whole);
      if (mirror[i] != 0 && l_.decision.whole > record::kChiHigh) {
        std::swap(whole[record::kChiLow], whole[record::kChiHigh]);
      }
    }
    if (opponent_) run_opponents(records, n, mirror, out);
  }

 private:
  static std::size_t seen(std::size_t k, bool mirror) { return mirror ? mirrored(k) : k; }

  void read(const record::DecisionBytes& record, std::size_t i, bool mirror) {
    std::array<float*, 34> at;
    for (std::size_t k = 0; k < 34; ++k) at[k] = decision_.kind_in(i, k);
    decision_features(record, mirror, at.data(), decision_.context_in(i));
    const std::uint8_t focus = focus_of(record);
    if (focus != record::kNone) decision_.set_focus(i, seen(focus, mirror));
  }

  void run_opponents(const record::DecisionBytes* records, std::size_t n,
                     const std::uint8_t* mirror, const Outputs& out) {
    const std::size_t w = l_.decision.width;
    opponent_->clear(3 * n);
    for (std::size_t row = 0; row < 3 * n; ++row) {
      std::array<float*, 34> at;
      for (std::size_t k = 0; k < 34; ++k) {
        float* to = opponent_->kind_in(row, k);
        std::copy_n(decision_.channels(row / 3, k), w, to);
        at[k] = to + w;
      }
      opponent_features(records[row / 3], row % 3 + 1, mirror[row / 3] != 0, at.data(),
                        opponent_->context_in(row));
    }
    opponent_->run(3 * n);
    for (std::size_t row = 0; row < 3 * n; ++row) {
      copy_kinds(*opponent_, row, mirror[row / 3] != 0, l_.opponent.kinds,
                 out.opponent_kinds + row * 34 * l_.opponent.kinds);
      if (l_.opponent.whole == 0) continue;
      std::copy_n(opponent_->whole_out(row), l_.opponent.whole,
                  out.opponent_whole + row * l_.opponent.whole);
    }
  }

  void copy_channels(std::size_t i, bool mirror, const Outputs& out) const {
    const std::size_t w = l_.decision.width, h = l_.decision.hidden;
    for (std::size_t k = 0; k < 34; ++k)
      std::copy_n(decision_.channels(i, seen(k, mirror)), w, out.channels + (i * 34 + k) * w);
    if (l_.decision.whole != 0) std::copy_n(decision_.pooled(i), h, out.pooled + i * h);
  }

  static void copy_kinds(const Tower& tower, std::size_t row, bool mirror, std::size_t kinds,
                         float* to) {
    if (kinds == 0) return;
    for (std::size_t k = 0; k < 34; ++k) {
      std::copy_n(tower.kind_out(row, seen(k, mirror)), kinds, to + k * kinds);
    }
  }

  Layout l_;
  Tower decision_;
  std::unique_ptr<Tower> opponent_;
};

}  // namespace

Layout::Layout(const TowerSizes& d, const TowerSizes& o)
    : decision(shape_of(d, kKindFeatures, kContext)),
      opponent(shape_of(o, d.width + kOpponentKind, kOpponentContext)), opponents(o.width != 0) {
  add_parts(decision, "", parts, size);
  opponent_part = parts.size();
  if (opponents) add_parts(opponent, "opponent ", parts, size);
}

Network::Network(Layout layout, std::vector<float> weights, bool rounded)
    : layout_(std::move(layout)), weights_(std::move(weights)), rounded_(rounded) {
  if (rounded) return;
  const TowerShape &d = layout_.decision, &o = layout_.opponent;
  taps_.resize(d.taps() + o.taps());
  spread_blocks(d, layout_.parts, 0, weights_.data(), taps_.data());
  if (layout_.opponents)
    spread_blocks(o, layout_.parts, layout_.opponent_part, weights_.data(),
                  taps_.data() + d.taps());
}

void Network::forward(const record::DecisionBytes* records, std::size_t n,
                      const std::uint8_t* mirror, const float* style, const Outputs& out) const {
  // In play, decisions come one by one: reuse the last call's buffers.
  thread_local std::unique_ptr<Pass> pass;
  if (pass == nullptr || !pass->fits(layout_)) pass = std::make_unique<Pass>(layout_);
  if (rounded_) pass->use(weights_.data(), nullptr, multiply_rounded);
  else pass->use(weights_.data(), taps_.data(), multiply);
  for (std::size_t at = 0; at < n; at += kChunk) {
    const TowerShape &d = layout_.decision, &o = layout_.opponent;
    Outputs to{out.kinds + at * 34 * d.kinds, out.whole + at * d.whole,
               out.opponent_kinds + at * 3 * 34 * o.kinds, out.opponent_whole + at * 3 * o.whole};
    if (out.channels != nullptr) {
      to.channels = out.channels + at * 34 * d.width;
      to.pooled = out.pooled + at * d.hidden;
    }
    pass->run(records + at, std::min(kChunk, n - at), mirror + at, style + at * kStyle, to);
  }
}

}  // namespace haiyomi::network
