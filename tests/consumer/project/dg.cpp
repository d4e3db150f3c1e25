#include <iostream>

#include "dg/mesh/discretization.hpp"
#include "dg/mesh/mesh.hpp"

int main() {
  const maxwell_dg::dg::Discretization discretization(maxwell_dg::dg::make_box({.cells = {2, 2, 2}}), 3);
  std::cout << discretization.K() << " elements of " << discretization.Np() << " nodes\n";
}
