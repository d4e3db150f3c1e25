#include "dg/tuning/verification.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>

#include "dg/lowering/lowered_term.hpp"
#include "dg/lowering/reference_operator.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"
#include "dg/operator/stage_terms.hpp"

namespace maxwell_dg::dg {

namespace {

struct Cube {
  Point corner{0, 0, 0};
  double side = 1;
};

Cube cube_around(const Mesh& mesh) {
  Cube cube{.corner = mesh.vertices.front(), .side = 0};
  Point largest = cube.corner;
  for (const Point& v : mesh.vertices) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      cube.corner[axis] = std::min(cube.corner[axis], v[axis]);
      largest[axis] = std::max(largest[axis], v[axis]);
    }
  }
  for (std::size_t axis = 0; axis < 3; ++axis) cube.side = std::max(cube.side, largest[axis] - cube.corner[axis]);
  return cube;
}

Mesh distorted(const Cube& cube) {
  constexpr std::array cells{3, 2, 1};  // some of them no multiple of what a work-group takes
  Box box{.min = cube.corner, .max = cube.corner, .cells = cells};
  for (double& x : box.max) x += cube.side;
  Mesh mesh = make_box(box);
  distort(mesh, 0.15 * cube.side / cells[0]);
  return mesh;
}

/// Curved where x is in the upper half of the cube.
Mesh half_curved(const Cube& cube) {
  Mesh mesh = distorted(cube);
  curve(mesh, 2, [&](const Point& x) {
    const double beyond = std::max(0.0, x[0] - cube.corner[0] - cube.side / 2);
    return Point{x[0], x[1] + 0.4 * beyond * beyond / cube.side, x[2] - 0.3 * beyond * beyond / cube.side};
  });
  prepare(mesh, "verification", Orientation::any);
  return mesh;
}

Problem with_random_materials(const System& system, const Discretization& discretization) {
  std::mt19937 random(6);
  std::uniform_real_distribution<double> some(0.0, 1.0);
  Problem problem{.system = system};
  for (const System::Parameter& parameter : system.parameters) {
    std::vector<double>& values = problem.parameters.emplace_back(discretization.K());
    const double standard = parameter.default_value;
    for (double& value : values) value = standard == 0 ? some(random) : standard * (1 + some(random));
  }
  const std::size_t faces = discretization.connectivity.boundary_faces.size();
  for (std::size_t b = 0; b < faces; ++b) problem.boundary.push_back(static_cast<int>(b % system.boundaries.size()));
  return problem;
}

/// The i-th term gets every third element, some in each block of elements, with the numbers of its own in turn.
void add_copy(const ElementTerm& term, std::size_t i, const Discretization& discretization, Problem& problem) {
  const auto Np = static_cast<std::size_t>(discretization.Np());
  ElementTerm copy = term;
  copy.elements.clear();
  for (std::vector<double>& values : copy.parameters) values.clear();
  for (std::vector<double>& values : copy.profiles) values.clear();
  for (std::size_t k = i % 2; k < discretization.K() / 2; k += 3) {
    if (discretization.mesh.curved.is_curved(k)) continue;
    const std::size_t own = copy.elements.size() % term.elements.size();
    copy.elements.push_back(static_cast<std::int32_t>(k));
    for (std::size_t p = 0; p < term.parameters.size(); ++p) copy.parameters[p].push_back(term.parameters[p][own]);
    for (std::size_t p = 0; p < term.profiles.size(); ++p) {
      const std::span<const double> nodal = std::span(term.profiles[p]).subspan(own * Np, Np);
      copy.profiles[p].insert(copy.profiles[p].end(), nodal.begin(), nodal.end());
    }
  }
  problem.element_terms.push_back(std::move(copy));
}

double norm(std::span<const double> values) {
  double sum = 0;
  for (const double x : values) {
    if (std::isfinite(x)) sum += x * x;
  }
  return std::sqrt(sum);
}

}  // namespace

Verification::Verification(const System& system, int N, const Mesh* where, ElementRange::Shape shape,
                           const std::vector<ElementTerm>& terms) {
  const Cube cube = where == nullptr ? Cube{} : cube_around(*where);
  discretization_ =
      std::make_shared<Discretization>(shape == ElementRange::Shape::curved ? half_curved(cube) : distorted(cube), N);
  problem_ = with_random_materials(system, *discretization_);
  // In curved elements losses of tensors are a term, which stages leave out: the reference is to leave them out, too.
  if (shape == ElementRange::Shape::curved && system.has_tensors()) problem_.system.relaxation_rate = 0.0;
  has_term_.resize(discretization_->K());
  for (std::size_t i = 0; i < terms.size(); ++i) {
    add_copy(terms[i], i, *discretization_, problem_);
    for (const std::int32_t k : problem_.element_terms.back().elements) has_term_[static_cast<std::size_t>(k)] = true;
  }
  time_ = 0.37 * cube.side;
  const ReferenceOperator reference(*discretization_, problem_);
  std::mt19937 random(7);
  std::uniform_real_distribution<float> value(-1.0F, 1.0F);  // the same in both precisions
  fields_.resize(reference.size());
  for (double& x : fields_) x = value(random);
  expected_.resize(fields_.size());
  auxiliary_.resize(auxiliary_count(problem_, *discretization_));
  for (double& x : auxiliary_) x = value(random);
  reference.rhs(fields_, time_, expected_, auxiliary_);
  // What the stage adds is large against q: little of it is lost where q is subtracted again. That of terms may be
  // larger by far.
  std::vector<double> without_terms = expected_;
  for (std::size_t i = 0; i < without_terms.size(); ++i) {
    if (has_term(i)) without_terms[i] = 0;
  }
  const double rhs = norm(without_terms);
  if (rhs > 0) dt_ = 100 * norm(fields_) / rhs;
}

void Verification::run(const DeviceProblem& problem, StageKernels& stages) const {
  problem.set_state(stages, fields_);
  std::span<const double> left = auxiliary_;
  for (std::size_t i = 0; i < problem_.element_terms.size(); ++i) {
    problem.setting().terms->set_auxiliary(i, {0, problem_.element_terms[i].elements.size()}, left);
  }
  stages.advance(0.0, 1.0, dt_, time_);
}

double Verification::error_of(std::span<const double> q) const {
  double difference[2]{}, size[2]{};  // of elements without and with terms
  for (std::size_t i = 0; i < expected_.size(); ++i) {
    if (!std::isfinite(expected_[i])) continue;  // an expression of the user's that has no value here
    const double rhs = (q[i] - fields_[i]) / dt_;
    difference[has_term(i)] += (rhs - expected_[i]) * (rhs - expected_[i]);
    size[has_term(i)] += expected_[i] * expected_[i];
  }
  double error = 0;
  for (const int part : {0, 1}) {
    const double here = size[part] > 0 ? std::sqrt(difference[part] / size[part]) : std::sqrt(difference[part]);
    error = std::isfinite(here) ? std::max(error, here) : here;
    if (!std::isfinite(error)) break;
  }
  return std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
}

std::string Verification::objection(double error, double allowed) {
  if (error <= allowed) return "";
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "relative error %.2g, allowed %.2g", error, allowed);
  return text.data();
}

double Verification::error_of(const rtcg::Compiler& compiler, const Schedule& schedule, Dtype precision,
                              std::size_t elements, const CurvedVariant& curved) const {
  const DeviceProblem small(compiler, compiler.device().create_stream(), discretization_, problem_, precision, schedule,
                            elements, curved, has_terms());
  StageKernels& stages = small.stages();
  stages.load(rtcg::Compiler(compiler).compile(stages.source()));
  run(small, stages);
  std::vector<double> q(fields_.size());
  small.read(stages.cartesian_state(), q);
  return error_of(q);
}

}  // namespace maxwell_dg::dg
