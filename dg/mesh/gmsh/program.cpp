// The program that uses Gmsh's library for another process: reads the file that it is told, writes the mesh to the
// descriptor `answer_descriptor`, and ends. Not for people.
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>

#include <fcntl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/error.hpp"
#include "dg/mesh/gmsh/answer.hpp"
#include "dg/mesh/gmsh/reader.hpp"
#include "dg/mesh/gmsh/request.hpp"
#include "dg/mesh/gmsh/sandbox.hpp"

namespace {

using namespace maxwell_dg;
using namespace maxwell_dg::dg;

constexpr const char* trust = "; if you trust it, read it with --trust-geometry";

/// Begins anew where memory lies at the same addresses each time: Gmsh sorts by addresses, and its optimizer of curved
/// elements would make another mesh in each process. Not each time the same even so: of 81 readings of one geometry two
/// differed, and why is not known. Goes on where the system does not allow it, as some containers do not; ranks and
/// resumed runs then tell meshes that differ.
void begin_at_fixed_addresses(char** argv) {
  constexpr unsigned long ask = 0xffffffff;
  const int now = personality(ask);
  if (now < 0 || (now & ADDR_NO_RANDOMIZE) != 0) return;
  if (personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE) < 0) return;
  (void)execv("/proc/self/exe", argv);
}

/// Ends with the process that waits for the answer, keeps none of its files, leaves Ctrl-C to it.
void belong_to_parent() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  (void)syscall(SYS_close_range, answer_descriptor + 1, ~0U, 0);
  (void)fcntl(answer_descriptor, F_SETFD, FD_CLOEXEC);  // what a trusted script starts
  std::signal(SIGINT, SIG_IGN);
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
}

/// Throws MeshError for a script that cannot be guarded. A mesh is data, which is read without, as other programs do:
/// returns a warning then, else "".
std::string require_guarded(const GmshRequest& request) {
  if (request.trust_geometry) return "";
  const std::string why_not = read_and_compute_only();
  if (why_not.empty()) return "";
  if (!request.is_script()) {
    return "this system cannot guard Gmsh (" + why_not +
           "): a file made to abuse a fault of Gmsh could do what you may; of strangers take .h5";
  }
  throw MeshError(
      "a geometry is a program, and this system cannot keep it from starting others and from writing files (" +
      why_not + ")" + trust);
}

/// What the user should know of a file that was not written, beside another complaint or alone.
std::string refusal() {
  std::string file = refused_file();
  if (file.empty()) return file;
  for (char& c : file) {
    if (static_cast<unsigned char>(c) < 0x20) c = '?';
  }
  return "it writes the file '" + file + "', which a mesh or geometry may not" + trust;
}

void answer(const GmshRequest& request, const AnswerWriter& writer) {
  try {
    GmshReader reader;
    if (const std::string unguarded = require_guarded(request); !unguarded.empty()) writer.warning(unguarded);
    const Mesh mesh = reader.read(request, [&](const std::string& text) { writer.note(text); });
    if (!refusal().empty()) writer.warning(refusal());
    writer.mesh(mesh);
  } catch (const std::exception& error) {
    writer.error(refusal().empty() ? error.what() : refusal());
  }
}

}  // namespace

int main(int argc, char** argv) {
  begin_at_fixed_addresses(argv);
  try {
    const auto request = GmshRequest::from_command_line({argv, argv + argc});
    belong_to_parent();
    bound_this_process(request.bounds());
    answer(request, AnswerWriter(answer_descriptor));
    std::fflush(stdout);
    _exit(0);  // Gmsh has nothing more to do
  } catch (const std::exception& error) {
    std::fprintf(stderr, "maxwell_dg_gmsh: %s\n", error.what());
    _exit(2);
  }
}
