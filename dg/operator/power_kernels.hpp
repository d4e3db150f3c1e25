#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dg/lowering/power_terms.hpp"
#include "dg/operator/term_kernels.hpp"

namespace maxwell_dg::dg {

/// The powers of a problem on a device. Every stage computes them from the state that it begins with, and integrates
/// each over time, by the method that advances the state, to the energy that it has injected since the beginning. All
/// of it is in double precision, whatever the precision of the fields. `load` must be called before anything else.
class PowerKernels : public StageAddition {
 public:
  /// `terms` are those of the same problem; their auxiliary variables are read. All three must outlive this object.
  /// `names`: of the powers, in their order, where there are more than the setting's own problem has; else empty.
  PowerKernels(const StageSetting& setting, const KernelGenerator& generator, const TermKernels& terms,
               std::vector<std::string> names = {});

  [[nodiscard]] const std::vector<rtcg::KernelSource>& sources() const { return sources_; }
  /// Their modules in that order.
  void load(std::span<const core::Module> modules);

  /// Must be called before the terms' own: these change their auxiliary variables.
  void add(const StageTarget& target) override;

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// Writes records[offset + power] = injected energy. Asynchronous.
  void write_record(const core::Buffer& records, std::int32_t offset) const;
  // These take arrays of names().size() numbers and wait for the device.
  void set_injected_energies(std::span<const double> values) const;
  void get_injected_energies(std::span<double> values) const;
  /// The powers, after a stage with b = 0 and dt = 1.
  void get_powers(std::span<double> values) const;

  /// The device memory of all this, in bytes.
  [[nodiscard]] static std::size_t forecast_bytes(const Discretization& discretization, const Problem& problem,
                                                  Dtype precision);

 private:
  /// What a power needs for one range of elements.
  struct OfRange {
    TermArrays arrays;
    core::Buffer U, measure;
    std::size_t count{}, groups{}, first_partial{};
  };
  struct Part {
    std::string name;
    LoweredTerm lowered;
    bool on_faces{};
    KernelsByShape kernels{};
    std::vector<OfRange> of_ranges{};  ///< [range of elements]
  };
  /// The sums of one range: its injected energies, and their low-storage registers.
  struct Sums {
    core::Buffer first, res;
  };
  /// `lanes`: TermKernels::lanes_of, of a term of the problem.
  template <class Term>
  [[nodiscard]] Part make(const Term& term, int lanes = 1);
  void launch(const Part& part, const StageTarget& target) const;
  void lay_out_partial_sums();
  [[nodiscard]] core::Buffer zero_sums() const;  ///< [power]

  StageSetting setting_;
  const KernelGenerator& stage_;
  TermGenerator generator_;
  PowerTerms terms_;
  std::vector<std::string> names_;
  std::shared_ptr<const CurvedTermParts> curved_;  ///< of the terms, where they have one
  std::vector<rtcg::KernelSource> sources_;        ///< until they are loaded
  std::vector<Part> parts_;                        ///< of elements, then of faces
  std::vector<Sums> sums_;                         ///< [range of elements]
  core::Buffer Fmask_, mass_, face_mass_, partial_, injected_;
  core::Kernel integrate_powers_, write_powers_;
};

}  // namespace maxwell_dg::dg
