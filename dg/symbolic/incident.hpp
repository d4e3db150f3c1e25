#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dg/symbolic/system.hpp"

/// Terms with which a known incident wave enters a problem, for any linear System.
namespace maxwell_dg::dg {

/// A function of position and time that solves the system in the background medium. Parameter number i in it is the
/// number parameters[i], so that kernels for waves that differ in these alone have the same text.
struct IncidentField {
  // NOLINTNEXTLINE(google-explicit-constructor): expressions are a field
  IncidentField(std::vector<symbolic::Expr> of_fields, std::vector<double> numbers = {})
      : fields(std::move(of_fields)), parameters(std::move(numbers)) {}

  std::vector<symbolic::Expr> fields;  ///< [field]
  std::vector<double> parameters;

  /// The fields in the expressions of a term that has so many parameters, behind which those of the wave will be.
  [[nodiscard]] std::vector<symbolic::Expr> behind(std::size_t parameters_of_term, const System& system) const;
  /// Puts them there, of a term with so many elements or faces.
  void append_to(std::vector<std::vector<double>>& parameters_of_term, std::size_t places) const;
};

/// A term that adds `more`, [field], to the outside traces of these faces. `more` may have traces, the normal,
/// position, time, and parameters and profiles of the term.
[[nodiscard]] FaceTerm outside_term(const System& system, std::string name, const std::vector<symbolic::Expr>& more,
                                    std::vector<FaceTerm::Face> faces);

/// The term of a surface between a total-field region (the incident wave included) and a scattered-field region
/// (without it). The incident wave is added to the outside traces of faces of the total-field region and subtracted
/// from those of the other one, so that each flux compares fields of the same kind. `faces` has the faces of both
/// sides; `sign`, [face], is 1 if its element is in the total-field region and -1 otherwise. (Taflove & Hagness 2005,
/// section 5.6, for finite differences.)
[[nodiscard]] FaceTerm total_field_term(const System& system, const IncidentField& incident,
                                        std::vector<FaceTerm::Face> faces, std::vector<double> sign);

/// For a scattered-field formulation: the term of a boundary, which radiates the scattered wave. It adds to the flux
/// what boundary condition number `boundary` yields for the incident wave alone.
[[nodiscard]] FaceTerm scattering_boundary_term(const System& system, int boundary, const IncidentField& incident,
                                                std::vector<FaceTerm::Face> faces);

/// For a scattered-field formulation: the term of elements whose medium is not the background. It adds the residual of
/// the incident wave in their equations.
[[nodiscard]] ElementTerm scattering_medium_term(const System& system, const IncidentField& incident,
                                                 std::vector<std::int32_t> elements);

}  // namespace maxwell_dg::dg
