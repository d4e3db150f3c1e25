// Linked into every program of a build with the thread sanitizer: what libraries that were built without it seem to race
// on, because it does not see how they synchronize. Nothing of this project may be named here.
// The sanitizer looks the name up at run time.
extern "C" [[gnu::visibility("default")]] const char* __tsan_default_suppressions();  // NOLINT(bugprone-reserved-identifier)

extern "C" const char* __tsan_default_suppressions() {  // NOLINT(bugprone-reserved-identifier)
  return "race:libpocl\n"
         "race:libLLVM\n"
         "race:libclang-cpp\n";
}
