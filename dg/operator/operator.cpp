#include "dg/operator/operator.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "core/error.hpp"
#include "dg/operator/device_arrays.hpp"
#include "dg/operator/kernel_generator.hpp"
#include "dg/operator/lowering.hpp"
#include "dg/operator/point_samples.hpp"
#include "dg/operator/state_layout.hpp"

namespace maxwell_dg::dg {

namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }
std::size_t groups(std::size_t items, std::size_t per_group) { return (items + per_group - 1) / per_group; }

/// Host arrays of more than this are built and sent piece by piece.
constexpr std::size_t piece_values = std::size_t{1} << 22;

/// Numbers an element that kernels read, besides the constants: metric 9, faces 16, jacobian 1.
constexpr int metric_size = 9, face_size = 16;

}  // namespace

struct Operator::Impl {
  rtcg::Compiler compiler;
  std::shared_ptr<const Discretization> discretization;
  Problem problem;
  Dtype precision;
  Schedule schedule;
  LoweredSystem lowered;
  KernelGenerator generator;
  StateLayout layout;
  core::Device device;
  core::Stream stream;

  core::Buffer Q, RES, RHS;
  core::Buffer metric, faces, jacobian, constants, neighbours, Fmask, boundary_kind, boundary_nodes, D, LIFT, M;
  core::Buffer partial_energies;
  core::Kernel volume, surface, update, energy;

  Impl(rtcg::Compiler c, std::shared_ptr<const Discretization> d, Problem p, const Options& options)
      : compiler(std::move(c)),
        discretization(std::move(d)),
        problem(std::move(p)),
        precision(options.precision),
        schedule(options.schedule.value_or(default_schedule(compiler.device().info(), discretization->N(),
                                                            problem.system.field_count(), options.precision))),
        lowered(lower(problem.system)),
        generator(lowered, {problem.system.name, discretization->N(), precision, schedule}),
        layout(schedule, discretization->K(), problem.system.field_count(), discretization->Np()),
        device(compiler.device()),
        stream(device.create_stream()) {
    check();
    upload_state();
    upload_geometry();
    upload_topology();
    upload_operators();
    compile();
  }

  void check() const {
    if (!device.info().has_float64) {
      throw DeviceError(device.info().name +
                        " has no double precision, which times, energies and positions need; choose another device");
    }
    if (problem.boundary.size() != discretization->connectivity.boundary_faces.size() ||
        problem.parameters.size() != problem.system.parameters.size()) {
      throw std::invalid_argument("Problem: one boundary a boundary face and one array a parameter are needed");
    }
  }

  void upload_state() {
    const std::size_t bytes = layout.size() * size_of(precision);
    for (core::Buffer* buffer : {&Q, &RES, &RHS}) {
      *buffer = device.allocate(bytes);
      stream.fill_zero(*buffer);
    }
  }

  /// [block][component][lane] from value_of(k, c); elements that pad the last block get `padding(c)`.
  core::Buffer upload_elements(int components, const std::function<double(std::size_t, int)>& value_of,
                               const std::function<double(int)>& padding) {
    HostReals host(precision, layout.element_size(components));
    const std::size_t padded = layout.blocks() * index(layout.lanes);
    for (std::size_t k = 0; k < padded; ++k) {
      for (int c = 0; c < components; ++c) {
        host.set(layout.element_index(k, components, c), k < layout.K ? value_of(k, c) : padding(c));
      }
    }
    return upload(device, stream, host.bytes());
  }

  void upload_geometry() {
    const Geometry& geometry = discretization->geometry;
    const auto zero = [](int) { return 0.0; };
    metric = upload_elements(metric_size, [&](std::size_t k, int c) { return geometry.metric[k][index(c)]; }, zero);
    faces = upload_elements(face_size, [&](std::size_t k, int c) {
      const Geometry::Face& face = geometry.faces[k][index(c / 4)];
      return std::array{face.nx, face.ny, face.nz, face.Fscale}[index(c % 4)];
    }, zero);
    jacobian = upload_elements(1, [&](std::size_t k, int) { return std::abs(geometry.J[k]); }, zero);

    const int count = static_cast<int>(lowered.constants.size());
    std::vector<double> last;
    std::size_t cached = layout.K;
    // Elements that pad get the last element's material: no division by zero in lanes that nobody reads.
    constants = upload_elements(std::max(count, 1), [&](std::size_t k, int c) {
      if (count == 0) return 0.0;
      if (cached != k) last = lowered.constants_of(problem.parameters, cached = k);
      return last[index(c)];
    }, [&](int c) { return count == 0 ? 0.0 : last[index(c)]; });
  }

  void upload_topology() {
    const Connectivity& connectivity = discretization->connectivity;
    std::vector<std::int32_t> list(layout.element_size(4));
    for (std::size_t k = 0; k < layout.blocks() * index(layout.lanes); ++k) {
      for (int face = 0; face < 4; ++face) {
        // An element that pads is its own neighbour.
        list[layout.element_index(k, 4, face)] =
            k < layout.K ? connectivity.neighbours[k][index(face)] : static_cast<std::int32_t>(4 * k) + face;
      }
    }
    neighbours = upload(device, stream, list);
    boundary_kind = upload(device, stream, std::vector<std::int32_t>(problem.boundary.begin(), problem.boundary.end()));

    std::vector<double> nodes;  // [boundary face][axis][node]
    if (lowered.boundaries_move) {
      const int Nfp = discretization->Nfp();
      for (const Connectivity::BoundaryFace& b : connectivity.boundary_faces) {
        for (int axis = 0; axis < 3; ++axis) {
          for (int i = 0; i < Nfp; ++i) {
            const int node = discretization->reference.Fmask(i, b.face);
            nodes.push_back(discretization->node(index(b.cell), node)[index(axis)]);
          }
        }
      }
    }
    boundary_nodes = upload(device, stream, nodes);
  }

  void upload_operators() {
    const ReferenceElement& ref = discretization->reference;
    const std::size_t Np = index(ref.Np), columns = index(4 * ref.Nfp);
    const bool by_column = generator.nodes_in_parallel();
    const Eigen::MatrixXd* const derivatives[3] = {&ref.Dr, &ref.Ds, &ref.Dt};
    const auto entry = [](const Eigen::MatrixXd& m, std::size_t i, std::size_t j) {
      return m(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
    };
    D = upload_reals(device, stream, precision, 3 * Np * Np, [&](std::size_t i) {
      if (by_column) return entry(*derivatives[i / Np % 3], i % Np, i / (3 * Np));
      return entry(*derivatives[i % 3], i / (3 * Np), i / 3 % Np);
    });
    LIFT = upload_reals(device, stream, precision, Np * columns, [&](std::size_t i) {
      return by_column ? entry(ref.LIFT, i % Np, i / Np) : entry(ref.LIFT, i / columns, i % columns);
    });
    M = upload_reals(device, stream, precision, Np * Np, [&](std::size_t i) { return entry(ref.M, i / Np, i % Np); });
    std::vector<std::int32_t> mask(columns);
    for (int j = 0; j < 4 * ref.Nfp; ++j) mask[index(j)] = ref.Fmask(j % ref.Nfp, j / ref.Nfp);
    Fmask = upload(device, stream, mask);
  }

  void compile() {
    const rtcg::KernelSource sources[] = {generator.volume(), generator.surface(), generator.update(),
                                          generator.energy()};
    const std::vector<core::Module> modules = compiler.compile(sources);
    volume = modules[0].kernel("volume");
    surface = modules[1].kernel("surface");
    update = modules[2].kernel("update");
    energy = modules[3].kernel("energy");
    partial_energies = device.allocate(element_groups() * std::max<std::size_t>(lowered.weights.size(), 1) * sizeof(double));
  }

  [[nodiscard]] core::Kernel compile_one(const rtcg::KernelSource& source, const std::string& name) const {
    return rtcg::Compiler(compiler).compile(source).kernel(name);  // a copy is a handle
  }

  [[nodiscard]] std::size_t element_groups() const {
    return groups(layout.blocks(), index(generator.blocks_per_group()));
  }
  [[nodiscard]] core::LaunchShape over_elements() const {
    return {.groups = {element_groups(), 1, 1}, .group_size = {index(generator.group_items()), 1, 1}};
  }
  [[nodiscard]] core::KernelArgument real(double value) const {
    if (precision == Dtype::float32) return static_cast<float>(value);
    return value;
  }
  [[nodiscard]] std::int32_t block_count() const { return static_cast<std::int32_t>(layout.blocks()); }

  /// RHS = volume + surface terms of the present state.
  void launch_rhs(double t) const {
    volume.launch(stream, over_elements(), {Q, RHS, metric, constants, D, block_count()});
    surface.launch(stream, over_elements(), {Q, RHS, faces, constants, neighbours, Fmask, LIFT, boundary_kind,
                                             boundary_nodes, t, block_count()});
  }

  void launch_update(double a, double b, double dt) const {
    const std::size_t count = layout.size() / index(layout.lanes);
    const std::size_t items = index(generator.update_items());
    const core::LaunchShape shape{.groups = {groups(count, items * index(generator.update_chunk())), 1, 1},
                                  .group_size = {items, 1, 1}};
    update.launch(stream, shape, {Q, RES, RHS, real(a), real(b), real(dt), static_cast<std::int64_t>(count)});
  }

  /// Visits [element][field][node] values together with their places in a piece of device memory, piece by piece.
  template <class Visit>
  void by_pieces(const Visit& visit) const {
    const std::size_t blocks_a_piece = std::max<std::size_t>(1, piece_values / layout.block_size());
    for (std::size_t first = 0; first < layout.blocks(); first += blocks_a_piece) {
      visit(first, std::min(blocks_a_piece, layout.blocks() - first));
    }
  }

  template <class Each>
  void for_each_value(std::size_t first_block, std::size_t blocks, const Each& each) const {
    const std::size_t begin = first_block * index(layout.lanes);
    const std::size_t end = std::min(layout.K, (first_block + blocks) * index(layout.lanes));
    std::size_t host = begin * index(layout.fields * layout.Np);
    for (std::size_t k = begin; k < end; ++k) {
      for (int f = 0; f < layout.fields; ++f) {
        for (int n = 0; n < layout.Np; ++n) each(host++, layout.index(k, f, n) - first_block * layout.block_size());
      }
    }
  }

  void read(const core::Buffer& from, std::span<double> to) const {
    if (to.size() != layout.K * index(layout.fields * layout.Np)) {
      throw std::invalid_argument("Operator: an array of dofs() values is needed");
    }
    by_pieces([&](std::size_t first, std::size_t blocks) {
      HostReals piece(precision, blocks * layout.block_size());
      stream.read(from, first * layout.block_size() * size_of(precision), piece.bytes());
      stream.synchronize();
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

const Discretization& Operator::discretization() const { return *impl_->discretization; }
const Problem& Operator::problem() const { return impl_->problem; }
Dtype Operator::precision() const { return impl_->precision; }
const Schedule& Operator::schedule() const { return impl_->schedule; }
std::string Operator::variant() const { return impl_->schedule.name(); }
const core::Stream& Operator::stream() const { return impl_->stream; }
std::size_t Operator::dofs() const { return impl_->layout.K * index(impl_->layout.fields * impl_->layout.Np); }

void Operator::set_state(std::span<const double> q) {
  if (q.size() != dofs()) throw std::invalid_argument("Operator::set_state: an array of dofs() values is needed");
  const Impl& m = *impl_;
  m.by_pieces([&](std::size_t first, std::size_t blocks) {
    HostReals piece(m.precision, blocks * m.layout.block_size());
    m.for_each_value(first, blocks, [&](std::size_t host, std::size_t i) { piece.set(i, q[host]); });
    m.stream.write(m.Q, first * m.layout.block_size() * size_of(m.precision), piece.bytes());
    m.stream.synchronize();
  });
  m.stream.fill_zero(m.RES);
}

void Operator::get_state(std::span<double> q) const { impl_->read(impl_->Q, q); }

void Operator::interpolate(std::span<const symbolic::Expr> values, double t) {
  if (values.size() != index(impl_->layout.fields)) {
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
  const core::Buffer weights = upload(m.device, m.stream, barycentric);
  std::vector<double> result(d.K() * values.size() * index(d.Np()));
  const std::size_t an_element = values.size() * index(d.Np());
  // A small part of what the state takes: forecasts of memory need not count it.
  const std::size_t a_piece = std::min(std::max<std::size_t>(64, d.K() / 32), piece_values / an_element);
  const core::Buffer out = m.device.allocate(a_piece * an_element * sizeof(double));
  for (std::size_t first = 0; first < d.K(); first += a_piece) {
    const std::size_t count = std::min(a_piece, d.K() - first);
    std::vector<double> corners;  // [element][vertex][axis]
    for (std::size_t k = first; k < first + count; ++k) {
      for (const std::int32_t v : d.mesh.cells[k]) {
        for (const double x : d.mesh.vertices[index(v)]) corners.push_back(x);
      }
    }
    const core::Buffer vertices = upload(m.device, m.stream, corners);
    const core::LaunchShape shape{.groups = {groups(count * index(d.Np()), 64), 1, 1}, .group_size = {64, 1, 1}};
    kernel.launch(m.stream, shape, {vertices, weights, out, t, static_cast<std::int32_t>(count)});
    m.stream.read(out, 0, std::as_writable_bytes(std::span(result).subspan(first * an_element, count * an_element)));
    m.stream.synchronize();
  }
  return result;
}

void Operator::evaluate_rhs(double t, std::span<double> rhs) {
  impl_->launch_rhs(t);
  impl_->read(impl_->RHS, rhs);
}

void Operator::stage(double a, double b, double dt, double t) {
  impl_->launch_rhs(t);
  impl_->launch_update(a, b, dt);
}

std::vector<double> Operator::energies() const {
  const Impl& m = *impl_;
  const std::size_t parts = m.lowered.weights.size(), count = m.element_groups();
  m.energy.launch(m.stream, m.over_elements(),
                  {m.Q, m.jacobian, m.constants, m.M, m.partial_energies, m.block_count()});
  std::vector<double> partial(count * parts), sums(parts, 0.0);
  m.stream.read(m.partial_energies, 0, std::as_writable_bytes(std::span(partial)));
  m.stream.synchronize();
  for (std::size_t i = 0; i < partial.size(); ++i) sums[i % parts] += partial[i];
  return sums;
}

std::unique_ptr<PointSampler> Operator::sample(const std::vector<PointLocation>& points) const {
  const Impl& m = *impl_;
  return std::make_unique<PointSamples>(PointSamples::Source{
      .device = m.device,
      .stream = m.stream,
      .kernel = m.compile_one(m.generator.sample(), "sample"),
      .state = m.Q,
      .reference = m.discretization->reference,
      .fields = m.layout.fields,
      .precision = m.precision}, points);
}

std::size_t Operator::forecast_bytes(const System& system, int N, std::size_t K, std::size_t boundary_faces,
                                     const Options& options, const core::DeviceInfo& device) {
  const int fields = system.field_count();
  const std::size_t Np = index((N + 1) * (N + 2) * (N + 3) / 6), Nfp = index((N + 1) * (N + 2) / 2);
  const Schedule schedule = options.schedule.value_or(default_schedule(device, N, fields, options.precision));
  const StateLayout layout(schedule, K, fields, static_cast<int>(Np));
  const LoweredSystem lowered = lower(system);
  const KernelGenerator generator(lowered, {system.name, N, options.precision, schedule});
  const int numbers = metric_size + face_size + 1 + std::max(static_cast<int>(lowered.constants.size()), 1);
  const std::size_t reals = 3 * layout.size() + layout.element_size(numbers) + 4 * Np * Np + Np * 4 * Nfp;
  const std::size_t integers = layout.element_size(4) + 4 * Nfp + boundary_faces;
  const std::size_t doubles = groups(layout.blocks(), index(generator.blocks_per_group())) * lowered.weights.size() +
                              (lowered.boundaries_move ? 3 * Nfp * boundary_faces : 0);
  return reals * size_of(options.precision) + integers * 4 + doubles * 8;
}

}  // namespace maxwell_dg::dg
