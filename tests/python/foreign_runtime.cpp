// A library of somebody else's, with libstdc++ linked into it and visible to all: runtime_test.py loads it.
#include <iostream>
#include <sstream>
#include <string>

extern "C" __attribute__((visibility("default"))) int number_in(const char* text) {
  std::istringstream stream{std::string(text)};
  int number = 0;
  stream >> number;
  return number;
}
