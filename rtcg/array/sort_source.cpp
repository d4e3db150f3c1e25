#include "rtcg/array/sort_source.hpp"

#include <algorithm>
#include <string>

#include "rtcg/array/kernel_headers.hpp"
#include "rtcg/array/kernel_types.hpp"
#include "rtcg/source/substitute.hpp"

namespace maxwell_dg::rtcg {

namespace {

// Bits whose order as unsigned integers is that of the keys. Reals: the sign bit of positive ones, all bits of negative
// ones are turned over; -0 counts as 0, and every NaN comes last.
constexpr const char* ordered_bits = R"(#include "array_types.h"
${value_header}
typedef ${bits} key_bits;
#define DIGIT_BITS ${digit_bits}
#define RADIX (1 << DIGIT_BITS)
DEVICE_FUNCTION key_bits ordered(key_bits key) {
  const key_bits sign = (key_bits)((key_bits)1 << (8 * sizeof(key_bits) - 1));
  ${ordered}
  return key;
}
DEVICE_FUNCTION int32 digit_of(key_bits key, int32 shift) { return (int32)((ordered(key) >> shift) & (RADIX - 1)); }
)";

constexpr const char* cpu_kernels = R"(
KERNEL void GROUP_LIMIT(1, 1, 1) count_digits(GLOBAL const key_bits* key_data, int64 key_offset, int64 size,
                                              int64 part_size, int32 shift, GLOBAL int64* counts) {
  const int64 begin = GROUP_ID(0) * part_size, end = min(begin + part_size, size);
  GLOBAL const key_bits* keys = key_data + key_offset;
  int64 found[RADIX];
  for (int32 d = 0; d < RADIX; ++d) found[d] = 0;
  for (int64 k = begin; k < end; ++k) ++found[digit_of(keys[k], shift)];
  for (int32 d = 0; d < RADIX; ++d) counts[(int64)d * GROUP_COUNT(0) + GROUP_ID(0)] = found[d];
}
KERNEL void GROUP_LIMIT(1, 1, 1) move_by_digit(GLOBAL const key_bits* key_data, int64 key_offset, int64 size,
                                               int64 part_size, int32 shift, GLOBAL const int64* counts,
                                               GLOBAL key_bits* keys_out${value_parameters}) {
  const int64 begin = GROUP_ID(0) * part_size, end = min(begin + part_size, size);
  GLOBAL const key_bits* keys = key_data + key_offset;
  int64 next[RADIX];
  for (int32 d = 0; d < RADIX; ++d) next[d] = counts[(int64)d * GROUP_COUNT(0) + GROUP_ID(0)];
  for (int64 k = begin; k < end; ++k) {
    const key_bits key = keys[k];
    const int64 to = next[digit_of(key, shift)]++;
    keys_out[to] = key;
    ${move_value}
  }
}
)";

// A warp takes 32 keys that follow each other at a time and asks which of its lanes have the same digit: that, and a
// counter for each digit and warp, says how many equal digits stand before a key. The sums of all counters before,
// digit by digit and warp by warp, then say where in the sorted tile it goes, from where runs of equal digits are
// written.
constexpr const char* gpu_kernels = R"(
#define GROUP ${group}
#define WARPS (GROUP / 32)
#define ITEMS ${items}
#define WARP_TILE (32 * ITEMS)
#define TILE (GROUP * ITEMS)
#ifdef CUDA_DIALECT
#define SHARED_POINTER(type) type*
#define WARP_BARRIER() __syncwarp()
#define COUNT_UP(counter) atomicAdd(counter, 1)
#define EXPAND UNROLL
// How many keys with this digit the warp has had before, and counts up. The first lane of those that have it counts for
// all of them; nothing waits for that but the rank itself.
DEVICE_FUNCTION int32 rank_of(int32 digit, bool is_there, int32* counters, int32* digits) {
  uint32 lanes = __ballot_sync(0xffffffffu, is_there);
  (void)digits;
  UNROLL for (int32 bit = 0; bit < DIGIT_BITS; ++bit) {
    const bool is_set = (digit >> bit) & 1;
    const uint32 set = __ballot_sync(0xffffffffu, is_set);
    lanes &= is_set ? set : ~set;
  }
  const int32 before = __popc(lanes & ((1u << LOCAL_ID(0) % 32) - 1));
  int32 found = 0;
  if (is_there && before == 0) found = atomicAdd(&counters[digit], __popc(lanes));
  return __shfl_sync(0xffffffffu, found, (__ffs(lanes) - 1) & 31) + before;
}
#else
#define SHARED_POINTER(type) __local type*
#define WARP_BARRIER() BARRIER()
#define COUNT_UP(counter) atomic_inc(counter)
#define EXPAND
DEVICE_FUNCTION int32 rank_of(int32 digit, bool is_there, SHARED_POINTER(int32) counters,
                              SHARED_POINTER(int32) digits) {
  const int32 lane = LOCAL_ID(0) % 32, first = LOCAL_ID(0) - lane;
  int32 before = 0, all = 0;
  digits[LOCAL_ID(0)] = is_there ? digit : RADIX;
  BARRIER();
  for (int32 other = 0; other < 32; ++other) {
    const int32 is_same = digits[first + other] == digit;
    if (other < lane) before += is_same;
    all += is_same;
  }
  const int32 found = is_there ? counters[digit] : 0;
  BARRIER();
  if (is_there && before == 0) counters[digit] = found + all;
  BARRIER();
  return found + before;
}
#endif
DEVICE_FUNCTION int32 sum_before(int32 own, SHARED_POINTER(int32) sums) {
  const int32 lane = LOCAL_ID(0) % 32, warp = LOCAL_ID(0) / 32, mine = own;
  sums[LOCAL_ID(0)] = own;
  WARP_BARRIER();
  for (int32 distance = 1; distance < 32; distance *= 2) {
    if (lane >= distance) own += sums[LOCAL_ID(0) - distance];
    WARP_BARRIER();
    sums[LOCAL_ID(0)] = own;
    WARP_BARRIER();
  }
  BARRIER();
  for (int32 w = 0; w < warp; ++w) own += sums[32 * w + 31];
  return own - mine;
}
// Each warp counts for itself, so that two seldom meet at a counter.
KERNEL void GROUP_LIMIT(GROUP, 1, 1) count_digits(GLOBAL const key_bits* key_data, int64 key_offset, int64 size,
                                                  int64 part_size, int32 shift, GLOBAL int64* counts) {
  SHARED int32 found[RADIX * WARPS];
  const int64 begin = GROUP_ID(0) * part_size, end = min(begin + part_size, size);
  GLOBAL const key_bits* keys = key_data + key_offset;
  for (int32 d = LOCAL_ID(0); d < RADIX * WARPS; d += GROUP) found[d] = 0;
  BARRIER();
  SHARED_POINTER(int32) found_here = found + LOCAL_ID(0) / 32 * RADIX;
  int64 k = begin + LOCAL_ID(0);
  for (; k + 7 * GROUP < end; k += 8 * GROUP) {
    key_bits some[8];
    EXPAND for (int32 u = 0; u < 8; ++u) some[u] = keys[k + u * GROUP];
    EXPAND for (int32 u = 0; u < 8; ++u) COUNT_UP(&found_here[digit_of(some[u], shift)]);
  }
  for (; k < end; k += GROUP) COUNT_UP(&found_here[digit_of(keys[k], shift)]);
  BARRIER();
  for (int32 d = LOCAL_ID(0); d < RADIX; d += GROUP) {
    int64 total = 0;
    for (int32 w = 0; w < WARPS; ++w) total += found[w * RADIX + d];
    counts[(int64)d * GROUP_COUNT(0) + GROUP_ID(0)] = total;
  }
}
KERNEL void GROUP_LIMIT(GROUP, 1, 1) move_by_digit(GLOBAL const key_bits* key_data, int64 key_offset, int64 size,
                                                   int64 part_size, int32 shift, GLOBAL const int64* counts,
                                                   GLOBAL key_bits* keys_out${value_parameters}) {
  SHARED key_bits tile[TILE];
  ${value_tile}
  SHARED int32 counters[RADIX * WARPS];
  SHARED int32 sums[GROUP];
  SHARED int64 next[RADIX];
  const int64 begin = GROUP_ID(0) * part_size, end = min(begin + part_size, size);
  GLOBAL const key_bits* keys = key_data + key_offset;
  const int32 digit = LOCAL_ID(0), lane = LOCAL_ID(0) % 32, warp_begin = LOCAL_ID(0) / 32 * WARP_TILE;
  SHARED_POINTER(int32) own_counters = counters + LOCAL_ID(0) / 32 * RADIX;
  int64 next_of_digit = counts[(int64)digit * GROUP_COUNT(0) + GROUP_ID(0)];
  for (int64 tile_begin = begin; tile_begin < end; tile_begin += TILE) {
    const int32 there = (int32)min((int64)TILE, end - tile_begin);
    key_bits own[ITEMS];
    int32 rank[ITEMS];
    ${own_values}
    EXPAND for (int32 k = 0; k < ITEMS; ++k) {
      const int32 at = warp_begin + k * 32 + lane;
      own[k] = 0;
      if (at < there) {
        own[k] = keys[tile_begin + at];
        ${load_value}
      }
    }
    EXPAND for (int32 w = 0; w < WARPS; ++w) counters[w * RADIX + LOCAL_ID(0)] = 0;
    BARRIER();
    EXPAND for (int32 k = 0; k < ITEMS; ++k) {
      rank[k] = rank_of(digit_of(own[k], shift), warp_begin + k * 32 + lane < there, own_counters, sums);
    }
    BARRIER();
    int32 count = 0;
    EXPAND for (int32 w = 0; w < WARPS; ++w) count += counters[w * RADIX + digit];
    int32 first = sum_before(count, sums);
    next[digit] = next_of_digit - first;
    next_of_digit += count;
    EXPAND for (int32 w = 0; w < WARPS; ++w) {
      const int32 of_warp = counters[w * RADIX + digit];
      counters[w * RADIX + digit] = first;
      first += of_warp;
    }
    BARRIER();
    EXPAND for (int32 k = 0; k < ITEMS; ++k) {
      if (warp_begin + k * 32 + lane < there) {
        const int32 to = rank[k] + own_counters[digit_of(own[k], shift)];
        tile[to] = own[k];
        ${put_value}
      }
    }
    BARRIER();
    EXPAND for (int32 k = 0; k < ITEMS; ++k) {
      const int32 at = k * GROUP + LOCAL_ID(0);
      if (at < there) {
        const key_bits key = tile[at];
        const int64 to = next[digit_of(key, shift)] + at;
        keys_out[to] = key;
        ${store_value}
      }
    }
    BARRIER();
  }
}
)";

std::string bits_type(Dtype key) {
  return "uint" + std::to_string(8 * size_of(key));
}

// What the text of `ordered` does with `key` in place.
std::string ordered_text(const SortShape& shape) {
  const std::string turned = shape.order == SortOrder::descending ? "key = (key_bits)~key;" : "";
  switch (kind_of(shape.key)) {
    case DtypeKind::signed_integer: return "key = (key_bits)(key ^ sign);\n" + turned;
    case DtypeKind::real: break;
    default: return "(void)sign;\n" + turned;
  }
  const std::string infinity = shape.key == Dtype::float16   ? "0x7c00u"
                               : shape.key == Dtype::float32 ? "0x7f800000u"
                                                             : "((key_bits)0x7ff00000u << 32)";
  return "const key_bits magnitude = (key_bits)(key & (key_bits)~sign);\n"
         "if (magnitude > " +
         infinity +
         ") return (key_bits)~(key_bits)0;\n"
         "if (magnitude == 0) key = 0;\n"
         "key = (key & sign) != 0 ? (key_bits)~key : (key_bits)(key | sign);\n" +
         turned;
}

std::size_t items_of(const SortShape& shape) {
  const std::size_t widest = std::max(size_of(shape.key), shape.value ? size_of(*shape.value) : 1);
  return std::clamp<std::size_t>(64 / widest, 4, 16);
}

}  // namespace

std::size_t sort_tile_size(const SortShape& shape) {
  return sort_group_size * items_of(shape);
}

KernelSource sort_source(const SortShape& shape) {
  const bool has_value = shape.value.has_value();
  const std::string value = has_value ? storage_type(*shape.value) : "";
  const auto with_value = [&](const std::string& text) { return has_value ? text : std::string(); };
  std::string text = substitute(
      ordered_bits, {{"value_header", has_value && is_complex(*shape.value) ? "#include \"array_complex.h\"" : ""},
                     {"bits", bits_type(shape.key)},
                     {"digit_bits", std::to_string(sort_digit_bits)},
                     {"ordered", ordered_text(shape)}});
  const std::string parameters =
      with_value(", GLOBAL const " + value + "* value_data, int64 value_offset, GLOBAL " + value + "* values_out");
  if (shape.is_cpu) {
    text += substitute(cpu_kernels, {{"value_parameters", parameters},
                                     {"move_value", with_value("values_out[to] = value_data[value_offset + k];")}});
  } else {
    text += substitute(gpu_kernels,
                       {{"group", std::to_string(sort_group_size)},
                        {"items", std::to_string(items_of(shape))},
                        {"value_parameters", parameters},
                        {"value_tile", with_value("SHARED " + value + " value_tile[TILE];")},
                        {"load_value", with_value("own_value[k] = value_data[value_offset + tile_begin + at];")},
                        {"own_values", with_value(value + " own_value[ITEMS];")},
                        {"put_value", with_value("value_tile[to] = own_value[k];")},
                        {"store_value", with_value("values_out[to] = value_tile[at];")}});
  }
  return {.name = "radix_sort.kernel", .text = text, .headers = array_headers()};
}

}  // namespace maxwell_dg::rtcg
