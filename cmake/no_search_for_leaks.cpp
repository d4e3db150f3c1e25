// Linked into a sanitized program that guards itself: to look for leaks at its end it would have to start a thread,
// which its sandbox refuses. The sanitizer looks the name up at run time.
extern "C" [[gnu::visibility("default")]] int __lsan_is_turned_off();  // NOLINT(bugprone-reserved-identifier)

extern "C" int __lsan_is_turned_off() {  // NOLINT(bugprone-reserved-identifier)
  return 1;
}
