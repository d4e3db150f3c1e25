#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/round_up.hpp"
#include "dg/operator/field_values.hpp"
#include "dg/operator/fourier_sums.hpp"
#include "dg/operator/operator_impl.hpp"
#include "dg/operator/recorder.hpp"
#include "dg/operator/state_copy.hpp"

// What is read of the state, and computed from it: values at nodes and points, energies, powers, Fourier sums.

namespace maxwell_dg::dg {

namespace {

core::Kernel compile_one(rtcg::Compiler compiler, const rtcg::KernelSource& source, const std::string& name) {
  return compiler.compile(source).kernel(name);
}

core::Kernel sample_kernel(const rtcg::Compiler& compiler, const KernelGenerator& generator,
                           const core::Communicator& ranks) {
  const rtcg::KernelSource source = generator.sample();
  return rtcg::compile_together(compiler, std::span(&source, 1), ranks).front().kernel("sample");
}

}  // namespace

/// Evaluates expressions of position and time at the nodes of elements of one shape.
class Operator::NodalValues {
 public:
  NodalValues(const Impl& impl, std::span<const symbolic::Expr> values, ElementRange::Shape shape)
      : impl_(impl),
        expressions_(values.size()),
        is_curved_(shape == ElementRange::Shape::curved),
        kernel_(compile_one(impl.setting().compiler,
                            nodal_values_kernel(values, impl.problem.discretization().N(), is_curved_),
                            "nodal_values")) {
    if (is_curved_) return;
    const ReferenceElement& reference = impl.problem.discretization().reference;
    std::vector<double> barycentric;  // [node][vertex]
    for (int n = 0; n < reference.Np; ++n) {
      const double r = reference.r[n], s = reference.s[n], w = reference.t[n];
      for (double lambda : {-(1 + r + s + w) / 2, (1 + r) / 2, (1 + s) / 2, (1 + w) / 2}) barycentric.push_back(lambda);
    }
    weights_ = upload(impl.device(), impl.stream(), barycentric);
  }

  /// For the elements from `first` on, as many as fit into `to`.
  void write(double t, std::size_t first, std::span<double> to) const {
    const Discretization &d = impl_.whole(), &of_rank = impl_.problem.discretization();
    const std::size_t an_element = expressions_ * index(d.Np()), end = first + to.size() / an_element;
    // A small part of what the state of this rank takes: forecasts of memory need not count it.
    const std::size_t a_piece = std::min(std::max<std::size_t>(64, of_rank.K() / 32), piece_values / an_element);
    const core::Buffer out = impl_.device().allocate(a_piece * an_element * sizeof(double));
    for (std::size_t k0 = first; k0 < end; k0 += a_piece) {
      const std::size_t count = std::min(a_piece, end - k0);
      const core::Buffer points = upload(impl_.device(), impl_.stream(), points_of(k0, count));
      constexpr auto items = static_cast<std::size_t>(KernelGenerator::point_items);
      const core::LaunchShape shape{.groups = {ceil_divide(count * index(d.Np()), items), 1, 1},
                                    .group_size = {items, 1, 1}};
      std::vector<core::KernelArgument> arguments{points};
      if (!is_curved_) arguments.emplace_back(weights_);
      arguments.insert(arguments.end(), {out, t, static_cast<std::int32_t>(count)});
      kernel_.launch(impl_.stream(), shape, arguments);
      impl_.stream().read(out, 0, std::as_writable_bytes(to.subspan((k0 - first) * an_element, count * an_element)));
      impl_.stream().synchronize();
    }
  }

 private:
  /// [element][vertex][axis], of curved elements [element][node][axis].
  [[nodiscard]] std::vector<double> points_of(std::size_t first, std::size_t count) const {
    const Discretization& d = impl_.whole();
    std::vector<double> points;
    const auto add = [&](const Point& x) { points.insert(points.end(), x.begin(), x.end()); };
    for (std::size_t k = first; k < first + count; ++k) {
      if (is_curved_) {
        for (int n = 0; n < d.Np(); ++n) add(d.node(k, n));
      } else {
        for (const std::int32_t v : d.mesh.cells[k]) add(d.mesh.vertices[index(v)]);
      }
    }
    return points;
  }

  const Impl& impl_;
  std::size_t expressions_;
  bool is_curved_;
  core::Kernel kernel_;
  core::Buffer weights_;  ///< of straight elements
};

void Operator::interpolate(std::span<const symbolic::Expr> values, double t) {
  if (values.size() != index(impl_->layout().fields())) {
    throw std::invalid_argument("Operator::interpolate: one expression a field is needed");
  }
  set_state([&](std::size_t first, std::span<double> q) { nodal_values(values, t, first, q); });
}

std::vector<double> Operator::nodal_values(std::span<const symbolic::Expr> values, double t) const {
  std::vector<double> result(discretization().K() * values.size() * index(discretization().Np()));
  nodal_values(values, t, 0, result);
  return result;
}

void Operator::nodal_values(std::span<const symbolic::Expr> values, double t, std::size_t first,
                            std::span<double> to) const {
  const Discretization& d = discretization();
  const std::size_t an_element = values.size() * index(d.Np()), end = first + to.size() / an_element;
  for (std::size_t range = d.ranges.of(first); first < end; ++range) {
    const std::size_t last = std::min(end, d.ranges[range].end);
    const NodalValues kernel(*impl_, values, d.ranges[range].shape);
    kernel.write(t, first, to.first((last - first) * an_element));
    to = to.subspan((last - first) * an_element);
    first = last;
  }
}

std::vector<double> Operator::energies() const {
  const std::unique_ptr<Recorder> recorder = record_energies();
  recorder->record();
  return recorder->take();
}

const std::vector<std::string>& Operator::power_names() const {
  static const std::vector<std::string> none;
  return impl_->powers ? impl_->powers->names() : none;
}

std::vector<double> Operator::powers(double t) {
  std::vector<double> values(power_names().size());
  if (values.empty()) return values;
  (void)impl_->stages().evaluate(t);
  impl_->powers->get_powers(values);
  impl_->ranks.sum(values);
  return values;
}

std::vector<double> Operator::injected_energies() const {
  std::vector<double> values(power_names().size());
  if (!values.empty()) impl_->powers->get_injected_energies(values);
  impl_->ranks.sum(values);
  return values;
}

void Operator::set_injected_energies(std::span<const double> values) {
  if (values.size() != power_names().size()) {
    throw std::invalid_argument("Operator::set_injected_energies: one number a power is needed");
  }
  if (values.empty()) return;
  // Those of the whole mesh are the sum of the ranks': the first has all of them.
  const std::vector<double> mine(values.size());
  impl_->powers->set_injected_energies(impl_->ranks.is_first() ? values : std::span<const double>(mine));
}

std::unique_ptr<Recorder> Operator::record_balance() const {
  const Impl& m = *impl_;
  return std::make_unique<Recorder>(
      Recorder::Source{.device = m.device(),
                       .stream = m.stream(),
                       .dtype = Dtype::float64,
                       .width = m.energies.count() + power_names().size(),
                       .ranks = m.ranks,
                       .receiver = Recorder::Source::Receiver::first,
                       .write_record = [&m](const core::Buffer& row, std::int32_t) {  // a batch is one record
                         m.energies.write_record(row, 0);
                         if (m.powers) m.powers->write_record(row, static_cast<std::int32_t>(m.energies.count()));
                       }});
}

std::unique_ptr<Recorder> Operator::record_energies() const {
  const Impl& m = *impl_;
  return std::make_unique<Recorder>(
      Recorder::Source{.device = m.device(),
                       .stream = m.stream(),
                       .dtype = Dtype::float64,
                       .width = m.energies.count(),
                       .ranks = m.ranks,
                       .write_record = [&m](const core::Buffer& totals, std::int32_t record) {
                         m.energies.write_record(totals, record);
                       }});
}

/// Points whose fields this rank records.
struct Operator::OwnPoints {
  std::vector<PointLocation> points;  ///< numbered as in the part
  core::Communicator ranks;           ///< those that record together
  std::vector<bool> is_own;           ///< [point][field] see Recorder::Source
};

std::unique_ptr<Recorder> Operator::record_points(const std::vector<PointLocation>& points, std::size_t batch) const {
  OwnPoints own{.points = points, .ranks = impl_->ranks, .is_own = {}};
  for (PointLocation& p : own.points) {
    const std::optional<std::size_t> number = number_in_part(p.cell);
    p.cell = number.value_or(0);
    if (impl_->ranks.size() > 1)
      own.is_own.insert(own.is_own.end(), index(impl_->layout().fields()), number.has_value());
  }
  return record(own, batch);
}

std::unique_ptr<Recorder> Operator::record_own_points(const std::vector<PointLocation>& points,
                                                      std::size_t batch) const {
  return record({.points = points, .ranks = {}, .is_own = {}}, batch);
}

std::unique_ptr<Recorder> Operator::record(const OwnPoints& own, std::size_t batch) const {
  const Impl& m = *impl_;
  const ReferenceElement& reference = discretization().reference;
  const std::size_t width = own.points.size() * index(m.layout().fields());
  std::vector<std::int32_t> elements;
  std::vector<double> weights;  // [point][node]
  for (const PointLocation& p : own.points) {
    elements.push_back(static_cast<std::int32_t>(p.cell));
    const Eigen::VectorXd basis = reference.lagrange(p.rst[0], p.rst[1], p.rst[2]);
    weights.insert(weights.end(), basis.begin(), basis.end());
  }
  constexpr auto items = static_cast<std::size_t>(KernelGenerator::point_items);
  const core::LaunchShape shape{.groups = {ceil_divide(width, items), 1, 1}, .group_size = {items, 1, 1}};
  return std::make_unique<Recorder>(Recorder::Source{
      .device = m.device(),
      .stream = m.stream(),
      .dtype = m.setting().precision,
      .width = width,
      .batch = batch,
      .ranks = own.ranks,
      .receiver = Recorder::Source::Receiver::first,
      .is_own = own.is_own,
      .write_record = [&m, shape, kernel = sample_kernel(m.setting().compiler, m.generator, m.ranks),
                       elements = m.setting().upload(elements), weights = m.setting().upload_reals(weights),
                       count = static_cast<std::int32_t>(own.points.size())](const core::Buffer& samples,
                                                                             std::int32_t record) {
        kernel.launch(
            m.stream(), shape,
            {m.stages().cartesian_state_of(elements, index(count)), elements, weights, samples, record, count});
      }});
}

std::unique_ptr<StateCopy> Operator::copy_state() const {
  return std::make_unique<StateCopy>(impl_->problem, elements_of_all());
}

std::unique_ptr<FourierSums> Operator::sum_fourier(FourierSelection selection) const {
  return std::make_unique<FourierSums>(impl_->problem, impl_->generator, std::move(selection), impl_->ranks,
                                       impl_->share ? &*impl_->share : nullptr);
}

std::unique_ptr<FieldValues> Operator::share_fields(FieldsByFactors fields) const {
  if (impl_->ranks.size() > 1) throw std::invalid_argument("Operator::share_fields: each of several ranks has a part");
  return std::make_unique<FieldValues>(impl_->problem, impl_->generator, std::move(fields));
}

}  // namespace maxwell_dg::dg
