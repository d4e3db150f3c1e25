#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/device/buffer.hpp"
#include "core/device/kernel.hpp"
#include "dg/codegen/term_of_stage.hpp"
#include "dg/operator/stage_kernels.hpp"

namespace maxwell_dg::dg {

/// The terms of a problem that its stages compute themselves, in straight elements, with their auxiliary variables: all
/// element terms that depend neither on time nor on positions, if the schedule is one of tiles or lanes.
class StageTerms {
 public:
  /// Null if there are none.
  [[nodiscard]] static std::shared_ptr<const StageTerms> make(const StageSetting& setting);
  explicit StageTerms(const StageSetting& setting);
  /// What a stage of the schedule has of such terms: each with a few of its straight elements alone. Kernels made for
  /// these are those of the problem.
  [[nodiscard]] static std::vector<ElementTerm> examples(const Problem& problem, const Discretization& discretization,
                                                         const Schedule& schedule);

  /// Whether the stage computes an element term of the problem in its straight elements.
  [[nodiscard]] bool has(std::size_t element_term) const { return find(element_term) != nullptr; }
  /// For FusedGenerator::compute_terms.
  [[nodiscard]] std::vector<TermOfStage> terms() const;
  /// The arguments of the stage's kernel.
  void append(std::vector<core::KernelArgument>& arguments) const;

  /// Some of a term's straight elements, in the order of its list.
  struct Elements {
    std::size_t first{}, count{};
  };
  /// The auxiliary variables of a term, and their rates after a stage with b = 0 and dt = 1, in such elements:
  /// [element][variable][node]. The first ones of `values` are read or written, and dropped from it. All wait for the
  /// device.
  void set_auxiliary(std::size_t element_term, const Elements& elements, std::span<const double>& values) const;
  void get_auxiliary(std::size_t element_term, const Elements& elements, std::span<double>& values) const;
  void get_rates(std::size_t element_term, const Elements& elements, std::span<double>& values) const;

  /// What their arrays take more than those of TermKernels::forecast_bytes, in bytes.
  [[nodiscard]] static std::size_t forecast_more(const Problem& problem, const Discretization* discretization,
                                                 const Schedule& schedule, Dtype precision, int Np, std::size_t K);

 private:
  struct Term {
    std::size_t element_term{};  ///< its number in the problem
    TermOfStage of_stage{};
    TermLayout layout{};
    std::vector<std::size_t> straight{};  ///< which elements of the term are, by their numbers in its list
    std::vector<std::pair<std::size_t, int>> places{};  ///< [straight element of the term] block and lane
    std::size_t block_count{};
    core::Buffer blocks{}, U{}, RES_U{}, constants{}, profiles{};
    [[nodiscard]] std::size_t values() const { return block_count * index(layout.row); }  ///< of U
  };
  [[nodiscard]] const Term* find(std::size_t element_term) const;
  /// Places the straight elements of a term, and makes room for its auxiliary variables.
  void place(const StageSetting& setting, const ElementTerm& term, Term& made) const;
  void upload_constants(const StageSetting& setting, const ElementTerm& term, Term& made) const;
  void upload_profiles(const StageSetting& setting, const ElementTerm& term, Term& made) const;
  void read(std::size_t element_term, const Elements& elements, core::Buffer Term::*from,
            std::span<double>& values) const;
  /// each(i, offset) for each value of the term's auxiliary variables. Returns how many there are.
  template <class Each>
  std::size_t for_each_value(const Term& term, const Elements& elements, const Each& each) const;

  core::Device device_;
  core::Stream stream_;
  Dtype precision_;
  std::vector<Term> terms_;
};

}  // namespace maxwell_dg::dg
