#include "rtcg/array/sort.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/round_up.hpp"
#include "rtcg/array/error.hpp"
#include "rtcg/array/scan.hpp"

namespace maxwell_dg::rtcg {

namespace {

void check(const DeviceArray& keys, const DeviceArray* values) {
  if (is_complex(keys.dtype())) {
    throw DtypeError("complex numbers have no order to sort " + std::string(name_of(keys.dtype())) + " keys by");
  }
  if (keys.rank() != 1) {
    throw ShapeError("sort of an array of shape " + to_string(keys.shape()) + "; it takes one axis, as from ravel()");
  }
  if (values == nullptr) return;
  if (values->shape() != keys.shape()) {
    throw ShapeError("values of shape " + to_string(values->shape()) + " for keys of shape " + to_string(keys.shape()));
  }
  if (!(values->context() == keys.context())) throw ArrayError("keys and values live in different contexts");
}

/// One sort: pass by pass, from one pair of arrays to another.
class Sorter {
 public:
  Sorter(const DeviceArray& keys, const DeviceArray* values, const SortOptions& options)
      : context_(keys.context()), size_(keys.size()) {
    check(keys, values);
    const core::DeviceInfo& device = context_.device().info();
    shape_ = {.key = keys.dtype(),
              .value = values != nullptr ? std::optional(values->dtype()) : std::nullopt,
              .order = options.order,
              .is_cpu = options.method == SortMethod::automatic ? context_.prefers_long_runs()
                                                                : options.method == SortMethod::runs};
    const std::int64_t cores = std::max(device.compute_units, 1);
    const auto tile = static_cast<std::int64_t>(shape_.is_cpu ? 8192 : sort_tile_size(shape_));
    // A CPU's counters are worth a run for each core alone; a GPU needs more groups than it runs at once.
    const std::int64_t most = std::clamp<std::int64_t>(size_ / tile, 1, (shape_.is_cpu ? 1 : 32) * cores);
    part_size_ = std::max(tile, round_up(ceil_divide(size_, most), tile));
    parts_ = std::max<std::int64_t>(1, ceil_divide(size_, part_size_));
  }

  [[nodiscard]] KeysAndValues run(const DeviceArray& keys, const DeviceArray* values) {
    KeysAndValues from{keys.contiguous(), values != nullptr ? values->contiguous() : DeviceArray()};
    if (size_ == 0) return {keys.copy(), values != nullptr ? values->copy() : DeviceArray()};
    compile();
    const auto bits = static_cast<int>(8 * size_of(shape_.key));
    constexpr int digit = sort_digit_bits;
    const DeviceArray counts = empty(context_, {parts_ << digit}, Dtype::int64);
    KeysAndValues spare;
    for (int shift = 0; shift < bits; shift += digit) {
      // The given arrays are only read; two others take turns from the second pass on.
      KeysAndValues to = shift < 2 * digit ? fresh() : spare;
      pass(from, to, counts, shift);
      spare = shift == 0 ? KeysAndValues() : std::move(from);
      from = std::move(to);
    }
    return from;
  }

 private:
  void compile() {
    std::string key = "radix_sort|" + std::string(name_of(shape_.key)) + "|";
    key += shape_.value ? name_of(*shape_.value) : "";
    key += shape_.order == SortOrder::descending ? "|d" : "|a";
    key += shape_.is_cpu ? "r" : "t";
    kernels_ = context_.kernels(key, [&] {
      const core::Module module = context_.compiler().compile(sort_source(shape_));
      return std::vector{module.kernel("count_digits"), module.kernel("move_by_digit")};
    });
  }

  [[nodiscard]] KeysAndValues fresh() const {
    return {empty(context_, {size_}, shape_.key),
            shape_.value ? empty(context_, {size_}, *shape_.value) : DeviceArray()};
  }

  void pass(const KeysAndValues& from, const KeysAndValues& to, const DeviceArray& counts, int shift) const {
    static const ScanKernel counts_before({.arguments = "int64* x",
                                           .input = "x[i]",
                                           .scan = "a + b",
                                           .neutral = "0",
                                           .output = "x[i] = prev_item",
                                           .dtype = Dtype::int64,
                                           .name = "counts_before"});
    const core::LaunchShape launch{.groups = {static_cast<std::size_t>(parts_), 1, 1},
                                   .group_size = {shape_.is_cpu ? 1 : sort_group_size, 1, 1}};
    const core::Stream& stream = context_.stream();
    std::vector<core::KernelArgument> list{from.keys.buffer(), from.keys.offset(), size_, part_size_, shift,
                                           counts.buffer()};
    kernels_[0].launch(stream, launch, list);
    counts_before(counts);
    list.emplace_back(to.keys.buffer());
    if (shape_.value) {
      list.emplace_back(from.values.buffer());
      list.emplace_back(from.values.offset());
      list.emplace_back(to.values.buffer());
    }
    kernels_[1].launch(stream, launch, list);
  }

  const Context& context_;
  std::int64_t size_;
  SortShape shape_;
  std::int64_t part_size_ = 0, parts_ = 0;
  std::vector<core::Kernel> kernels_;
};

}  // namespace

DeviceArray sort(const DeviceArray& keys, const SortOptions& options) {
  return Sorter(keys, nullptr, options).run(keys, nullptr).keys;
}

KeysAndValues sort_by_key(const DeviceArray& keys, const DeviceArray& values, const SortOptions& options) {
  return Sorter(keys, &values, options).run(keys, &values);
}

DeviceArray argsort(const DeviceArray& keys, const SortOptions& options) {
  check(keys, nullptr);
  return sort_by_key(keys, arange(keys.context(), {.stop = keys.size()}, Dtype::int64), options).values;
}

}  // namespace maxwell_dg::rtcg
