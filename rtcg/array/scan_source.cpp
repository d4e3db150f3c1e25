#include "rtcg/array/scan_source.hpp"

#include <cctype>

#include "rtcg/array/kernel_headers.hpp"
#include "rtcg/array/kernel_types.hpp"
#include "rtcg/source/substitute.hpp"

namespace maxwell_dg::rtcg {

namespace {

// Segments make of every associative operation another one, on pairs of a value and whether a segment starts in it
// (Blelloch, "Prefix sums and their applications", CMU-CS-90-190, section 1.5).
constexpr const char* plain_state = R"(
typedef value_type scan_state;
#define STATE_VALUE(s) (s)
DEVICE_FUNCTION scan_state combined(scan_state a, scan_state b) { return scanned(a, b); }
DEVICE_FUNCTION scan_state neutral_state() { return neutral_value(); }
)";
constexpr const char* segmented_state = R"(
typedef struct { value_type value; int32 starts; } scan_state;
#define STATE_VALUE(s) ((s).value)
DEVICE_FUNCTION scan_state combined(scan_state a, scan_state b) {
  if (!b.starts) b.value = scanned(a.value, b.value);
  b.starts |= a.starts;
  return b;
}
DEVICE_FUNCTION scan_state neutral_state() {
  scan_state s;
  s.value = neutral_value();
  s.starts = 0;
  return s;
}
)";

// Work-items side by side in a warp need no barrier of the whole group.
constexpr const char* group_functions = R"(
#define GROUP ${group}
#define ITEMS ${items}
#define TILE (GROUP * ITEMS)
#ifdef CUDA_DIALECT
#define SHARED_POINTER(type) type*
#define WARP_BARRIER() __syncwarp()
#else
#define SHARED_POINTER(type) __local type*
#define WARP_BARRIER() BARRIER()
#endif
// All that work-items before this one have, in order, and in `total` what all have.
DEVICE_FUNCTION scan_state before(scan_state own, SHARED_POINTER(scan_state) sums, scan_state* total) {
  const int32 lane = LOCAL_ID(0) % 32, warp = LOCAL_ID(0) / 32;
  sums[LOCAL_ID(0)] = own;
  WARP_BARRIER();
  for (int32 distance = 1; distance < 32; distance *= 2) {
    if (lane >= distance) own = combined(sums[LOCAL_ID(0) - distance], own);
    WARP_BARRIER();
    sums[LOCAL_ID(0)] = own;
    WARP_BARRIER();
  }
  BARRIER();
  scan_state prefix = neutral_state(), all = neutral_state();
  UNROLL for (int32 w = 0; w < GROUP / 32; ++w) {
    if (w == warp) prefix = all;
    all = combined(all, sums[32 * w + 31]);
  }
  *total = all;
  if (lane > 0) prefix = combined(prefix, sums[LOCAL_ID(0) - 1]);
  BARRIER();
  return prefix;
}
)";

// Neighbours in memory are read by neighbours in the group; each work-item then has ITEMS that follow each other.
constexpr const char* load_tile = R"(
UNROLL for (int32 k = 0; k < ITEMS; ++k) {
  const int64 element_at = tile_begin + k * GROUP + LOCAL_ID(0);
  scan_state element_state = neutral_state();
  if (element_at < end) {
    ${input}
  }
  tile[k * GROUP + LOCAL_ID(0)] = element_state;
}
BARRIER();
scan_state own = tile[LOCAL_ID(0) * ITEMS];
UNROLL for (int32 k = 1; k < ITEMS; ++k) own = combined(own, tile[LOCAL_ID(0) * ITEMS + k]);
scan_state total;)";

// `prefix` is what lies before the work-item's first element, `carry` before the tile's.
constexpr const char* store_tile = R"(
UNROLL for (int32 k = 0; k < ITEMS; ++k) {
  prefix = combined(prefix, tile[LOCAL_ID(0) * ITEMS + k]);
  tile[LOCAL_ID(0) * ITEMS + k] = prefix;
}
BARRIER();
UNROLL for (int32 k = 0; k < ITEMS; ++k) {
  const int32 local_at = k * GROUP + LOCAL_ID(0);
  const int64 element_at = tile_begin + local_at;
  if (element_at < end) {
    const scan_state element_state = tile[local_at];
    ${previous}
    ${output}
  }
})";

constexpr const char* tiles_kernels = R"(
// All of the first `count` values, in order.
DEVICE_FUNCTION scan_state all_of(GLOBAL const scan_state* values, int64 count, SHARED_POINTER(scan_state) sums) {
  const int64 run = (count + GROUP - 1) / GROUP, begin = LOCAL_ID(0) * run, end = min(begin + run, count);
  scan_state own = neutral_state(), total;
  for (int64 k = begin; k < end; ++k) own = combined(own, values[k]);
  before(own, sums, &total);
  return total;
}
KERNEL void GROUP_LIMIT(GROUP, 1, 1) scan_totals(int64 size, int64 part_size, ${parameters}GLOBAL scan_state* totals) {
  SHARED scan_state tile[TILE];
  SHARED scan_state sums[GROUP];
  const int64 begin = GROUP_ID(0) * part_size, end = min(begin + part_size, size);
  scan_state carry = neutral_state();
  for (int64 tile_begin = begin; tile_begin < end; tile_begin += TILE) {
    ${load}
    before(own, sums, &total);
    carry = combined(carry, total);
  }
  if (LOCAL_ID(0) == 0) totals[GROUP_ID(0)] = carry;
}
KERNEL void GROUP_LIMIT(GROUP, 1, 1) scan_parts(int64 size, int64 part_size, ${parameters}int64 parts,
                                                GLOBAL const scan_state* totals) {
  SHARED scan_state tile[TILE];
  SHARED scan_state sums[GROUP];
  const int64 begin = GROUP_ID(0) * part_size, end = min(begin + part_size, size);
  scan_state carry = all_of(totals, GROUP_ID(0), sums);
  ${last}
  for (int64 tile_begin = begin; tile_begin < end; tile_begin += TILE) {
    ${load}
    scan_state prefix = combined(carry, before(own, sums, &total));
    ${store}
    carry = combined(carry, total);
    BARRIER();
  }
}
)";

// A tile's state is 0 while nothing is known of it, 1 when its own value is, 2 when that of all up to it is. A value
// is written before its state, and read after it; tickets make sure that the groups waited for have begun.
constexpr const char* chained_kernel = R"(
#ifdef CUDA_DIALECT
#define TAKE_TICKET(counter) atomicAdd(counter, 1)
#define FENCE() __threadfence()
#define LOOKERS 32
#else
#define TAKE_TICKET(counter) atomic_inc(counter)
#define FENCE() mem_fence(CLK_GLOBAL_MEM_FENCE)
#define LOOKERS 1
#endif
#ifdef CUDA_DIALECT
// A warp looks at 32 tiles at a time, lane 0 at the nearest.
DEVICE_FUNCTION scan_state look_back(int32 number, volatile int32* states, const scan_state* values,
                                     const scan_state* prefixes, scan_state* seen) {
  const int32 lane = LOCAL_ID(0);
  scan_state carry = neutral_state();
  for (int32 nearest = number - 1;; nearest -= 32) {
    const int32 at = nearest - lane;
    int32 known = 2;
    if (at >= 0) {
      while ((known = states[at]) == 0) {}
    }
    FENCE();
    const uint32 complete = __ballot_sync(0xffffffffu, known == 2);
    const int32 furthest = complete == 0 ? 31 : __ffs(complete) - 1;
    scan_state value = neutral_state();
    if (at >= 0 && lane <= furthest) value = known == 2 ? prefixes[at] : values[at];
    seen[lane] = value;
    __syncwarp();
    for (int32 distance = 1; distance < 32; distance *= 2) {
      if (lane + distance < 32) value = combined(seen[lane + distance], value);
      __syncwarp();
      seen[lane] = value;
      __syncwarp();
    }
    carry = combined(seen[0], carry);
    __syncwarp();
    if (complete != 0) return carry;
  }
}
#else
DEVICE_FUNCTION scan_state look_back(int32 number, GLOBAL volatile int32* states, GLOBAL const scan_state* values,
                                     GLOBAL const scan_state* prefixes, SHARED_POINTER(scan_state) seen) {
  scan_state carry = neutral_state();
  for (int32 at = number - 1; at >= 0; --at) {
    int32 known;
    while ((known = states[at]) == 0) {}
    FENCE();
    carry = combined(known == 2 ? prefixes[at] : values[at], carry);
    if (known == 2) break;
  }
  return carry;
}
#endif
KERNEL void GROUP_LIMIT(GROUP, 1, 1) scan_chained(int64 size, ${parameters}GLOBAL int32* progress,
                                                  GLOBAL scan_state* values, GLOBAL scan_state* prefixes) {
  SHARED scan_state tile[TILE];
  SHARED scan_state sums[GROUP];
  SHARED int32 ticket[1];
  GLOBAL volatile int32* states = progress + 1;
  if (LOCAL_ID(0) == 0) ticket[0] = TAKE_TICKET(progress);
  BARRIER();
  const int32 number = ticket[0];
  const int64 tile_begin = (int64)number * TILE, end = size;
  ${load}
  scan_state prefix = before(own, sums, &total);
  if (LOCAL_ID(0) == 0 && number > 0) {
    values[number] = total;
    FENCE();
    states[number] = 1;
  }
  if (LOCAL_ID(0) < LOOKERS) {
    const scan_state found = look_back(number, states, values, prefixes, sums);
    if (LOCAL_ID(0) == 0) {
      prefixes[number] = combined(found, total);
      FENCE();
      states[number] = 2;
      sums[0] = found;
    }
  }
  BARRIER();
  const scan_state carry = sums[0];
  prefix = combined(carry, prefix);
  ${store}
}
)";

// Runs side by side, so that one need not wait for the other's arithmetic.
constexpr const char* runs_kernels = R"(
#define LANES ${lanes}
KERNEL void GROUP_LIMIT(1, 1, 1) scan_totals(int64 size, int64 part_size, ${parameters}GLOBAL scan_state* totals) {
  const int64 first = (int64)GROUP_ID(0) * LANES;
  scan_state sums[LANES];
  for (int32 lane = 0; lane < LANES; ++lane) sums[lane] = neutral_state();
  const int64 full = max((int64)0, min(part_size, size - (first + LANES - 1) * part_size));
  for (int64 k = 0; k < full; ++k) {
    UNROLL for (int32 lane = 0; lane < LANES; ++lane) {
      const int64 element_at = (first + lane) * part_size + k;
      ${total_step}
    }
  }
  for (int32 lane = 0; lane < LANES; ++lane) {
    const int64 end = min(part_size, size - (first + lane) * part_size);
    for (int64 k = full; k < end; ++k) {
      const int64 element_at = (first + lane) * part_size + k;
      ${total_step}
    }
  }
  for (int32 lane = 0; lane < LANES; ++lane) totals[first + lane] = sums[lane];
}
KERNEL void GROUP_LIMIT(1, 1, 1) scan_parts(int64 size, int64 part_size, ${parameters}int64 parts,
                                            GLOBAL const scan_state* totals) {
  const int64 first = (int64)GROUP_ID(0) * LANES;
  scan_state sums[LANES];
  sums[0] = neutral_state();
  if (parts > 1) {
    for (int64 part = 0; part < first; ++part) sums[0] = combined(sums[0], totals[part]);
    for (int32 lane = 1; lane < LANES; ++lane) sums[lane] = combined(sums[lane - 1], totals[first + lane - 1]);
  }
  ${last}
  const int64 full = max((int64)0, min(part_size, size - (first + LANES - 1) * part_size));
  for (int64 k = 0; k < full; ++k) {
    UNROLL for (int32 lane = 0; lane < LANES; ++lane) {
      const int64 element_at = (first + lane) * part_size + k;
      ${step}
    }
  }
  for (int32 lane = 0; lane < LANES; ++lane) {
    const int64 end = min(part_size, size - (first + lane) * part_size);
    for (int64 k = full; k < end; ++k) {
      const int64 element_at = (first + lane) * part_size + k;
      ${step}
    }
  }
}
)";
constexpr const char* run_total_step = R"(
scan_state element_state;
${input}
sums[lane] = combined(sums[lane], element_state);)";
constexpr const char* run_step = R"(
scan_state element_state;
${input}
${previous}
sums[lane] = combined(sums[lane], element_state);
element_state = sums[lane];
${output})";

class Generator {
 public:
  Generator(const Scan& scan, const ScanShape& shape) : scan_(scan), shape_(shape) {}

  [[nodiscard]] std::string text() const {
    std::string text = "#include \"array_types.h\"\n";
    const std::string all = scan_.input + scan_.segment_start + scan_.output + scan_.scan + scan_.type + scan_.preamble;
    if (uses_complex(scan_.arguments, all)) text += "#include \"array_complex.h\"\n";
    if (!scan_.preamble.empty()) text += scan_.preamble + "\n";
    text += "typedef " + scan_.type + " value_type;\n";
    text += "DEVICE_FUNCTION value_type scanned(value_type a, value_type b) { return " + scan_.scan + "; }\n";
    text += "DEVICE_FUNCTION value_type neutral_value() { return " + scan_.neutral + "; }\n";
    text += is_segmented() ? segmented_state : plain_state;
    return text + kernels();
  }

 private:
  [[nodiscard]] bool is_segmented() const { return !scan_.segment_start.empty(); }

  [[nodiscard]] std::string kernels() const {
    std::string parameters;
    for (std::size_t a = 0; a < scan_.arguments.size(); ++a) {
      for (const std::string& one : parameters_of(scan_.arguments[a], scan_.is_element[a] ? 1 : 0)) {
        parameters += one + ", ";
      }
    }
    if (shape_.method == ScanMethod::runs) {
      const std::string step =
          substitute(run_step, {{"input", input()}, {"previous", previous("sums[lane]")}, {"output", output()}});
      return substitute(runs_kernels, {{"lanes", std::to_string(scan_lanes)},
                                       {"parameters", parameters},
                                       {"total_step", substitute(run_total_step, {{"input", input()}})},
                                       {"last", last_of_runs()},
                                       {"step", step}});
    }
    const std::string functions = substitute(
        group_functions, {{"group", std::to_string(scan_group_size)}, {"items", std::to_string(shape_.items)}});
    const std::string load = substitute(load_tile, {{"input", input()}});
    const std::string before = "local_at > 0 ? tile[local_at - 1] : carry";
    const std::string store = substitute(store_tile, {{"previous", previous(before)}, {"output", output()}});
    if (shape_.method == ScanMethod::chained) {
      return functions + substitute(chained_kernel, {{"parameters", parameters}, {"load", load}, {"store", store}});
    }
    return functions +
           substitute(tiles_kernels,
                      {{"parameters", parameters}, {"last", last_of_tiles()}, {"load", load}, {"store", store}});
  }

  [[nodiscard]] std::string element(const Argument& argument) const {
    return argument.name + "_first[element_at" + (shape_.is_next ? "]" : " * " + argument.name + "_stride_0]");
  }

  // The index, the arguments and the values of elements that a text mentions. They are declared in the scope of the
  // text alone, so that arguments may be called as anything in the kernel around it.
  [[nodiscard]] std::string values_for(const std::string& text) const {
    std::string values = mentions(text, "i") ? "const int64 i = element_at;\n" : "";
    for (std::size_t a = 0; a < scan_.arguments.size(); ++a) {
      const Argument& argument = scan_.arguments[a];
      const std::string value = argument.name + "_i";
      if (!mentions(text, scan_.is_element[a] ? value : argument.name)) continue;
      values += declaration_of(argument, scan_.is_element[a]) + "\n";
      if (!scan_.is_element[a]) continue;
      values += std::string(argument.kind == Argument::Kind::input ? "const " : "") + value_type(argument.dtype) + " " +
                value + " = " + loaded(element(argument), argument.dtype) + ";\n";
    }
    return values;
  }

  // element_state = the element at `element_at`
  [[nodiscard]] std::string input() const {
    std::string text = "{\n" + values_for(scan_.input + " " + scan_.segment_start);
    text += "STATE_VALUE(element_state) = " + scan_.input + ";\n";
    if (is_segmented()) text += "element_state.starts = (" + scan_.segment_start + ") != 0;\n";
    return text + "}";
  }

  [[nodiscard]] std::string previous(const std::string& before) const {
    return mentions(scan_.output, "prev_item") ? "const scan_state previous_state = " + before + ";" : "";
  }

  [[nodiscard]] std::string output() const {
    const bool has_previous = mentions(scan_.output, "prev_item");
    const bool asks_for_segment = has_previous && is_segmented();
    std::string text = "{\n" + values_for(scan_.output + (asks_for_segment ? " " + scan_.segment_start : ""));
    if (mentions(scan_.output, "item")) text += "const value_type item = STATE_VALUE(element_state);\n";
    if (has_previous) {
      const std::string value = "STATE_VALUE(previous_state);\n";
      text += "const value_type prev_item = ";
      text += asks_for_segment ? "(" + scan_.segment_start + ") != 0 ? neutral_value() : " + value : value;
    }
    const std::size_t last = scan_.output.find_last_not_of(" \t\n");
    const bool is_ended = last != std::string::npos && (scan_.output[last] == ';' || scan_.output[last] == '}');
    text += "{ " + scan_.output + (is_ended ? " }\n" : "; }\n");
    for (std::size_t a = 0; a < scan_.arguments.size(); ++a) {
      const Argument& argument = scan_.arguments[a];
      if (!scan_.is_element[a] || argument.kind != Argument::Kind::output) continue;
      if (!mentions(scan_.output, argument.name + "_i")) continue;
      text += element(argument) + " = " + stored(argument.name + "_i", argument.dtype) + ";\n";
    }
    return text + "}";
  }

  [[nodiscard]] std::string last_of_tiles() const {
    return scan_.uses_last ? "const value_type last_item = STATE_VALUE(all_of(totals, parts, sums));" : "";
  }
  [[nodiscard]] std::string last_of_runs() const {
    if (!scan_.uses_last) return "";
    return "scan_state last = neutral_state();\n"
           "for (int64 part = 0; part < parts; ++part) last = combined(last, totals[part]);\n"
           "const value_type last_item = STATE_VALUE(last);";
  }

  const Scan& scan_;
  const ScanShape& shape_;
};

}  // namespace

bool mentions(std::string_view text, std::string_view name) {
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool begins = at == 0 || !is_word(text[at - 1]), ends = end == text.size() || !is_word(text[end]);
    if (begins && ends) return true;
  }
  return false;
}

KernelSource scan_source(const Scan& scan, const ScanShape& shape) {
  return {.name = scan.name + ".kernel", .text = Generator(scan, shape).text(), .headers = array_headers()};
}

}  // namespace maxwell_dg::rtcg
