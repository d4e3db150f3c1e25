#include <iostream>

#include "dg/mesh/mesh.hpp"
#include "dg/operator/discretization.hpp"

int main() {
  const maxwell_dg::dg::Discretization discretization(maxwell_dg::dg::make_box({.cells = {2, 2, 2}}), 3);
  std::cout << discretization.K() << " elements of " << discretization.Np() << " nodes\n";
}
