#include "dg/operator/kernel_generator.hpp"

#include <algorithm>
#include <map>

#include "dg/kernels/kernel_texts.hpp"
#include "dg/symbolic/code_printer.hpp"
#include "dg/symbolic/program.hpp"
#include "rtcg/source/substitute.hpp"
#include "rtcg/source/syntax.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;
using namespace rtcg::syntax;

namespace {

std::string number(int i) {
  return std::to_string(i);
}

std::string name_of(const Symbol& s);

void append(Block& block, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) block += Line(line);
}

/// As it stands in the place of a `${name}`: without the last line's end.
std::string text_of(const Block& block) {
  std::string text = rtcg::syntax::print(block);
  if (!text.empty()) text.pop_back();
  return text;
}

Declare declare_value(const Symbol& symbol, const std::string& value) {
  return {"const value", name_of(symbol), value};
}

/// What kernels call a symbol: q0_m, c2_p, nx, rx, dr0, x, t.
std::string name_of(const Symbol& s) {
  static const char* const axes[] = {"x", "y", "z"};
  static const char* const reference_axes[] = {"r", "s", "t"};
  const std::string side = s.side == Side::outside ? "_p" : "_m";
  switch (s.kind) {
    case Kind::field: return "q" + number(s.index) + side;
    case Kind::parameter: return "c" + number(s.index) + side;
    case Kind::normal: return std::string("n") + axes[s.index];
    case Kind::coordinate: return axes[s.index];
    case Kind::time: return "t";
    case Kind::reference_derivative: return std::string("d") + reference_axes[s.axis] + number(s.index);
    case Kind::metric: return std::string(reference_axes[s.index / 3]) + axes[s.index % 3];
    case Kind::derivative: break;
  }
  throw std::logic_error("name_of: a physical derivative must be lowered before code is made of it");
}

int round_up(int n, int multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

/// Position of a number in a sorted list of fields or constants.
int place_in(const std::vector<int>& list, int index) {
  return static_cast<int>(std::lower_bound(list.begin(), list.end(), index) - list.begin());
}

}  // namespace

KernelGenerator::KernelGenerator(const LoweredSystem& lowered, Options options)
    : lowered_(lowered),
      options_(std::move(options)),
      Np_((options_.N + 1) * (options_.N + 2) * (options_.N + 3) / 6),
      Nfp_((options_.N + 1) * (options_.N + 2) / 2),
      fields_(static_cast<int>(lowered.volume.size())) {
  const Schedule& schedule = options_.schedule;
  if (nodes_in_parallel()) {
    if (schedule.lanes != 1)
      throw std::invalid_argument("schedule " + schedule.name() + ": nodes_in_parallel needs lanes = 1");
    blocks_per_group_ = schedule.elements_per_group;
    group_items_ = std::min(round_up(blocks_per_group_ * Np_, 32), 1024);
    update_items_ = 256;
    update_chunk_ = 4;
  } else {
    update_chunk_ = fields_ * round_up(Np_, schedule.node_padding);  // one block
  }
}

bool KernelGenerator::nodes_in_parallel() const {
  return options_.schedule.slicing == Schedule::Slicing::nodes_in_parallel;
}

std::string KernelGenerator::prologue() const {
  const Schedule& schedule = options_.schedule;
  const std::string real = options_.precision == Dtype::float32 ? "float" : "double";
  const std::string lanes = number(schedule.lanes);
  Block text;
  text += Line("typedef " + real + " real;");
  text +=
      Line("typedef " + real + (schedule.lanes == 1 ? "" : lanes) + " value;  // a real for each of LANES elements");
  const std::pair<const char*, int> sizes[] = {
      {"NP", Np_},
      {"NP_PADDED", round_up(Np_, schedule.node_padding)},
      {"NFP", Nfp_},
      {"NFIELDS", fields_},
      {"CONSTANTS", static_cast<int>(lowered_.constants.size())},
      {"LANES", schedule.lanes},
      {"OUTSIDE_FIELDS", std::max(1, static_cast<int>(lowered_.outside_fields.size()))},
      {"OUTSIDE_CONSTANTS", std::max(1, static_cast<int>(lowered_.outside_constants.size()))},
      {"ENERGIES", std::max(1, static_cast<int>(lowered_.weights.size()))},
      {"ELEMENTS", blocks_per_group_},
      {"GROUP_ITEMS", group_items_},
      {"UPDATE_ITEMS", update_items_},
      {"UPDATE_CHUNK", update_chunk_},
      {"FACE_NODES", nodes_in_parallel() ? 1 : Nfp_}};
  for (const auto& [name, size] : sizes) text += Line(std::string("#define ") + name + " " + number(size));
  text += Line("#define STATE(k, f, n) (((int64)(k) * NFIELDS + (f)) * NP_PADDED + (n))");
  text += Line(std::string("#define BOUNDARY_NODE(b, i) ") +
               (lowered_.boundaries_move ? "((int64)(b) * 3 * NFP + (i))" : "0"));
  return rtcg::syntax::print(text) + "\n" +
         (nodes_in_parallel() ? std::string(kernels::nodes_in_parallel)
                              : rtcg::substitute(kernels::lanes_in_vectors, {{"lanes", lanes}}));
}

rtcg::KernelSource KernelGenerator::source(const std::string& kernel, const std::string& body) const {
  return {.name = kernel + "_" + options_.system + "_N" + number(options_.N) + "_" +
                  std::string(maxwell_dg::name_of(options_.precision)) + "_" + options_.schedule.name() + ".kernel",
          .text = prologue() + "\n" + body};
}

Block KernelGenerator::load_symbols(std::span<const Symbol> symbols) const {
  Block block;
  for (const Symbol& s : symbols) {
    const std::string i = number(s.index);
    if (s.kind == Kind::parameter && s.side == Side::inside) {
      block += declare_value(s, "constants[k * CONSTANTS + " + i + "]");
    }
    if (s.kind == Kind::metric) block += declare_value(s, "metric[k * 9 + " + i + "]");
  }
  return block;
}

PrintedCode KernelGenerator::print_values(const Program& program) const {
  return symbolic::print(program, {.dtype = options_.precision,
                                   .type = "value",
                                   .vectors = options_.schedule.lanes > 1,
                                   .prefix = "v",
                                   .name_of = name_of});
}

rtcg::KernelSource KernelGenerator::volume() const {
  Block declare, accumulate;
  for (int f : lowered_.differentiated) {
    const std::string i = number(f);
    accumulate += Declare("const value", "q" + i, "FIELD(e, k, " + i + ", m)");
    for (const std::string axis : {"r", "s", "t"}) {
      declare += Declare("value", "d" + axis + i, "0");
      accumulate += Assign("d" + axis + i, "D" + axis + " * q" + i, "+=");
    }
  }
  const Program program(lowered_.volume);
  const std::vector<Symbol> symbols = program.symbols();
  Block equations = load_symbols(symbols);
  for (const Symbol& s : symbols) {
    if (s.kind == Kind::field) equations += declare_value(s, "FIELD(e, k, " + number(s.index) + ", n)");
  }
  const PrintedCode code = print_values(program);
  append(equations, code.lines);
  for (int f = 0; f < fields_; ++f) {
    equations += Assign("RHS[STATE(k, " + number(f) + ", n)]", code.results[static_cast<std::size_t>(f)]);
  }
  return source("volume", rtcg::substitute(kernels::volume, {{"declare_derivatives", text_of(declare)},
                                                             {"accumulate_derivatives", text_of(accumulate)},
                                                             {"equations", text_of(equations)}}));
}

std::string KernelGenerator::outside_state() const {
  // Positions and times are large numbers of which phases are made: in double also where the fields are single.
  const bool wide = lowered_.boundaries_move;
  Block body;
  const char* const axes[] = {"x", "y", "z"};
  for (int axis = 0; axis < 3; ++axis) {
    const std::string at = number(axis);
    body += Declare("const boundary_real", std::string("n") + axes[axis], "n[" + at + " * LANES]");
    if (wide) body += Declare("const boundary_real", axes[axis], "x_of_node[" + at + " * NFP]");
  }
  for (std::size_t b = 0; b < lowered_.outside.size(); ++b) {
    std::vector<Expr> wanted;
    for (int f : lowered_.outside_fields) wanted.push_back(lowered_.outside[b][static_cast<std::size_t>(f)]);
    const Program program(wanted);
    Block condition;
    for (const Symbol& s : program.symbols()) {
      const std::string i = number(s.index);
      if (s.kind == Kind::field)
        condition += Declare("const boundary_real", name_of(s), "q[" + i + " * NP_PADDED * LANES]");
      if (s.kind == Kind::parameter) condition += Declare("const boundary_real", name_of(s), "c[" + i + " * LANES]");
    }
    const PrintedCode code = symbolic::print(program, {.dtype = wide ? Dtype::float64 : options_.precision,
                                                       .type = "boundary_real",
                                                       .prefix = "b",
                                                       .name_of = name_of});
    append(condition, code.lines);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      condition += Assign("q_p[" + std::to_string(i) + "]", code.results[i]);
    }
    body += If("kind == " + std::to_string(b), condition);
  }
  Block text;
  text += Line(std::string("typedef ") + (wide ? "float64" : "real") + " boundary_real;");
  text += Comment("The outside trace at one node of a boundary face, by the condition that holds there.");
  text += rtcg::syntax::Function(
      "DEVICE_FUNCTION void outside_state(const int32 kind, GLOBAL const real* q, GLOBAL const real* c,\n"
      "                                   GLOBAL const real* n, GLOBAL const float64* x_of_node, const float64 t,\n"
      "                                   boundary_real* q_p)",
      body);
  return text_of(text);
}

rtcg::KernelSource KernelGenerator::surface() const {
  Block gather_traces, gather_materials, boundary_traces, boundary_materials;
  for (std::size_t i = 0; i < lowered_.outside_fields.size(); ++i) {
    const std::string trace = "trace[" + std::to_string(i) + "][c][lane]";
    gather_traces += Assign(trace, "q_of_lane[place + " + number(lowered_.outside_fields[i]) + " * NP_PADDED * LANES]");
    boundary_traces += Assign(trace, "(real)q_outside[" + std::to_string(i) + "]");
  }
  for (std::size_t i = 0; i < lowered_.outside_constants.size(); ++i) {
    const std::string material = "material[" + std::to_string(i) + "][lane]";
    const std::string offset = " + " + number(lowered_.outside_constants[i]) + " * LANES]";
    gather_materials += Assign(material, "constants_of_lane[c_p" + offset);
    boundary_materials += Assign(material, "constants_of_lane[c_m" + offset);
  }

  const Program program(lowered_.flux);
  const std::vector<Symbol> symbols = program.symbols();
  Block materials = load_symbols(symbols);
  Block fluxes;
  for (const Symbol& s : symbols) {
    if (s.kind == Kind::field && s.side == Side::inside) {
      fluxes += declare_value(s, "Q[STATE(k, " + number(s.index) + ", node_m)]");
    } else if (s.kind == Kind::field) {
      fluxes += declare_value(s, "LOAD_LANES(trace[" + number(place_in(lowered_.outside_fields, s.index)) + "][c])");
    } else if (s.kind == Kind::parameter && s.side == Side::outside) {
      materials +=
          declare_value(s, "LOAD_LANES(material[" + number(place_in(lowered_.outside_constants, s.index)) + "])");
    }
  }
  const PrintedCode code = print_values(program);
  append(fluxes, code.lines);
  Block declare, accumulate, add;
  for (int f = 0; f < fields_; ++f) {
    const std::string i = number(f);
    const std::string flux = "flux[(e * NFIELDS + " + i + ") * 4 * NFP + j]";
    fluxes += Assign(flux, "Fscale * " + code.results[static_cast<std::size_t>(f)]);
    declare += Declare("value", "lifted" + i, "0");
    accumulate += Assign("lifted" + i, "lift * " + flux, "+=");
    add += Assign("RHS[STATE(k, " + i + ", n)]", "lifted" + i, "+=");
  }
  return source("surface", rtcg::substitute(kernels::surface, {{"outside_state", outside_state()},
                                                               {"gather_traces", text_of(gather_traces)},
                                                               {"gather_materials", text_of(gather_materials)},
                                                               {"boundary_traces", text_of(boundary_traces)},
                                                               {"boundary_materials", text_of(boundary_materials)},
                                                               {"load_materials", text_of(materials)},
                                                               {"fluxes", text_of(fluxes)},
                                                               {"declare_lifted", text_of(declare)},
                                                               {"accumulate_lifted", text_of(accumulate)},
                                                               {"add_lifted", text_of(add)}}));
}

rtcg::KernelSource KernelGenerator::update() const {
  return source("update", std::string(kernels::update));
}

rtcg::KernelSource KernelGenerator::sample() const {
  return source("sample", std::string(kernels::sample));
}

rtcg::KernelSource KernelGenerator::energy() const {
  std::vector<Expr> parts;
  for (const auto& weights : lowered_.weights) {
    Expr& sum = parts.emplace_back(0.0);
    for (int f = 0; f < fields_; ++f) {
      sum = sum + weights[static_cast<std::size_t>(f)] * Expr(Symbol{.kind = Kind::field, .index = f});
    }
  }
  const Program program(parts);
  Block declare, accumulate;
  Block densities = load_symbols(program.symbols());
  for (int f = 0; f < fields_; ++f) {  // what the weights multiply: q_f (M q_f)
    const std::string i = number(f);
    declare += Declare("value", "Mq" + i, "0");
    accumulate += Assign("Mq" + i, "mass * FIELD(e, k, " + i + ", m)", "+=");
    densities += Declare("const value", "q" + i + "_m", "FIELD(e, k, " + i + ", n) * Mq" + i);
  }
  const PrintedCode code = print_values(program);
  append(densities, code.lines);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    densities += Assign("sums[" + std::to_string(p) + " * GROUP_ITEMS + LOCAL_ID(0)]",
                        "LANE_SUM(J * " + code.results[p] + ")", "+=");
  }
  return source("energy", rtcg::substitute(kernels::energy, {{"declare_products", text_of(declare)},
                                                             {"accumulate_products", text_of(accumulate)},
                                                             {"densities", text_of(densities)}}));
}

rtcg::KernelSource nodal_values_kernel(std::span<const Expr> values, int N) {
  const Program program(values);
  const PrintedCode code =
      symbolic::print(program, {.dtype = Dtype::float64, .type = "float64", .prefix = "v", .name_of = name_of});
  Block assignments;
  append(assignments, code.lines);
  const std::string count = std::to_string(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    assignments += Assign("values[(k * " + count + " + " + std::to_string(i) + ") * NP + n]", code.results[i]);
  }
  const int Np = (N + 1) * (N + 2) * (N + 3) / 6;
  return {.name = "nodal_values_N" + number(N) + ".kernel",
          .text = "#define NP " + number(Np) + "\n\n" +
                  rtcg::substitute(kernels::nodal_values, {{"assignments", text_of(assignments)}})};
}

}  // namespace maxwell_dg::dg
