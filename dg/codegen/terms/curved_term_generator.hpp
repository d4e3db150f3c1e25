#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/device/device.hpp"
#include "dg/codegen/kernel_generator.hpp"
#include "dg/codegen/terms/term_lanes.hpp"
#include "dg/lowering/curved_system.hpp"
#include "dg/lowering/lowered_term.hpp"
#include "dg/reference/element_quadrature.hpp"
#include "dg/symbolic/term.hpp"

namespace maxwell_dg::dg {

/// Prints the kernels of a term for its curved elements, as TermGenerator does for straight ones: curved_element_term,
/// curved_face_term, and for a term of PowerTerms curved_power. Schedules are those whose stage is one kernel.
class CurvedTermGenerator {
 public:
  /// `stage` gives the system, the order, the precision and the schedule. It and `system` must outlive the generator.
  /// `media_vary`: within elements, so that constants of terms on elements are those of points. `device`: on which
  /// kernels have to fit, or null.
  CurvedTermGenerator(const KernelGenerator& stage, const CurvedSystem& system, const ElementQuadrature& quadrature,
                      bool media_vary, const core::DeviceInfo* device = nullptr);

  /// A kernel, and how it is launched.
  struct Kernel {
    rtcg::KernelSource source;
    std::size_t shared_bytes{};  ///< that a group asks for
    int items = group_items;     ///< work-items of a group
    int elements = 1;            ///< that a group computes, of a term on elements
  };
  /// How many elements a group of the kernel of a term on elements computes, each in a SIMD lane, as TermArrays have
  /// them (TermLayout); 1 where the work-items of a group compute an element together, as all other kernels do.
  [[nodiscard]] int lanes(const LoweredTerm& lowered) const;
  /// Kernels by lanes; none if terms of the problem are not computed so.
  [[nodiscard]] const std::optional<TermLanes>& in_lanes() const { return in_lanes_; }
  [[nodiscard]] Kernel element_term(const ElementTerm& term, const LoweredTerm& lowered) const;
  [[nodiscard]] Kernel face_term(const FaceTerm& term, const LoweredTerm& lowered) const;
  /// `lanes`: of the term whose auxiliary variables it reads.
  [[nodiscard]] Kernel power(const ElementTerm& term, const LoweredTerm& lowered, int lanes = 1) const;
  [[nodiscard]] Kernel power(const FaceTerm& term, const LoweredTerm& lowered) const;

  static constexpr int group_items = 64;  ///< work-items of a group, but for terms on elements

 private:
  /// What a kernel has of the fields: vectors with all of their components.
  struct Use {
    std::vector<int> inside, outside;  ///< that are read, from either side
    std::vector<int> added;            ///< to which the term adds something
  };
  [[nodiscard]] Use use_of(const std::vector<symbolic::Expr>& outputs, const LoweredTerm& lowered) const;
  /// The template values `term` and `curved` of curved_term.kernel.
  [[nodiscard]] rtcg::Record values(const LoweredTerm& lowered, const std::vector<symbolic::Expr>& outputs,
                                    std::size_t profiles, std::size_t auxiliary, const Use& use, int places,
                                    std::size_t shared_values, bool on_faces, int lanes = 1) const;
  /// How the kernel of a term on elements is laid out, if it reads and changes so many fields.
  struct GroupShape {
    int width, rows, elements, vector, items;
    std::size_t shared_values;
  };
  [[nodiscard]] GroupShape group_shape(int fields) const;
  [[nodiscard]] Kernel element_term_in_lanes(const ElementTerm& term, const LoweredTerm& lowered) const;
  [[nodiscard]] std::size_t bytes(std::size_t values) const;

  const KernelGenerator& stage_;
  const CurvedSystem& system_;
  int volume_points_, face_points_;
  bool media_vary_;
  std::size_t most_shared_bytes_;  ///< of a group
  std::optional<TermLanes> in_lanes_;
};

}  // namespace maxwell_dg::dg
