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
#define RADIX ${radix}
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

// A work-item has ITEMS keys that follow each other, and a counter for each digit. The sums of all counters before,
// digit by digit and work-item by work-item, say where in the sorted tile a key goes. Counters are padded so that a
// work-item's 16 lie in different banks.
constexpr const char* gpu_kernels = R"(
#define GROUP ${group}
#define ITEMS ${items}
#define TILE (GROUP * ITEMS)
#define PADDED(x) ((x) + (x) / RADIX)
#ifdef CUDA_DIALECT
#define SHARED_POINTER(type) type*
#define WARP_BARRIER() __syncwarp()
#define COUNT_UP(counter) atomicAdd(counter, 1)
#else
#define SHARED_POINTER(type) __local type*
#define WARP_BARRIER() BARRIER()
#define COUNT_UP(counter) atomic_inc(counter)
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
KERNEL void GROUP_LIMIT(GROUP, 1, 1) count_digits(GLOBAL const key_bits* key_data, int64 key_offset, int64 size,
                                                  int64 part_size, int32 shift, GLOBAL int64* counts) {
  SHARED int32 found[RADIX * 32];
  const int64 begin = GROUP_ID(0) * part_size, end = min(begin + part_size, size);
  GLOBAL const key_bits* keys = key_data + key_offset;
  for (int32 d = LOCAL_ID(0); d < RADIX * 32; d += GROUP) found[d] = 0;
  BARRIER();
  const int32 lane = LOCAL_ID(0) % 32;
  for (int64 k = begin + LOCAL_ID(0); k < end; k += GROUP * 4) {
    UNROLL for (int32 u = 0; u < 4; ++u) {
      if (k + u * GROUP < end) COUNT_UP(&found[32 * digit_of(keys[k + u * GROUP], shift) + lane]);
    }
  }
  BARRIER();
  if (LOCAL_ID(0) < RADIX) {
    int64 total = 0;
    for (int32 l = 0; l < 32; ++l) total += found[32 * LOCAL_ID(0) + (l + LOCAL_ID(0)) % 32];
    counts[(int64)LOCAL_ID(0) * GROUP_COUNT(0) + GROUP_ID(0)] = total;
  }
}
KERNEL void GROUP_LIMIT(GROUP, 1, 1) move_by_digit(GLOBAL const key_bits* key_data, int64 key_offset, int64 size,
                                                   int64 part_size, int32 shift, GLOBAL const int64* counts,
                                                   GLOBAL key_bits* keys_out${value_parameters}) {
  SHARED key_bits tile[TILE];
  ${value_tile}
  SHARED int32 counters[PADDED(RADIX * GROUP)];
  SHARED int32 sums[GROUP];
  SHARED int64 next[RADIX];
  SHARED int32 digit_begin[RADIX + 1];
  const int64 begin = GROUP_ID(0) * part_size, end = min(begin + part_size, size);
  GLOBAL const key_bits* keys = key_data + key_offset;
  if (LOCAL_ID(0) < RADIX) next[LOCAL_ID(0)] = counts[(int64)LOCAL_ID(0) * GROUP_COUNT(0) + GROUP_ID(0)];
  for (int64 tile_begin = begin; tile_begin < end; tile_begin += TILE) {
    const int32 there = (int32)min((int64)TILE, end - tile_begin);
    UNROLL for (int32 k = 0; k < ITEMS; ++k) {
      const int32 at = k * GROUP + LOCAL_ID(0);
      if (at < there) {
        tile[at] = keys[tile_begin + at];
        ${load_value}
      }
    }
    for (int32 d = 0; d < RADIX; ++d) counters[PADDED(d * GROUP + LOCAL_ID(0))] = 0;
    BARRIER();
    key_bits own[ITEMS];
    int32 rank[ITEMS];
    ${own_values}
    UNROLL for (int32 k = 0; k < ITEMS; ++k) {
      const int32 at = LOCAL_ID(0) * ITEMS + k;
      if (at < there) {
        own[k] = tile[at];
        ${take_value}
        const int32 d = digit_of(own[k], shift);
        rank[k] = counters[PADDED(d * GROUP + LOCAL_ID(0))]++;
      }
    }
    BARRIER();
    int32 sum = 0;
    UNROLL for (int32 d = 0; d < RADIX; ++d) sum += counters[PADDED(LOCAL_ID(0) * RADIX + d)];
    sum = sum_before(sum, sums);
    UNROLL for (int32 d = 0; d < RADIX; ++d) {
      const int32 count = counters[PADDED(LOCAL_ID(0) * RADIX + d)];
      counters[PADDED(LOCAL_ID(0) * RADIX + d)] = sum;
      sum += count;
    }
    BARRIER();
    if (LOCAL_ID(0) < RADIX) digit_begin[LOCAL_ID(0)] = counters[PADDED(LOCAL_ID(0) * GROUP)];
    if (LOCAL_ID(0) == 0) digit_begin[RADIX] = there;
    UNROLL for (int32 k = 0; k < ITEMS; ++k) {
      if (LOCAL_ID(0) * ITEMS + k < there) {
        const int32 to = rank[k] + counters[PADDED(digit_of(own[k], shift) * GROUP + LOCAL_ID(0))];
        tile[to] = own[k];
        ${put_value}
      }
    }
    BARRIER();
    UNROLL for (int32 k = 0; k < ITEMS; ++k) {
      const int32 at = k * GROUP + LOCAL_ID(0);
      if (at < there) {
        const key_bits key = tile[at];
        const int32 d = digit_of(key, shift);
        const int64 to = next[d] + (at - digit_begin[d]);
        keys_out[to] = key;
        ${store_value}
      }
    }
    BARRIER();
    if (LOCAL_ID(0) < RADIX) next[LOCAL_ID(0)] += digit_begin[LOCAL_ID(0) + 1] - digit_begin[LOCAL_ID(0)];
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
  return std::clamp<std::size_t>(48 / widest, 3, 12);
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
                     {"radix", std::to_string(1 << sort_digit_bits(shape.is_cpu))},
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
                        {"load_value", with_value("value_tile[at] = value_data[value_offset + tile_begin + at];")},
                        {"own_values", with_value(value + " own_value[ITEMS];")},
                        {"take_value", with_value("own_value[k] = value_tile[at];")},
                        {"put_value", with_value("value_tile[to] = own_value[k];")},
                        {"store_value", with_value("values_out[to] = value_tile[at];")}});
  }
  return {.name = "radix_sort.kernel", .text = text, .headers = array_headers()};
}

}  // namespace maxwell_dg::rtcg
