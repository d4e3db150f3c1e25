#include <fstream>
#include <iostream>

#include "apps/config/load.hpp"
#include "apps/simulation/plan.hpp"

int main() {
  std::ofstream("cavity.yaml") << "units: normalized\n"
                                  "mesh: {box: {min: [0, 0, 0], max: [1, 1, 1], cells: [2, 2, 2]}}\n"
                                  "solver: {order: 2}\n"
                                  "time: {end: 1}\n"
                                  "materials: [{region: interior}]\n"
                                  "boundaries: [{region: '*', type: pec}]\n"
                                  "initial_fields: {E: [0, 0, 'sin(pi*x)*sin(pi*y)']}\n"
                                  "outputs: {directory: out}\n";
  const maxwell_dg::simulation::Plan plan =
      maxwell_dg::simulation::make_plan(maxwell_dg::config::load_config("cavity.yaml"));
  std::cout << plan.steps << " steps on " << plan.device.info().name << '\n';
}
