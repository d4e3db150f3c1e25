#include "rtcg/array/select.hpp"

#include <string>

#include "rtcg/array/elementwise_kernel.hpp"
#include "rtcg/array/error.hpp"
#include "rtcg/array/kernel_types.hpp"
#include "rtcg/array/scan.hpp"
#include "rtcg/array/sort.hpp"

namespace maxwell_dg::rtcg {

namespace {

Argument input(const char* name, Dtype dtype) {
  return {.name = name, .dtype = dtype, .kind = Argument::Kind::input};
}
Argument output(const char* name, Dtype dtype) {
  return {.name = name, .dtype = dtype, .kind = Argument::Kind::output};
}
constexpr const char* keep_count = "; if (i == size - 1) count[0] = item;";

// The first `count` elements, which the device has to tell.
DeviceArray first_of(const DeviceArray& array, const DeviceArray& count) {
  return array(Slice{0, array.size() > 0 ? count.item<std::int64_t>() : 0});
}

}  // namespace

DeviceArray copy_if(const DeviceArray& array, std::string_view predicate) {
  const Dtype dtype = array.dtype();
  const std::string is_taken = "(" + std::string(predicate) + ") ? 1 : 0";
  const std::string store = "if (item != prev_item) z[prev_item] = " + stored("x[i]", dtype) + keep_count;
  const ScanKernel kernel(
      {input("x", dtype), output("z", dtype), {.name = "size", .dtype = Dtype::int64}, output("count", Dtype::int64)},
      {.input = is_taken, .scan = "a + b", .neutral = "0", .output = store, .dtype = Dtype::int64, .name = "copy_if"});
  const DeviceArray from = array.contiguous().ravel();
  const DeviceArray taken = empty(array.context(), from.shape(), dtype);
  const DeviceArray count = empty(array.context(), {1}, Dtype::int64);
  kernel.launch({from, taken, from.size(), count}, {.count = from.size()});
  return first_of(taken, count);
}

DeviceArray remove_if(const DeviceArray& array, std::string_view predicate) {
  return copy_if(array, "!(" + std::string(predicate) + ")");
}

Partition partition(const DeviceArray& array, std::string_view predicate) {
  const Dtype dtype = array.dtype();
  const std::string is_taken = "(" + std::string(predicate) + ") ? 1 : 0";
  const std::string store =
      "z[item != prev_item ? prev_item : last_item + i - item] = " + stored("x[i]", dtype) + keep_count;
  const ScanKernel kernel(
      {input("x", dtype), output("z", dtype), {.name = "size", .dtype = Dtype::int64}, output("count", Dtype::int64)},
      {.input = is_taken,
       .scan = "a + b",
       .neutral = "0",
       .output = store,
       .dtype = Dtype::int64,
       .name = "partition"});
  const DeviceArray from = array.contiguous().ravel();
  const DeviceArray both = empty(array.context(), from.shape(), dtype);
  const DeviceArray count = empty(array.context(), {1}, Dtype::int64);
  kernel.launch({from, both, from.size(), count}, {.count = from.size()});
  const DeviceArray matching = first_of(both, count);
  return {matching, both(Slice{matching.size(), both.size()})};
}

DeviceArray compress(const DeviceArray& mask, const DeviceArray& array) {
  if (mask.dtype() != Dtype::boolean) {
    throw DtypeError("a mask of " + std::string(name_of(mask.dtype())) + "; it must be bool, as a comparison gives it");
  }
  if (mask.shape() != array.shape()) {
    throw ShapeError("a mask of shape " + to_string(mask.shape()) + " for an array of shape " +
                     to_string(array.shape()));
  }
  const Dtype dtype = array.dtype();
  const std::string store = "if (item != prev_item) z[prev_item] = " + stored("x[i]", dtype) + keep_count;
  const ScanKernel kernel({input("mask", Dtype::boolean),
                           input("x", dtype),
                           output("z", dtype),
                           {.name = "size", .dtype = Dtype::int64},
                           output("count", Dtype::int64)},
                          {.input = "mask[i]",
                           .scan = "a + b",
                           .neutral = "0",
                           .output = store,
                           .dtype = Dtype::int64,
                           .name = "compress"});
  const DeviceArray from = array.contiguous().ravel();
  const DeviceArray taken = empty(array.context(), from.shape(), dtype);
  const DeviceArray count = empty(array.context(), {1}, Dtype::int64);
  kernel(mask.contiguous().ravel(), from, taken, from.size(), count);
  return first_of(taken, count);
}

namespace {

struct Firsts {
  DeviceArray values, places;  ///< of the first of each run of equal elements
};

Firsts firsts_of_runs(const DeviceArray& sorted) {
  const Dtype dtype = sorted.dtype();
  const std::string here = "(" + loaded("x[i]", dtype) + ")", before = "(" + loaded("x[i - 1]", dtype) + ")";
  // Two NaNs are the same, though they do not compare as equal.
  const std::string is_first = "i == 0 || (" + here + " != " + before + " && (" + here + " == " + here + " || " +
                               before + " == " + before + ")) ? 1 : 0";
  const std::string store =
      std::string("if (item != prev_item) { z[prev_item] = x[i]; places[prev_item] = i; }") + keep_count;
  const ScanKernel kernel(
      {input("x", dtype),
       output("z", dtype),
       output("places", Dtype::int64),
       {.name = "size", .dtype = Dtype::int64},
       output("count", Dtype::int64)},
      {.input = is_first, .scan = "a + b", .neutral = "0", .output = store, .dtype = Dtype::int64, .name = "unique"});
  const DeviceArray values = empty(sorted.context(), sorted.shape(), dtype);
  const DeviceArray places = empty(sorted.context(), sorted.shape(), Dtype::int64);
  const DeviceArray count = empty(sorted.context(), {1}, Dtype::int64);
  const std::vector<Operand> operands{sorted, values, places, sorted.size(), count};
  kernel.launch(operands, {.count = sorted.size()});
  const DeviceArray taken = first_of(values, count);
  return {taken, places(Slice{0, taken.size()})};
}

}  // namespace

DeviceArray unique(const DeviceArray& array) {
  return firsts_of_runs(sort(array.contiguous().ravel())).values;
}

UniqueCounts unique_counts(const DeviceArray& array) {
  const Firsts firsts = firsts_of_runs(sort(array.contiguous().ravel()));
  const std::int64_t count = firsts.values.size();
  const DeviceArray counts = empty(array.context(), {count}, Dtype::int64);
  static const ElementwiseKernel lengths({.arguments = "const int64* places, int64 size, int64 count, int64* z",
                                          .operation = "z[i] = (i + 1 < count ? places[i + 1] : size) - places[i]",
                                          .name = "run_lengths"});
  if (count > 0) lengths(firsts.places, array.size(), count, counts);
  return {firsts.values, counts};
}

}  // namespace maxwell_dg::rtcg
