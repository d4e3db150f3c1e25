#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "dg/codegen/terms/term_generator.hpp"
#include "dg/lowering/lowered_term.hpp"
#include "dg/operator/curved_term_parts.hpp"
#include "dg/operator/stage_kernels.hpp"
#include "dg/operator/stage_terms.hpp"
#include "dg/operator/term_arrays.hpp"

namespace maxwell_dg::dg {

/// The terms of a problem on a device: their auxiliary variables, and the kernels that add their contributions to a
/// stage, but for what the stage computes itself (StageTerms). `load` must be called before anything is computed.
class TermKernels : public StageAddition {
 public:
  TermKernels(const StageSetting& setting, const KernelGenerator& generator);

  /// The sources of each term, for its straight and for its curved elements: first terms of elements, then of faces.
  [[nodiscard]] const std::vector<rtcg::KernelSource>& sources() const { return sources_; }
  /// Takes the compiled sources, in the same order.
  void load(std::span<const core::Module> modules);

  void add(const StageTarget& target) override;
  [[nodiscard]] bool depends_on_time() const;
  /// The auxiliary variables of an element term in a range of elements, [element][variable][place], or
  /// by lanes; not of those that the stage computes itself.
  [[nodiscard]] const core::Buffer& auxiliary_of(std::size_t element_term, std::size_t range) const {
    return on_elements_.at(element_term).of_ranges.at(range).U;
  }
  /// The same of a face term, [face][variable][place].
  [[nodiscard]] const core::Buffer& auxiliary_of_faces(std::size_t face_term, std::size_t range) const {
    return on_faces_.at(face_term).of_ranges.at(range).U;
  }

  /// The lanes by which those of a term are laid out in its curved elements (TermArrays).
  [[nodiscard]] int lanes_of(std::size_t element_term) const { return on_elements_.at(element_term).kernels.lanes; }

  /// What curved elements need; null where no term of the problem has one.
  [[nodiscard]] const std::shared_ptr<const CurvedTermParts>& curved() const { return curved_; }

  /// The auxiliary variables of all terms, in the order of auxiliary_count. Both wait for the device.
  void set_auxiliary(std::span<const double> values) const;
  void get_auxiliary(std::span<double> values) const;
  /// Their time derivatives, after a stage with b = 0 and dt = 1.
  void get_rates(std::span<double> values) const;

  /// The device memory of all this, in bytes. `discretization`: that of the problem, needed where elements are curved.
  [[nodiscard]] static std::size_t forecast_bytes(const Problem& problem, int N, Dtype precision,
                                                  const Discretization* discretization);
  /// What its arrays take more than that where the schedule computes terms of curved elements by lanes.
  [[nodiscard]] static std::size_t forecast_more(const Problem& problem, const Schedule& schedule, Dtype precision,
                                                 const Discretization* discretization, const core::DeviceInfo& device);

 private:
  struct ElementsOfRange {
    std::size_t count{}, values{};    ///< elements, and values of U
    StageTerms::Elements of_stage{};  ///< or those that the stage computes
    TermArrays arrays{};
    core::Buffer U{}, RES_U{};
    int lanes = 1;  ///< by which these arrays are laid out: KernelsByShape::lanes in curved elements
  };
  struct OnElements {
    const ElementTerm* term;
    std::size_t number{};  ///< in the problem
    bool is_of_stage{};    ///< in straight elements
    LoweredTerm lowered, for_curved;
    std::vector<ElementsOfRange> of_ranges{};  ///< [range of elements]
    KernelsByShape kernels{};
  };
  struct FacesOfRange {
    std::size_t groups{};  ///< one work-group for each element that has such faces
    TermArrays arrays{};
    core::Buffer first_faces{};
    std::size_t values{};       ///< of U
    core::Buffer U{}, RES_U{};  ///< [face][variable][place]
  };
  struct OnFaces {
    const FaceTerm* term;
    LoweredTerm lowered, for_curved;
    std::vector<FacesOfRange> of_ranges{};  ///< [range of elements]
    KernelsByShape kernels{};
  };
  [[nodiscard]] OnElements make(const ElementTerm& term, std::size_t number);
  [[nodiscard]] OnFaces make(const FaceTerm& term);
  /// Notes the sources of a term, of the generator's function for it.
  template <class Made, class Term>
  void add_sources(Made& made, const Term& term);
  void add(const OnElements& term, const StageTarget& target) const;
  void add(const OnFaces& term, const StageTarget& target) const;
  /// Makes room for values of auxiliary variables, which are zero.
  [[nodiscard]] core::Buffer zero_values(std::size_t count) const;
  using ReadOfStage = void (StageTerms::*)(std::size_t element_term, const StageTerms::Elements& elements,
                                           std::span<double>& values) const;
  void read(ReadOfStage of_stage, core::Buffer ElementsOfRange::*buffer, const OnElements& term,
            std::span<double>& values) const;
  void read(core::Buffer FacesOfRange::*buffer, std::span<double>& values) const;
  void check_size(std::size_t values) const;
  /// Where value i of [element][variable][place] is in the arrays of a range.
  [[nodiscard]] std::size_t offset_of(const OnElements& term, const ElementsOfRange& range, std::size_t i) const;

  StageSetting setting_;
  TermGenerator generator_;
  std::shared_ptr<const CurvedTermParts> curved_;
  std::vector<rtcg::KernelSource> sources_;  ///< until they are loaded
  core::Buffer Fmask_, LIFT_;                ///< LIFT by columns; both for faces alone
  std::vector<OnElements> on_elements_;
  std::vector<OnFaces> on_faces_;
};

}  // namespace maxwell_dg::dg
