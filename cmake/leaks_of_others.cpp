// Linked into every program of a sanitized build: memory that libraries keep until the process ends.
// Nothing of this project may be named here.
// The sanitizer looks the name up at run time.
extern "C" [[gnu::visibility("default")]] const char*
__lsan_default_suppressions();  // NOLINT(bugprone-reserved-identifier)

extern "C" const char* __lsan_default_suppressions() {  // NOLINT(bugprone-reserved-identifier)
  return "leak:libOpenCL.so\n"
         "leak:libLLVM\n"
         "leak:libclang-cpp\n"
         "leak:libgmsh.so\n"
         "leak:libhdf5\n"
         "leak:libpocl\n"
         "leak:libnvrtc\n";
}
