#include "rtcg/loop/stage_generator.hpp"

#include <limits>

namespace maxwell_dg::rtcg {

using namespace syntax;

std::string wide_type(Dtype dtype, std::int64_t width) {
  std::string type(name_of(dtype));
  return width == 1 ? type : type + "x" + std::to_string(width);
}

std::string times(const std::string& value, std::int64_t factor, const std::string& type) {
  if (factor == 1 || value == "0") return value;
  const std::string wide = type.empty() || type == "int32" ? value : "(" + type + ")" + value;
  return wide + " * " + (factor < 0 ? "(" + std::to_string(factor) + ")" : std::to_string(factor));
}

std::string part(const std::string& value, std::int64_t before, std::int64_t size, std::int64_t all) {
  if (size == 1) return "0";
  const std::string quotient = before == 1 ? value : value + " / " + std::to_string(before);
  if (before * size >= all) return before == 1 ? value : "(" + quotient + ")";
  return "(" + quotient + " % " + std::to_string(size) + ")";
}

std::string index_type(const LoopNest& nest) {
  for (const LoopArray& array : nest.arrays) {
    if (LoopNest::span_of(array) > std::numeric_limits<std::int32_t>::max()) return "int64";
  }
  return "int32";
}

std::string StageGenerator::memory(std::size_t stage) const {
  return slicing_.stages[stage].array + "_tile" + std::to_string(stage);
}

std::string StageGenerator::now(std::size_t stage) const {
  return slicing_.prefetch ? "now" + std::to_string(stage) + " + " : "";
}

std::string StageGenerator::type_of(const Stage& stage) const {
  return wide_type(nest_.dtype, stage.width);
}

std::int64_t StageGenerator::rounds(const Stage& stage) const {
  return ceil_divide(stage.loads(), slicing_.threads());
}

std::string StageGenerator::in_round(std::size_t stage, const char* what, std::int64_t round) const {
  return slicing_.stages[stage].array + "_" + what + std::to_string(stage) + "_" + std::to_string(round);
}

Block StageGenerator::declarations() const {
  Block lines;
  for (std::size_t s = 0; s < slicing_.stages.size(); ++s) {
    const std::int64_t elements = slicing_.stages[s].size * (slicing_.prefetch ? 2 : 1);
    // Of the wide type, so that it begins where wide reads may.
    const std::int64_t widest = widest_load(nest_.dtype);
    const std::int64_t wide_elements = ceil_divide(elements, widest);
    lines +=
        Declare("SHARED " + wide_type(nest_.dtype, widest), memory(s) + "_wide[" + std::to_string(wide_elements) + "]");
  }
  for (std::size_t s = 0; s < slicing_.stages.size(); ++s) {
    lines += Line("#ifdef CUDA_DIALECT");
    lines += Declare("real* const", memory(s), "(real*)" + memory(s) + "_wide");
    lines += Line("#else");
    lines += Declare("__local real* const", memory(s), "(__local real*)" + memory(s) + "_wide");
    lines += Line("#endif");
  }
  return lines;
}

// Load number `item + round * threads` takes apart into one coordinate an axis, the contiguous axis first.
Block StageGenerator::places() const {
  Block lines;
  for (std::size_t s = 0; s < slicing_.stages.size(); ++s) {
    const Stage& stage = slicing_.stages[s];
    const LoopArray& array = nest_.array(stage.array);
    Affine begin;
    for (std::size_t axis = 0; axis < stage.axes.size(); ++axis) begin.add(stage.axes[axis], array.strides[axis]);
    std::string base = std::to_string(begin.constant);
    for (const OutputSlice& slice : slicing_.output) {
      if (begin.of(slice.name) != 0) base += " + " + times(slice.name + "_0", begin.of(slice.name));
    }
    for (std::int64_t round = 0; round < rounds(stage); ++round) {
      const std::int64_t first = round * slicing_.threads();
      const std::string number = first == 0 ? "item" : "(item + " + std::to_string(first) + ")";
      std::string from = base;
      std::string to;
      std::int64_t before = 1;
      const auto add_axis = [&](std::size_t axis, std::int64_t width) {
        const std::int64_t size = stage.extents[axis] / width;
        const std::string coordinate = part(number, before, size, rounds(stage) * slicing_.threads());
        before *= size;
        if (size == 1) return;
        from += " + " + times(coordinate, width * array.strides[axis], index_);
        to += (to.empty() ? "" : " + ") + times(coordinate, width * stage.strides[axis]);
      };
      add_axis(stage.contiguous, stage.width);
      for (std::size_t axis = stage.axes.size(); axis-- > 0;) {
        if (axis != stage.contiguous) add_axis(axis, 1);
      }
      lines += Declare("const " + index_, in_round(s, "from", round), from);
      lines += Declare("const int32", in_round(s, "to", round), to.empty() ? "0" : to);
    }
  }
  return lines;
}

Block StageGenerator::step_beginnings(const std::string& step) const {
  Block lines;
  std::int64_t before = 1;
  for (auto slice = slicing_.reduction.rbegin(); slice != slicing_.reduction.rend(); ++slice) {
    const std::int64_t tiles = slice->extent / slice->tile;
    lines += Declare("const " + index_, slice->name + "_0",
                     times(part("(" + step + ")", before, tiles, slicing_.steps()), slice->tile, index_));
    before *= tiles;
  }
  return lines;
}

void StageGenerator::guarded(Block& to, const Stage& stage, std::int64_t round, const Block& body) const {
  const std::int64_t first = round * slicing_.threads();
  if (first + slicing_.threads() <= stage.loads()) {
    to += body;
  } else {
    to += If("item < " + std::to_string(stage.loads() - first), body);
  }
}

Block StageGenerator::loads() const {
  Block lines;
  for (std::size_t s = 0; s < slicing_.stages.size(); ++s) {
    const Stage& stage = slicing_.stages[s];
    const LoopArray& array = nest_.array(stage.array);
    std::string step;
    for (const ReductionSlice& slice : slicing_.reduction) {
      std::int64_t stride = 0;
      for (std::size_t axis = 0; axis < stage.axes.size(); ++axis) {
        stride += stage.axes[axis].of(slice.name) * array.strides[axis];
      }
      if (stride != 0) step += " + " + times(slice.name + "_0", stride);
    }
    for (std::int64_t round = 0; round < rounds(stage); ++round) {
      const std::string place = stage.array + "[" + in_round(s, "from", round) + step + "]";
      const std::string type = type_of(stage);
      guarded(
          lines, stage, round,
          {Assign(in_round(s, "next", round), stage.width == 1 ? place : "*(GLOBAL const " + type + "*)&" + place)});
    }
  }
  return lines;
}

Block StageGenerator::stores(const std::string& buffer) const {
  Block lines;
  for (std::size_t s = 0; s < slicing_.stages.size(); ++s) {
    const Stage& stage = slicing_.stages[s];
    for (std::int64_t round = 0; round < rounds(stage); ++round) {
      const std::string value = in_round(s, "next", round);
      std::string place = in_round(s, "to", round);
      if (!buffer.empty()) place += " + " + times(buffer, stage.size);
      Block body;
      if (stage.width == 1) {
        body += Assign(memory(s) + "[" + place + "]", value);
      } else if (stage.innermost == stage.contiguous) {
        body += Assign("SHARED_AT(" + type_of(stage) + ", &" + memory(s) + "[" + place + "])", value);
      } else {
        for (std::int64_t c = 0; c < stage.width; ++c) {
          const std::string offset = std::to_string(c * stage.strides[stage.contiguous]);
          body += Assign(memory(s) + "[" + place + " + " + offset + "]", value + "." + "xyzw"[c]);
        }
      }
      guarded(lines, stage, round, body);
    }
  }
  return lines;
}

Block StageGenerator::load_and_store() const {
  Block lines;
  for (std::size_t s = 0; s < slicing_.stages.size(); ++s) {
    const Stage& stage = slicing_.stages[s];
    for (std::int64_t round = 0; round < rounds(stage); ++round)
      lines += Declare(type_of(stage), in_round(s, "next", round));
  }
  lines += loads();
  lines += stores("");
  lines += Line("BARRIER();");
  return lines;
}

Block StageGenerator::first_tile() const {
  Block lines = step_beginnings("0");
  lines += load_and_store();
  return lines;
}

Block StageGenerator::step(const Block& compute, const std::string& steps) const {
  Block lines;
  for (std::size_t s = 0; s < slicing_.stages.size(); ++s) {
    lines += Declare("const int32", "now" + std::to_string(s), times("(step % 2)", slicing_.stages[s].size));
  }
  for (std::size_t s = 0; s < slicing_.stages.size(); ++s) {
    const Stage& stage = slicing_.stages[s];
    for (std::int64_t round = 0; round < rounds(stage); ++round)
      lines += Declare(type_of(stage), in_round(s, "next", round));
  }
  Block ahead = step_beginnings("step + 1");
  ahead += loads();
  lines += If("step + 1 < " + steps, ahead);
  lines += Scope(compute);
  lines += If("step + 1 < " + steps, stores("((step + 1) % 2)"));
  lines += Line("BARRIER();");
  return lines;
}

}  // namespace maxwell_dg::rtcg
