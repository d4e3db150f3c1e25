#include <exception>

#include "apps/python/bindings/bindings.hpp"
#include "core/error.hpp"
#include "rtcg/array/error.hpp"

namespace nb = nanobind;

namespace maxwell_dg::python {
namespace {

/// Sets the exception `name` of maxwell_dg.errors, with what the error says.
void raise(const char* name, const Error& error) {
  const nb::object type = nb::module_::import_("maxwell_dg.errors").attr(name);
  PyErr_SetObject(type.ptr(), type(nb::str(error.what())).ptr());
}

void translate(const std::exception_ptr& thrown, void* /*payload*/) {
  try {
    std::rethrow_exception(thrown);
  } catch (const ConfigError& error) {
    raise("ConfigError", error);
  } catch (const MeshError& error) {
    raise("MeshError", error);
  } catch (const OutOfDeviceMemory& error) {
    raise("OutOfDeviceMemory", error);
  } catch (const DivergenceError& error) {
    raise("DivergenceError", error);
  } catch (const OutputError& error) {
    raise("OutputError", error);
  } catch (const rtcg::IndexError& error) {
    raise("ArrayIndexError", error);
  } catch (const rtcg::ArrayError& error) {
    raise("ArrayError", error);
  } catch (const CompileError& error) {
    raise("CompileError", error);
  } catch (const Error& error) {  // DeviceError
    raise("DeviceError", error);
  }
}

}  // namespace

void bind_errors(nb::module_& /*m*/) {
  nb::register_exception_translator(translate);
}

}  // namespace maxwell_dg::python
