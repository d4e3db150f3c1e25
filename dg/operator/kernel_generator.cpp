#include "dg/operator/kernel_generator.hpp"

#include <algorithm>
#include <map>

#include "dg/kernels/kernel_texts.hpp"
#include "dg/symbolic/code_printer.hpp"
#include "dg/symbolic/program.hpp"
#include "rtcg/source/substitute.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;

namespace {

std::string number(int i) { return std::to_string(i); }

/// Lines of kernel text, one call a line.
class Lines {
 public:
  Lines& operator()(const std::string& line) {
    if (!text_.empty()) text_ += "\n";
    text_ += line;
    return *this;
  }
  Lines& operator()(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) (*this)(line);
    return *this;
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

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

int round_up(int n, int multiple) { return (n + multiple - 1) / multiple * multiple; }

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
    if (schedule.lanes != 1) throw std::invalid_argument("schedule " + schedule.name() + ": nodes_in_parallel needs lanes = 1");
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
  const std::string L = number(schedule.lanes);
  Lines text;
  text("typedef " + real + " real;");
  text("typedef " + real + (schedule.lanes == 1 ? "" : L) + " value;  // one real for each of LANES elements");
  const std::pair<const char*, int> sizes[] = {
      {"NP", Np_}, {"NP_PADDED", round_up(Np_, schedule.node_padding)}, {"NFP", Nfp_}, {"NFIELDS", fields_},
      {"CONSTANTS", static_cast<int>(lowered_.constants.size())}, {"LANES", schedule.lanes},
      {"OUTSIDE_FIELDS", std::max(1, static_cast<int>(lowered_.outside_fields.size()))},
      {"OUTSIDE_CONSTANTS", std::max(1, static_cast<int>(lowered_.outside_constants.size()))},
      {"ENERGIES", static_cast<int>(lowered_.weights.size())}, {"ELEMENTS", blocks_per_group_},
      {"GROUP_ITEMS", group_items_}, {"UPDATE_ITEMS", update_items_}, {"UPDATE_CHUNK", update_chunk_},
      {"FACE_NODES", nodes_in_parallel() ? 1 : Nfp_}};
  for (const auto& [name, size] : sizes) text(std::string("#define ") + name + " " + number(size));
  text(std::string("#define BOUNDARY_NODE(b, i) ") + (lowered_.boundaries_move ? "((int64)(b) * 3 * NFP + (i))" : "0"));
  text("#define STATE(k, f, n) (((int64)(k) * NFIELDS + (f)) * NP_PADDED + (n))");
  if (schedule.lanes == 1) {
    text("#define LOAD_LANES(x) (x)[0]")("#define LANE_SUM(x) (x)");
  } else {
    text("#define LOAD_LANES(x) vload" + L + "(0, x)");
    text("DEVICE_FUNCTION float64 lane_sum(const value x) {")("  real lanes[LANES];")("  vstore" + L + "(x, 0, lanes);");
    text("  float64 sum = 0;")("  for (int32 lane = 0; lane < LANES; ++lane) sum += lanes[lane];")("  return sum;")("}");
    text("#define LANE_SUM(x) lane_sum(x)");
  }
  if (nodes_in_parallel()) {
    text("#define OPERATOR_D(d, n, m) (((m) * 3 + (d)) * NP + (n))")("#define OPERATOR_LIFT(n, j) ((j) * NP + (n))");
    text("#define STAGE_BARRIER() BARRIER()")("#define FIELD(e, k, f, n) staged[((e) * NFIELDS + (f)) * NP + (n)]");
    text("#define STAGE_FIELDS(Q) \\")("  SHARED value staged[ELEMENTS * NFIELDS * NP]; \\");
    text("  for (int32 i = LOCAL_ID(0); i < present * NFIELDS * NP; i += GROUP_ITEMS) { \\");
    text("    staged[i] = Q[STATE(first + i / (NFIELDS * NP), i / NP % NFIELDS, i % NP)]; \\")("  } \\")("  BARRIER();");
  } else {
    text("#define OPERATOR_D(d, n, m) (((n) * NP + (m)) * 3 + (d))")("#define OPERATOR_LIFT(n, j) ((n) * 4 * NFP + (j))");
    text("#define STAGE_BARRIER()")("#define FIELD(e, k, f, n) Q[STATE(k, f, n)]")("#define STAGE_FIELDS(Q)");
  }
  return text.text();
}

rtcg::KernelSource KernelGenerator::source(const std::string& kernel, const std::string& body) const {
  return {.name = kernel + "_" + options_.system + "_N" + number(options_.N) + "_" +
                  std::string(maxwell_dg::name_of(options_.precision)) + "_" + options_.schedule.name() + ".kernel",
          .text = prologue() + "\n\n" + body};
}

std::string KernelGenerator::load_symbols(std::span<const Symbol> symbols) const {
  Lines text;
  for (const Symbol& s : symbols) {
    const std::string declaration = "const value " + name_of(s) + " = ";
    const std::string i = number(s.index);
    if (s.kind == Kind::parameter && s.side == Side::inside) text(declaration + "constants[k * CONSTANTS + " + i + "];");
    if (s.kind == Kind::metric) text(declaration + "metric[k * 9 + " + i + "];");
  }
  return text.text();
}

PrintedCode KernelGenerator::print_values(const Program& program) const {
  return print(program, {.dtype = options_.precision,
                         .type = "value",
                         .vectors = options_.schedule.lanes > 1,
                         .prefix = "v",
                         .name_of = name_of});
}

rtcg::KernelSource KernelGenerator::volume() const {
  Lines declare, accumulate, equations;
  for (int f : lowered_.differentiated) {
    const std::string i = number(f);
    declare("value dr" + i + " = 0, ds" + i + " = 0, dt" + i + " = 0;");
    accumulate("const value q" + i + " = FIELD(e, k, " + i + ", m);");
    for (const char* axis : {"r", "s", "t"}) accumulate(std::string("d") + axis + i + " += D" + axis + " * q" + i + ";");
  }
  const Program program(lowered_.volume);
  const std::vector<Symbol> symbols = program.symbols();
  equations(load_symbols(symbols));
  for (const Symbol& s : symbols) {
    if (s.kind == Kind::field) {
      equations("const value " + name_of(s) + " = FIELD(e, k, " + number(s.index) + ", n);");
    }
  }
  const PrintedCode code = print_values(program);
  equations(code.lines);
  for (int f = 0; f < fields_; ++f) {
    equations("RHS[STATE(k, " + number(f) + ", n)] = " + code.results[static_cast<std::size_t>(f)] + ";");
  }
  return source("volume", rtcg::substitute(kernels::volume, {{"declare_derivatives", declare.text()},
                                                             {"accumulate_derivatives", accumulate.text()},
                                                             {"equations", equations.text()}}));
}

std::string KernelGenerator::outside_state() const {
  // Positions and times are large numbers of which phases are made: in double also where the fields are single.
  const bool wide = lowered_.boundaries_move;
  Lines text;
  text(std::string("typedef ") + (wide ? "float64" : "real") + " boundary_real;");
  text("// The outside trace at one node of a boundary face, by the condition that holds there.");
  text("DEVICE_FUNCTION void outside_state(const int32 kind, GLOBAL const real* q, GLOBAL const real* c,");
  text("                                   GLOBAL const real* n, GLOBAL const float64* x_of_node, const float64 t,");
  text("                                   boundary_real* q_p) {");
  text("  const boundary_real nx = n[0], ny = n[LANES], nz = n[2 * LANES];");
  if (wide) text("  const boundary_real x = x_of_node[0], y = x_of_node[NFP], z = x_of_node[2 * NFP];");
  text("  switch (kind) {");
  for (std::size_t b = 0; b < lowered_.outside.size(); ++b) {
    text("    case " + std::to_string(b) + ": {");
    std::vector<Expr> wanted;
    for (int f : lowered_.outside_fields) wanted.push_back(lowered_.outside[b][static_cast<std::size_t>(f)]);
    const Program program(wanted);
    for (const Symbol& s : program.symbols()) {
      const std::string declaration = "      const boundary_real " + name_of(s) + " = ";
      if (s.kind == Kind::field) text(declaration + "q[" + number(s.index) + " * NP_PADDED * LANES];");
      if (s.kind == Kind::parameter) text(declaration + "c[" + number(s.index) + " * LANES];");
    }
    const PrintedCode code = print(program, {.dtype = wide ? Dtype::float64 : options_.precision,
                                             .type = "boundary_real", .prefix = "b", .name_of = name_of});
    for (const std::string& line : code.lines) text("      " + line);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      text("      q_p[" + std::to_string(i) + "] = " + code.results[i] + ";");
    }
    text("      break;")("    }");
  }
  text("    default: break;")("  }")("}");
  return text.text();
}

rtcg::KernelSource KernelGenerator::surface() const {
  Lines gather_traces, gather_materials, boundary_traces, boundary_materials;
  for (std::size_t i = 0; i < lowered_.outside_fields.size(); ++i) {
    const std::string place = "trace[" + std::to_string(i) + "][c][lane] = ";
    gather_traces(place + "q_of_lane[place + " + number(lowered_.outside_fields[i]) + " * NP_PADDED * LANES];");
    boundary_traces(place + "(real)q_outside[" + std::to_string(i) + "];");
  }
  for (std::size_t i = 0; i < lowered_.outside_constants.size(); ++i) {
    const std::string place = "material[" + std::to_string(i) + "][lane] = constants_of_lane[";
    const std::string offset = " + " + number(lowered_.outside_constants[i]) + " * LANES];";
    gather_materials(place + "c_p" + offset);
    boundary_materials(place + "c_m" + offset);
  }

  Lines materials, fluxes, declare, accumulate, add;
  const Program program(lowered_.flux);
  const std::vector<Symbol> symbols = program.symbols();
  materials(load_symbols(symbols));
  for (const Symbol& s : symbols) {
    const std::string declaration = "const value " + name_of(s) + " = ";
    if (s.kind == Kind::field && s.side == Side::inside) {
      fluxes(declaration + "Q[STATE(k, " + number(s.index) + ", node_m)];");
    } else if (s.kind == Kind::field) {
      fluxes(declaration + "LOAD_LANES(trace[" + number(place_in(lowered_.outside_fields, s.index)) + "][c]);");
    } else if (s.kind == Kind::parameter && s.side == Side::outside) {
      materials(declaration + "LOAD_LANES(material[" + number(place_in(lowered_.outside_constants, s.index)) + "]);");
    }
  }
  const PrintedCode code = print_values(program);
  fluxes(code.lines);
  for (int f = 0; f < fields_; ++f) {
    const std::string i = number(f);
    fluxes("flux[(e * NFIELDS + " + i + ") * 4 * NFP + j] = Fscale * " + code.results[static_cast<std::size_t>(f)] + ";");
    declare("value lifted" + i + " = 0;");
    accumulate("lifted" + i + " += lift * flux[(e * NFIELDS + " + i + ") * 4 * NFP + j];");
    add("RHS[STATE(k, " + i + ", n)] += lifted" + i + ";");
  }
  return source("surface", rtcg::substitute(kernels::surface, {{"outside_state", outside_state()},
                                                               {"gather_traces", gather_traces.text()},
                                                               {"gather_materials", gather_materials.text()},
                                                               {"boundary_traces", boundary_traces.text()},
                                                               {"boundary_materials", boundary_materials.text()},
                                                               {"load_materials", materials.text()},
                                                               {"fluxes", fluxes.text()},
                                                               {"declare_lifted", declare.text()},
                                                               {"accumulate_lifted", accumulate.text()},
                                                               {"add_lifted", add.text()}}));
}

rtcg::KernelSource KernelGenerator::update() const { return source("update", std::string(kernels::update)); }

rtcg::KernelSource KernelGenerator::sample() const { return source("sample", std::string(kernels::sample)); }

rtcg::KernelSource KernelGenerator::energy() const {
  Lines declare, accumulate, densities;
  std::vector<Expr> parts;
  for (const auto& weights : lowered_.weights) {
    Expr& sum = parts.emplace_back(0.0);
    for (int f = 0; f < fields_; ++f) {
      sum = sum + weights[static_cast<std::size_t>(f)] * Expr(Symbol{.kind = Kind::field, .index = f});
    }
  }
  const Program program(parts);
  densities(load_symbols(program.symbols()));
  for (int f = 0; f < fields_; ++f) {
    const std::string i = number(f);
    declare("value Mq" + i + " = 0;");
    accumulate("Mq" + i + " += mass * FIELD(e, k, " + i + ", m);");
    densities("const value q" + i + "_m = FIELD(e, k, " + i + ", n) * Mq" + i + ";");
  }
  const PrintedCode code = print_values(program);
  densities(code.lines);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    densities("sums[" + std::to_string(p) + " * GROUP_ITEMS + LOCAL_ID(0)] += LANE_SUM(J * " + code.results[p] + ");");
  }
  return source("energy", rtcg::substitute(kernels::energy, {{"declare_products", declare.text()},
                                                             {"accumulate_products", accumulate.text()},
                                                             {"densities", densities.text()}}));
}

rtcg::KernelSource nodal_values_kernel(std::span<const Expr> values, int N) {
  const Program program(values);
  const PrintedCode code =
      print(program, {.dtype = Dtype::float64, .type = "float64", .prefix = "v", .name_of = name_of});
  Lines assignments;
  assignments(code.lines);
  const std::string count = std::to_string(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    assignments("values[(k * " + count + " + " + std::to_string(i) + ") * NP + n] = " + code.results[i] + ";");
  }
  const int Np = (N + 1) * (N + 2) * (N + 3) / 6;
  return {.name = "nodal_values_N" + number(N) + ".kernel",
          .text = "#define NP " + number(Np) + "\n\n" +
                  rtcg::substitute(kernels::nodal_values, {{"assignments", assignments.text()}})};
}

}  // namespace maxwell_dg::dg
