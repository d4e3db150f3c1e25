#include <iostream>

#include "rtcg/compile/compiler.hpp"
#include "rtcg/source/literal.hpp"

int main() {
  std::cout << maxwell_dg::rtcg::literal(0.1, maxwell_dg::Dtype::float32) << '\n';
  std::cout << maxwell_dg::rtcg::default_cache_directory() << '\n';
}
