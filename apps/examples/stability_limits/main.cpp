// Prints the largest stable step of each order, c dt / r with r the smallest inscribed radius: where the numbers of
// dg/time/stable_step.cpp come from. Usage: stability_limits [largest order]

#include <algorithm>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include "core/error.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/operator/operator.hpp"
#include "dg/time/spectrum.hpp"

using namespace maxwell_dg;
using namespace maxwell_dg::dg;

namespace {

/// A box of Kuhn tetrahedra, its inner vertices moved at random by up to `distortion` cells, stretched along x.
Mesh sample_mesh(double distortion, double stretch) {
  constexpr int side = 2;
  Mesh mesh = make_box({.min = {0, 0, 0}, .max = {stretch, 1, 1}, .cells = {side, side, side}});
  std::mt19937 random(3);
  std::uniform_real_distribution<double> shift(-distortion / side, distortion / side);
  for (Point& x : mesh.vertices) {
    for (double& coordinate : x) coordinate += shift(random);
  }
  return mesh;
}

/// One cell alone: regular, its four walls conducting.
Mesh regular_tetrahedron() {
  Mesh mesh;
  mesh.vertices = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  mesh.cells = {{0, 1, 3, 2}};
  mesh.cell_region = {-1};
  prepare(mesh, "regular tetrahedron");
  return mesh;
}

/// The outermost eigenvalues times the smallest inscribed radius.
std::vector<std::complex<double>> spectrum(rtcg::Compiler& compiler, const Mesh& mesh, int N, double alpha) {
  const auto discretization = std::make_shared<Discretization>(mesh, N);
  Problem problem{.system = maxwell::system({.alpha = alpha})};
  for (const auto& p : problem.system.parameters) {
    problem.parameters.emplace_back(discretization->K(), p.default_value);
  }
  problem.boundary.assign(discretization->connectivity.boundary_faces.size(), problem.system.find_boundary("pec"));
  double r = inscribed_radius(discretization->geometry, 0);
  for (std::size_t k = 1; k < discretization->K(); ++k) r = std::min(r, inscribed_radius(discretization->geometry, k));
  Operator op(compiler, discretization, problem, {.precision = Dtype::float64});
  std::vector<std::complex<double>> eigenvalues = outermost_eigenvalues(op);
  for (auto& lambda : eigenvalues) lambda *= r;
  return eigenvalues;
}

}  // namespace

int main(int argc, char** argv) try {
  const int largest = argc > 1 ? std::atoi(argv[1]) : 4;
  const char* device = std::getenv("MAXWELL_DG_DEVICE");
  rtcg::Compiler compiler(core::Device::open(device ? device : "auto"));
  const std::pair<const char*, Mesh> meshes[] = {{"kuhn", sample_mesh(0, 1)},   {"distorted", sample_mesh(0.2, 1)},
                                                 {"flat", sample_mesh(0, 0.2)}, {"flatter", sample_mesh(0, 0.05)},
                                                 {"long", sample_mesh(0, 5)},   {"regular", regular_tetrahedron()}};
  std::printf("c dt / r\n%-9s %-10s %5s", "method", "mesh", "alpha");
  for (int N = 1; N <= largest; ++N) std::printf("   N = %d", N);
  std::printf("\n");
  const auto print = [](const RungeKutta& method, const char* name, double alpha, const std::vector<double>& limits) {
    std::printf("%-9s %-10s %5.2f", method.name.c_str(), name, alpha);
    for (const double limit : limits) std::printf(" %7.4f", limit);
    std::printf("\n");
    std::fflush(stdout);
  };
  for (const double alpha : {0.0, 0.5, 1.0}) {
    std::map<const RungeKutta*, std::vector<double>> least;
    for (const auto& [name, mesh] : meshes) {
      std::map<const RungeKutta*, std::vector<double>> limits;
      for (int N = 1; N <= largest; ++N) {
        const auto eigenvalues = spectrum(compiler, mesh, N, alpha);
        for (const RungeKutta* method : runge_kutta_methods()) {
          limits[method].push_back(largest_stable_step(eigenvalues, *method));
        }
      }
      for (const auto& [method, found] : limits) {
        print(*method, name, alpha, found);
        std::vector<double>& so_far = least.try_emplace(method, found).first->second;
        for (std::size_t i = 0; i < found.size(); ++i) so_far[i] = std::min(so_far[i], found[i]);
      }
    }
    for (auto& [method, found] : least) {
      for (double& limit : found) limit *= 0.95;
      print(*method, "less 5 %", alpha, found);
    }
  }
  return 0;
} catch (const Error& error) {
  std::fprintf(stderr, "error: %s\n", error.what());
  return static_cast<int>(error.code());
}
