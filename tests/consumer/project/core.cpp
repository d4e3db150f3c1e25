#include <iostream>

#include "core/device/device.hpp"

int main() {
  for (const auto& device : maxwell_dg::core::list_devices()) std::cout << device.name << '\n';
}
