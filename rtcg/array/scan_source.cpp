#include "rtcg/array/scan_source.hpp"

#include "rtcg/array/kernel_headers.hpp"
#include "rtcg/array/kernel_types.hpp"
#include "rtcg/source/is_word.hpp"
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

// Work-items side by side in a warp need no barrier of the whole group; on CUDA they hand states to each other, word by
// word, without memory.
constexpr const char* group_functions = R"(
#define GROUP ${group}
#define ITEMS ${items}
#define WARP_TILE (32 * ITEMS)
#define TILE (GROUP * ITEMS)
#define STATE_WORDS ((int32)(sizeof(scan_state) + 3) / 4)
typedef union { scan_state state; uint32 words[STATE_WORDS]; } state_pieces;
#ifdef CUDA_DIALECT
#define SHARED_POINTER(type) type*
#define WARP_BARRIER() __syncwarp()
DEVICE_FUNCTION scan_state of_lane(scan_state state, int32 lane) {
  state_pieces pieces;
  pieces.state = state;
  UNROLL for (int32 w = 0; w < STATE_WORDS; ++w) {
    pieces.words[w] = __shfl_sync(0xffffffffu, pieces.words[w], lane);
  }
  return pieces.state;
}
// All that the warp has up to this lane, and in `previous` up to the one before.
DEVICE_FUNCTION scan_state warp_scan(scan_state own, scan_state* sums, scan_state* previous) {
  const int32 lane = LOCAL_ID(0) % 32;
  (void)sums;
  UNROLL for (int32 distance = 1; distance < 32; distance *= 2) {
    const scan_state other = of_lane(own, (lane - distance) & 31);
    if (lane >= distance) own = combined(other, own);
  }
  const scan_state other = of_lane(own, (lane - 1) & 31);
  *previous = lane > 0 ? other : neutral_state();
  return own;
}
#else
#define SHARED_POINTER(type) __local type*
#define WARP_BARRIER() BARRIER()
DEVICE_FUNCTION scan_state warp_scan(scan_state own, SHARED_POINTER(scan_state) sums, scan_state* previous) {
  const int32 lane = LOCAL_ID(0) % 32;
  sums[LOCAL_ID(0)] = own;
  BARRIER();
  for (int32 distance = 1; distance < 32; distance *= 2) {
    if (lane >= distance) own = combined(sums[LOCAL_ID(0) - distance], own);
    BARRIER();
    sums[LOCAL_ID(0)] = own;
    BARRIER();
  }
  *previous = lane > 0 ? sums[LOCAL_ID(0) - 1] : neutral_state();
  BARRIER();
  return own;
}
#endif
// All that work-items before this one have, in order, and in `total` what all have.
DEVICE_FUNCTION scan_state before(scan_state own, SHARED_POINTER(scan_state) sums, scan_state* total) {
  const int32 warp = LOCAL_ID(0) / 32;
  scan_state previous, prefix = neutral_state(), all = neutral_state();
  own = warp_scan(own, sums, &previous);
  if (LOCAL_ID(0) % 32 == 31) sums[warp] = own;
  BARRIER();
  UNROLL for (int32 w = 0; w < GROUP / 32; ++w) {
    if (w == warp) prefix = all;
    all = combined(all, sums[w]);
  }
  *total = all;
  BARRIER();
  return combined(prefix, previous);
}
)";

// Neighbours in memory are read by neighbours in the warp; each work-item then has ITEMS that follow each other.
constexpr const char* load_tile = R"(
const int32 warp_begin = LOCAL_ID(0) / 32 * WARP_TILE, lane = LOCAL_ID(0) % 32;
UNROLL for (int32 k = 0; k < ITEMS; ++k) {
  const int32 local_at = warp_begin + k * 32 + lane;
  const int64 element_at = tile_begin + local_at;
  scan_state element_state = neutral_state();
  if (element_at < end) {
    ${input}
  }
  tile[local_at] = element_state;
}
WARP_BARRIER();
scan_state items[ITEMS];
UNROLL for (int32 k = 0; k < ITEMS; ++k) items[k] = tile[LOCAL_ID(0) * ITEMS + k];
scan_state own = items[0];
UNROLL for (int32 k = 1; k < ITEMS; ++k) own = combined(own, items[k]);
scan_state total;)";

// `prefix` is what lies before the work-item's first element, `carry` before the tile's.
constexpr const char* store_tile = R"(
UNROLL for (int32 k = 0; k < ITEMS; ++k) {
  prefix = combined(prefix, items[k]);
  tile[LOCAL_ID(0) * ITEMS + k] = prefix;
}
${barrier}
UNROLL for (int32 k = 0; k < ITEMS; ++k) {
  const int32 local_at = warp_begin + k * 32 + lane;
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

// What others look at is told in words of 64 bits: 32 of a state, and a mark that they are there. A word is written and
// read as a whole, so that nothing must be fenced. Of each tile, first its own value and then that of all up to it is
// told. Tickets make sure that the groups waited for have begun.
constexpr const char* chained_kernel = R"(
#ifdef CUDA_DIALECT
#define TAKE_TICKET(counter) atomicAdd(counter, 1)
#define LOOKERS 32
#else
#define TAKE_TICKET(counter) atomic_inc(counter)
#define LOOKERS 1
#endif
DEVICE_FUNCTION void tell(GLOBAL volatile uint64* told, scan_state state) {
  state_pieces pieces;
  pieces.words[STATE_WORDS - 1] = 0;
  pieces.state = state;
  UNROLL for (int32 w = 0; w < STATE_WORDS; ++w) told[w] = ((uint64)1 << 32) | pieces.words[w];
}
DEVICE_FUNCTION bool8 is_told(GLOBAL const volatile uint64* told, scan_state* state) {
  state_pieces pieces;
  uint64 there = 1;
  UNROLL for (int32 w = 0; w < STATE_WORDS; ++w) {
    const uint64 word = told[w];
    there &= word >> 32;
    pieces.words[w] = (uint32)word;
  }
  *state = pieces.state;
  return there != 0;
}
// Waits for tile `at`: 2 when the state is that of all up to it, 1 when it is its own.
DEVICE_FUNCTION int32 heard(GLOBAL const volatile uint64* told, int32 at, scan_state* state) {
  GLOBAL const volatile uint64* own = told + (int64)at * (2 * STATE_WORDS);
  for (;;) {
    scan_state all;
    const bool8 is_own = is_told(own, state), is_all = is_told(own + STATE_WORDS, &all);
    if (is_all) {
      *state = all;
      return 2;
    }
    if (is_own) return 1;
  }
}
#ifdef CUDA_DIALECT
// A warp looks at 32 tiles at a time, lane 0 at the nearest.
DEVICE_FUNCTION scan_state look_back(int32 number, const volatile uint64* told) {
  const int32 lane = LOCAL_ID(0);
  scan_state carry = neutral_state();
  for (int32 nearest = number - 1;; nearest -= 32) {
    scan_state state = neutral_state();
    const int32 known = nearest >= lane ? heard(told, nearest - lane, &state) : 2;
    const uint32 complete = __ballot_sync(0xffffffffu, known == 2);
    const int32 furthest = complete == 0 ? 31 : __ffs(complete) - 1;
    if (lane > furthest) state = neutral_state();
    UNROLL for (int32 distance = 1; distance < 32; distance *= 2) {
      const scan_state earlier = of_lane(state, (lane + distance) & 31);
      if (lane + distance < 32) state = combined(earlier, state);
    }
    carry = combined(of_lane(state, 0), carry);
    if (complete != 0) return carry;
  }
}
#else
DEVICE_FUNCTION scan_state look_back(int32 number, GLOBAL const volatile uint64* told) {
  scan_state carry = neutral_state();
  for (int32 at = number - 1; at >= 0; --at) {
    scan_state state;
    const int32 known = heard(told, at, &state);
    carry = combined(state, carry);
    if (known == 2) break;
  }
  return carry;
}
#endif
KERNEL void GROUP_LIMIT(GROUP, 1, 1) scan_chained(int64 size, ${parameters}GLOBAL uint64* progress) {
  SHARED scan_state tile[TILE];
  SHARED scan_state sums[GROUP];
  SHARED int32 ticket[1];
  GLOBAL volatile uint64* told = progress + 1;
  if (LOCAL_ID(0) == 0) ticket[0] = TAKE_TICKET((GLOBAL int32*)progress);
  BARRIER();
  const int32 number = ticket[0];
  const int64 tile_begin = (int64)number * TILE, end = size;
  ${load}
  scan_state prefix = before(own, sums, &total);
  GLOBAL volatile uint64* told_of_this = told + (int64)number * (2 * STATE_WORDS);
  if (LOCAL_ID(0) == 0 && number > 0) tell(told_of_this, total);
  if (LOCAL_ID(0) < LOOKERS) {
    const scan_state found = look_back(number, told);
    if (LOCAL_ID(0) == 0) {
      tell(told_of_this + STATE_WORDS, combined(found, total));
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
    const std::string before_all = previous(before);
    const std::string barrier = before_all.empty() ? "WARP_BARRIER();" : "BARRIER();";
    const std::string store =
        substitute(store_tile, {{"barrier", barrier}, {"previous", before_all}, {"output", output()}});
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
