#include "rtcg/array/lists.hpp"

#include "rtcg/array/elementwise_kernel.hpp"
#include "rtcg/array/error.hpp"
#include "rtcg/array/kernel_types.hpp"
#include "rtcg/array/scan.hpp"
#include "rtcg/array/sort.hpp"

namespace maxwell_dg::rtcg {

namespace {

Argument output(const std::string& name, Dtype dtype) {
  return {.name = name, .dtype = dtype, .kind = Argument::Kind::output};
}

// 0, then the sums up to and with each length.
DeviceArray starts_of(const DeviceArray& lengths) {
  static const ScanKernel sums({.arguments = "const int64* length, int64* start",
                                .input = "length[i]",
                                .scan = "a + b",
                                .neutral = "0",
                                .output = "start[i + 1] = item",
                                .dtype = Dtype::int64,
                                .name = "list_starts"});
  DeviceArray starts = zeros(lengths.context(), {lengths.size() + 1}, Dtype::int64);
  if (lengths.size() > 0) sums(lengths, starts);
  return starts;
}

const Context& context_of(std::span<const Operand> operands) {
  for (const Operand& operand : operands) {
    if (const DeviceArray* array = std::get_if<DeviceArray>(&operand)) return array->context();
  }
  throw ArrayError("lists are made of at least one array");
}

}  // namespace

Lists group_by_key(const DeviceArray& keys, const DeviceArray& values, std::int64_t key_count) {
  if (!is_integer(keys.dtype())) {
    throw DtypeError("keys of lists are integers, not " + std::string(name_of(keys.dtype())));
  }
  const KeysAndValues sorted = sort_by_key(keys, values);
  const DeviceArray in_order = sorted.keys.astype(Dtype::int64);
  for (const std::int64_t end : {0, -1}) {
    if (in_order.size() == 0) break;
    const auto key = in_order(end).item<std::int64_t>();
    if (key >= 0 && key < key_count) continue;
    throw IndexError("key " + std::to_string(key) + " of lists; expected 0 to " + std::to_string(key_count - 1));
  }
  // Where the first key that is not below i stands: by halving.
  static const ElementwiseKernel find({.arguments = "const int64* keys, int64 size, int64* start",
                                       .operation = R"(int64 low = 0, high = size;
while (low < high) {
  const int64 middle = low + (high - low) / 2;
  if (keys[middle] < i) low = middle + 1;
  else high = middle;
}
start[i] = low;)",
                                       .name = "key_starts"});
  const DeviceArray starts = zeros(keys.context(), {key_count + 1}, Dtype::int64);
  if (in_order.size() > 0) find(in_order, in_order.size(), starts);
  return {starts, sorted.values};
}

ListBuilder::ListBuilder(const Description& description)
    : lists_(description.lists),
      arguments_(parse_arguments(description.arguments)),
      generate_(description.generate),
      name_(description.name),
      preamble_(description.preamble) {
  if (lists_.empty()) throw ArrayError("a builder of no lists");
  std::vector<Argument> all = arguments_;
  for (const List& list : lists_) all.push_back(output(list.name, list.dtype));
  check_names(all);
}

std::vector<Lists> ListBuilder::build(std::span<const Operand> operands, std::int64_t count) const {
  const Context& context = context_of(operands);
  const auto run = [&](const std::string& before, const std::string& after, const std::string& append,
                       const std::vector<Argument>& more, const std::vector<Operand>& more_operands) {
    std::vector<Argument> arguments = arguments_;
    arguments.insert(arguments.end(), more.begin(), more.end());
    std::vector<Operand> all(operands.begin(), operands.end());
    all.insert(all.end(), more_operands.begin(), more_operands.end());
    const std::string preamble = append + preamble_, operation = before + "{\n" + generate_ + "\n}\n" + after;
    ElementwiseKernel(arguments, {.operation = operation, .name = name_, .preamble = preamble}).launch(all, {});
  };

  std::string before, after, append;
  std::vector<Argument> arguments;
  std::vector<Operand> arrays;
  std::vector<DeviceArray> lengths;
  for (const auto& [name, dtype] : lists_) {
    append += "#define APPEND_" + name + "(appended) ((void)(appended), ++length_of_" + name + ")\n";
    before += "int64 length_of_" + name + " = 0;\n";
    after += "lengths_" + name + "[i] = length_of_" + name + ";\n";
    arguments.push_back(output("lengths_" + name, Dtype::int64));
    lengths.push_back(empty(context, {count}, Dtype::int64));
    arrays.emplace_back(lengths.back());
  }
  if (count > 0) run(before, after, append, arguments, arrays);

  std::vector<Lists> lists;
  before.clear();
  append.clear();
  arguments.clear();
  arrays.clear();
  for (std::size_t k = 0; k < lists_.size(); ++k) {
    const auto& [name, dtype] = lists_[k];
    const DeviceArray starts = starts_of(lengths[k]);
    lists.push_back({starts, empty(context, {starts(-1).item<std::int64_t>()}, dtype)});
    append += "#define APPEND_" + name + "(appended) (" + name + "[place_of_" + name +
              "++] = " + stored("(appended)", dtype) + ")\n";
    before += "int64 place_of_" + name + " = starts_" + name + "[i];\n";
    arguments.push_back({.name = "starts_" + name, .dtype = Dtype::int64, .kind = Argument::Kind::input});
    arrays.emplace_back(starts(Slice{0, count}));
    arguments.push_back(output(name, dtype));
    arrays.emplace_back(lists.back().values);
  }
  if (count > 0) run(before, "", append, arguments, arrays);
  return lists;
}

}  // namespace maxwell_dg::rtcg
