#pragma once

#include <nanobind/nanobind.h>

/// The parts of the module `maxwell_dg._core`. What Python programs see is the package around it, in
/// apps/python/maxwell_dg: these are for it alone.
namespace maxwell_dg::python {

/// The library's errors become exceptions of maxwell_dg.errors.
void bind_errors(nanobind::module_& m);
/// Devices, and what a config may hold.
void bind_config(nanobind::module_& m);
/// Meshes in memory; after bind_config.
void bind_mesh(nanobind::module_& m);
/// What a run would be; before bind_run.
void bind_plan(nanobind::module_& m);
/// A run.
void bind_run(nanobind::module_& m);
/// Arrays on devices, their formulas, and functions of these.
void bind_rtcg_arrays(nanobind::module_& m);
void bind_rtcg_functions(nanobind::module_& m);
/// Kernels from a few words, compiled texts; tuned ones. After the arrays.
void bind_rtcg_kernels(nanobind::module_& m);
void bind_rtcg_tuning(nanobind::module_& m);
/// Equations in symbols; before bind_config.
void bind_system(nanobind::module_& m);

}  // namespace maxwell_dg::python
