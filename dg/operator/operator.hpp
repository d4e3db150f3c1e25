#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/dtype.hpp"
#include "core/mpi/communicator.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/operator/exchange/transport.hpp"
#include "dg/schedule/curved_variant.hpp"
#include "dg/schedule/schedule.hpp"
#include "dg/symbolic/system.hpp"
#include "rtcg/compile/compiler.hpp"

namespace maxwell_dg::dg {

class FieldValues;
class FourierSums;
struct FieldsByFactors;
struct FourierSelection;
class Recorder;
class StateCopy;

/// The semi-discrete operator and its state on a device, computed by kernels generated for this system, order,
/// precision and device. Callers do not see how the state is stored: all functions but `set_stored_state` take and
/// return physical nodal values in double, ordered [element][field][node].
///
/// With several ranks (Options::ranks) each of them constructs the operator of the same whole problem, and computes its
/// own part of the mesh. All functions take and return what belongs to the whole mesh, as with one rank. Those that
/// read, set or advance the state, and the objects that record it, are collective: all ranks call them in the same
/// order with the same values.
///
/// Where the discretization is a part already (Discretization::whole_numbers), as ranks have it that read a mesh by
/// slices, each of them gives its own part, and the problem on it, whose terms are in own elements alone. All functions
/// then take and return what belongs to the part, own elements and ghosts behind them; energies, powers and what
/// points record are of the whole mesh, and a point in no own element is another rank's.
///
/// The functions that are const and take no state (`nodal_values`, `transport`, `variant`)
/// are not.
class Operator {
 public:
  struct Options {
    Dtype precision = Dtype::float64;
    std::optional<Schedule> schedule{};  ///< default: the one known to be good on this device
    CurvedVariant curved{};              ///< of curved elements; default: the one for this device
    bool powers = false;                 ///< whether every stage also integrates the powers that change the energy
    core::Communicator ranks{};          ///< among which the mesh is divided
    /// [element] which rank computes it, the same on all; empty: as `shared_partition` says.
    std::vector<int> rank_of_element{};
    std::optional<Transport> transport{};  ///< of traces between ranks; default: the fastest one, which is measured
  };

  /// Throws ConfigError for curved elements as ReferenceOperator does, std::invalid_argument for a schedule that does
  /// not fit, ConfigError for more ranks than elements. Collective.
  Operator(const rtcg::Compiler& compiler, const std::shared_ptr<const Discretization>& discretization, Problem problem,
           Options options);
  ~Operator();
  Operator(Operator&&) noexcept;
  Operator& operator=(Operator&&) noexcept;

  [[nodiscard]] const Discretization& discretization() const;
  [[nodiscard]] const Problem& problem() const;
  /// What this rank has of them: its own elements, and behind these ghosts (Discretization::own). With one rank the
  /// whole.
  [[nodiscard]] const Discretization& part() const;
  [[nodiscard]] const Problem& problem_of_part() const;
  /// The number in the part of an own element of the whole; none where another rank has it.
  [[nodiscard]] std::optional<std::size_t> number_in_part(std::size_t element) const;
  [[nodiscard]] Dtype precision() const;
  [[nodiscard]] const Schedule& schedule() const;
  [[nodiscard]] std::string variant() const;  ///< the schedule in short, for summaries
  [[nodiscard]] const core::Stream& stream() const;
  [[nodiscard]] const core::Communicator& ranks() const;
  /// How this rank exchanges traces with others; none with one rank.
  [[nodiscard]] std::optional<Transport> transport() const;
  [[nodiscard]] std::size_t dofs() const;  ///< fields x Np x K
  /// Elements of the whole mesh, also where ranks have read parts of it.
  [[nodiscard]] std::size_t elements_of_all() const;

  void set_state(std::span<const double> q);
  /// The same for values as they are stored: if schedule().basis is the basis of the element (ElementBasis), vectors
  /// are given in components along it. Restores to the bit what StateCopy::save saved, if the precision is the same.
  void set_stored_state(std::span<const double> q);
  void get_state(std::span<double> q) const;
  /// The same in pieces of some elements each.
  void set_state(const FillElements& values);
  void get_state(const TakeElements& take) const;
  /// The state of this rank's own elements, [element of the part][field][node]; and in pieces of some elements each, of
  /// which a few megabytes are held. Not collective.
  [[nodiscard]] std::vector<double> own_state() const;
  void own_state(const TakeElements& take) const;
  /// Sets it, as set_state and set_stored_state do. Collective.
  void set_own_state(std::span<const double> q);
  void set_own_stored_state(std::span<const double> q);
  /// [own element][any] of what a function gives for elements of the whole. Not collective.
  [[nodiscard]] std::vector<double> own_values(const FillElements& whole, std::size_t values_of_element) const;
  /// [element of the whole][any] of what ranks have of their own elements: on the first rank, empty on the others.
  [[nodiscard]] std::vector<double> gathered(std::span<const double> own, std::size_t values_of_element) const;
  /// Gives elements other parameters, [parameter][element], between two steps; the state stays, and no kernel is
  /// compiled. Elements of terms, and those at the faces of terms, must keep theirs. Throws std::invalid_argument for
  /// another size, std::logic_error with several ranks, parameters that vary within elements, or Options::powers.
  void set_parameters(std::vector<std::vector<double>> parameters);
  /// The auxiliary variables that terms have in their elements or at their faces, in the order of dg::auxiliary_count;
  /// zero at first.
  [[nodiscard]] std::size_t auxiliary_count() const;
  void set_auxiliary(std::span<const double> u);
  void get_auxiliary(std::span<double> u) const;
  /// Those of this rank's own elements, in the order of problem_of_part(). Not collective.
  [[nodiscard]] std::vector<double> own_auxiliary() const;
  void set_own_auxiliary(std::span<const double> u);
  /// q_f(node) = values[f](x, t): nodal interpolation by a generated kernel; `values` holds coordinates and time only.
  void interpolate(std::span<const symbolic::Expr> values, double t);
  /// The same without touching the state: nodal values of expressions, [element][expression][node].
  [[nodiscard]] std::vector<double> nodal_values(std::span<const symbolic::Expr> values, double t) const;
  /// The same for the elements from `first` on, as many as fit into `to`.
  void nodal_values(std::span<const symbolic::Expr> values, double t, std::size_t first, std::span<double> to) const;

  /// The right-hand side at the current state, copied to the host, for tests and spectra. To be called between steps
  /// only, since it overwrites the Runge-Kutta register. `rates`, if given, receives the time derivatives of the
  /// auxiliary variables.
  void evaluate_rhs(double t, std::span<double> rhs, std::span<double> rates = {});
  /// One low-storage Runge-Kutta stage: res = a res + dt rhs(q, t); q += b res. Asynchronous.
  void stage(double a, double b, double dt, double t);
  /// The same for one range of the discretization's elements, with their terms and powers. A range may be one stage
  /// ahead of its neighbours, not more: otherwise std::logic_error is thrown. All other functions that read or write
  /// the state throw it unless all ranges have computed equally many stages. So does it with several ranks.
  void stage_of_range(std::size_t range, double a, double b, double dt, double t);

  /// One time step: the stages of a low-storage Runge-Kutta method at times t + c[i] dt. Asynchronous. Where the device
  /// can record launches, steps with the same method and dt are replayed by one call, unless a boundary condition or a
  /// term depends on time.
  struct Stages {
    std::span<const double> a, b, c;
  };
  void step(const Stages& stages, double dt, double t);

  /// The system's energies of the current state, in the order of System::energies. Waits for the device.
  [[nodiscard]] std::vector<double> energies() const;

  // Powers, if Options::powers asks for them (PowerTerms lists them); otherwise there are none. Solver's units.
  [[nodiscard]] const std::vector<std::string>& power_names() const;
  /// The powers of the current state, [power]. To be called between steps only, like evaluate_rhs.
  [[nodiscard]] std::vector<double> powers(double t);
  /// The energy that each power has injected since the beginning, [power]; negative for losses.
  [[nodiscard]] std::vector<double> injected_energies() const;
  /// Throws std::invalid_argument unless there is one value for each of power_names().
  void set_injected_energies(std::span<const double> values);

  // The objects that these functions return must not outlive the operator.
  // Of several ranks the first one is handed out what records of points and of the balance hold; the others have zeros
  // where another rank has the point, and their own share of the powers. Energies are the whole mesh's on all ranks.
  /// Records the fields at points, [record][point][field], `batch` records at a time.
  [[nodiscard]] std::unique_ptr<Recorder> record_points(const std::vector<PointLocation>& points,
                                                        std::size_t batch = 256) const;
  /// The same at points in own elements, numbered as in the part: for this rank alone. Collective.
  [[nodiscard]] std::unique_ptr<Recorder> record_own_points(const std::vector<PointLocation>& points,
                                                            std::size_t batch = 256) const;
  /// Records the energies, [record][energy].
  [[nodiscard]] std::unique_ptr<Recorder> record_energies() const;
  /// Records the energies and the energies injected by each power: [record][energy, then power].
  [[nodiscard]] std::unique_ptr<Recorder> record_balance() const;
  /// Copies the state of own elements to the host while the device goes on.
  [[nodiscard]] std::unique_ptr<StateCopy> copy_state() const;
  /// Running Fourier sums of the state at some frequencies.
  [[nodiscard]] std::unique_ptr<FourierSums> sum_fourier(FourierSelection selection) const;

  /// Nodal values of some fields in memory that others may read in place. Throws std::invalid_argument with several
  /// ranks.
  [[nodiscard]] std::unique_ptr<FieldValues> share_fields(FieldsByFactors fields) const;

  /// All uses of an operator that take device memory.
  struct Usage {
    const Problem& problem;  ///< parameters and boundary are read with options.powers alone
    int N{};
    Options options{};
    struct Size {
      std::size_t elements{};
      std::size_t boundary_faces{};
      std::size_t materials{};              ///< different ones
      std::size_t ranges = 1;               ///< of elements
      std::size_t curved{};                 ///< elements of these
      std::size_t curved_boundary_faces{};  ///< those of curved elements
    } size{};
    /// That of the problem, needed with options.powers, where elements are curved, and of a part of a mesh.
    const Discretization* discretization = nullptr;
    struct Record {  ///< as record_points makes it
      std::size_t points{}, fields{}, batch{};
    };
    std::vector<Record> records{};
    struct Sums {  ///< as sum_fourier makes them: K Np points in the volume, Nfp a face
      std::size_t points{}, fields{}, frequencies{};
    };
    std::vector<Sums> sums{};
  };
  /// Device memory that these uses will take, in bytes, without building anything. Throws std::invalid_argument for
  /// powers without a discretization.
  [[nodiscard]] static std::size_t forecast_bytes(const Usage& usage, const core::DeviceInfo& device);

 private:
  [[nodiscard]] FillElements filled_from(std::span<const double> q) const;
  [[nodiscard]] std::vector<double> with_ghosts(std::span<const double> own) const;
  struct Impl;
  class NodalValues;
  struct OwnPoints;
  [[nodiscard]] std::unique_ptr<Recorder> record(const OwnPoints& points, std::size_t batch) const;
  std::unique_ptr<Impl> impl_;
};

}  // namespace maxwell_dg::dg
