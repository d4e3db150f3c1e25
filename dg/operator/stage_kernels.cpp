#include "dg/operator/stage_kernels.hpp"

#include <limits>
#include <stdexcept>

#include "dg/operator/fused_stage.hpp"
#include "dg/operator/split_stage.hpp"
#include "dg/variants/slicings.hpp"

namespace maxwell_dg::dg {

bool StageSetting::has_layout_of(const Schedule& other) const {
  return other.slicing.index() == schedule.slicing.index() && other.basis() == schedule.basis() &&
         StateLayout(other, precision, layout.K, layout.fields(), layout.Np) == layout;
}

StageSetting StageSetting::with(const Schedule& other) const {
  StageSetting changed = *this;
  changed.schedule = other;
  if (!has_layout_of(other)) {
    throw std::invalid_argument("schedule " + other.name() + " needs another layout than " + schedule.name());
  }
  return changed;
}

void StageSetting::append_range(std::size_t range, std::vector<core::KernelArgument>& arguments) const {
  if (!has_ranges()) return;
  const ElementRange& elements = ranges()[range];
  arguments.insert(arguments.end(),
                   {static_cast<std::int32_t>(elements.begin), static_cast<std::int32_t>(elements.end)});
}

core::KernelArgument StageSetting::real(double value) const {
  if (precision == Dtype::float32) return static_cast<float>(value);
  return value;
}

core::Buffer StageSetting::zero_state() const {
  core::Buffer buffer = device().allocate(layout.size() * size_of(precision) + StateLayout::bytes_behind);
  stream.fill_zero(buffer);
  return buffer;
}

void StageKernels::advance(double a, double b, double dt, double t) {
  (void)stored_state();  // throws where ranges are not level
  for (std::size_t range = 0; range < ranges_; ++range) advance_range(range, a, b, dt, t);
}

std::unique_ptr<StageKernels> make_stage_kernels(const StageSetting& setting) {
  const StageProblem problem{
      .lowered = setting.lowered, .N = setting.discretization.N(), .precision = setting.precision};
  require(fits(setting.schedule, problem, &setting.device().info()), setting.schedule);
  if (setting.schedule.is_fused()) return std::make_unique<FusedStage>(setting);
  return std::make_unique<SplitStage>(setting);
}

core::Buffer upload_neighbours(const StageSetting& setting) {
  std::vector<std::int32_t> neighbours;
  for (const auto& of_element : setting.discretization.connectivity.neighbours) {
    neighbours.insert(neighbours.end(), of_element.begin(), of_element.end());
  }
  for (std::size_t i = neighbours.size(); i < 4 * setting.layout.stored; ++i) {
    neighbours.push_back(static_cast<std::int32_t>(i));
  }
  return setting.upload(neighbours);
}

core::Buffer upload_outside_nodes(const StageSetting& setting) {
  const Discretization& d = setting.discretization;
  const std::size_t Np = index(setting.layout.Np), K = setting.layout.K;
  if (K * Np > std::numeric_limits<std::int32_t>::max()) {
    throw std::invalid_argument("schedule " + setting.schedule.name() + " numbers nodes in 32 bits, which " +
                                std::to_string(K * Np) + " nodes exceed; take one that connects faces");
  }
  std::vector<std::int32_t> nodes;
  nodes.reserve(4 * index(d.Nfp()) * K);
  for (const auto& of_element : d.connectivity.neighbours) {
    for (const std::int32_t neighbour : of_element) {
      for (int i = 0; i < d.Nfp(); ++i) {
        nodes.push_back(neighbour < 0 ? neighbour
                                      : neighbour / 4 * setting.layout.Np + d.reference.Fmask(i, neighbour % 4));
      }
    }
  }
  return setting.upload(nodes);
}

core::Buffer upload_constants(const StageSetting& setting) {
  const StateLayout& layout = setting.layout;
  const MaterialTable& materials = setting.materials;
  const int count = std::max(1, static_cast<int>(setting.lowered.constants.size()));
  HostReals host(setting.precision, layout.stored * index(count));
  for (std::size_t k = 0; k < layout.K; ++k) {
    const auto& row = materials.constants[index(materials.material[k])];
    for (std::size_t c = 0; c < row.size(); ++c) host.set(k * index(count) + c, row[c]);
  }
  return dg::upload(setting.device(), setting.stream, host.bytes());
}

std::vector<double> boundary_nodes(const StageSetting& setting) {
  std::vector<double> nodes;
  if (!setting.lowered.boundaries_move) return nodes;
  const Discretization& d = setting.discretization;
  for (const Connectivity::BoundaryFace& b : d.connectivity.boundary_faces) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (int i = 0; i < d.Nfp(); ++i) {
        nodes.push_back(d.node(static_cast<std::size_t>(b.cell), d.reference.Fmask(i, b.face))[axis]);
      }
    }
  }
  return nodes;
}

}  // namespace maxwell_dg::dg
