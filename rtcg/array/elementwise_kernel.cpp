#include "rtcg/array/elementwise_kernel.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "core/round_up.hpp"
#include "rtcg/array/error.hpp"
#include "rtcg/array/kernel_types.hpp"

namespace maxwell_dg::rtcg {

namespace {

using Step = ElementwiseShape::Step;

/// The operands of one call, checked, and the layouts in which the kernel runs through them.
class Call {
 public:
  Call(const ElementwiseOperation& operation, std::span<const Operand> operands)
      : operation_(operation), operands_(operands), context_(check_operands(operation.name, operation, operands)) {
    find_layouts();
  }

  /// Only the indices of the range, in C order.
  void restrict_to(const Slice& range) {
    join_axes(layouts_);
    if (layouts_.front().rank() > 1) {
      fail<ShapeError>("a range needs arrays whose elements lie in one evenly spaced run; use contiguous()");
    }
    const std::int64_t size = layouts_.front().size();
    const SliceRange taken = range_of(range, size);
    for (Layout& layout : layouts_) {
      if (layout.rank() > 0) {
        layout = indexed(layout, std::vector<Index>{range});
      } else if (taken.count == 0) {
        layout = {.shape = {0}, .strides = {1}, .offset = layout.offset};
      }
    }
    first_ = taken.first;
    step_ = range.step;
  }

  void run(const std::string& key) {
    if (layouts_.front().size() == 0) return;
    if (!operation_.uses_index) order_axes();
    join_axes(layouts_);
    plan();
    const std::vector<core::Kernel> kernels = context_.kernels(key + variant(), [&] {
      const core::Module module = context_.compiler().compile(elementwise_source(operation_, shape_));
      return std::vector{module.kernel(elementwise_kernel_name)};
    });
    kernels.front().launch(context_.stream(), launch_, arguments());
  }

 private:
  template <class E>
  [[noreturn]] void fail(const std::string& why) const {
    throw E("kernel '" + operation_.name + "': " + why);
  }

  [[nodiscard]] const DeviceArray& array(std::size_t a) const { return std::get<DeviceArray>(operands_[a]); }

  void find_layouts() {
    std::vector<Shape> shapes;
    const Shape* of_output = nullptr;
    for (std::size_t a = 0; a < operands_.size(); ++a) {
      const Argument& argument = operation_.arguments[a];
      if (!operation_.is_element[a]) continue;
      shapes.push_back(array(a).shape());
      if (argument.kind == Argument::Kind::output) check_output(argument, array(a), of_output);
    }
    if (shapes.empty()) shapes.push_back(first_array().shape());
    const Shape common = of_output != nullptr ? *of_output : broadcast(shapes);
    for (std::size_t a = 0; a < operands_.size(); ++a) {
      if (!operation_.is_element[a]) continue;
      try {
        layouts_.push_back(broadcast_to(array(a).layout(), common));
      } catch (const ShapeError& error) {
        fail<ShapeError>("argument '" + to_string(operation_.arguments[a]) + "': " + error.what());
      }
    }
    if (layouts_.empty()) layouts_.push_back(contiguous_layout(common));
  }

  void check_output(const Argument& argument, const DeviceArray& array, const Shape*& of_output) const {
    for (std::size_t d = 0; d < array.rank(); ++d) {
      if (array.strides()[d] == 0 && array.shape()[d] > 1) {
        fail<ShapeError>("argument '" + to_string(argument) + "' is written, but its array repeats elements");
      }
    }
    if (of_output != nullptr && *of_output != array.shape()) {
      fail<ShapeError>("argument '" + to_string(argument) + "' has shape " + to_string(array.shape()) +
                       ", another output " + to_string(*of_output));
    }
    of_output = &array.shape();
  }

  [[nodiscard]] const DeviceArray& first_array() const {
    for (const Operand& operand : operands_) {
      if (const auto* found = std::get_if<DeviceArray>(&operand)) return *found;
    }
    fail<ArrayError>("it has no array argument");
  }

  // The axes in the order of the memory of what is written, so that a transposed view is run through in order too.
  void order_axes() {
    const Layout* leader = &layouts_.front();
    std::size_t of_layout = 0;
    for (std::size_t a = 0; a < operands_.size(); ++a) {
      if (!operation_.is_element[a]) continue;
      if (operation_.arguments[a].kind == Argument::Kind::output) leader = &layouts_[of_layout];
      ++of_layout;
    }
    std::vector<std::int64_t> axes(leader->rank());
    std::iota(axes.begin(), axes.end(), 0);
    std::ranges::stable_sort(axes, std::ranges::greater{}, [strides = leader->strides](std::int64_t axis) {
      return std::abs(strides[static_cast<std::size_t>(axis)]);
    });
    for (Layout& layout : layouts_) layout = permuted(layout, axes);
  }

  void plan() {
    const core::DeviceInfo& device = context_.device().info();
    const Layout& any = layouts_.front();
    columns_ = any.rank() > 0 ? any.shape.back() : 1;
    rows_ = any.size() / columns_;
    shape_ = {.is_cpu = context_.prefers_long_runs(), .axes = any.rank()};
    std::int64_t furthest = std::max(rows_, columns_);
    std::size_t of_layout = 0;
    for (std::size_t a = 0; a < operands_.size(); ++a) {
      Step step = Step::broadcast;
      if (operation_.is_element[a]) {
        const Layout& layout = layouts_[of_layout++];
        const std::int64_t stride = layout.rank() > 0 ? layout.strides.back() : 0;
        step = stride == 0 ? Step::broadcast : stride == 1 ? Step::next : Step::strided;
        const Extent extent = extent_of(layout);
        furthest = std::max(furthest, extent.end - extent.begin);
      }
      shape_.steps.push_back(step);
    }
    // Half of what int32 holds, because loops step beyond the end. On a CPU addresses are 64 bits wide anyway.
    shape_.has_long_indices = shape_.is_cpu || furthest > (std::int64_t{1} << 30);
    shape_.lanes = packed_lanes();
    if (shape_.is_cpu) {
      plan_for_cpu(device.compute_units);
    } else {
      plan_for_gpu(device.compute_units);
    }
  }

  // Elements that 16 bytes hold of the widest type, when all arrays are contiguous and aligned to that.
  [[nodiscard]] std::size_t packed_lanes() const {
    if (shape_.is_cpu || rows_ != 1 || shape_.axes > 1) return 1;
    std::size_t widest = 0;
    for (std::size_t a = 0; a < operands_.size(); ++a) {
      if (operation_.is_element[a]) widest = std::max(widest, size_of(operation_.arguments[a].dtype));
    }
    if (widest == 0 || widest > 8) return 1;
    const std::size_t lanes = 16 / widest;
    std::size_t of_layout = 0;
    for (std::size_t a = 0; a < operands_.size(); ++a) {
      if (!operation_.is_element[a]) continue;
      const Layout& layout = layouts_[of_layout++];
      if (shape_.steps[a] != Step::next || layout.offset % static_cast<std::int64_t>(lanes) != 0) return 1;
      if (context_.device().info().backend == core::Backend::cuda && array(a).buffer().raw() % 16 != 0) return 1;
    }
    return lanes;
  }

  // Some long runs for each core: few enough to cost nothing, enough to balance.
  void plan_for_cpu(int cores) {
    constexpr std::int64_t smallest_run = 16384, runs_per_core = 4;
    const std::int64_t run = std::max(smallest_run, ceil_divide(rows_ * columns_, runs_per_core * std::max(cores, 1)));
    column_run_ = std::min(columns_, round_up(run, 64));
    row_run_ = std::min(rows_, std::max<std::int64_t>(1, run / columns_));
    launch_.groups = {static_cast<std::size_t>(ceil_divide(columns_, column_run_)),
                      static_cast<std::size_t>(ceil_divide(rows_, row_run_)), 1};
  }

  // At most as many groups as fill the device a few times over; each work-item then takes several elements.
  void plan_for_gpu(int multiprocessors) {
    const std::int64_t most_groups = 32L * std::max(multiprocessors, 1);
    constexpr auto size = static_cast<std::int64_t>(elementwise_group_size);
    launch_.group_size = {elementwise_group_size, 1, 1};
    if (shape_.lanes > 1) {
      const auto packs = std::max<std::int64_t>(1, columns_ / static_cast<std::int64_t>(shape_.lanes));
      launch_.groups[0] = static_cast<std::size_t>(std::min(most_groups, ceil_divide(packs, size)));
      return;
    }
    const std::int64_t width = std::bit_ceil(static_cast<std::uint64_t>(std::min(size, columns_)));
    width_shift_ = std::countr_zero(static_cast<std::uint64_t>(width));
    const std::int64_t groups = std::clamp<std::int64_t>(ceil_divide(columns_, width), 1, most_groups);
    launch_.groups[0] = static_cast<std::size_t>(groups);
    launch_.groups[1] = static_cast<std::size_t>(
        std::min(ceil_divide(rows_, size / width), std::max<std::int64_t>(1, most_groups / groups)));
  }

  [[nodiscard]] std::string variant() const {
    std::string text =
        "|" + std::to_string(shape_.axes) + (shape_.has_long_indices ? "L" : "I") + std::to_string(shape_.lanes);
    for (const Step step : shape_.steps) text += static_cast<char>('0' + static_cast<int>(step));
    return text;
  }

  [[nodiscard]] std::vector<core::KernelArgument> arguments() const {
    std::vector<core::KernelArgument> list{columns_};
    const bool is_packed = shape_.lanes > 1;
    if (!is_packed) list.emplace_back(rows_);
    if (shape_.is_cpu) {
      list.emplace_back(column_run_);
      list.emplace_back(row_run_);
    } else if (!is_packed) {
      list.emplace_back(width_shift_);
    }
    for (std::size_t d = 0; d + 1 < shape_.axes; ++d) list.emplace_back(layouts_.front().shape[d]);
    if (operation_.uses_index) {
      list.emplace_back(first_);
      list.emplace_back(step_);
    }
    std::size_t of_layout = 0;
    for (std::size_t a = 0; a < operands_.size(); ++a) {
      const Layout* layout = operation_.is_element[a] ? &layouts_[of_layout++] : nullptr;
      const Layout place{.shape = {}, .strides = {}, .offset = layout != nullptr ? layout->offset : 0};
      add_values(list, operation_.arguments[a], operands_[a], is_packed && layout != nullptr ? &place : layout);
    }
    return list;
  }

  const ElementwiseOperation& operation_;
  std::span<const Operand> operands_;
  const Context& context_;
  std::vector<Layout> layouts_;  // of the element arrays, in order; at least one
  std::int64_t first_ = 0, step_ = 1;
  ElementwiseShape shape_;
  core::LaunchShape launch_;
  std::int64_t columns_ = 0, rows_ = 0, column_run_ = 0, row_run_ = 0, width_shift_ = 0;
};

std::string key_of(const ElementwiseOperation& operation) {
  std::string key = "elementwise|" + operation.name + "|" + operation.preamble + "|" + operation.text;
  for (const Argument& argument : operation.arguments) key += "|" + to_string(argument);
  return key;
}

}  // namespace

ElementwiseKernel::ElementwiseKernel(const Description& description)
    : ElementwiseKernel(parse_arguments(description.arguments), description) {}

ElementwiseKernel::ElementwiseKernel(std::vector<Argument> arguments, const Description& description)
    : operation_{analyzed(std::move(arguments), std::string(description.operation)), std::string(description.name),
                 std::string(description.preamble)} {
  check_names(operation_.arguments);
  key_ = key_of(operation_);
}

void ElementwiseKernel::launch(std::span<const Operand> operands, const LaunchOptions& options) const {
  Call call(operation_, operands);
  if (options.range) call.restrict_to(*options.range);
  call.run(key_);
}

void convert(const DeviceArray& from, const DeviceArray& to) {
  const std::vector<Argument> arguments{{.name = "a", .dtype = from.dtype(), .kind = Argument::Kind::input},
                                        {.name = "z", .dtype = to.dtype(), .kind = Argument::Kind::output}};
  const std::string text = "z[i] = " + converted("a[i]", from.dtype(), to.dtype());
  ElementwiseKernel(arguments, {.operation = text, .name = "convert"})(from, to);
}

void fill_with(const Scalar& value, const DeviceArray& to) {
  const std::vector<Argument> arguments{{.name = "a", .dtype = to.dtype()},
                                        {.name = "z", .dtype = to.dtype(), .kind = Argument::Kind::output}};
  ElementwiseKernel(arguments, {.operation = "z[i] = a", .name = "fill"})(value, to);
}

}  // namespace maxwell_dg::rtcg
