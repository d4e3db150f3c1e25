#pragma once

#include <nanobind/nanobind.h>

/// The parts of the module `maxwell_dg._core`. What Python programs see is the package around it, in
/// apps/python/maxwell_dg: these are for it alone.
namespace maxwell_dg::python {

/// The library's errors become exceptions of maxwell_dg.errors.
void bind_errors(nanobind::module_& m);
/// Devices, and what a config may hold.
void bind_config(nanobind::module_& m);
/// A run.
void bind_run(nanobind::module_& m);
/// Arrays on devices, their formulas, and functions of these.
void bind_rtcg_arrays(nanobind::module_& m);
void bind_rtcg_functions(nanobind::module_& m);

}  // namespace maxwell_dg::python
