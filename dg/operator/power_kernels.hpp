#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dg/lowering/power_terms.hpp"
#include "dg/operator/term_kernels.hpp"

namespace maxwell_dg::dg {

/// The powers of a problem on a device: at every stage, from the state that the stage begins with, and what each has
/// put in since the beginning, integrated as one more unknown by the method that advances the state. In double,
/// whatever the precision of the fields. They come without code: nothing can be computed before `use`.
class PowerKernels : public StageAddition {
 public:
  /// `terms` are those of the same problem, whose unknowns are read; all three outlive it.
  PowerKernels(const StageSetting& setting, const KernelGenerator& generator, const TermKernels& terms);

  [[nodiscard]] std::vector<rtcg::KernelSource> sources() const;
  /// Their modules in that order.
  void use(std::span<const core::Module> modules);

  /// Before the terms': these move their unknowns.
  void add(const StageTarget& target) override;

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// records[offset + power] = what it has put in. Asynchronous.
  void note(const core::Buffer& records, std::int32_t offset) const;
  // These wait for the device; an array of names().size() numbers.
  void set_put_in(std::span<const double> values) const;
  void get_put_in(std::span<double> values) const;
  /// After an evaluation (b = 0, dt = 1): the powers.
  void get_powers(std::span<double> values) const;

  /// Bytes that they hold on a device.
  [[nodiscard]] static std::size_t forecast_bytes(const Discretization& discretization, const Problem& problem,
                                                  Dtype precision);

 private:
  /// What a power has in one range of elements.
  struct OfRange {
    TermPlaces places;
    core::Buffer U, measure;
    std::size_t count{}, groups{}, first_partial{};
  };
  struct Part {
    std::string name;
    LoweredTerm lowered;
    bool on_faces{};
    std::vector<OfRange> of_ranges{};  ///< [range of elements]
    core::Kernel kernel{};
  };
  /// The sums of one range: its powers, and what a stage keeps of them for the next.
  struct Sums {
    core::Buffer first, res;
  };
  template <class Term>
  [[nodiscard]] Part make(const Term& term) const;
  void lay_out_partial_sums();
  [[nodiscard]] core::Buffer zero_sums() const;  ///< [power]

  StageSetting setting_;
  const KernelGenerator& stage_;
  TermGenerator generator_;
  PowerTerms terms_;
  std::vector<std::string> names_;
  std::vector<Part> parts_;  ///< of elements, then of faces
  std::vector<Sums> sums_;   ///< [range of elements]
  core::Buffer Fmask_, mass_, face_mass_, partial_, put_in_;
  core::Kernel put_in_powers_, note_powers_;
};

}  // namespace maxwell_dg::dg
