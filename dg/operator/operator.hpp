#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/dtype.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/schedule/schedule.hpp"
#include "dg/symbolic/system.hpp"
#include "rtcg/compile/compiler.hpp"

namespace maxwell_dg::dg {

class FourierSums;
struct FourierSelection;
class Recorder;
class StateCopy;

/// The semi-discrete operator and its state on a device, by kernels generated for this system, order, precision and
/// device. How the state is stored is its own affair; every accessor but `set_stored_state` gives and takes physical
/// nodal values in double, ordered [element][field][node].
class Operator {
 public:
  struct Options {
    Dtype precision = Dtype::float64;
    std::optional<Schedule> schedule{};  ///< default: the one known to be good on this device
    bool powers = false;                 ///< whether every stage also integrates what changes the energy
  };

  Operator(const rtcg::Compiler& compiler, const std::shared_ptr<const Discretization>& discretization, Problem problem,
           Options options);
  ~Operator();
  Operator(Operator&&) noexcept;
  Operator& operator=(Operator&&) noexcept;

  [[nodiscard]] const Discretization& discretization() const;
  [[nodiscard]] const Problem& problem() const;
  [[nodiscard]] Dtype precision() const;
  [[nodiscard]] const Schedule& schedule() const;
  [[nodiscard]] std::string variant() const;  ///< the schedule in short, for summaries
  [[nodiscard]] const core::Stream& stream() const;
  [[nodiscard]] std::size_t dofs() const;  ///< fields x Np x K

  void set_state(std::span<const double> q);
  /// The same with vectors by their components in the basis of each element (ElementBasis) where schedule().basis is
  /// that: in the state's precision, what StateCopy::save saved is stored again to the bit.
  void set_stored_state(std::span<const double> q);
  void get_state(std::span<double> q) const;
  /// The same by pieces of elements.
  void set_state(const FillElements& values);
  void get_state(const TakeElements& take) const;
  /// Unknowns that terms have in their elements beside the fields, zero at first: [term][element][unknown][node].
  [[nodiscard]] std::size_t unknowns() const;
  void set_unknowns(std::span<const double> u);
  void get_unknowns(std::span<double> u) const;
  /// q_f(node) = values[f](x, t): nodal interpolation by a generated kernel; `values` holds coordinates and time only.
  void interpolate(std::span<const symbolic::Expr> values, double t);
  /// The same without touching the state: nodal values of expressions, [element][expression][node].
  [[nodiscard]] std::vector<double> nodal_values(std::span<const symbolic::Expr> values, double t) const;
  /// Of elements from `first` on, as many as `to` holds.
  void nodal_values(std::span<const symbolic::Expr> values, double t, std::size_t first, std::span<double> to) const;

  /// The right-hand side at the present state, to the host: for tests and for spectra. Between steps: what a stage
  /// leaves for the next is lost. `rates`, if given: time derivatives of the unknowns of terms.
  void evaluate_rhs(double t, std::span<double> rhs, std::span<double> rates = {});
  /// One low-storage Runge-Kutta stage: res = a res + dt rhs(q, t); q += b res. Asynchronous.
  void stage(double a, double b, double dt, double t);
  /// The same of one range of the discretization's elements, with the terms and powers of these. Ranges may be ahead of
  /// others by one stage: a range waits for its neighbours, else std::logic_error is thrown. All else that reads or
  /// writes the state needs all ranges to have computed as many stages, and throws it otherwise.
  void stage_of_range(std::size_t range, double a, double b, double dt, double t);

  /// The stages of a low-storage Runge-Kutta method, one after the other, at times t + c[i] dt. Asynchronous. Steps
  /// that repeat one another (same method, same dt, boundaries that do not move) are recorded and replayed with one
  /// call where the device can do that.
  struct Stages {
    std::span<const double> a, b, c;
  };
  void step(const Stages& stages, double dt, double t);

  /// The system's energies at the present state, in the order of System::energies. Waits for the device.
  [[nodiscard]] std::vector<double> energies() const;

  // With Options::powers; see PowerTerms for what there is. Energies are in the solver's units, in double.
  [[nodiscard]] const std::vector<std::string>& power_names() const;  ///< else none
  /// The powers at the present state, [power]. Like evaluate_rhs, between steps.
  [[nodiscard]] std::vector<double> powers(double t);
  /// What each has put in since the beginning, [power], less than zero where it takes; zero at first.
  [[nodiscard]] std::vector<double> put_in() const;
  /// Throws std::invalid_argument for another number of them than power_names() has.
  void set_put_in(std::span<const double> values);

  // What follows lives no longer than the operator.
  /// Records the fields at points, [record][point][field], `batch` records at a time.
  [[nodiscard]] std::unique_ptr<Recorder> record_points(const std::vector<PointLocation>& points,
                                                        std::size_t batch = 256) const;
  /// Records the energies, [record][energy].
  [[nodiscard]] std::unique_ptr<Recorder> record_energies() const;
  /// Records the energies and, behind them, what each power has put in: [record][energy, then power].
  [[nodiscard]] std::unique_ptr<Recorder> record_balance() const;
  /// Copies the state to the host while the device goes on.
  [[nodiscard]] std::unique_ptr<StateCopy> copy_state() const;
  /// Sums the state with the phases of some frequencies, as often as it is told to.
  [[nodiscard]] std::unique_ptr<FourierSums> sum_fourier(FourierSelection selection) const;

  /// What is to be used of an operator, as far as that takes memory of a device.
  struct Usage {
    const Problem& problem;  ///< parameters and boundary are read with options.powers alone
    int N{};
    Options options{};
    struct Size {
      std::size_t elements{};
      std::size_t boundary_faces{};
      std::size_t materials{};  ///< different ones
      std::size_t ranges = 1;   ///< of elements
    } size{};
    const Discretization* discretization = nullptr;  ///< with options.powers: the mesh of the problem
    struct Record {                                  ///< as record_points makes it
      std::size_t points{}, fields{}, batch{};
    };
    std::vector<Record> records{};
    struct Sums {  ///< as sum_fourier makes them: K Np points in the volume, Nfp a face
      std::size_t points{}, fields{}, frequencies{};
    };
    std::vector<Sums> sums{};
  };
  /// Bytes that all of this will hold on a device, without building it. Throws std::invalid_argument for powers without
  /// a discretization.
  [[nodiscard]] static std::size_t forecast_bytes(const Usage& usage, const core::DeviceInfo& device);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace maxwell_dg::dg
