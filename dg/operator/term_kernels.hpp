#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "dg/codegen/term_generator.hpp"
#include "dg/lowering/lowered_term.hpp"
#include "dg/operator/stage_kernels.hpp"
#include "dg/operator/term_places.hpp"

namespace maxwell_dg::dg {

/// The terms of a problem on a device: their unknowns, and the kernels that add to a stage what they contribute. They
/// come without code: nothing can be computed before `use`.
class TermKernels : public StageAddition {
 public:
  TermKernels(const StageSetting& setting, const KernelGenerator& generator);

  /// A text a term, of elements first.
  [[nodiscard]] std::vector<rtcg::KernelSource> sources() const;
  /// Their modules in that order.
  void use(std::span<const core::Module> modules);

  void add(const StageTarget& target) override;
  [[nodiscard]] bool depends_on_time() const;
  /// Where the unknowns of an element term stand, of its elements in a range, [element][unknown][node].
  [[nodiscard]] const core::Buffer& unknowns_of(std::size_t element_term, std::size_t range) const {
    return on_elements_.at(element_term).of_ranges.at(range).U;
  }

  /// Of all terms, [term][element][unknown][node]; see unknown_count. Both wait for the device.
  void set_unknowns(std::span<const double> values) const;
  void get_unknowns(std::span<double> values) const { read(&ElementsOfRange::U, values); }
  /// After an evaluation (b = 0, dt = 1): their time derivatives.
  void get_rates(std::span<double> values) const { read(&ElementsOfRange::RES_U, values); }

  /// Device memory that they take.
  [[nodiscard]] static std::size_t forecast_bytes(const Problem& problem, int N, Dtype precision);

 private:
  struct ElementsOfRange {
    std::size_t count{}, unknowns{};  ///< elements, and numbers of U
    TermPlaces places{};
    core::Buffer U{}, RES_U{};
  };
  struct OnElements {
    const ElementTerm* term;
    LoweredTerm lowered;
    std::vector<ElementsOfRange> of_ranges{};  ///< [range of elements]
    core::Kernel kernel{};
  };
  struct FacesOfRange {
    std::size_t groups{};  ///< elements that have such faces
    TermPlaces places{};
    core::Buffer first_faces{};
  };
  struct OnFaces {
    const FaceTerm* term;
    LoweredTerm lowered;
    std::vector<FacesOfRange> of_ranges{};  ///< [range of elements]
    core::Kernel kernel{};
  };
  [[nodiscard]] OnElements make(const ElementTerm& term) const;
  [[nodiscard]] OnFaces make(const FaceTerm& term) const;
  void read(core::Buffer ElementsOfRange::*buffer, std::span<double> values) const;

  StageSetting setting_;
  TermGenerator generator_;
  core::Buffer Fmask_, LIFT_;  ///< LIFT by columns; both for faces alone
  std::vector<OnElements> on_elements_;
  std::vector<OnFaces> on_faces_;
};

}  // namespace maxwell_dg::dg
