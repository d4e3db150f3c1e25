#include "dg/operator/device_problem.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/error.hpp"

namespace maxwell_dg::dg {

namespace {

Problem checked(Problem problem, const Discretization& discretization) {
  if (problem.boundary.size() != discretization.connectivity.boundary_faces.size() ||
      problem.parameters.size() != problem.system.parameters.size()) {
    throw std::invalid_argument("Problem: one boundary a boundary face and one array a parameter are needed");
  }
  return problem;
}

}  // namespace

DeviceProblem::DeviceProblem(const rtcg::Compiler& compiler, const core::Stream& stream,
                             std::shared_ptr<const Discretization> discretization, Problem problem, Dtype precision,
                             const Schedule& schedule, std::optional<std::size_t> made_for)
    : discretization_(std::move(discretization)),
      problem_(checked(std::move(problem), *discretization_)),
      lowered_(lower(problem_.system)),
      materials_(MaterialTable::make(lowered_, problem_.parameters, discretization_->K())),
      setting_(make_setting(compiler, stream, precision, schedule, made_for)),
      stages_(make_stage_kernels(setting_)) {}

StageSetting DeviceProblem::make_setting(const rtcg::Compiler& compiler, const core::Stream& stream, Dtype precision,
                                         const Schedule& schedule, std::optional<std::size_t> made_for) const {
  const core::DeviceInfo& info = compiler.device().info();
  if (!info.has_float64) {
    throw DeviceError(info.name +
                      " has no double precision, which times, energies and positions need; choose another device");
  }
  return {.compiler = compiler,
          .discretization = *discretization_,
          .problem = problem_,
          .lowered = lowered_,
          .materials = materials_,
          .precision = precision,
          .schedule = schedule,
          .layout = StateLayout(schedule, discretization_->K(), problem_.system.field_count(), discretization_->Np()),
          .made_for = made_for.value_or(discretization_->K()),
          .stream = stream};
}

std::size_t DeviceProblem::dofs() const {
  return layout().K * index(layout().fields * layout().Np);
}

/// visit(first block, blocks) for each piece of the state that is built and sent at once.
template <class Visit>
void DeviceProblem::by_pieces(const Visit& visit) const {
  const std::size_t blocks_a_piece = std::max<std::size_t>(1, piece_values / layout().block_size());
  for (std::size_t first = 0; first < layout().blocks(); first += blocks_a_piece) {
    visit(first, std::min(blocks_a_piece, layout().blocks() - first));
  }
}

/// each(i, place): value i of those elements in the order [element][field][node], and where it stands in the state.
template <class Each>
void DeviceProblem::for_each_value_of(std::size_t first_element, std::size_t end_element, const Each& each) const {
  std::size_t i = 0;
  for (std::size_t k = first_element; k < end_element; ++k) {
    for (int f = 0; f < layout().fields; ++f) {
      std::size_t place = layout().index(k, f, 0);
      for (int n = 0; n < layout().Np; ++n, place += index(layout().node_stride * layout().lanes)) each(i++, place);
    }
  }
}

/// each(i, place): value i of all in the order [element][field][node], and where it stands in a piece of the state.
template <class Each>
void DeviceProblem::for_each_value(std::size_t first_block, std::size_t blocks, const Each& each) const {
  const std::size_t begin = first_block * index(layout().lanes);
  const std::size_t end = std::min(layout().K, (first_block + blocks) * index(layout().lanes));
  const std::size_t host = begin * index(layout().fields * layout().Np);
  const std::size_t piece = first_block * layout().block_size();
  for_each_value_of(begin, end, [&](std::size_t i, std::size_t in_state) { each(host + i, in_state - piece); });
}

void DeviceProblem::check_size(std::size_t values) const {
  if (values != dofs()) throw std::invalid_argument("Operator: an array of dofs() values is needed");
}

void DeviceProblem::write(std::span<const double> q, const core::Buffer& to) const {
  check_size(q.size());
  by_pieces([&](std::size_t first, std::size_t blocks) {
    HostReals piece(setting_.precision, blocks * layout().block_size());
    for_each_value(first, blocks, [&](std::size_t host, std::size_t i) { piece.set(i, q[host]); });
    stream().write(to, first * layout().block_size() * size_of(setting_.precision), piece.bytes());
    stream().synchronize();
  });
}

void DeviceProblem::set_state(StageKernels& stages, std::span<const double> q) const {
  write(q, stages.place());
  stages.take_cartesian();
  stages.reset();
}

void DeviceProblem::set_stored_state(std::span<const double> q) const {
  write(q, stages().place());
  stages().reset();
}

void DeviceProblem::read(const core::Buffer& values, std::span<double> to) const {
  check_size(to.size());
  by_pieces([&](std::size_t first, std::size_t blocks) {
    HostReals piece(setting_.precision, blocks * layout().block_size());
    stream().read(values, first * layout().block_size() * size_of(setting_.precision), piece.bytes());
    stream().synchronize();
    unpack(piece.bytes(), first, to);
  });
}

void DeviceProblem::unpack(std::span<const std::byte> values, std::size_t first_block, std::span<double> to) const {
  check_size(to.size());
  const std::size_t blocks = values.size() / (layout().block_size() * size_of(setting_.precision));
  const auto each = [&](const auto* from) {
    for_each_value(first_block, blocks, [&](std::size_t host, std::size_t i) { to[host] = from[i]; });
  };
  if (setting_.precision == Dtype::float32) {
    each(reinterpret_cast<const float*>(values.data()));
  } else {
    each(reinterpret_cast<const double*>(values.data()));
  }
}

void DeviceProblem::unpack_elements(std::span<const std::byte> state, std::size_t first,
                                    std::span<std::byte> to) const {
  const std::size_t element_bytes = index(layout().fields * layout().Np) * size_of(setting_.precision);
  const auto copy = [&]<class T>(const T* from, T* values) {
    for_each_value_of(first, first + to.size() / element_bytes,
                      [&](std::size_t i, std::size_t place) { values[i] = from[place]; });
  };
  if (setting_.precision == Dtype::float32) {
    copy(reinterpret_cast<const float*>(state.data()), reinterpret_cast<float*>(to.data()));
  } else {
    copy(reinterpret_cast<const double*>(state.data()), reinterpret_cast<double*>(to.data()));
  }
}

}  // namespace maxwell_dg::dg
