#include "apps/python/bindings/log_sink.hpp"

#include <string_view>

namespace nb = nanobind;

namespace maxwell_dg::python {
namespace {

int python_level(LogLevel level) {
  switch (level) {
    case LogLevel::info: return 20;
    case LogLevel::warning: return 30;
    case LogLevel::error: return 40;
  }
  return 40;
}

}  // namespace

LogSink sink_of(nb::handle log) {
  return [log](LogLevel level, std::string_view text) {
    const nb::gil_scoped_acquire lock;
    try {
      log(python_level(level), nb::str(text.data(), text.size()));
    } catch (nb::python_error& error) {  // a handler of messages must not end a run
      error.discard_as_unraisable("maxwell_dg's log");
    }
  };
}

}  // namespace maxwell_dg::python
