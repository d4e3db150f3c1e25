#include "dg/codegen/split_generator.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/round_up.hpp"
#include "dg/codegen/kernel_code.hpp"
#include "dg/codegen/kernel_texts.hpp"
#include "dg/codegen/outside_state.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/reference/reference_element.hpp"
#include "dg/symbolic/code_printer.hpp"
#include "dg/symbolic/program.hpp"
#include "rtcg/source/substitute.hpp"
#include "rtcg/source/syntax.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;
using Lowered = LoweredSymbol::Kind;
using namespace rtcg::syntax;

SplitGenerator::SplitGenerator(const LoweredSystem& lowered, KernelGenerator::Options options)
    : lowered_(lowered),
      kernels_(lowered, std::move(options)),
      range_(kernels_.options().has_ranges),
      Np_(node_count(kernels_.options().N)),
      Nfp_(face_node_count(kernels_.options().N)),
      fields_(static_cast<int>(lowered.volume.size())) {
  const auto refuse = [this](const std::string& why) {
    throw std::invalid_argument("schedule " + schedule().name() + ": " + why);
  };
  if (std::max(volume_items(), surface_items()) > 1024) refuse("groups of more than 1024 items; take fewer elements");
  std::size_t tables = 0;
  for (const MatrixPlace& place : {derivatives(), lift()}) tables += place.bytes_of_table(Np_, precision());
  require_room_for_tables(tables, schedule().name());
}

int SplitGenerator::items_of(const Schedule::Nodes::Slices& slices) const {
  return round_up(slices.parallel * Np_, 32);
}

MatrixPlace SplitGenerator::derivatives() const {
  return {.name = "D",
          .operators = slicing().volume.operators,
          .columns = 3 * Np_,
          .items = "VOLUME_ITEMS",
          .on_chip = "fields + " + number(fields_on_chip())};
}

MatrixPlace SplitGenerator::lift() const {
  return {.name = "LIFT",
          .operators = slicing().surface.operators,
          .columns = 4 * Nfp_,
          .items = "SURFACE_ITEMS",
          .on_chip = "fluxes + " + number(fluxes_on_chip())};
}

int SplitGenerator::fields_on_chip() const {
  return slicing().volume.at_once() * fields_ * Np_;
}

int SplitGenerator::fluxes_on_chip() const {
  return slicing().surface.at_once() * fields_ * 4 * Nfp_;
}

std::size_t SplitGenerator::volume_bytes() const {
  return static_cast<std::size_t>(fields_on_chip() + derivatives().values_on_chip(Np_)) * size_of(precision());
}

std::size_t SplitGenerator::surface_bytes() const {
  return static_cast<std::size_t>(fluxes_on_chip() + lift().values_on_chip(Np_)) * size_of(precision());
}

std::string SplitGenerator::sizes() const {
  Block text;
  const auto define = [&](const std::string& name, int size) {
    text += Line("#define " + name + " " + std::to_string(size));
  };
  const auto define_slices = [&](const std::string& operation, const Schedule::Nodes::Slices& slices) {
    define(operation + "_PARALLEL", slices.parallel);
    define(operation + "_INLINED", slices.inlined);
    define(operation + "_SEQUENCE", slices.sequence);
    define(operation + "_AT_ONCE", slices.at_once());
    define(operation + "_ELEMENTS", slices.elements());
    define(operation + "_ITEMS", items_of(slices));
  };
  define_slices("VOLUME", slicing().volume);
  define("VOLUME_ON_CHIP", static_cast<int>(volume_bytes() / size_of(precision())));
  define_slices("SURFACE", slicing().surface);
  define("SURFACE_ON_CHIP", static_cast<int>(surface_bytes() / size_of(precision())));
  define("UPDATE_ITEMS", update_items);
  define("UPDATED_AT_ONCE", slicing().updated_at_once);
  return rtcg::syntax::print(text);
}

std::string SplitGenerator::volume() const {
  Block declare, accumulate;
  for (const int f : lowered_.differentiated) {
    const std::string i = number(f);
    accumulate += Declare("const real", "q" + i, "q[" + i + " * NP]");
    for (const std::string axis : {"r", "s", "t"}) {
      declare += Declare("real", "d" + axis + i + "[VOLUME_INLINED]", "{0}");
      accumulate += Assign("d" + axis + i + "[i]", "D" + axis + " * q" + i, "+=");
    }
  }
  const Program program(lowered_.volume);
  const std::vector<AnySymbol> symbols = program.symbols();
  Block equations = load_of_element(symbols);
  for (const AnySymbol& s : symbols) {
    if (const Symbol* q = of_kind(s, Kind::field)) {
      equations += declare_symbol(s, "fields[(e * NFIELDS + " + number(q->index) + ") * NP + n]");
    }
  }
  const PrintedCode code = print_reals(program, precision(), [](const AnySymbol& s) {
    return name_in_kernel(s) + (of_kind(s, Lowered::reference_derivative) ? "[i]" : "");
  });
  append(equations, code.lines);
  for (int f = 0; f < fields_; ++f) {
    equations += Assign("RHS[STATE(k, " + number(f) + ", n)]", code.results[index(f)]);
  }
  // In the order of memory.
  const std::string stage_value =
      slicing().fields == Schedule::Nodes::Fields::apart
          ? "fields[i] = Q[STATE(first + i / (NFIELDS * NP), i / NP % NFIELDS, i % NP)];"
          : "const int32 e = i / (NFIELDS * NP), f = i % NFIELDS, node = i / NFIELDS % NP;\n"
            "fields[(e * NFIELDS + f) * NP + node] = Q[STATE(first + e, f, node)];";
  const MatrixPlace D = derivatives();
  return rtcg::substitute(
      kernels::volume,
      {{"range_parameters", range_.parameters()},
       {"range_end", range_.end()},
       {"first_element", range_.first_element()},
       {"table",
        D.table([this] { return derivatives_by_columns(ReferenceElement::make(kernels_.options().N)); }, precision())},
       {"keep_matrices", text_of(D.keep())},
       {"stage_value", stage_value},
       {"unroll", D.unroll()},
       {"Dr", D.at("m * 3")},
       {"Ds", D.at("m * 3 + 1")},
       {"Dt", D.at("m * 3 + 2")},
       {"declare_derivatives", text_of(declare)},
       {"accumulate_derivatives", text_of(accumulate)},
       {"equations", text_of(equations)}});
}

std::string SplitGenerator::surface() const {
  Block gather_traces, boundary_traces;
  for (std::size_t i = 0; i < lowered_.outside_fields.size(); ++i) {
    const std::string trace = "trace[" + number(i) + "]";
    gather_traces += Assign(trace, "Q[STATE(other, " + number(lowered_.outside_fields[i]) + ", node_p)]");
    boundary_traces += Assign(trace, "(real)q_outside[" + number(i) + "]");
  }

  const Program program(lowered_.flux);
  const std::vector<AnySymbol> symbols = program.symbols();
  Block materials = load_of_element(symbols);
  Block fluxes;
  for (const AnySymbol& s : symbols) {
    const Symbol* q = of_kind(s, Kind::field);
    const LoweredSymbol* constant = of_kind(s, Lowered::element_constant);
    if (q != nullptr && q->side == Side::inside) {
      fluxes += declare_symbol(s, "Q[STATE(k, " + number(q->index) + ", node_m)]");
    } else if (q != nullptr) {
      fluxes += declare_symbol(s, "trace[" + number(place_in(lowered_.outside_fields, q->index)) + "]");
    } else if (constant != nullptr && constant->side == Side::outside) {
      materials += declare_symbol(s, "CONSTANT_OF(other, " + number(constant->number) + ")");
    }
  }
  const PrintedCode code = print_reals(program, precision());
  append(fluxes, code.lines);
  Block declare, accumulate, add;
  for (int f = 0; f < fields_; ++f) {
    const std::string i = number(f), flux = "flux[" + i + " * 4 * NFP]", lifted = "lifted" + i;
    fluxes += Assign(flux, "Fscale * " + code.results[index(f)]);
    declare += Declare("real", lifted + "[SURFACE_INLINED]", "{0}");
    accumulate += Assign(lifted + "[i]", "lift * " + flux, "+=");
    add += Assign("RHS[STATE(k, " + i + ", n)]", lifted + "[i]", "+=");
  }
  const MatrixPlace LIFT = lift();
  return rtcg::substitute(
      kernels::surface,
      {{"range_parameters", range_.parameters()},
       {"range_end", range_.end()},
       {"first_element", range_.first_element()},
       {"table",
        LIFT.table([this] { return lift_by_columns(ReferenceElement::make(kernels_.options().N)); }, precision())},
       {"keep_matrices", text_of(LIFT.keep())},
       {"unroll", LIFT.unroll()},
       {"lift", LIFT.at("j")},
       {"find_outside", text_of(find_outside())},
       {"outside_state", outside_state_function(lowered_, precision())},
       {"gather_traces", text_of(gather_traces)},
       {"boundary_traces", text_of(boundary_traces)},
       {"load_materials", text_of(materials)},
       {"fluxes", text_of(fluxes)},
       {"declare_lifted", text_of(declare)},
       {"accumulate_lifted", text_of(accumulate)},
       {"add_lifted", text_of(add)}});
}

/// In place; of a range into the other copy of the state, since its neighbours may still read this one.
std::string SplitGenerator::update() const {
  if (!range_.has_ranges()) {
    return rtcg::substitute(kernels::update,
                            {{"range_parameters", ""}, {"place", ""}, {"at", "i"}, {"store", "Q[i] += b * res;"}});
  }
  return rtcg::substitute(kernels::update,
                          {{"range_parameters", ", GLOBAL real* RESTRICT Q_new, const int32 range_begin"},
                           {"place",
                            "\n      const int64 place = STATE(range_begin + i / (NFIELDS * NP), (int32)(i / NP % "
                            "NFIELDS), (int32)(i % NP));"},
                           {"at", "place"},
                           {"store", "Q_new[place] = Q[place] + b * res;"}});
}

/// `outside`, negative at a wall, and there, the element itself for the `other`.
Block SplitGenerator::find_outside() const {
  const bool by_node = schedule().connects_nodes();
  return {Declare("const int32", "outside", by_node ? "connected[k * 4 * NFP + j]" : "connected[k * 4 + face]"),
          Declare("const int64", "other", std::string("outside >= 0 ? outside / ") + (by_node ? "NP" : "4") + " : k"),
          Declare("const int32", "node_p", by_node ? "outside % NP" : "Fmask[(outside & 3) * NFP + j % NFP]")};
}

rtcg::KernelSource SplitGenerator::stage() const {
  return kernels_.with_prologue(
      "stage", sizes() + std::string(kernels::on_chip_memory) + "\n" + volume() + "\n" + surface() + "\n" + update());
}

}  // namespace maxwell_dg::dg
