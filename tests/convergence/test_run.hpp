#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dg/operator/operator.hpp"
#include "dg/time/time_loop.hpp"

namespace maxwell_dg::dg {

/// A system on a mesh, ready to step on the device that tests run on: what every convergence test needs and no test is
/// about.
class TestRun {
 public:
  /// The centroid of an element to its parameters, in the order of System::parameters; null: the defaults.
  using Materials = std::function<std::vector<double>(const Point& centroid)>;
  /// Writes the fields at a point of an element with this centroid (which tells the two sides of an interface apart).
  using Fields = std::function<void(const Point& x, const Point& centroid, std::span<double> fields)>;

  struct Options {
    Mesh mesh;
    int N = 1;
    FieldNumbers numbers = FieldNumbers::real;
    System system;
    std::string boundary = "pec";  ///< on every boundary face
    Materials materials{};
    Dtype precision = Dtype::float64;
    bool powers = false;  ///< see Operator::Options
    /// What else the problem has: other conditions on some faces, terms.
    std::function<void(const Discretization&, Problem&)> extend{};
  };
  explicit TestRun(Options options);

  [[nodiscard]] Operator& op() { return op_; }
  [[nodiscard]] const Operator& op() const { return op_; }
  [[nodiscard]] const Discretization& discretization() const { return op_.discretization(); }
  [[nodiscard]] Point centroid(std::size_t k) const;
  /// Values at all nodes, [element][field][node].
  [[nodiscard]] std::vector<double> nodal(const Fields& fields) const;
  void set(const Fields& fields) { op_.set_state(nodal(fields)); }

  /// Advances by `duration` with LSRK54 in equal steps no larger than `largest_step`.
  void advance(double duration, double largest_step, Observer* observer = nullptr);
  [[nodiscard]] double stable_step() const;
  /// L2 norm over all fields of the state minus these fields.
  [[nodiscard]] double error(const Fields& fields) const;
  [[nodiscard]] double energy() const;

 private:
  Operator op_;
  double time_ = 0.0;
};

/// The order of the geometry that frequencies of twice the order N of the fields ask for, as far as there is.
[[nodiscard]] int geometry_order(int N);

/// log2 of the ratio of two errors, h being halved; or the logarithm to another base.
[[nodiscard]] double rate(double coarse, double fine, double refinement = 2.0);

/// Notes a rate and the finer error in the test's XML report, for those who gather figures.
void report_rate(const std::string& name, double rate, double fine_error);

}  // namespace maxwell_dg::dg
