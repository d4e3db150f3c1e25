#include "dg/codegen/curved/tiles/curved_tile_generator.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/round_up.hpp"
#include "dg/codegen/kernel_template.hpp"
#include "dg/codegen/kernel_values.hpp"
#include "dg/codegen/outside_state.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/symbolic/code_printer.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using List = rtcg::Value::List;

namespace {

List values_of(const std::vector<CurvedProducts::Term>& terms) {
  List list;
  for (const auto& [axis, sum, negative] : terms) {
    list.emplace_back(rtcg::Record{{"axis", axis}, {"sum", sum}, {"negative", negative}});
  }
  return list;
}

MediaApart media_apart(const CurvedProblem& problem) {
  return {.in_elements = !problem.media_vary, .on_faces = true};
}

/// Of columns [face][point], each face in whole steps.
Eigen::MatrixXd by_whole_steps(const Eigen::MatrixXd& matrix, int face_points) {
  const int apart = step_columns * steps(face_points);
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(matrix.rows(), 4L * apart);
  for (int face = 0; face < ReferenceElement::Nfaces; ++face) {
    result.middleCols(face * apart, face_points) = matrix.middleCols(face * face_points, face_points);
  }
  return result;
}

}  // namespace

CurvedTileGenerator::CurvedTileGenerator(const CurvedProblem& problem, const CurvedTiles& tiles)
    : CurvedGenerator(problem, Axes::reference, media_apart(problem)),
      products_(CurvedProducts::of(system())),
      sizes_(tiles, problem, system(), products_) {
  const std::string why_not = products_.why_not.empty() ? fits(sizes_, nullptr).why_not : products_.why_not;
  if (!why_not.empty()) {
    throw std::invalid_argument("a stage of curved elements '" + rtcg::written(tiles.variant()) + "': " + why_not);
  }
}

std::vector<std::vector<double>> CurvedTileGenerator::matrices() const {
  const ReferenceElement& reference = problem().reference;
  const ElementQuadrature& quadrature = problem().quadrature;
  const Eigen::MatrixXd& V = quadrature.at_volume;
  const Eigen::MatrixXd r = V * reference.Dr, s = V * reference.Ds, t = V * reference.Dt;
  const Eigen::MatrixXd lift = by_whole_steps(V * quadrature.lift, face_points());
  const auto factors = [&](const std::vector<const Eigen::MatrixXd*>& of, int tiles) {
    return tile_factors(of, sizes_.tile_nodes, tiles, sizes_.factor_form(), NodeOrder::in_pairs);
  };
  const int point_tiles = sizes_.point_tasks * sizes_.tiles.tiles_of_points;
  return {columns(quadrature.at_face), factors({&quadrature.at_face}, sizes_.face_tiles),
          factors({&r, &s, &t}, point_tiles), factors({&lift}, point_tiles),
          factors({&quadrature.from_volume}, sizes_.node_tasks * sizes_.tiles.tiles_of_nodes)};
}

rtcg::Record CurvedTileGenerator::part_values(const CurvedProducts::Part& part) const {
  List operands, faces, signs;
  for (const auto& [field, negative, terms] : part.operands) {
    operands.emplace_back(rtcg::Record{{"field", field}, {"negative", negative}, {"terms", values_of(terms)}});
  }
  for (int face = 0; face < ReferenceElement::Nfaces; ++face) {
    List fluxes;
    for (const auto& [number, terms] : part.fluxes.at(index(face))) {
      fluxes.emplace_back(rtcg::Record{{"number", number}, {"terms", values_of(terms)}});
    }
    if (!fluxes.empty()) faces.emplace_back(rtcg::Record{{"number", face}, {"values", std::move(fluxes)}});
  }
  for (const bool negative : part.negative) signs.emplace_back(negative ? "-" : "");
  return {{"fields", dg::values_of(part.fields)},
          {"signs", std::move(signs)},
          {"operands", std::move(operands)},
          {"faces", std::move(faces)},
          {"equations", printed(part.equations)}};
}

List CurvedTileGenerator::flux_values_of_faces() const {
  std::vector<std::pair<std::vector<int>, rtcg::Record>> forms;
  std::vector<std::vector<Expr>> different;
  for (int face = 0; face < ReferenceElement::Nfaces; ++face) {
    const std::vector<Expr>& values = products_.fluxes.at(index(face));
    const auto same = std::ranges::find_if(different, [&](const std::vector<Expr>& other) {
      return std::ranges::equal(values, other, [](const Expr& a, const Expr& b) { return are_same(a, b); });
    });
    if (same == different.end()) {
      different.push_back(values);
      forms.emplace_back(std::vector{face}, printed(values));
    } else {
      forms[static_cast<std::size_t>(same - different.begin())].first.push_back(face);
    }
  }
  List list;
  for (auto& [faces, flux] : forms) {
    list.emplace_back(rtcg::Record{{"faces", dg::values_of(faces)}, {"flux", std::move(flux)}});
  }
  return list;
}

rtcg::Record CurvedTileGenerator::values() const {
  List sizes, faces, parts;
  for (const auto& [name, size] : sizes_.names(system())) sizes.emplace_back(List{name, size});
  for (int face = 0; face < ReferenceElement::Nfaces; ++face) {
    faces.emplace_back(rtcg::Record{{"number", face}, {"traces", values_of_traces(system().traces(face))}});
  }
  for (const CurvedProducts::Part& part : products_.parts) parts.emplace_back(part_values(part));
  std::vector<int> traces, losing;
  for (const CurvedSystem::Trace& trace : system().traces(0)) traces.push_back(trace.number);
  std::vector<Expr> losses;
  for (std::size_t f = 0; f < products_.losses.size(); ++f) {
    if (products_.losses[f].is_constant(0)) continue;
    losing.push_back(static_cast<int>(f));
    losses.push_back(products_.losses[f]);
  }
  return {{"sizes", std::move(sizes)},
          {"sums_apart", sizes_.sums_apart},
          {"in_basis", in_basis()},
          {"media_numbers", media_numbers()},
          {"numbers_at_points", system().at_points.of_element},
          {"numbers_at_face_points", system().at_points.of_face},
          {"keeps_metric", sizes_.tiles.keeps_metric},
          {"change_end", CurvedTileSizes::end_of(sizes_.points, sizes_.change_points)},
          {"traces", dg::values_of(traces)},
          {"faces", std::move(faces)},
          {"fluxes", flux_values_of_faces()},
          {"parts", std::move(parts)},
          {"stored", printed(system().basis.stored)},
          {"cartesian", printed(system().basis.cartesian)},
          {"outside_fields", dg::values_of(lowered().outside_fields)},
          {"losing_fields", dg::values_of(losing)},
          {"losses", printed(losses)}};
}

rtcg::KernelSource CurvedTileGenerator::stage() const {
  static const rtcg::Template text = kernel_template("dg/codegen/curved/tiles/stage_curved_tiles.kernel");
  return source(
      text,
      {{"curved", values()},
       {"outside", outside_state_values(lowered(), options().precision)},
       {"stage", rtcg::Record{{"is_single", sizes_.precision == Dtype::float32}, {"run", 1}, {"is_blocked", false}}},
       {"tiles", rtcg::Record{{"tile_elements", sizes_.tile_elements},
                              {"nodes_in_halves", false},
                              {"has_tensor_cores", sizes_.tiles.has_tensor_cores}}},
       {"operators", rtcg::Record{{"are_tables", false}, {"memory", "GLOBAL"}}}});
}

namespace {

/// How many groups of so many items and bytes a multiprocessor may hold, with enough registers for each item.
int resident_groups(int items, std::size_t bytes, const core::DeviceInfo& device) {
  constexpr int items_with_registers = 768;
  const auto by_memory = static_cast<int>(device.shared_memory_bytes / (bytes + 1024));
  return std::max(1, std::min(by_memory, items_with_registers / items));
}

/// First those of which two groups fit a multiprocessor; of these the ones that do not read matrices for a few elements
/// alone; of these the ones that keep the metric, where the state is along x, y and z, with most elements first. On an
/// H200, in single precision, the first was the fastest of six at order 4 but for 1 % and of two each at orders 2, 3,
/// 5, 7 and 9; in double, at order 4.
std::vector<CurvedVariant> variants_of_tiles(const CurvedProblem& problem, const core::DeviceInfo& device) {
  std::vector<CurvedVariant> variants;
  if (device.is_cpu) return variants;
  const CurvedSystem system =
      CurvedSystem::of(problem.lowered, problem.options.system, Axes::reference, media_apart(problem));
  const CurvedProducts products = CurvedProducts::of(system);
  if (!products.why_not.empty()) return variants;
  const Dtype precision = problem.options.precision;
  const bool has_tensor_cores = static_cast<bool>(tensor_cores_fit(precision, device));
  constexpr int many_points = 60;
  const bool in_basis = problem.options.schedule.in_basis_of_element();
  const std::vector<bool> ways_of_metric = in_basis ? std::vector{false} : std::vector{true, false};
  const int usual = precision == Dtype::float32 && problem.quadrature.volume_points() < many_points ? 1 : 2;
  const auto add = [&](CurvedTiles tiles, int most_warps, int least_resident) {
    const CurvedTileSizes sizes(tiles, problem, system, products);
    const int tasks = sizes.tile_rows * sizes.parts * sizes.point_tasks;
    tiles.warps = ceil_divide(tasks, ceil_divide(tasks, most_warps));
    tiles.resident_groups = resident_groups(tiles.warps * 32, sizes.shared_bytes(), device);
    if (tiles.resident_groups < least_resident) return;
    if (!fits(CurvedTileSizes(tiles, problem, system, products), &device)) return;
    if (std::ranges::find(variants, tiles.variant()) == variants.end()) variants.push_back(tiles.variant());
  };
  for (const int least_resident : {2, 1}) {
    for (const std::vector<int>& group_sizes : {std::vector{64, 32, 16}, std::vector{8}}) {
      for (const bool keeps_metric : ways_of_metric) {
        for (const int elements : group_sizes) {
          for (const int at_once : {usual, 3 - usual}) {
            for (const int most_warps : {12, 6}) {
              add({.has_tensor_cores = has_tensor_cores,
                   .elements = elements,
                   .tiles_of_points = at_once,
                   .tiles_of_nodes = at_once,
                   .keeps_metric = keeps_metric},
                  most_warps, least_resident);
            }
          }
        }
      }
    }
  }
  return variants;
}

}  // namespace

CurvedKind curved_tiles() {
  return {.name = "tiles",
          .variants = variants_of_tiles,
          .make = [](const CurvedProblem& problem, const CurvedVariant& variant) -> std::unique_ptr<CurvedGenerator> {
            return std::make_unique<CurvedTileGenerator>(problem, CurvedTiles::of(variant));
          }};
}

}  // namespace maxwell_dg::dg
