#include <gtest/gtest.h>

#include "core/atomic_file.hpp"
#include "dg/mesh/mesh.hpp"
#include "tests/must_fail/app/program.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

/// What --check says of the cavity on another mesh.
std::string said_of(const dg::Mesh& mesh) {
  const TemporaryDirectory directory;
  dg::write_mesh(mesh, directory / "mesh.h5");
  const Outcome outcome =
      run_cavity(directory.path(), {"--check", "--set", "mesh={file: " + (directory / "mesh.h5").string() + "}"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return outcome.err;
}

TEST(MeshWarnings, name_the_worst_of_the_few_elements_that_shorten_the_step) {
  dg::Mesh mesh = dg::make_box({.min = {-1, -1, -1}, .max = {1, 1, 0}, .cells = {8, 8, 8}});
  EXPECT_EQ(said_of(mesh).find("the time step is"), std::string::npos) << "all alike";
  for (dg::Point& vertex : mesh.vertices) {
    if (vertex == dg::Point{0.25, 0.25, -0.5}) vertex[0] += 0.23;  // of a cell of 0.25
  }
  const std::string text = said_of(mesh);
  EXPECT_NE(text.find("warning: the time step is "), std::string::npos) << text;
  EXPECT_NE(text.find(" times shorter than 99 % of the elements need, because of "), std::string::npos) << text;
  EXPECT_NE(text.find(" of 3072; the worst is element "), std::string::npos) << text;
  EXPECT_NE(text.find(" in region 'interior', of quality 0.0"), std::string::npos) << text;
}

/// What --check says of a box with a layer 0.5 thick around a dipole.
std::string said_of_layer(const std::string& waveform, const std::string& more = "") {
  const TemporaryDirectory directory;
  write_file_atomically(directory / "open.yaml", R"(units: normalized
mesh: {box: {min: [-1, -1, -1], max: [1, 1, 1], cells: [8, 8, 8]}}
solver: {order: 2}
time: {end: 8}
materials: [{region: "*"}]
boundaries: [{region: "*", type: pml, thickness: 0.5}]
sources: [{type: dipole, at: [0, 0, 0], moment: [0, 0, 1], waveform: )" +
                                                     waveform + "}]\n" + more);
  const Outcome outcome = run_program({(directory / "open.yaml").string(), "--check"}, directory.path());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return outcome.err;
}

TEST(MeshWarnings, name_a_layer_thinner_than_half_a_wavelength) {
  EXPECT_EQ(said_of_layer("{type: sine, frequency: 1}").find("thinner"), std::string::npos);
  const std::string text = said_of_layer("{type: sine, frequency: 0.8}");
  EXPECT_NE(text.find("open.yaml:6:"), std::string::npos) << text;
  EXPECT_NE(text.find("boundaries.0.thickness: the PML is thinner than half a wavelength, 0.625, at 0.8: "),
            std::string::npos)
      << text;
  const std::string spectra = R"(outputs:
  probes: [{name: p, at: [0.2, 0.2, 0.2]}]
  probe_spectra: {from: 0.8, to: 1.2}
)";
  const std::string of_band = said_of_layer("{type: gaussian_pulse, frequency: 1, bandwidth: 1}", spectra);
  EXPECT_NE(of_band.find("the PML is thinner than half a wavelength, 0.625, at 0.8: "), std::string::npos) << of_band;
}

}  // namespace
}  // namespace maxwell_dg::testing
