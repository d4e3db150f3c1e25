#include "dg/operator/device_problem.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "dg/operator/stage_terms.hpp"

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
                             const Schedule& schedule, std::optional<std::size_t> made_for, CurvedVariant curved,
                             bool with_terms)
    : discretization_(std::move(discretization)),
      problem_(checked(std::move(problem), *discretization_)),
      lowered_(lower(problem_.system)),
      materials_(MaterialTable::make(lowered_, problem_.parameters, discretization_->K())),
      media_(lowered_, problem_, materials_),
      setting_(make_setting(compiler, stream, precision, schedule, made_for, std::move(curved))) {
  if (with_terms) setting_.terms = StageTerms::make(setting_);
  stages_ = make_stage_kernels(setting_);
}

StageSetting DeviceProblem::make_setting(const rtcg::Compiler& compiler, const core::Stream& stream, Dtype precision,
                                         const Schedule& schedule, std::optional<std::size_t> made_for,
                                         CurvedVariant curved) const {
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
          .media = media_,
          .precision = precision,
          .schedule = schedule,
          .layout = StateLayout(schedule, precision, discretization_->K(), problem_.system.field_count(),
                                discretization_->Np()),
          .made_for = made_for.value_or(discretization_->K()),
          .stream = stream,
          .curved = std::move(curved)};
}

std::size_t DeviceProblem::dofs() const {
  return layout().K * values_of_element();
}

std::size_t DeviceProblem::values_of_element() const {
  return index(layout().fields() * layout().Np);
}

/// visit(first, elements) for each piece of the state that is built and sent at once, in whole blocks.
template <class Visit>
void DeviceProblem::by_pieces(const Visit& visit) const {
  const std::size_t blocks = std::max<std::size_t>(1, piece_values / index(layout().block_values));
  const std::size_t a_piece = blocks * index(layout().block_elements);
  for (std::size_t first = 0; first < layout().K; first += a_piece) visit(first, std::min(a_piece, layout().K - first));
}

/// each(i, offset): value i of so many elements in the order [element][field][node], and its offset in an array laid
/// out like the state, in which the elements begin with `first`.
template <class Each>
void DeviceProblem::for_each_value(std::size_t first, std::size_t elements, const Each& each) const {
  std::size_t i = 0;
  for (std::size_t k = first; k < first + elements; ++k) {
    for (int f = 0; f < layout().fields(); ++f) {
      std::size_t offset = layout().index(k, f, 0);
      for (int n = 0; n < layout().Np; ++n, offset += index(layout().order.side_by_side)) each(i++, offset);
    }
  }
}

void DeviceProblem::check_size(std::size_t values) const {
  if (values != dofs()) throw std::invalid_argument("Operator: an array of dofs() values is needed");
}

FillElements DeviceProblem::filled_from(std::span<const double> q) const {
  check_size(q.size());
  return pieces_of(q, values_of_element());
}

void DeviceProblem::write(const FillElements& values, const core::Buffer& to) const {
  std::vector<double> q;
  by_pieces([&](std::size_t first, std::size_t elements) {
    q.resize(elements * values_of_element());
    values(first, q);
    HostReals piece(setting_.precision, layout().values_of(elements));
    for_each_value(0, elements, [&](std::size_t i, std::size_t offset) { piece.set(offset, q[i]); });
    stream().write(to, layout().values_of(first) * size_of(setting_.precision), piece.bytes());
    stream().synchronize();
  });
}

void DeviceProblem::set_state(StageKernels& stages, const FillElements& values) const {
  write(values, stages.stored_state());
  stages.store_cartesian();
  stages.reset();
}

void DeviceProblem::set_stored_state(std::span<const double> q) const {
  write(filled_from(q), stages().stored_state());
  stages().reset();
}

void DeviceProblem::set_parameters(std::vector<std::vector<double>> parameters) {
  problem_.parameters = std::move(parameters);
  materials_ = MaterialTable::make(lowered_, problem_.parameters, discretization_->K());
  stages().take_constants();
}

void DeviceProblem::read(const core::Buffer& values, std::span<double> to) const {
  check_size(to.size());
  read(values, [&](std::size_t first, std::span<const double> q) {
    std::ranges::copy(q, to.begin() + static_cast<std::ptrdiff_t>(first * values_of_element()));
  });
}

void DeviceProblem::read(const core::Buffer& values, const TakeElements& take) const {
  std::vector<double> q;
  by_pieces([&](std::size_t first, std::size_t elements) {
    HostReals piece(setting_.precision, layout().values_of(elements));
    stream().read(values, layout().values_of(first) * size_of(setting_.precision), piece.bytes());
    stream().synchronize();
    q.resize(elements * values_of_element());
    unpack(piece.bytes(), q);
    take(first, q);
  });
}

void DeviceProblem::unpack(std::span<const std::byte> values, std::span<double> to) const {
  const auto each = [&](const auto* from) {
    for_each_value(0, to.size() / values_of_element(),
                   [&](std::size_t i, std::size_t offset) { to[i] = from[offset]; });
  };
  if (setting_.precision == Dtype::float32) {
    each(reinterpret_cast<const float*>(values.data()));
  } else {
    each(reinterpret_cast<const double*>(values.data()));
  }
}

void DeviceProblem::unpack_elements(std::span<const std::byte> state, std::size_t first,
                                    std::span<std::byte> to) const {
  const auto copy = [&]<class T>(const T* from, T* values) {
    for_each_value(first, to.size() / (values_of_element() * sizeof(T)),
                   [&](std::size_t i, std::size_t offset) { values[i] = from[offset]; });
  };
  if (setting_.precision == Dtype::float32) {
    copy(reinterpret_cast<const float*>(state.data()), reinterpret_cast<float*>(to.data()));
  } else {
    copy(reinterpret_cast<const double*>(state.data()), reinterpret_cast<double*>(to.data()));
  }
}

}  // namespace maxwell_dg::dg
