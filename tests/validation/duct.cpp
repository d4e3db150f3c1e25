#include "tests/validation/duct.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <utility>

#include "dg/lowering/phase_terms.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/maxwell/pml.hpp"
#include "dg/maxwell/pml_layer.hpp"
#include "dg/mesh/periodic.hpp"
#include "dg/operator/recorder.hpp"

namespace maxwell_dg::dg {
namespace {

using std::numbers::pi;

class PointRecord : public Observer {
 public:
  explicit PointRecord(std::unique_ptr<Recorder> recorder) : recorder_(std::move(recorder)) {}
  void observe(Operator&, const Moment&) override {
    recorder_->record();
    keep(recorder_->take_arrived());
  }
  void finish(Operator&, const Moment&) override { keep(recorder_->take()); }
  std::vector<double> values;

 private:
  void keep(const std::vector<double>& more) { values.insert(values.end(), more.begin(), more.end()); }
  std::unique_ptr<Recorder> recorder_;
};

bool has_E_across(Duct::Mode mode) {
  return mode == Duct::Mode::te || mode == Duct::Mode::bloch;
}

/// Between the faces that x_min and x_max were joined to.
void add_phase(const Discretization& d, double phase, Problem& problem) {
  std::vector<PhasedFace> faces;
  for (std::int32_t k = 0; k < static_cast<std::int32_t>(d.complex_view.places()); ++k) {
    for (std::int32_t face = 0; face < 4; ++face) {
      const auto e = static_cast<std::size_t>(k), f = static_cast<std::size_t>(face);
      const double nx = d.geometry.faces[e][f].nx;
      const std::int32_t partner = d.connectivity.neighbours[e][f];
      if (std::abs(nx) < 0.5 || partner < 0) continue;
      const double to = centroid(d.mesh, d.mesh.cells[static_cast<std::size_t>(partner / 4)])[0];
      const double way = to - centroid(d.mesh, d.mesh.cells[e])[0];
      if (way * nx < 0) faces.push_back({{k, face}, way > 0 ? phase : -phase});  // the neighbour lies behind
    }
  }
  for (FaceTerm& term : phase_terms(d, problem.system, faces)) problem.face_terms.push_back(std::move(term));
}

/// With poles everywhere, those in the layer by its own terms.
void add_layer(const Discretization& d, const std::vector<std::int32_t>& layer, double alpha,
               const maxwell::PmlLayer& geometry, const std::vector<maxwell::Pole>& poles, Problem& problem) {
  std::vector<maxwell::DispersiveMedium> media, elsewhere;
  if (!poles.empty()) {
    media = {{.poles = poles, .elements = layer}};
    elsewhere = {{.poles = poles, .elements = {}}};
    for (std::int32_t k = 0; k < static_cast<std::int32_t>(d.K()); ++k) {
      if (!std::ranges::binary_search(layer, k)) elsewhere[0].elements.push_back(k);
    }
  }
  for (auto& term : maxwell::dispersion_terms(problem.system, elsewhere)) {
    problem.element_terms.push_back(std::move(term));
  }
  for (auto& term : maxwell::pml_terms(problem, d, layer, alpha, geometry, media)) {
    problem.element_terms.push_back(std::move(term));
  }
}

TestRun make_run(const Duct::Options& o) {
  const int usual = o.mode == Duct::Mode::tem ? 1 : static_cast<int>(std::ceil(0.75 * o.width / o.cell));
  const int across = o.across > 0 ? o.across : usual;
  const double width = o.mode == Duct::Mode::tem ? o.cell : o.width;
  const int along = static_cast<int>(std::lround(o.length / o.cell));
  Mesh mesh = make_box({.min = {0, 0, 0}, .max = {width, o.cell, o.length}, .cells = {across, 1, along}});
  if (o.mode == Duct::Mode::bloch) {
    join_periodic(mesh, std::vector<PeriodicPair>{{"x_min", "x_max", "duct"}});
  }
  std::vector<std::int32_t> layer;
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    const double z = centroid(mesh, mesh.cells[k])[2];
    if (z < o.layer || (!o.mirrored && z > o.length - o.layer)) layer.push_back(static_cast<std::int32_t>(k));
  }
  if (o.kappa != 1) maxwell::stretch_layer(mesh, layer, o.layer, o.kappa);
  const bool is_complex = o.mode == Duct::Mode::bloch;
  if (is_complex) {  // that of imaginary parts as well
    const auto places = static_cast<std::int32_t>(mesh.cells.size());
    for (std::size_t i = layer.size(), of_real = 0; of_real < i; ++of_real) layer.push_back(layer[of_real] + places);
  }
  return TestRun({.mesh = std::move(mesh),
                  .N = o.N,
                  .numbers = is_complex ? FieldNumbers::complex : FieldNumbers::real,
                  .system = maxwell::system(),
                  .materials = o.materials,
                  .precision = o.precision,
                  .extend = [&](const Discretization& d, Problem& problem) {
                    const int pmc = problem.system.find_boundary("pmc");
                    for (std::size_t b = 0; b < problem.boundary.size(); ++b) {
                      const auto surface = static_cast<std::size_t>(d.connectivity.boundary_faces[b].surface);
                      const std::string& name = d.mesh.surfaces[surface];
                      const bool is_mirror = o.mirrored && name == "z_max";
                      if (has_E_across(o.mode) ? is_mirror : name.starts_with('y')) problem.boundary[b] = pmc;
                    }
                    const double thickness = maxwell::stretched_thickness(o.layer, o.kappa);
                    const maxwell::PmlLayer geometry(d, layer, thickness, o.reflection);
                    add_layer(d, layer, 0.1 / thickness, geometry, o.poles, problem);
                    if (o.mode == Duct::Mode::bloch) add_phase(d, o.k_x * width, problem);
                    if (o.extend) o.extend(d, problem);
                  }});
}

}  // namespace

Duct::Duct(const Options& options) : options_(options), run_(make_run(options)) {
  const auto pulse = [&](const std::function<double(double)>& across) {
    return run_.nodal([&, across](const Point& x, const Point&, std::span<double> q) {
      const double s = x[2] - options_.pulse_at;
      const double f =
          std::exp(-s * s / (options_.pulse_width * options_.pulse_width)) * std::cos(2 * pi * s / options_.wavelength);
      std::ranges::fill(q, 0.0);
      q[has_E_across(options_.mode) ? 1 : 4] = f * across(k_x() * x[0]);
    });
  };
  const auto cosine = [](double a) { return std::cos(a); };
  const auto sine = [](double a) { return std::sin(a); };
  std::vector<double> q = pulse(options.mode == Mode::te ? std::function<double(double)>(sine) : cosine);
  if (options.mode == Mode::bloch) {
    const std::vector<double> imaginary = pulse([](double a) { return -std::sin(a); });
    const Discretization& d = run_.discretization();
    const auto half = static_cast<std::ptrdiff_t>(q.size() / d.K() * d.complex_view.places());
    std::copy(imaginary.begin() + half, imaginary.end(), q.begin() + half);
  }
  run_.op().set_state(q);
}

double Duct::k_x() const {
  if (options_.mode == Mode::bloch) return options_.k_x;
  return options_.mode == Mode::tem ? 0.0 : pi / options_.width;
}

Duct::Record Duct::record(const std::vector<double>& heights, double duration) {
  const Discretization& d = run_.discretization();
  const PointLocator locator(d.mesh, d.geometry);
  const bool has_E = has_E_across(options_.mode);
  std::vector<PointLocation> points;
  for (const double z : heights) {
    const double x = options_.mode == Mode::te ? 0.5 * options_.width : 0.0;
    points.push_back(locator.locate({x + 1e-9, 0.5 * options_.cell, z}).value());
    points.back().cell = d.complex_view.element(points.back().cell, FieldPart::real);
  }
  PointRecord observer(run_.op().record_points(points));
  const double largest = run_.stable_step();
  run_.advance(duration, largest, &observer);
  Record record{.samples = std::vector<std::vector<double>>(heights.size()),
                .dt = duration / std::ceil(duration / largest)};
  for (std::size_t i = 0; i < observer.values.size(); i += 6 * heights.size()) {
    for (std::size_t p = 0; p < heights.size(); ++p) {
      record.samples[p].push_back(observer.values[i + 6 * p + (has_E ? 1 : 4)]);
    }
  }
  return record;
}

std::complex<double> Duct::Record::spectrum(std::size_t height, double w) const {
  // What lingers near the cut-off frequency is faded out, lest its end should look like all frequencies.
  std::complex<double> sum = 0;
  const auto count = static_cast<double>(samples[height].size());
  for (std::size_t i = 0; i < samples[height].size(); ++i) {
    const double late = std::max(0.0, static_cast<double>(i) / count - 0.5) / 0.5;
    const double fade = std::pow(std::cos(0.5 * pi * late), 2);
    sum += fade * samples[height][i] * std::polar(1.0, -w * static_cast<double>(i) * dt);
  }
  return sum * dt;
}

}  // namespace maxwell_dg::dg
