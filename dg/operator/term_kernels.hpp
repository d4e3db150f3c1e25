#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "dg/codegen/terms/term_generator.hpp"
#include "dg/lowering/lowered_term.hpp"
#include "dg/operator/stage_kernels.hpp"
#include "dg/operator/term_arrays.hpp"

namespace maxwell_dg::dg {

/// The terms of a problem on a device: their auxiliary variables, and the kernels that add their contributions to a
/// stage. `load` must be called before anything is computed.
class TermKernels : public StageAddition {
 public:
  TermKernels(const StageSetting& setting, const KernelGenerator& generator);

  /// One source for each term: first terms of elements, then terms of faces.
  [[nodiscard]] std::vector<rtcg::KernelSource> sources() const;
  /// Takes the compiled sources, in the same order.
  void load(std::span<const core::Module> modules);

  void add(const StageTarget& target) override;
  [[nodiscard]] bool depends_on_time() const;
  /// The auxiliary variables of an element term in a range of elements, [element][variable][node].
  [[nodiscard]] const core::Buffer& auxiliary_of(std::size_t element_term, std::size_t range) const {
    return on_elements_.at(element_term).of_ranges.at(range).U;
  }

  /// The auxiliary variables of all terms, [term][element][variable][node] (auxiliary_count). Both wait for the device.
  void set_auxiliary(std::span<const double> values) const;
  void get_auxiliary(std::span<double> values) const { read(&ElementsOfRange::U, values); }
  /// Their time derivatives, after a stage with b = 0 and dt = 1.
  void get_rates(std::span<double> values) const { read(&ElementsOfRange::RES_U, values); }

  /// The device memory of all this, in bytes.
  [[nodiscard]] static std::size_t forecast_bytes(const Problem& problem, int N, Dtype precision);

 private:
  struct ElementsOfRange {
    std::size_t count{}, values{};  ///< elements, and values of U
    TermArrays arrays{};
    core::Buffer U{}, RES_U{};
  };
  struct OnElements {
    const ElementTerm* term;
    LoweredTerm lowered;
    std::vector<ElementsOfRange> of_ranges{};  ///< [range of elements]
    core::Kernel kernel{};
  };
  struct FacesOfRange {
    std::size_t groups{};  ///< one work-group for each element that has such faces
    TermArrays arrays{};
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
