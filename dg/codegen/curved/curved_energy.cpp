#include "dg/codegen/curved/curved_energy.hpp"

#include <utility>
#include <vector>

#include "dg/codegen/kernel_code.hpp"
#include "dg/codegen/kernel_template.hpp"
#include "dg/codegen/kernel_values.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg {

rtcg::KernelSource curved_energy_kernel(const LoweredSystem& lowered, const CurvedSystem& system, int volume_points,
                                        KernelGenerator::Options options, ConstantsOf constants) {
  static const rtcg::Template text = kernel_template("dg/codegen/curved/energy_curved.kernel");
  const KernelGenerator generator(lowered, std::move(options));
  const auto printed = [&](const std::vector<symbolic::Expr>& expressions) {
    const symbolic::Program program(expressions);
    return values_by_kind(program, print_reals(program, generator.options().precision));
  };
  rtcg::Record values = generator.energy_values();
  values["curved"] = rtcg::Record{{"volume_points", volume_points},
                                  {"items", curved_energy_items},
                                  {"media_vary", constants == ConstantsOf::points},
                                  {"stored", printed(system.basis.stored)},
                                  {"cartesian", printed(system.basis.cartesian)}};
  return generator.source("curved_energy", text, std::move(values));
}

}  // namespace maxwell_dg::dg
