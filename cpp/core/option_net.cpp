#include "option_net.hpp"

#include <algorithm>
#include <vector>

#include "gemm.hpp"

namespace haiyomi {
namespace {

class Pass {
 public:
  Pass(const OptionNet& net, const OptionBatch& batch, std::size_t member)
      : net_(net),
        batch_(batch),
        member_(member),
        padded_((net.out + kLane - 1) / kLane * kLane),
        of_out_(net.hidden * padded_),
        shared_(net.hidden) {
    const float* out = part(net.of_out, net.hidden, net.out);
    for (std::size_t i = 0; i < net.hidden; ++i)
      std::copy_n(out + i * net.out, net.out, of_out_.data() + i * padded_);
  }

  // The options begin to end of one decision; to (end - begin, out).
  void decide(std::size_t begin, std::size_t end, float* to) {
    const std::size_t n = end - begin, h = net_.hidden, width = net_.channels;
    tiles_.resize(n * width), first_.resize(n * h), second_.resize(n * h), out_.resize(n * padded_);
    const auto of = std::size_t(batch_.row[begin]);
    // What is the same for all of them.
    multiply(batch_.pooled + of * net_.pooled, net_.pooled, part(net_.of_pooled, net_.pooled, h),
             shared_.data(), 1, h, net_.pooled, false);
    add_rows(part(net_.bias, 1, h), h, shared_.data());
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t place = of * OptionNet::kKinds + batch_.kind[begin + i];
      std::copy_n(batch_.channels + place * width, width, tiles_.data() + i * width);
    }
    multiply(tiles_.data(), width, part(net_.of_channels, width, h), first_.data(), n, h, width,
             false);
    multiply(batch_.exact + begin * net_.exact, net_.exact, part(net_.of_exact, net_.exact, h),
             first_.data(), n, h, net_.exact, true);
    for (std::size_t i = 0; i < n; ++i) add_rows(shared_.data(), h, first_.data() + i * h);
    rectify(first_.data(), n * h);
    multiply(first_.data(), h, part(net_.of_hidden, h, h), second_.data(), n, h, h, false);
    for (std::size_t i = 0; i < n; ++i) add_rows(part(net_.hidden_bias, 1, h), h, second_.data() + i * h);
    rectify(second_.data(), n * h);
    multiply(second_.data(), h, of_out_.data(), out_.data(), n, padded_, h, false);
    for (std::size_t i = 0; i < n; ++i)
      std::copy_n(out_.data() + i * padded_, net_.out, to + i * net_.out);
  }

 private:
  const float* part(const float* weights, std::size_t rows, std::size_t columns) const {
    return weights + member_ * rows * columns;
  }

  const OptionNet& net_;
  const OptionBatch& batch_;
  const std::size_t member_, padded_;
  std::vector<float> of_out_, shared_, tiles_, first_, second_, out_;
};

}  // namespace

void forward(const OptionNet& net, const OptionBatch& batch, float* to) {
  for (std::size_t member = 0; member < net.members; ++member) {
    Pass pass(net, batch, member);
    for (std::size_t begin = 0, end = 0; begin < batch.b; begin = end) {
      while (end < batch.b && batch.row[end] == batch.row[begin]) ++end;
      pass.decide(begin, end, to + (member * batch.b + begin) * net.out);
    }
  }
}

}  // namespace haiyomi
