#include "dg/operator/operator.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "core/error.hpp"
#include "dg/operator/fused_stage.hpp"
#include "dg/operator/point_samples.hpp"
#include "dg/operator/split_stage.hpp"

namespace maxwell_dg::dg {

namespace {

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}
std::size_t groups(std::size_t items, std::size_t per_group) {
  return (items + per_group - 1) / per_group;
}

/// Host arrays of more than this are built and sent piece by piece.
constexpr std::size_t piece_values = std::size_t{1} << 22;

}  // namespace

struct Operator::Impl {
  std::shared_ptr<const Discretization> discretization;
  Problem problem;
  LoweredSystem lowered;
  MaterialTable materials;
  StageSetting setting;
  KernelGenerator generator;
  std::unique_ptr<StageKernels> stages;
  core::Buffer jacobian, M, partial_energies;
  core::Kernel energy;

  Impl(rtcg::Compiler compiler, std::shared_ptr<const Discretization> d, Problem p, const Options& options)
      : discretization(std::move(d)),
        problem(std::move(p)),
        lowered(lower(checked(problem).system)),
        materials(MaterialTable::make(lowered, problem.parameters, discretization->K())),
        setting(make_setting(compiler, options)),
        generator(lowered, {problem.system.name, discretization->N(), setting.precision, setting.schedule}),
        stages(make_stage_kernels(setting)) {
    const ReferenceElement& ref = discretization->reference;
    HostReals J(setting.precision, layout().element_size(1));
    for (std::size_t k = 0; k < layout().K; ++k) {
      J.set(layout().element_index(k, 1, 0), std::abs(discretization->geometry.J[k]));
    }
    jacobian = upload(device(), setting.stream, J.bytes());
    M = setting.upload_reals(index(ref.Np * ref.Np), [&](std::size_t i) {
      return ref.M(static_cast<Eigen::Index>(i) / ref.Np, static_cast<Eigen::Index>(i) % ref.Np);
    });
    energy = compile_one(generator.energy(), "energy");
    partial_energies =
        device().allocate(element_groups() * std::max<std::size_t>(lowered.weights.size(), 1) * sizeof(double));
  }

  [[nodiscard]] const Problem& checked(const Problem& p) const {
    if (p.boundary.size() != discretization->connectivity.boundary_faces.size() ||
        p.parameters.size() != p.system.parameters.size()) {
      throw std::invalid_argument("Problem: one boundary a boundary face and one array a parameter are needed");
    }
    return p;
  }

  [[nodiscard]] StageSetting make_setting(const rtcg::Compiler& compiler, const Options& options) const {
    const core::DeviceInfo& info = compiler.device().info();
    if (!info.has_float64) {
      throw DeviceError(info.name +
                        " has no double precision, which times, energies and positions need; choose another device");
    }
    const int fields = problem.system.field_count();
    const Schedule schedule =
        options.schedule.value_or(default_schedule(info, discretization->N(), fields, options.precision));
    return {.compiler = compiler,
            .discretization = *discretization,
            .problem = problem,
            .lowered = lowered,
            .materials = materials,
            .precision = options.precision,
            .schedule = schedule,
            .layout = StateLayout(schedule, discretization->K(), fields, discretization->Np()),
            .stream = compiler.device().create_stream()};
  }

  [[nodiscard]] const core::Device& device() const { return setting.device(); }
  [[nodiscard]] const core::Stream& stream() const { return setting.stream; }
  [[nodiscard]] const StateLayout& layout() const { return setting.layout; }

  [[nodiscard]] core::Kernel compile_one(const rtcg::KernelSource& source, const std::string& name) const {
    return rtcg::Compiler(setting.compiler).compile(source).kernel(name);  // a copy is a handle
  }

  [[nodiscard]] std::size_t element_groups() const {
    return groups(layout().blocks(), index(generator.blocks_per_group()));
  }

  /// Visits [element][field][node] values together with their places in a piece of device memory, piece by piece.
  template <class Visit>
  void by_pieces(const Visit& visit) const {
    const std::size_t blocks_a_piece = std::max<std::size_t>(1, piece_values / layout().block_size());
    for (std::size_t first = 0; first < layout().blocks(); first += blocks_a_piece) {
      visit(first, std::min(blocks_a_piece, layout().blocks() - first));
    }
  }

  template <class Each>
  void for_each_value(std::size_t first_block, std::size_t blocks, const Each& each) const {
    const std::size_t begin = first_block * index(layout().lanes);
    const std::size_t end = std::min(layout().K, (first_block + blocks) * index(layout().lanes));
    std::size_t host = begin * index(layout().fields * layout().Np);
    for (std::size_t k = begin; k < end; ++k) {
      for (int f = 0; f < layout().fields; ++f) {
        for (int n = 0; n < layout().Np; ++n)
          each(host++, layout().index(k, f, n) - first_block * layout().block_size());
      }
    }
  }

  void read(const core::Buffer& from, std::span<double> to) const {
    if (to.size() != layout().K * index(layout().fields * layout().Np)) {
      throw std::invalid_argument("Operator: an array of dofs() values is needed");
    }
    by_pieces([&](std::size_t first, std::size_t blocks) {
      HostReals piece(setting.precision, blocks * layout().block_size());
      stream().read(from, first * layout().block_size() * size_of(setting.precision), piece.bytes());
      stream().synchronize();
      for_each_value(first, blocks, [&](std::size_t host, std::size_t i) { to[host] = piece.get(i); });
    });
  }
};

Operator::Operator(rtcg::Compiler compiler, std::shared_ptr<const Discretization> discretization, Problem problem,
                   Options options)
    : impl_(std::make_unique<Impl>(std::move(compiler), std::move(discretization), std::move(problem), options)) {}
Operator::~Operator() = default;
Operator::Operator(Operator&&) noexcept = default;
Operator& Operator::operator=(Operator&&) noexcept = default;

const Discretization& Operator::discretization() const {
  return *impl_->discretization;
}
const Problem& Operator::problem() const {
  return impl_->problem;
}
Dtype Operator::precision() const {
  return impl_->setting.precision;
}
const Schedule& Operator::schedule() const {
  return impl_->setting.schedule;
}
std::string Operator::variant() const {
  return impl_->setting.schedule.name();
}
const core::Stream& Operator::stream() const {
  return impl_->setting.stream;
}
std::size_t Operator::dofs() const {
  return impl_->layout().K * index(impl_->layout().fields * impl_->layout().Np);
}

void Operator::set_state(std::span<const double> q) {
  if (q.size() != dofs()) throw std::invalid_argument("Operator::set_state: an array of dofs() values is needed");
  const Impl& m = *impl_;
  m.by_pieces([&](std::size_t first, std::size_t blocks) {
    HostReals piece(m.setting.precision, blocks * m.layout().block_size());
    m.for_each_value(first, blocks, [&](std::size_t host, std::size_t i) { piece.set(i, q[host]); });
    m.stream().write(m.stages->state(), first * m.layout().block_size() * size_of(m.setting.precision), piece.bytes());
    m.stream().synchronize();
  });
  m.stages->reset();
}

void Operator::get_state(std::span<double> q) const {
  impl_->read(impl_->stages->state(), q);
}

void Operator::interpolate(std::span<const symbolic::Expr> values, double t) {
  if (values.size() != index(impl_->layout().fields)) {
    throw std::invalid_argument("Operator::interpolate: one expression a field is needed");
  }
  set_state(nodal_values(values, t));
}

std::vector<double> Operator::nodal_values(std::span<const symbolic::Expr> values, double t) const {
  const Impl& m = *impl_;
  const Discretization& d = *m.discretization;
  const core::Kernel kernel = m.compile_one(nodal_values_kernel(values, d.N()), "nodal_values");
  std::vector<double> barycentric;  // [node][vertex]
  for (int n = 0; n < d.Np(); ++n) {
    const double r = d.reference.r[n], s = d.reference.s[n], w = d.reference.t[n];
    for (double lambda : {-(1 + r + s + w) / 2, (1 + r) / 2, (1 + s) / 2, (1 + w) / 2}) barycentric.push_back(lambda);
  }
  const core::Buffer weights = upload(m.device(), m.stream(), barycentric);
  std::vector<double> result(d.K() * values.size() * index(d.Np()));
  const std::size_t an_element = values.size() * index(d.Np());
  // A small part of what the state takes: forecasts of memory need not count it.
  const std::size_t a_piece = std::min(std::max<std::size_t>(64, d.K() / 32), piece_values / an_element);
  const core::Buffer out = m.device().allocate(a_piece * an_element * sizeof(double));
  for (std::size_t first = 0; first < d.K(); first += a_piece) {
    const std::size_t count = std::min(a_piece, d.K() - first);
    std::vector<double> corners;  // [element][vertex][axis]
    for (std::size_t k = first; k < first + count; ++k) {
      for (const std::int32_t v : d.mesh.cells[k]) {
        for (const double x : d.mesh.vertices[index(v)]) corners.push_back(x);
      }
    }
    const core::Buffer vertices = upload(m.device(), m.stream(), corners);
    const core::LaunchShape shape{.groups = {groups(count * index(d.Np()), 64), 1, 1}, .group_size = {64, 1, 1}};
    kernel.launch(m.stream(), shape, {vertices, weights, out, t, static_cast<std::int32_t>(count)});
    m.stream().read(out, 0, std::as_writable_bytes(std::span(result).subspan(first * an_element, count * an_element)));
    m.stream().synchronize();
  }
  return result;
}

void Operator::evaluate_rhs(double t, std::span<double> rhs) {
  impl_->read(impl_->stages->evaluate(t), rhs);
}

void Operator::stage(double a, double b, double dt, double t) {
  impl_->stages->advance(a, b, dt, t);
}

std::vector<double> Operator::energies() const {
  const Impl& m = *impl_;
  const std::size_t parts = m.lowered.weights.size(), count = m.element_groups();
  const core::LaunchShape shape{.groups = {count, 1, 1}, .group_size = {index(m.generator.group_items()), 1, 1}};
  const ElementConstants constants = m.stages->constants();
  m.energy.launch(m.stream(), shape,
                  {m.stages->state(), m.jacobian, constants.values, constants.material, m.M, m.partial_energies,
                   static_cast<std::int32_t>(m.layout().blocks())});
  std::vector<double> partial(count * parts), sums(parts, 0.0);
  m.stream().read(m.partial_energies, 0, std::as_writable_bytes(std::span(partial)));
  m.stream().synchronize();
  for (std::size_t i = 0; i < partial.size(); ++i) sums[i % parts] += partial[i];
  return sums;
}

std::unique_ptr<PointSampler> Operator::sample(const std::vector<PointLocation>& points) const {
  const Impl& m = *impl_;
  return std::make_unique<PointSamples>(
      PointSamples::Source{.device = m.device(),
                           .stream = m.stream(),
                           .kernel = m.compile_one(m.generator.sample(), "sample"),
                           .state = [stages = m.stages.get()] { return stages->state(); },
                           .reference = m.discretization->reference,
                           .fields = m.layout().fields,
                           .precision = m.setting.precision},
      points);
}

std::size_t Operator::forecast_bytes(const System& system, int N, const Size& size, const Options& options,
                                     const core::DeviceInfo& device) {
  const int fields = system.field_count(), Np = (N + 1) * (N + 2) * (N + 3) / 6;
  const Schedule schedule = options.schedule.value_or(default_schedule(device, N, fields, options.precision));
  const StateLayout layout(schedule, size.elements, fields, Np);
  const LoweredSystem lowered = lower(system);
  const KernelGenerator generator(lowered, {system.name, N, options.precision, schedule});
  const std::size_t reals = 3 * layout.size() + layout.element_size(1) + index(Np * Np);
  const std::size_t doubles = groups(layout.blocks(), index(generator.blocks_per_group())) * lowered.weights.size();
  const std::size_t rest =
      schedule.slicing == Schedule::Slicing::element_tiles
          ? FusedStage::forecast_bytes(StageGenerator(lowered, {system.name, N, options.precision, schedule}), lowered,
                                       N, options.precision, size.elements, size.boundary_faces, size.materials)
          : SplitStage::forecast_bytes(layout, lowered, N, options.precision, size.boundary_faces);
  return reals * size_of(options.precision) + doubles * sizeof(double) + rest;
}

}  // namespace maxwell_dg::dg
