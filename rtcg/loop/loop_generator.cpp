#include "rtcg/loop/loop_generator.hpp"

#include <algorithm>

#include "rtcg/loop/stage_generator.hpp"
#include "rtcg/source/literal.hpp"
#include "rtcg/source/syntax.hpp"

namespace maxwell_dg::rtcg {

using namespace syntax;

namespace {

using Point = std::vector<std::int64_t>;  // which register of each sliced dimension

// Runs through all points of the box [0, extents), the first coordinate fastest.
template <class Visit>
void for_each_point(const Point& extents, const Visit& visit) {
  Point point(extents.size(), 0);
  for (;;) {
    visit(point);
    std::size_t d = 0;
    while (d < point.size() && ++point[d] == extents[d]) point[d++] = 0;
    if (d == point.size()) return;
  }
}

/// An access as the inner loop sees it: where in which memory, relative to the work-item's own beginning.
struct Source {
  std::string memory;             // "A" or "A_tile"
  std::string base;               // variable that holds the beginning
  Affine steps;                   // by points of the result and steps of the sum; the constant is the access's own
  std::vector<std::size_t> uses;  // sliced dimensions that it depends on
  std::size_t wide = 0;           // dimension along which chunks are read at once ...
  std::int64_t width = 1;         // ... of so many elements
  bool is_staged = false;
  std::size_t stage = 0;
};

class Generator {
 public:
  Generator(const LoopNest& nest, const Slicing& slicing)
      : nest_(nest), slicing_(slicing), index_(index_type(nest)), stages_(nest, slicing, index_) {}

  std::string run() {
    Block body;
    if (!slicing_.stages.empty()) body += stages_.declarations();
    body += tile_beginnings();
    if (!slicing_.stages.empty()) body += stages_.places();
    body += bases();
    body += nest_.assignment.has_sum() ? accumulation() : Block{};
    body += results();
    return print(prologue()) + print(Function(signature(), body));
  }

 private:
  [[nodiscard]] std::string value_type() const { return slicing_.lanes() > 1 ? "lanes" : "real"; }

  [[nodiscard]] Block prologue() const {
    const std::string real(name_of(nest_.dtype));
    Block lines{Line("typedef " + real + " real;")};
    if (slicing_.lanes() > 1) lines += Line("typedef " + real + "x" + std::to_string(slicing_.lanes()) + " lanes;");
    lines += Line("#ifdef CUDA_DIALECT");
    lines += Line("#define SHARED_AT(type, place) (*(type*)(place))");
    lines += Line("#else");
    lines += Line("#define SHARED_AT(type, place) (*(__local type*)(place))");
    lines += Line("#endif");
    return lines;
  }

  [[nodiscard]] std::string signature() const {
    const std::string threads = std::to_string(slicing_.threads());
    std::string text = "KERNEL void GROUP_LIMIT(" + threads + ", 1, 1) loop(";
    std::string separator;
    for (const LoopArray& array : nest_.arrays) {
      const bool is_target = array.name == nest_.assignment.target.array;
      text += separator + (is_target ? "GLOBAL real* " : "GLOBAL const real* ");
      text += (is_target && nest_.is_in_place() ? "" : "RESTRICT ") + array.name;
      separator = ", ";
    }
    for (const std::string& scalar : nest_.assignment.scalars) text += ", real " + scalar;
    return text + ")";
  }

  // Digits of the item's number: within the warp along the first and the second dimension, then warps along both.
  [[nodiscard]] std::string folded(std::size_t d) const {
    const std::int64_t inner[] = {warp_items / slicing_.fold, slicing_.fold};
    const std::int64_t outer = slicing_.output[d].threads / inner[d];
    const std::int64_t before = d == 0 ? warp_items : warp_items * slicing_.output[0].threads / inner[0];
    const std::string low = part("item", d == 0 ? 1 : inner[0], inner[d], slicing_.threads());
    const std::string high = part("item", before, outer, slicing_.threads());
    return "(" + low + " + " + times(high, inner[d]) + ")";
  }

  // i_0: where the group's tile begins; i_t: where in it the work-item's first point lies.
  [[nodiscard]] Block tile_beginnings() const {
    Block lines;
    if (slicing_.threads() > 1 || !slicing_.stages.empty()) lines += Declare("const int32", "item", "LOCAL_ID(0)");
    if (slicing_.groups() > 1) lines += Declare("const int32", "group", "GROUP_ID(0)");
    std::int64_t before = 1;
    for (std::size_t d = 0; d < slicing_.output.size(); ++d) {
      const OutputSlice& slice = slicing_.output[d];
      const std::string t =
          slicing_.fold != 0 && d < 2 ? folded(d) : part("item", before, slice.threads, slicing_.threads());
      before *= slice.threads;
      lines += Declare("const int32", slice.name + "_t", times(t, slice.thread_step()));
    }
    before = 1;
    for (std::size_t i = 0; i < slicing_.output.size(); ++i) {
      const OutputSlice& slice = slicing_.output[slicing_.reversed ? slicing_.output.size() - 1 - i : i];
      const std::string tile = times(part("group", before, slice.tiles(), slicing_.groups()), slice.tile(), index_);
      before *= slice.tiles();
      const std::string last = std::to_string(slice.extent - slice.tile());
      const bool fills = slice.extent % slice.tile() == 0;
      lines += Declare("const " + index_, slice.name + "_0",
                       fills ? tile : "min(" + tile + ", (" + index_ + ")" + last + ")");
    }
    return lines;
  }

  // Every access that the kernel reads from device memory, and the target: the work-item's own first point.
  [[nodiscard]] Block bases() {
    Block lines;
    for (std::size_t i = 0; i < nest_.assignment.accesses.size(); ++i) {
      sources_.push_back(source_of(i));
      lines += Declare("const " + (sources_[i].is_staged ? std::string("int32") : index_), sources_[i].base,
                       base_of(sources_[i]));
    }
    target_ = direct_source(nest_.assignment.target, "to");
    lines += Declare("const " + index_, target_.base, base_of(target_));
    return lines;
  }

  [[nodiscard]] std::string base_of(const Source& source) const {
    std::string text;
    for (const OutputSlice& slice : slicing_.output) {
      const std::int64_t step = source.steps.of(slice.name);
      if (step == 0) continue;
      const std::string place = source.is_staged ? slice.name + "_t" : "(" + slice.name + "_0 + " + slice.name + "_t)";
      text += (text.empty() ? "" : " + ") + times(place, step);
    }
    return text.empty() ? "0" : text;
  }

  [[nodiscard]] Source source_of(std::size_t access) const {
    const std::string name = "from_" + std::to_string(access);
    if (!slicing_.stage_of[access]) return direct_source(nest_.assignment.accesses[access], name);
    const Stage& stage = slicing_.stages[*slicing_.stage_of[access]];
    Source source{.memory = stages_.memory(*slicing_.stage_of[access]),
                  .base = name,
                  .is_staged = true,
                  .stage = *slicing_.stage_of[access]};
    for (std::size_t axis = 0; axis < stage.axes.size(); ++axis) {
      Affine within = nest_.assignment.accesses[access].index[axis];
      within.constant -= stage.axes[axis].constant;
      source.steps.add(within, stage.strides[axis]);
    }
    complete(source);
    return source;
  }

  [[nodiscard]] Source direct_source(const ArrayAccess& access, const std::string& name) const {
    Source source{.memory = access.array, .base = name, .steps = nest_.offset(access)};
    complete(source);
    return source;
  }

  // What it depends on, and along which dimension chunks of it lie side by side, well aligned.
  void complete(Source& source) const {
    for (std::size_t d = 0; d < slicing_.output.size(); ++d) {
      const OutputSlice& slice = slicing_.output[d];
      if (source.steps.of(slice.name) != 0) source.uses.push_back(d);
      if (source.steps.of(slice.name) != 1 || slice.chunk == 1) continue;
      const auto is_multiple = [&](const auto& step) {
        return step.first == slice.name || step.second % slice.chunk == 0;
      };
      const bool aligned = source.steps.constant % slice.chunk == 0 &&
                           std::ranges::all_of(source.steps.coefficients, is_multiple) &&
                           (source.is_staged || slice.begins_at_multiples_of(slice.chunk));
      if (!aligned) continue;
      source.wide = d;
      source.width = slice.chunk;
    }
  }

  // The variable that holds what an access reads at a point: v3_0_1.
  [[nodiscard]] std::string variable(std::size_t access, const Point& point) const {
    std::string name = "v" + std::to_string(access);
    for (const std::size_t d : sources_[access].uses) name += "_" + std::to_string(point[d]);
    return name;
  }

  // Place of a point in a source: its base, the point, and where the sum stands.
  [[nodiscard]] std::string place(const Source& source, const Point& point) const {
    std::int64_t offset = source.steps.constant;
    for (const std::size_t d : source.uses) {
      offset += source.steps.of(slicing_.output[d].name) * slicing_.output[d].point(point[d]);
    }
    std::string text = source.is_staged ? stages_.now(source.stage) + source.base : source.base;
    if (offset != 0) text += " + " + std::to_string(offset);
    for (const ReductionSlice& slice : slicing_.reduction) {
      const std::int64_t step = source.steps.of(slice.name);
      if (step == 0) continue;
      text += " + " + (source.is_staged ? times(slice.name + "_in", step) : times(slice.name, step));
    }
    return text;
  }

  // Reads what `term` needs for all points, each once.
  [[nodiscard]] Block reads(const LoopTerm& term) const {
    Block lines;
    for (const std::size_t access : Assignment::accesses_of(term)) {
      const Source& source = sources_[access];
      Point extents(slicing_.output.size(), 1);
      for (const std::size_t d : source.uses) extents[d] = slicing_.output[d].registers;
      for_each_point(extents, [&](const Point& point) { read(lines, access, point); });
    }
    return lines;
  }

  void read(Block& lines, std::size_t access, const Point& point) const {
    const Source& source = sources_[access];
    const std::string name = variable(access, point);
    const std::string at = place(source, point);
    const std::string const_value = "const " + value_type();
    if (slicing_.lanes() > 1) {
      const bool is_vector = source.steps.of(slicing_.output.front().name) == 1;
      const std::string load = "vload" + std::to_string(slicing_.lanes()) + "(0, " + source.memory + " + " + at + ")";
      lines += Declare(const_value, name, is_vector ? load : "(lanes)(" + source.memory + "[" + at + "])");
    } else if (source.width == 1) {
      lines += Declare(const_value, name, source.memory + "[" + at + "]");
    } else if (point[source.wide] % source.width == 0) {
      const std::string type = wide_type(nest_.dtype, source.width);
      const std::string address = "&" + source.memory + "[" + at + "]";
      lines += Declare("const " + type, name + "w",
                       source.is_staged ? "SHARED_AT(const " + type + ", " + address + ")"
                                        : "*(GLOBAL const " + type + "*)" + address);
      Point each = point;
      for (std::int64_t c = 0; c < source.width; ++c, ++each[source.wide]) {
        lines += Declare(const_value, variable(access, each), name + "w." + "xyzw"[c]);
      }
    }
  }

  [[nodiscard]] std::string accumulator(const Point& point) const {
    std::string name = "sum";
    for (const std::int64_t r : point) name += "_" + std::to_string(r);
    return name;
  }

  [[nodiscard]] Point registers() const {
    Point extents;
    for (const OutputSlice& slice : slicing_.output) extents.push_back(slice.registers);
    return extents;
  }

  [[nodiscard]] std::string text_of(const LoopTerm& term, const Point& point) const {
    const auto child = [&](std::size_t i) { return text_of(term.children[i], point); };
    const std::string cast = slicing_.lanes() > 1 ? "(lanes)" : "";
    switch (term.kind) {
      case LoopTerm::Kind::number: return cast + "(" + literal(term.number, nest_.dtype) + ")";
      case LoopTerm::Kind::scalar: return cast + "(" + term.name + ")";
      case LoopTerm::Kind::access: return variable(term.access, point);
      case LoopTerm::Kind::negation: return "(-" + child(0) + ")";
      case LoopTerm::Kind::binary: return "(" + child(0) + " " + term.name + " " + child(1) + ")";
      case LoopTerm::Kind::sum: return accumulator(point);
      case LoopTerm::Kind::call: break;
    }
    std::string text(find_loop_function(term.name)->in_c);
    text += "(" + child(0);
    if (term.children.size() > 1) text += ", " + child(1);
    return text + ")";
  }

  // sum += term, each product by itself as one fused operation.
  void accumulate(Block& lines, const LoopTerm& term, const Point& point, bool negative) const {
    if (term.kind == LoopTerm::Kind::binary && (term.name == "+" || term.name == "-")) {
      accumulate(lines, term.children[0], point, negative);
      accumulate(lines, term.children[1], point, negative != (term.name == "-"));
      return;
    }
    const std::string sum = accumulator(point);
    if (term.kind != LoopTerm::Kind::binary || term.name != "*") {
      lines += Assign(sum, text_of(term, point), negative ? "-=" : "+=");
      return;
    }
    const std::string first = (negative ? "-" : "") + text_of(term.children[0], point);
    lines += Assign(sum, "fma(" + first + ", " + text_of(term.children[1], point) + ", " + sum + ")");
  }

  // Does the sum read device memory at places that depend on this dimension?
  [[nodiscard]] bool is_read_directly(const std::string& dimension) const {
    return std::ranges::any_of(
        sources_, [&](const Source& source) { return !source.is_staged && source.steps.of(dimension) != 0; });
  }

  [[nodiscard]] Block one_tile() const {
    Block inner = reads(nest_.assignment.summand());
    for_each_point(registers(),
                   [&](const Point& point) { accumulate(inner, nest_.assignment.summand(), point, false); });
    for (auto slice = slicing_.reduction.rbegin(); slice != slicing_.reduction.rend(); ++slice) {
      Block body;
      if (is_read_directly(slice->name)) {
        body += Declare("const " + index_, slice->name, slice->name + "_0 + " + slice->name + "_in");
      }
      body += inner;
      inner = {For(slice->name + "_in", "0", std::to_string(slice->tile), body, For::Unrolling::full)};
    }
    return inner;
  }

  [[nodiscard]] Block accumulation() const {
    Block lines;
    for_each_point(registers(), [&](const Point& point) {
      lines += Declare(value_type(), accumulator(point), "(" + value_type() + ")(0)");
    });
    const std::string steps = std::to_string(slicing_.steps());
    Block body;
    if (slicing_.prefetch) {
      lines += Scope(stages_.first_tile());
      const auto is_needed = [this](const ReductionSlice& slice) { return is_read_directly(slice.name); };
      Block compute;
      if (std::ranges::any_of(slicing_.reduction, is_needed)) compute += stages_.step_beginnings("step");
      compute += one_tile();
      body += stages_.step(compute, steps);
    } else {
      body += stages_.step_beginnings("step");
      if (!slicing_.stages.empty()) body += stages_.load_and_store();
      body += one_tile();
      if (!slicing_.stages.empty() && slicing_.steps() > 1) body += Line("BARRIER();");
    }
    lines += For("step", "0", steps, body);
    return lines;
  }

  [[nodiscard]] Block results() const {
    Block lines;
    if (!nest_.assignment.has_sum() && !slicing_.stages.empty()) lines += stages_.load_and_store();
    lines += reads(nest_.assignment.value);
    for_each_point(registers(), [&](const Point& point) { write(lines, point); });
    return lines;
  }

  void write(Block& lines, const Point& point) const {
    const std::string result = text_of(nest_.assignment.value, point);
    const std::string at = place(target_, point);
    if (slicing_.lanes() > 1) {
      lines += Line("vstore" + std::to_string(slicing_.lanes()) + "(" + result + ", 0, " + target_.memory + " + " + at +
                    ");");
    } else if (target_.width == 1) {
      lines += Assign(target_.memory + "[" + at + "]", result);
    } else if (point[target_.wide] % target_.width == 0) {
      const std::string type = wide_type(nest_.dtype, target_.width);
      Block inner{Declare(type, "w")};
      Point each = point;
      for (std::int64_t c = 0; c < target_.width; ++c, ++each[target_.wide]) {
        inner += Assign(std::string("w.") + "xyzw"[c], text_of(nest_.assignment.value, each));
      }
      inner += Assign("*(GLOBAL " + type + "*)&" + target_.memory + "[" + at + "]", "w");
      lines += Scope(inner);
    }
  }

  const LoopNest& nest_;
  const Slicing& slicing_;
  std::string index_;
  StageGenerator stages_;
  std::vector<Source> sources_;
  Source target_;
};

}  // namespace

std::string generate_loop(const LoopNest& nest, const Slicing& slicing) {
  return Generator(nest, slicing).run();
}

}  // namespace maxwell_dg::rtcg
