#pragma once

/// The kernels of scans, as texts with places (`${...}`) that scan_source.cpp fills.
namespace maxwell_dg::rtcg::scan_texts {

// Segments make of every associative operation another one, on pairs of a value and whether a segment starts in it
// (Blelloch, "Prefix sums and their applications", CMU-CS-90-190, section 1.5).
inline constexpr const char* plain_state = R"(
typedef value_type scan_state;
#define STATE_VALUE(s) (s)
DEVICE_FUNCTION scan_state combined(scan_state a, scan_state b) { return scanned(a, b); }
DEVICE_FUNCTION scan_state neutral_state() { return neutral_value(); }
)";
inline constexpr const char* segmented_state = R"(
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
inline constexpr const char* group_functions = R"(
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
inline constexpr const char* load_tile = R"(
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
inline constexpr const char* store_tile = R"(
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

inline constexpr const char* tiles_kernels = R"(
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
inline constexpr const char* chained_kernel = R"(
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
inline constexpr const char* runs_kernels = R"(
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
inline constexpr const char* run_total_step = R"(
scan_state element_state;
${input}
sums[lane] = combined(sums[lane], element_state);)";
inline constexpr const char* run_step = R"(
scan_state element_state;
${input}
${previous}
sums[lane] = combined(sums[lane], element_state);
element_state = sums[lane];
${output})";

}  // namespace maxwell_dg::rtcg::scan_texts
