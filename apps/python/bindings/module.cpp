#include "apps/python/bindings/bindings.hpp"
#include "apps/python/bindings/cpp_runtime.hpp"

NB_MODULE(_core, m) {
  maxwell_dg::python::require_sound_runtime();
  m.doc() = "The compiled part of maxwell_dg.";
  maxwell_dg::python::bind_errors(m);
  maxwell_dg::python::bind_system(m);
  maxwell_dg::python::bind_config(m);
  maxwell_dg::python::bind_mesh(m);
  maxwell_dg::python::bind_rtcg_arrays(m);
  maxwell_dg::python::bind_rtcg_functions(m);
  maxwell_dg::python::bind_rtcg_kernels(m);
  maxwell_dg::python::bind_rtcg_tuning(m);
  maxwell_dg::python::bind_plan(m);
  maxwell_dg::python::bind_run(m);
}
