#include "rtcg/array/reduction.hpp"

#include <algorithm>
#include <numeric>

#include "core/round_up.hpp"
#include "rtcg/array/error.hpp"
#include "rtcg/array/kernel_types.hpp"

namespace maxwell_dg::rtcg {

namespace {

/// One call: the axes that stay and those that are reduced, and how the work is spread.
class Call {
 public:
  Call(const Reduction& reduction, std::span<const Operand> operands, const ReductionKernel::Options& options)
      : reduction_(reduction), operands_(operands), context_(check_operands(reduction.name, reduction.map, operands)) {
    find_layouts();
    split_axes(options);
  }

  [[nodiscard]] std::vector<DeviceArray> run(const std::string& key, std::size_t type_bytes) {
    std::vector<DeviceArray> results{empty(context_, result_shape_, reduction_.result)};
    for (const ReductionResult& more : reduction_.more) results.push_back(empty(context_, result_shape_, more.dtype));
    if (outputs_ == 0) return results;
    plan();
    const std::vector<core::Kernel> kernels = context_.kernels(key + variant(), [&] {
      const core::Module module = context_.compiler().compile(reduction_source(reduction_, shape_));
      std::vector<core::Kernel> list{module.kernel("reduce_parts")};
      if (!shape_.has_one_part) list.push_back(module.kernel("reduce_rest"));
      return list;
    });
    std::vector<core::KernelArgument> list = arguments();
    if (!shape_.has_one_part) {
      const core::Buffer parts = context_.allocate(static_cast<std::size_t>(outputs_ * parts_) * type_bytes);
      list.emplace_back(parts);
      kernels[0].launch(context_.stream(), launch_, list);
      launch_.groups[0] = static_cast<std::size_t>(std::min<std::int64_t>(outputs_, 65535));
      list = {outputs_, elements_, parts_, parts};
    }
    for (const DeviceArray& result : results) {
      list.emplace_back(result.buffer());
      list.emplace_back(result.offset());
    }
    kernels.back().launch(context_.stream(), launch_, list);
    return results;
  }

 private:
  void find_layouts() {
    std::vector<Shape> shapes;
    for (std::size_t a = 0; a < operands_.size(); ++a) {
      if (reduction_.map.is_element[a]) shapes.push_back(std::get<DeviceArray>(operands_[a]).shape());
    }
    if (shapes.empty()) {
      throw ArrayError("kernel '" + reduction_.name +
                       "': no array occurs as x[i], so how many elements there are is open");
    }
    shape_of_all_ = broadcast(shapes);
    for (std::size_t a = 0; a < operands_.size(); ++a) {
      if (!reduction_.map.is_element[a]) continue;
      layouts_.push_back(broadcast_to(std::get<DeviceArray>(operands_[a]).layout(), shape_of_all_));
    }
  }

  // The axes that stay first, then those that are reduced, each joined as far as may be.
  void split_axes(const ReductionKernel::Options& options) {
    const std::size_t rank = shape_of_all_.size();
    std::vector<bool> is_reduced(rank, !options.axes.has_value());
    for (const std::int64_t given : options.axes.value_or(std::vector<std::int64_t>{})) {
      const std::size_t axis = checked_axis(given, rank);
      if (is_reduced[axis]) throw IndexError("axis " + std::to_string(given) + " is reduced twice");
      is_reduced[axis] = true;
    }
    std::vector<std::int64_t> kept, reduced;
    for (std::size_t d = 0; d < rank; ++d) {
      (is_reduced[d] ? reduced : kept).push_back(static_cast<std::int64_t>(d));
      if (!is_reduced[d]) result_shape_.push_back(shape_of_all_[d]);
      if (is_reduced[d] && options.keeps_axes) result_shape_.push_back(1);
    }
    if (!reduction_.map.uses_index) {  // the order is free: that of memory
      std::ranges::stable_sort(reduced, std::ranges::greater{}, [&](std::int64_t axis) {
        return std::abs(layouts_.front().strides[static_cast<std::size_t>(axis)]);
      });
    }
    std::vector<Layout> of_outputs, of_elements;
    for (const Layout& layout : layouts_) {
      of_outputs.push_back(taken(layout, kept));
      of_elements.push_back(taken(layout, reduced));
    }
    outputs_ = of_outputs.front().size();
    elements_ = of_elements.front().size();
    join_axes(of_outputs);
    join_axes(of_elements);
    shape_.output_axes = of_outputs.front().rank();
    shape_.reduced_axes = of_elements.front().rank();
    for (std::size_t k = 0; k < layouts_.size(); ++k) {
      Layout& layout = layouts_[k];
      layout.shape = of_outputs[k].shape;
      layout.strides = of_outputs[k].strides;
      layout.shape.insert(layout.shape.end(), of_elements[k].shape.begin(), of_elements[k].shape.end());
      layout.strides.insert(layout.strides.end(), of_elements[k].strides.begin(), of_elements[k].strides.end());
    }
  }

  static Layout taken(const Layout& layout, std::span<const std::int64_t> axes) {
    Layout part{.shape = {}, .strides = {}, .offset = layout.offset};
    for (const std::int64_t axis : axes) {
      part.shape.push_back(layout.shape[static_cast<std::size_t>(axis)]);
      part.strides.push_back(layout.strides[static_cast<std::size_t>(axis)]);
    }
    return part;
  }

  [[nodiscard]] bool all_next(std::size_t axis) const {
    return std::ranges::all_of(layouts_, [&](const Layout& layout) { return layout.strides[axis] == 1; });
  }

  void plan() {
    const core::DeviceInfo& device = context_.device().info();
    shape_.is_cpu = context_.prefers_long_runs();
    const std::size_t axes = shape_.output_axes + shape_.reduced_axes;
    const auto width = static_cast<std::int64_t>(shape_.is_cpu ? reduction_outputs : reduction_group_size);
    const bool outputs_are_next = shape_.output_axes > 0 && all_next(shape_.output_axes - 1);
    const bool elements_are_next = shape_.reduced_axes > 0 && all_next(axes - 1);
    // Short reductions would leave most of a group idle; and what lies side by side is best read side by side.
    shape_.is_along_outputs = outputs_ >= 32 && (outputs_are_next || (elements_ < 64 && !shape_.is_cpu));
    shape_.is_next = shape_.is_along_outputs ? outputs_are_next : elements_are_next;
    const std::int64_t jobs = shape_.is_along_outputs ? ceil_divide(outputs_, width) : outputs_;
    // Parts as many as keep the device busy, if each is long enough to be worth it. Where there is enough to do, parts
    // of a GPU are many times more than it runs at once, so that none waits for the last of them.
    const std::int64_t at_once = std::int64_t{std::max(device.compute_units, 1)} * (shape_.is_cpu ? 4 : 8);
    const std::int64_t shortest = shape_.is_cpu ? 16384 : shape_.is_along_outputs ? 64 : 4 * width;
    const std::int64_t of_good_length = shape_.is_cpu || shape_.is_along_outputs ? 1 : elements_ / (128 * width);
    const std::int64_t wanted = std::max(ceil_divide(at_once, jobs), of_good_length);
    parts_ = std::clamp<std::int64_t>(std::min(wanted, elements_ / shortest), 1, 65536);
    shape_.has_one_part = parts_ == 1;
    part_size_ = std::max<std::int64_t>(1, ceil_divide(elements_, parts_));
    launch_.groups[0] =
        static_cast<std::size_t>(std::min<std::int64_t>(jobs * parts_, shape_.is_cpu ? 4 * at_once : 65535));
    launch_.group_size[0] = shape_.is_cpu ? 1 : reduction_group_size;
  }

  [[nodiscard]] std::string variant() const {
    return "|" + std::to_string(shape_.output_axes) + "," + std::to_string(shape_.reduced_axes) +
           (shape_.is_along_outputs ? "o" : "e") + (shape_.is_next ? "n" : "s") + (shape_.has_one_part ? "1" : "");
  }

  [[nodiscard]] std::vector<core::KernelArgument> arguments() const {
    std::vector<core::KernelArgument> list{outputs_, elements_, parts_, part_size_};
    for (const std::int64_t extent : layouts_.front().shape) list.emplace_back(extent);
    std::size_t of_layout = 0;
    for (std::size_t a = 0; a < operands_.size(); ++a) {
      const Layout* layout = reduction_.map.is_element[a] ? &layouts_[of_layout++] : nullptr;
      add_values(list, reduction_.map.arguments[a], operands_[a], layout);
    }
    return list;
  }

  const Reduction& reduction_;
  std::span<const Operand> operands_;
  const Context& context_;
  Shape shape_of_all_, result_shape_;
  std::vector<Layout> layouts_;  // of the element arrays, in order
  std::int64_t outputs_ = 0, elements_ = 0, parts_ = 1, part_size_ = 0;
  ReductionShape shape_;
  core::LaunchShape launch_;
};

}  // namespace

ReductionKernel::ReductionKernel(const Description& description)
    : ReductionKernel(parse_arguments(description.arguments), description) {}

ReductionKernel::ReductionKernel(std::vector<Argument> arguments, const Description& description)
    : reduction_{.name = std::string(description.name),
                 .map = analyzed(std::move(arguments), std::string(description.statements) +
                                                           "const value_type mapped = " + std::string(description.map) +
                                                           ";"),
                 .reduce = std::string(description.reduce),
                 .neutral = std::string(description.neutral),
                 .finish = std::string(description.finish),
                 .type = description.type.empty() ? value_type(description.result) : std::string(description.type),
                 .result = description.result,
                 .preamble = std::string(description.preamble),
                 .more = description.more},
      type_bytes_(description.type.empty() ? (description.result == Dtype::float16 ? 4 : size_of(description.result))
                                           : description.type_bytes) {
  check_names(reduction_.map.arguments);
  for (const Argument& argument : reduction_.map.arguments) {
    if (argument.kind == Argument::Kind::output) {
      throw ArrayError("kernel '" + reduction_.name + "': argument '" + to_string(argument) +
                       "' must be const; a reduction returns its result");
    }
  }
  if (type_bytes_ == 0) throw ArrayError("kernel '" + reduction_.name + "': type_bytes of type is missing");
  key_ = "reduction";
  for (const std::string& part :
       {reduction_.name, reduction_.map.text, reduction_.reduce, reduction_.neutral, reduction_.finish, reduction_.type,
        reduction_.preamble, std::string(name_of(reduction_.result))}) {
    key_ += "|" + part;
  }
  for (const ReductionResult& more : reduction_.more) key_ += "|" + std::string(name_of(more.dtype)) + more.finish;
  for (const Argument& argument : reduction_.map.arguments) key_ += "|" + to_string(argument);
}

DeviceArray ReductionKernel::reduce(std::span<const Operand> operands, const Options& options) const {
  return reduce_to_all(operands, options).front();
}

std::vector<DeviceArray> ReductionKernel::reduce_to_all(std::span<const Operand> operands,
                                                        const Options& options) const {
  return Call(reduction_, operands, options).run(key_, type_bytes_);
}

}  // namespace maxwell_dg::rtcg
