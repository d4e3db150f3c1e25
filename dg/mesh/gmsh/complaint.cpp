#include "dg/mesh/gmsh/complaint.hpp"

#include <algorithm>
#include <vector>

#include <gmsh.h>

#include "core/error.hpp"

namespace maxwell_dg::dg {

std::string first_error() {
  std::vector<std::string> log;
  gmsh::logger::get(log);
  const auto found = std::ranges::find_if(log, [](const std::string& line) { return line.starts_with("Error"); });
  return found == log.end() ? std::string() : *found;
}

void throw_gmsh_error(const std::string& thrown, const std::string& remedy) {
  std::string cause = first_error();
  if (cause.empty()) cause = thrown.empty() ? "no reason given" : thrown;
  std::ranges::replace(cause, '\n', ' ');
  throw MeshError("Gmsh cannot read or mesh it (" + cause + "); " + remedy);
}

}  // namespace maxwell_dg::dg
