#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/device/device.hpp"
#include "dg/checkpoint/archive.hpp"
#include "dg/codegen/kernel_generator.hpp"
#include "dg/mesh/enclosing_surface.hpp"
#include "dg/operator/device_problem.hpp"
#include "dg/operator/share.hpp"

namespace maxwell_dg::dg {

/// What running Fourier sums are made of.
struct FourierSelection {
  std::vector<double> frequencies;                  ///< in 1 over the solver's unit of time
  std::vector<int> fields;                          ///< indices into System::fields
  std::optional<std::vector<ElementFace>> faces{};  ///< traces of these elements on these faces; none: every node
  /// Where ranks have read parts of a mesh: do the faces list those of all ranks, others' as PointLocation::elsewhere?
  /// Then `get` has them in this order.
  bool lists_all = false;
};

/// Running Fourier sums of the state, on the device: for every frequency f the sum over samples of
///
///   weight q(t) exp(-2 pi i f t)
///
/// of some fields, at every node or on some faces. A sample reads these fields once for all frequencies. Phases are
/// computed in double; sums have the precision of the state. The problem must outlive this object.
class FourierSums {
 public:
  /// With several ranks the constructor is collective, and so is `get`. With a share the selection is of the whole
  /// mesh; without one, where ranks have read parts of a mesh, its faces are those of own elements, ascending, unless
  /// it lists all.
  FourierSums(const DeviceProblem& problem, const KernelGenerator& generator, FourierSelection selection,
              core::Communicator ranks = {}, const Share* share = nullptr);

  /// Adds the current state, of time t. Asynchronous.
  void add(double t, double weight);

  /// The sums of one frequency, [element][selected field][node], or [face][selected field][face node], on the first
  /// rank; empty on the others. Waits for the device. Throws std::out_of_range for a frequency that is not summed.
  [[nodiscard]] std::vector<std::complex<double>> get(std::size_t frequency) const;
  /// The same of this rank's own elements, as Operator::part numbers them, or of its own faces, in their order. Not
  /// collective.
  [[nodiscard]] std::vector<std::complex<double>> get_own(std::size_t frequency) const;

  /// Saves all sums, [frequency][real or imaginary][selected field][element or face][node], in the state's precision,
  /// of several ranks Archive::Array::part, and loads them from any precision. Both wait for the device. The sums must
  /// outlive the archive. `load` throws ConfigError for sums of another shape.
  void save(const std::string& name, Archive& archive) const;
  void load(const std::string& name, const Archive& archive);

  /// Device memory of the sums at so many points (K Np in the volume, Nfp per face), in bytes, padding included.
  [[nodiscard]] static std::size_t forecast_bytes(std::size_t points, std::size_t fields, std::size_t frequencies,
                                                  Dtype precision);

 private:
  /// The sums in device memory: `rows` rows of `row` values including padding, one row for each frequency, real or
  /// imaginary part, and field; within a row [element or face][node].
  struct Layout {
    std::size_t rows, row, things, nodes;  ///< things: elements or faces
  };
  [[nodiscard]] Layout layout() const;
  /// `own_number`: the number in the part of an own element, -1 of another rank's.
  void take_own_things(const std::function<std::ptrdiff_t(std::size_t)>& own_number);
  void number_own_elements();
  void number_own_things();
  /// Elements or faces that this rank has.
  [[nodiscard]] std::size_t own_things() const;
  [[nodiscard]] Archive::Array::Part own_rows() const;
  /// A row of the layout, without padding: [own thing][node].
  [[nodiscard]] std::vector<double> read_row(std::size_t row) const;

  const DeviceProblem& problem_;
  FourierSelection selection_;  ///< of several ranks: the faces that the part has
  core::Communicator ranks_;
  std::size_t things_{};               ///< elements or faces of the whole selection
  std::vector<std::int64_t> numbers_;  ///< of several ranks: [own thing] its number among all
  std::int64_t points_;                ///< values of a field
  core::Buffer frequencies_, fields_, faces_, face_nodes_, weights_, sums_;
  core::Kernel weigh_, sum_;
};

}  // namespace maxwell_dg::dg
