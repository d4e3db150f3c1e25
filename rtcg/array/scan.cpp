#include "rtcg/array/scan.hpp"

#include <algorithm>

#include "core/round_up.hpp"
#include "rtcg/array/error.hpp"
#include "rtcg/array/kernel_types.hpp"
#include "rtcg/array/operation.hpp"

namespace maxwell_dg::rtcg {

namespace {

constexpr char between_texts = '\x01';

// About 60 bytes of shared memory a work-item.
std::size_t items_for(std::size_t state_bytes) {
  return std::max<std::size_t>(1, (60 / std::max<std::size_t>(state_bytes, 4) - 1) / 2 * 2 + 1);
}

/// One call: how many elements there are, and how the work is spread.
class Call {
 public:
  Call(const Scan& scan, const ElementText& text, std::span<const Operand> operands,
       const ScanKernel::LaunchOptions& options)
      : scan_(scan), operands_(operands), context_(check_operands(scan.name, text, operands)) {
    find_elements(options.count);
    plan(options.method);
  }

  void run(const std::string& key) {
    if (size_ == 0) return;
    const std::string variant = "|" + std::to_string(static_cast<int>(shape_.method)) + (shape_.is_next ? "n" : "s");
    const std::vector<core::Kernel> kernels = context_.kernels(key + variant, [&] {
      const core::Module module = context_.compiler().compile(scan_source(scan_, shape_));
      if (shape_.method == ScanMethod::chained) return std::vector{module.kernel("scan_chained")};
      return std::vector{module.kernel("scan_totals"), module.kernel("scan_parts")};
    });
    if (shape_.method == ScanMethod::chained) {
      run_chained(kernels[0]);
    } else {
      run_in_two_passes(kernels);
    }
  }

 private:
  [[nodiscard]] std::string place() const { return "kernel '" + scan_.name + "'"; }

  void find_elements(const std::optional<std::int64_t>& count) {
    std::vector<Shape> shapes;
    for (std::size_t a = 0; a < operands_.size(); ++a) {
      if (scan_.is_element[a]) shapes.push_back(std::get<DeviceArray>(operands_[a]).shape());
    }
    if (shapes.empty() && !count) {
      throw ArrayError(place() + ": no array occurs as x[i], so how many elements there are is open; give a count");
    }
    const Shape whole_shape = shapes.empty() ? Shape{*count} : broadcast(shapes);
    for (std::size_t a = 0; a < operands_.size(); ++a) {
      if (scan_.is_element[a]) layouts_.push_back(layout_of(a, whole_shape));
    }
    size_ = element_count(whole_shape);
    if (!count) return;
    if (*count < 0 || *count > size_) {
      throw ShapeError(place() + ": a count of " + std::to_string(*count) + ", but the arrays have " +
                       std::to_string(size_) + " elements");
    }
    size_ = *count;
  }

  // One axis: the elements in C order.
  [[nodiscard]] Layout layout_of(std::size_t a, const Shape& shape) const {
    const auto& array = std::get<DeviceArray>(operands_[a]);
    const std::string where = place() + ": argument '" + to_string(scan_.arguments[a]) + "' ";
    if (scan_.arguments[a].kind == Argument::Kind::output && array.shape() != shape) {
      throw ShapeError(where + "has shape " + to_string(array.shape()) + ", but the elements have " + to_string(shape));
    }
    std::vector<Layout> joined{broadcast_to(array.layout(), shape)};
    join_axes(joined);
    Layout& layout = joined.front();
    if (layout.rank() > 1) {
      throw ShapeError(where + "has elements that lie in no evenly spaced run; use contiguous()");
    }
    if (layout.rank() == 0) layout = {.shape = {layout.size()}, .strides = {1}, .offset = layout.offset};
    return layout;
  }

  void plan(ScanMethod method) {
    const core::DeviceInfo& device = context_.device().info();
    if (method == ScanMethod::automatic) {
      method = context_.prefers_long_runs()                                ? ScanMethod::runs
               : device.backend == core::Backend::cuda && !scan_.uses_last ? ScanMethod::chained
                                                                           : ScanMethod::tiles;
    }
    if (method == ScanMethod::chained && scan_.uses_last) {
      throw ArrayError(place() + ": last_item is not known in a chained scan; take another method");
    }
    shape_.method = method;
    shape_.items = items_for(scan_.state_bytes);
    shape_.is_next = std::ranges::all_of(layouts_, [](const Layout& layout) { return layout.strides[0] == 1; });
  }

  [[nodiscard]] std::vector<core::KernelArgument> arguments(std::initializer_list<core::KernelArgument> first) const {
    std::vector<core::KernelArgument> list(first);
    std::size_t of_layout = 0;
    for (std::size_t a = 0; a < operands_.size(); ++a) {
      add_values(list, scan_.arguments[a], operands_[a], scan_.is_element[a] ? &layouts_[of_layout++] : nullptr);
    }
    return list;
  }

  void run_chained(const core::Kernel& kernel) const {
    const std::int64_t tiles = ceil_divide(size_, tile_size());
    const auto count = static_cast<std::size_t>(tiles);
    const std::size_t words = 1 + 2 * count * ((scan_.state_bytes + 3) / 4);
    const core::Buffer progress = context_.allocate(words * sizeof(std::uint64_t));
    context_.stream().fill_zero(progress);
    std::vector<core::KernelArgument> list = arguments({size_});
    list.emplace_back(progress);
    kernel.launch(context_.stream(), {.groups = {count, 1, 1}, .group_size = {scan_group_size, 1, 1}}, list);
  }

  void run_in_two_passes(const std::vector<core::Kernel>& kernels) const {
    const bool in_runs = shape_.method == ScanMethod::runs;
    const std::int64_t cores = std::max(context_.device().info().compute_units, 1);
    const std::int64_t at_once = in_runs ? scan_lanes : 1;
    // Parts of whole tiles, or of whole cache lines; as many as keep the device busy, if there is enough to do.
    const std::int64_t grain = in_runs ? 64 : tile_size(), shortest = in_runs ? 4096 : tile_size();
    const std::int64_t wanted = in_runs ? 4 * cores * at_once : 8 * cores;
    const std::int64_t most = std::clamp<std::int64_t>(size_ / shortest, 1, wanted);
    const std::int64_t part_size = std::max(grain, round_up(ceil_divide(size_, most), grain));
    const std::int64_t groups = ceil_divide(ceil_divide(size_, part_size), at_once), parts = groups * at_once;
    const bool has_one_part = part_size >= size_;
    const core::LaunchShape launch{.groups = {static_cast<std::size_t>(groups), 1, 1},
                                   .group_size = {in_runs ? 1 : scan_group_size, 1, 1}};
    const core::Buffer totals = context_.allocate(static_cast<std::size_t>(parts) * scan_.state_bytes);
    if (!has_one_part || scan_.uses_last) {
      std::vector<core::KernelArgument> list = arguments({size_, part_size});
      list.emplace_back(totals);
      kernels[0].launch(context_.stream(), launch, list);
    }
    std::vector<core::KernelArgument> list = arguments({size_, part_size});
    list.emplace_back(has_one_part && !scan_.uses_last ? std::int64_t{1} : parts);
    list.emplace_back(totals);
    kernels[1].launch(context_.stream(), launch, list);
  }

  [[nodiscard]] std::int64_t tile_size() const { return static_cast<std::int64_t>(scan_group_size * shape_.items); }

  const Scan& scan_;
  std::span<const Operand> operands_;
  const Context& context_;
  std::vector<Layout> layouts_;  // of the element arrays, in order, with one axis
  std::int64_t size_ = 0;
  ScanShape shape_;
};

std::string key_of(const Scan& scan) {
  std::string key = "scan";
  for (const std::string& part :
       {scan.name, scan.input, scan.segment_start, scan.output, scan.scan, scan.neutral, scan.type, scan.preamble}) {
    key += "|" + part;
  }
  for (const Argument& argument : scan.arguments) key += "|" + to_string(argument);
  return key;
}

}  // namespace

ScanKernel::ScanKernel(const Description& description)
    : ScanKernel(parse_arguments(description.arguments), description) {}

ScanKernel::ScanKernel(std::vector<Argument> arguments, const Description& description)
    : scan_{.name = std::string(description.name),
            .arguments = std::move(arguments),
            .is_element = {},
            .input = std::string(description.input),
            .segment_start = std::string(description.segment_start),
            .output = std::string(description.output),
            .scan = std::string(description.scan),
            .neutral = std::string(description.neutral),
            .type = description.type.empty() ? value_type(description.dtype) : std::string(description.type),
            .preamble = std::string(description.preamble)} {
  const std::string place = "kernel '" + scan_.name + "'";
  check_names(scan_.arguments);
  if (std::ranges::none_of(scan_.arguments, [](const Argument& a) { return a.kind == Argument::Kind::output; })) {
    throw ArrayError(place + ": no argument is written; one must be an array that is not const");
  }
  if (!description.type.empty() && description.type_bytes == 0) {
    throw ArrayError(place + ": type_bytes of type is missing");
  }
  // An array is one thing in all three texts, so they are looked at together.
  const std::string between(1, between_texts);
  text_ = analyzed(scan_.arguments, scan_.input + between + scan_.segment_start + between + scan_.output);
  scan_.is_element = text_.is_element;
  const std::size_t first = text_.text.find(between_texts), second = text_.text.find(between_texts, first + 1);
  scan_.input = text_.text.substr(0, first);
  scan_.segment_start = text_.text.substr(first + 1, second - first - 1);
  scan_.output = text_.text.substr(second + 1);
  scan_.uses_last = mentions(scan_.output, "last_item");
  const std::size_t value_bytes =
      description.type.empty() ? std::max<std::size_t>(4, size_of(description.dtype)) : description.type_bytes;
  scan_.state_bytes = value_bytes + (scan_.segment_start.empty() ? 0 : std::min<std::size_t>(value_bytes, 16));
  key_ = key_of(scan_);
}

void ScanKernel::launch(std::span<const Operand> operands, const LaunchOptions& options) const {
  Call(scan_, text_, operands, options).run(key_);
}

namespace {

DeviceArray cumulated(const DeviceArray& a, Operation operation, const char* neutral) {
  const Dtype dtype = kind_of(a.dtype()) == DtypeKind::unsigned_integer      ? Dtype::uint64
                      : a.dtype() == Dtype::boolean || is_integer(a.dtype()) ? Dtype::int64
                                                                             : a.dtype();
  const std::vector<std::string> names{"a", "b"};
  const std::string one = is_complex(dtype) ? std::string(name_of(dtype)) + "_of(" + neutral + ", 0)" : neutral;
  const std::string input = converted("x[i]", a.dtype(), dtype);
  const std::string scan = text_of(operation, {.operands = {dtype, dtype}, .result = dtype}, names);
  const ScanKernel kernel({{.name = "x", .dtype = a.dtype(), .kind = Argument::Kind::input},
                           {.name = "z", .dtype = dtype, .kind = Argument::Kind::output}},
                          {.input = input,
                           .scan = scan,
                           .neutral = one,
                           .output = "z[i] = item",
                           .dtype = dtype,
                           .name = operation == Operation::add ? "cumsum" : "cumprod"});
  DeviceArray result = empty(a.context(), a.shape(), dtype);
  kernel(a.contiguous(), result);
  return result;
}

}  // namespace

DeviceArray cumsum(const DeviceArray& a) {
  return cumulated(a, Operation::add, "0");
}
DeviceArray cumprod(const DeviceArray& a) {
  return cumulated(a, Operation::multiply, "1");
}

}  // namespace maxwell_dg::rtcg
