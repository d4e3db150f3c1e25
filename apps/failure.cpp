#include "apps/failure.hpp"

#include <exception>
#include <new>
#include <string>

#include "core/log.hpp"

namespace maxwell_dg {

ExitCode report_failure() {
  try {
    throw;
  } catch (const Error& error) {
    log_error(error.what());
    return error.code();
  } catch (const std::bad_alloc&) {
    log_error("out of host memory; take a smaller mesh or a lower order");
    return ExitCode::device;
  } catch (const std::exception& error) {
    log_error("internal error, please report it: " + std::string(error.what()));
    return ExitCode::internal;
  }
}

}  // namespace maxwell_dg
