#include "apps/simulation/phases.hpp"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "apps/config/named_parts.hpp"
#include "dg/lowering/phase_terms.hpp"

namespace maxwell_dg::simulation {

dg::FieldNumbers field_numbers(const config::Config& config) {
  return config.has_phases() ? dg::FieldNumbers::complex : dg::FieldNumbers::real;
}

void add_phases(const config::Config& config, const dg::Discretization& discretization, dg::Problem& problem) {
  if (!config.has_phases()) return;
  const dg::Mesh& mesh = discretization.mesh;
  std::vector<dg::PhasedFace> faces;
  for (const auto& pair : config::boundaries_of<config::Periodic>(config)) {
    if (pair.value.phase == 0) continue;
    const std::string& key = pair.key;
    const double phase = pair.value.phase * M_PI / 180;
    const auto add = [&](const std::string& surface, double ahead) {
      for (const dg::ElementFace& f : config::surface_faces(config, key, {surface}, mesh).faces) {
        if (discretization.complex_view.part(f.element) == dg::FieldPart::imaginary) continue;
        faces.push_back({{static_cast<std::int32_t>(f.element), f.face}, ahead});
      }
    };
    add(pair.region.front(), phase);
    add(pair.value.with, -phase);
  }
  for (dg::FaceTerm& term : dg::phase_terms(discretization, problem.system, faces)) {
    problem.face_terms.push_back(std::move(term));
  }
}

}  // namespace maxwell_dg::simulation
