#include "rtcg/sparse/sparse_source.hpp"

#include <string>

#include "rtcg/array/kernel_headers.hpp"
#include "rtcg/source/substitute.hpp"

namespace maxwell_dg::rtcg {

namespace {

constexpr const char* prologue = R"(#include "array_types.h"
${header}
typedef ${number} number;
typedef ${offset} offset;
#define ZERO ${zero}
#define ADD(a, b) ${add}
#define ADD_PRODUCT(sum, a, b) ${add_product}
#define GROUP ${group}
#define RUN ${run}
#ifdef CUDA_DIALECT
#define WARP_BARRIER() __syncwarp()
#else
#define WARP_BARRIER() BARRIER()
#endif
// Leaves the sum of `width` neighbours of parts[] in the first one's place.
#define ADD_UP(parts, width, barrier)                                              \
  barrier();                                                                       \
  for (int32 half_width = (width) / 2; half_width > 0; half_width /= 2) {          \
    if (LOCAL_ID(0) % (width) < half_width) {                                      \
      parts[LOCAL_ID(0)] = ADD(parts[LOCAL_ID(0)], parts[LOCAL_ID(0) + half_width]); \
    }                                                                              \
    barrier();                                                                     \
  }
)";

// Neighbouring work-items share a row, so that they read neighbouring entries. Where one has a row to itself, several
// entries are on their way at once; where many share one, that only held more registers (7-point stencil on an H200: 79
// microseconds to 70; irregular, 8 lanes: 175 to 203).
constexpr const char* csr_on_gpu = R"(
#define LANES ${lanes}
#define AT_ONCE (LANES == 1 ? 4 : 1)
KERNEL void GROUP_LIMIT(GROUP, 1, 1) csr(int64 rows, GLOBAL const offset* RESTRICT begin,
    GLOBAL const int32* RESTRICT column, GLOBAL const number* RESTRICT value, GLOBAL const number* x_data,
    int64 x_offset, GLOBAL number* y_data, int64 y_offset) {
  SHARED number parts[GROUP];
  GLOBAL const number* RESTRICT x = x_data + x_offset;
  const int64 row = GLOBAL_ID(0) / LANES;
  const int32 lane = LOCAL_ID(0) % LANES;
  number sum = ZERO;
  if (row < rows) {
    const offset end = begin[row + 1];
    for (offset k = begin[row] + lane; k < end; k += AT_ONCE * LANES) {
      int32 at[AT_ONCE];
      number a[AT_ONCE], b[AT_ONCE];
      UNROLL for (int32 j = 0; j < AT_ONCE; ++j) {
        const bool is_there = k + j * LANES < end;
        at[j] = is_there ? column[k + j * LANES] : -1;
        a[j] = is_there ? value[k + j * LANES] : ZERO;
      }
      UNROLL for (int32 j = 0; j < AT_ONCE; ++j) b[j] = at[j] >= 0 ? x[at[j]] : ZERO;
      UNROLL for (int32 j = 0; j < AT_ONCE; ++j) sum = ADD_PRODUCT(sum, a[j], b[j]);
    }
  }
  if (LANES > 1) {
    parts[LOCAL_ID(0)] = sum;
    ADD_UP(parts, LANES, WARP_BARRIER)
    sum = parts[LOCAL_ID(0)];
  }
  if (lane == 0 && row < rows) y_data[y_offset + row] = sum;
}
)";
// Several sums at once: one alone would wait for each addition before the next.
constexpr const char* csr_on_cpu = R"(
#define LANES ${lanes}
KERNEL void GROUP_LIMIT(1, 1, 1) csr(int64 rows, GLOBAL const offset* RESTRICT begin,
    GLOBAL const int32* RESTRICT column, GLOBAL const number* RESTRICT value, GLOBAL const number* x_data,
    int64 x_offset, GLOBAL number* y_data, int64 y_offset) {
  GLOBAL const number* RESTRICT x = x_data + x_offset;
  const int64 end_row = min((GROUP_ID(0) + (int64)1) * RUN, rows);
  for (int64 row = (int64)GROUP_ID(0) * RUN; row < end_row; ++row) {
    number sums[LANES];
    UNROLL for (int32 lane = 0; lane < LANES; ++lane) sums[lane] = ZERO;
    const offset end = begin[row + 1];
    offset k = begin[row];
    for (; k + LANES <= end; k += LANES) {
      UNROLL for (int32 lane = 0; lane < LANES; ++lane) {
        sums[lane] = ADD_PRODUCT(sums[lane], value[k + lane], x[column[k + lane]]);
      }
    }
    for (; k < end; ++k) sums[0] = ADD_PRODUCT(sums[0], value[k], x[column[k]]);
    UNROLL for (int32 lane = 1; lane < LANES; ++lane) sums[0] = ADD(sums[0], sums[lane]);
    y_data[y_offset + row] = sums[0];
  }
}
)";

// A group multiplies a block's entries, the same number by each work-item whatever the rows' lengths, keeps the
// products in shared memory, and adds them up by rows there. A row that no block holds has a group to itself.
constexpr const char* csr_stream_text = R"(
#define LANES ${lanes}
#define AT_ONCE ${at_once}
#define ENTRIES ${block_entries}
#define ROWS ${block_rows}
KERNEL void GROUP_LIMIT(GROUP, 1, 1) csr_stream(int64 rows, GLOBAL const offset* RESTRICT block_begin,
    GLOBAL const offset* RESTRICT begin, GLOBAL const int32* RESTRICT column, GLOBAL const number* RESTRICT value,
    GLOBAL const number* x_data, int64 x_offset, GLOBAL number* y_data, int64 y_offset) {
  SHARED number products[ENTRIES];
  SHARED number parts[GROUP];
  SHARED int32 row_begin[ROWS + 1];
  GLOBAL const number* RESTRICT x = x_data + x_offset;
  const int32 item = LOCAL_ID(0);
  const offset first = block_begin[GROUP_ID(0)];
  const int32 count = (int32)(block_begin[GROUP_ID(0) + 1] - first);
  const offset from = begin[first], to = begin[first + count];
  if (to - from > ENTRIES) {
    number sum = ZERO;
    for (offset k = from + item; k < to; k += GROUP) sum = ADD_PRODUCT(sum, value[k], x[column[k]]);
    parts[item] = sum;
    ADD_UP(parts, GROUP, BARRIER)
    if (item == 0) y_data[y_offset + first] = parts[0];
  } else {
    int32 at[AT_ONCE];
    number a[AT_ONCE];
    UNROLL for (int32 j = 0; j < AT_ONCE; ++j) {
      const offset k = from + j * GROUP + item;
      at[j] = k < to ? column[k] : -1;
      a[j] = k < to ? value[k] : ZERO;
    }
    for (int32 r = item; r <= count; r += GROUP) row_begin[r] = (int32)(begin[first + r] - from);
    UNROLL for (int32 j = 0; j < AT_ONCE; ++j) {
      products[j * GROUP + item] = ADD_PRODUCT(ZERO, a[j], at[j] >= 0 ? x[at[j]] : ZERO);
    }
    BARRIER();
    for (int32 base = 0; base < count; base += GROUP / LANES) {
      const int32 r = base + item / LANES;
      number sum = ZERO;
      if (r < count) {
        const int32 end = row_begin[r + 1];
        for (int32 k = row_begin[r] + item % LANES; k < end; k += LANES) sum = ADD(sum, products[k]);
      }
      parts[item] = sum;
      ADD_UP(parts, LANES, WARP_BARRIER)
      if (item % LANES == 0 && r < count) y_data[y_offset + first + r] = parts[item];
    }
  }
}
)";

constexpr const char* slices_prologue = R"(
#define SLICE ${slice}
#define AT_ONCE ${at_once}
#if ${is_sorted}
#define ROW_OF GLOBAL const int32* RESTRICT row_of,
#define ROW_AT(place) row_of[place]
#else
#define ROW_OF
#define ROW_AT(place) (place)
#endif
)";

constexpr const char* sliced_on_gpu = R"(
KERNEL void GROUP_LIMIT(GROUP, 1, 1) sliced_ell(int64 rows, ROW_OF GLOBAL const offset* RESTRICT begin,
    GLOBAL const int32* RESTRICT column, GLOBAL const number* RESTRICT value, GLOBAL const number* x_data,
    int64 x_offset, GLOBAL number* y_data, int64 y_offset) {
  GLOBAL const number* RESTRICT x = x_data + x_offset;
  const int64 place = GLOBAL_ID(0), slice = place / SLICE;
  if (place >= rows) return;
  number sum = ZERO;
  const int64 end = begin[slice + 1];
  for (int64 k = begin[slice]; k < end; k += AT_ONCE) {
    int32 at[AT_ONCE];
    number a[AT_ONCE], b[AT_ONCE];
    UNROLL for (int32 j = 0; j < AT_ONCE; ++j) {
      at[j] = k + j < end ? column[(k + j) * SLICE + place % SLICE] : -1;
      a[j] = k + j < end ? value[(k + j) * SLICE + place % SLICE] : ZERO;
    }
    UNROLL for (int32 j = 0; j < AT_ONCE; ++j) b[j] = at[j] >= 0 ? x[at[j]] : ZERO;
    UNROLL for (int32 j = 0; j < AT_ONCE; ++j) sum = ADD_PRODUCT(sum, a[j], b[j]);
  }
  y_data[y_offset + ROW_AT(place)] = sum;
}
)";
// The rows of a slice fill a CPU's vectors.
constexpr const char* sliced_on_cpu = R"(
KERNEL void GROUP_LIMIT(1, 1, 1) sliced_ell(int64 rows, ROW_OF GLOBAL const offset* RESTRICT begin,
    GLOBAL const int32* RESTRICT column, GLOBAL const number* RESTRICT value, GLOBAL const number* x_data,
    int64 x_offset, GLOBAL number* y_data, int64 y_offset) {
  GLOBAL const number* RESTRICT x = x_data + x_offset;
  const int64 end_place = min((GROUP_ID(0) + (int64)1) * RUN, rows);
  for (int64 place = (int64)GROUP_ID(0) * RUN; place < end_place; place += SLICE) {
    number sums[SLICE];
    for (int32 lane = 0; lane < SLICE; ++lane) sums[lane] = ZERO;
    const int64 end = begin[place / SLICE + 1];
    for (int64 k = begin[place / SLICE]; k < end; ++k) {
      UNROLL for (int32 lane = 0; lane < SLICE; ++lane) {
        const int32 at = column[k * SLICE + lane];
        const number sum = ADD_PRODUCT(sums[lane], value[k * SLICE + lane], x[max(at, 0)]);
        if (at >= 0) sums[lane] = sum;
      }
    }
    for (int32 lane = 0; lane < SLICE; ++lane) {
      if (place + lane < end_place) y_data[y_offset + ROW_AT(place + lane)] = sums[lane];
    }
  }
}
)";

constexpr const char* packeted_text = R"(
#define SLICE ${slice}
#define PACKET ${packet}
KERNEL void GROUP_LIMIT(GROUP, 1, 1) packeted(int64 rows, GLOBAL const int32* RESTRICT row_of,
    GLOBAL const offset* RESTRICT begin, GLOBAL const uint16* RESTRICT near_column,
    GLOBAL const number* RESTRICT value, GLOBAL const offset* RESTRICT rest_begin,
    GLOBAL const int32* RESTRICT rest_column, GLOBAL const number* RESTRICT rest_value, GLOBAL const number* x_data,
    int64 x_offset, GLOBAL number* y_data, int64 y_offset) {
  SHARED number near_x[PACKET];
  GLOBAL const number* RESTRICT x = x_data + x_offset;
  const int64 first = (int64)GROUP_ID(0) * PACKET;
  for (int32 l = LOCAL_ID(0); l < PACKET; l += GROUP) {
    const int32 row = row_of[first + l];
    near_x[l] = ZERO;
    if (row >= 0) near_x[l] = x[row];
  }
  BARRIER();
  for (int32 l = LOCAL_ID(0); l < PACKET; l += GROUP) {
    const int32 row = row_of[first + l];
    if (row < 0 || row >= rows) continue;
    number sum = ZERO;
    const int64 slice = (first + l) / SLICE, end = begin[slice + 1];
    for (int64 k = begin[slice]; k < end; ++k) {
      const int64 place = k * SLICE + l % SLICE;
      const int32 at = near_column[place];
      if (at != 0xffff) sum = ADD_PRODUCT(sum, value[place], near_x[at]);
    }
    const offset rest_end = rest_begin[first + l + 1];
    for (offset k = rest_begin[first + l]; k < rest_end; ++k) {
      sum = ADD_PRODUCT(sum, rest_value[k], x[rest_column[k]]);
    }
    y_data[y_offset + row] = sum;
  }
}
)";

std::string prologue_of(const SparseShape& shape) {
  const std::string number(name_of(shape.dtype));
  const bool complex = is_complex(shape.dtype);
  return substitute(prologue,
                    {{"header", complex ? "#include \"array_complex.h\"" : ""},
                     {"number", number},
                     {"offset", shape.has_long_offsets ? "int64" : "int32"},
                     {"zero", complex ? number + "_of(0, 0)" : "0"},
                     {"add", complex ? number + "_add(a, b)" : "((a) + (b))"},
                     {"add_product", complex ? number + "_add(sum, " + number + "_mul(a, b))" : "((sum) + (a) * (b))"},
                     {"group", std::to_string(shape.is_cpu ? 1 : sparse_group_size)},
                     {"run", std::to_string(sparse_run)}});
}

KernelSource source(const char* name, const SparseShape& shape, const std::string& text) {
  return {.name = std::string(name) + ".kernel", .text = prologue_of(shape) + text, .headers = array_headers()};
}

}  // namespace

KernelSource csr_source(const SparseShape& shape) {
  return source("csr", shape,
                substitute(shape.is_cpu ? csr_on_cpu : csr_on_gpu, {{"lanes", std::to_string(shape.lanes)}}));
}

KernelSource csr_stream_source(const SparseShape& shape) {
  return source("csr_stream", shape,
                substitute(csr_stream_text, {{"lanes", std::to_string(shape.lanes)},
                                             {"at_once", std::to_string(shape.at_once)},
                                             {"block_entries", std::to_string(block_entries(shape))},
                                             {"block_rows", std::to_string(block_rows(shape))}}));
}

KernelSource sliced_ell_source(const SparseShape& shape) {
  const std::string names = substitute(slices_prologue, {{"slice", std::to_string(shape.slice_rows)},
                                                         {"at_once", std::to_string(shape.at_once)},
                                                         {"is_sorted", shape.is_sorted ? "1" : "0"}});
  return source("sliced_ell", shape, names + (shape.is_cpu ? sliced_on_cpu : sliced_on_gpu));
}

KernelSource packeted_source(const SparseShape& shape) {
  return source("packeted", shape,
                substitute(packeted_text, {{"slice", std::to_string(shape.slice_rows)},
                                           {"packet", std::to_string(shape.packet_rows)}}));
}

}  // namespace maxwell_dg::rtcg
