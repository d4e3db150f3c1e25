#include <iostream>

#include "apps/config/load.hpp"

int main() {
  std::cout << maxwell_dg::config::json_schema().size() << " bytes of schema\n";
}
