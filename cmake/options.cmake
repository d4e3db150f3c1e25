# What may be left out, and what was found. AUTO means: on where found. cmake/summary.cmake tells the outcome.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)  # libraries in a prefix of the user's own are found by installed programs, too
# Gmsh's library must not find its copy of Eigen in our programs: compiled with other options, the two do not mix.
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

option(MAXWELL_DG_APPS "Build the programs" ON)
option(MAXWELL_DG_WERROR "Treat warnings as errors" OFF)
option(MAXWELL_DG_TOGETHER "Compile files by the handful and headers ahead, where that works: quicker from scratch, slower after a change" OFF)
set(MAXWELL_DG_SANITIZE OFF CACHE STRING "OFF, address (and undefined behaviour) or thread")
set_property(CACHE MAXWELL_DG_SANITIZE PROPERTY STRINGS OFF address thread)
if(NOT MAXWELL_DG_SANITIZE MATCHES "^(OFF|address|thread)$")
  message(FATAL_ERROR "MAXWELL_DG_SANITIZE=${MAXWELL_DG_SANITIZE}: allowed are OFF, address and thread")
endif()
foreach(feature CUDA OPENCL MPI GMSH OPENCASCADE METIS CCACHE CUB PYTHON TESTS)
  set(MAXWELL_DG_${feature} AUTO CACHE STRING "AUTO, ON or OFF")
  set_property(CACHE MAXWELL_DG_${feature} PROPERTY STRINGS AUTO ON OFF)
endforeach()

find_package(Threads REQUIRED)
find_package(Eigen3 3.3 REQUIRED NO_MODULE)
find_package(spdlog REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(HDF5 REQUIRED COMPONENTS C)
find_package(ZLIB REQUIRED)

# maxwell_dg_feature(NAME found WHERE text REMEDY text): settles MAXWELL_DG_HAVE_NAME from the option and what was
# found, and keeps the reason in MAXWELL_DG_WHY_NAME for the summary.
function(maxwell_dg_feature name found)
  cmake_parse_arguments(arg "" "WHERE;REMEDY" "" ${ARGN})
  set(wanted ${MAXWELL_DG_${name}})
  if(NOT wanted MATCHES "^(AUTO|ON|OFF)$")
    message(FATAL_ERROR "MAXWELL_DG_${name}=${wanted}: allowed are AUTO, ON and OFF")
  elseif(wanted STREQUAL "OFF")
    set(have OFF)
    set(why "switched off by MAXWELL_DG_${name}=OFF")
  elseif(found)
    set(have ON)
    set(why "found: ${arg_WHERE}")
  elseif(wanted STREQUAL "ON")
    message(FATAL_ERROR "MAXWELL_DG_${name}=ON, but it was not found; ${arg_REMEDY}, or set the option to AUTO")
  else()
    set(have OFF)
    set(why "not found; ${arg_REMEDY}")
  endif()
  set(MAXWELL_DG_HAVE_${name} ${have} PARENT_SCOPE)
  set(MAXWELL_DG_WHY_${name} "${why}" PARENT_SCOPE)
endfunction()

# CUDA: headers only; driver and NVRTC are loaded at run time.
find_path(CUDA_INCLUDE_DIR nvrtc.h HINTS $ENV{CUDA_PATH}/include PATHS /usr/local/cuda/include)
maxwell_dg_feature(CUDA "${CUDA_INCLUDE_DIR}" WHERE "headers in ${CUDA_INCLUDE_DIR}"
  REMEDY "install the CUDA toolkit (its headers are enough) or point CUDA_PATH to it")

# CUDA's own compiler is for the comparison with CUB in rtcg_bench alone; it does not go with sanitizers.
set(cub_found FALSE)
find_program(NVCC_PROGRAM nvcc HINTS $ENV{CUDA_PATH}/bin /usr/local/cuda/bin)
if(NVCC_PROGRAM AND MAXWELL_DG_HAVE_CUDA AND MAXWELL_DG_APPS AND NOT MAXWELL_DG_CUB STREQUAL "OFF" AND NOT MAXWELL_DG_SANITIZE)
  set(ENV{CUDACXX} ${NVCC_PROGRAM})
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    set(cub_found TRUE)
  endif()
endif()
maxwell_dg_feature(CUB "${cub_found}" WHERE "compiled by ${NVCC_PROGRAM}"
  REMEDY "with CUDA's compiler nvcc, rtcg_bench compares itself with CUB")

find_package(OpenCL QUIET)
maxwell_dg_feature(OPENCL "${OpenCL_FOUND}" WHERE "${OpenCL_LIBRARY}"
  REMEDY "install ocl-icd-opencl-dev and opencl-headers")

find_package(MPI QUIET COMPONENTS C)
maxwell_dg_feature(MPI "${MPI_C_FOUND}" WHERE "${MPI_mpi_LIBRARY}"
  REMEDY "install libopenmpi-dev and openmpi-bin for runs on several GPUs or hosts")

find_path(GMSH_INCLUDE_DIR gmsh.h)
find_library(GMSH_LIBRARY gmsh)
if(GMSH_INCLUDE_DIR AND GMSH_LIBRARY)
  set(gmsh_found TRUE)
else()
  set(gmsh_found FALSE)
endif()
maxwell_dg_feature(GMSH "${gmsh_found}" WHERE "${GMSH_LIBRARY}" REMEDY "install libgmsh-dev")

# Only that to which Gmsh is linked: its library may hold a copy of another version, and two do not mix.
set(gmsh_needs_opencascade)
if(MAXWELL_DG_HAVE_GMSH)
  file(STRINGS "${GMSH_LIBRARY}" gmsh_needs_opencascade REGEX "^libTKXDESTEP\\.so" LIMIT_COUNT 1)
endif()
find_path(OPENCASCADE_INCLUDE_DIR STEPControl_Reader.hxx PATH_SUFFIXES opencascade)
set(OPENCASCADE_LIBRARIES)
foreach(library TKSTEP TKSTEPBase TKXSBase TKTopAlgo TKBRep TKG3d TKMath TKernel)
  find_library(OPENCASCADE_${library} ${library})
  list(APPEND OPENCASCADE_LIBRARIES ${OPENCASCADE_${library}})
endforeach()
set(opencascade_found FALSE)
if(gmsh_needs_opencascade AND OPENCASCADE_INCLUDE_DIR AND NOT OPENCASCADE_LIBRARIES MATCHES "NOTFOUND")
  set(opencascade_found TRUE)
endif()
maxwell_dg_feature(OPENCASCADE "${opencascade_found}" WHERE "${OPENCASCADE_TKSTEP}"
  REMEDY "install libocct-data-exchange-dev: surfaces of STEP files then have the names that the files give them")

find_path(METIS_INCLUDE_DIR metis.h)
find_library(METIS_LIBRARY metis)
set(metis_found FALSE)
if(METIS_INCLUDE_DIR AND METIS_LIBRARY)
  set(metis_found TRUE)
endif()
maxwell_dg_feature(METIS "${metis_found}" WHERE "${METIS_LIBRARY}"
  REMEDY "install libmetis-dev: a mesh is then divided among processes with fewer faces between them")

# The package for Python: nanobind comes from pip, into the environment that scripts/setup makes, or the interpreter that is
# found first.
if(NOT Python_EXECUTABLE AND EXISTS ${PROJECT_SOURCE_DIR}/build/venv/bin/python)
  set(Python_EXECUTABLE ${PROJECT_SOURCE_DIR}/build/venv/bin/python)
endif()
find_package(Python 3.11 QUIET COMPONENTS Interpreter Development.Module OPTIONAL_COMPONENTS Development.SABIModule)
set(nanobind_found FALSE)
if(Python_Development.Module_FOUND AND MAXWELL_DG_APPS AND NOT MAXWELL_DG_PYTHON STREQUAL "OFF" AND NOT MAXWELL_DG_SANITIZE)
  execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir
    OUTPUT_VARIABLE nanobind_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  find_package(nanobind CONFIG QUIET)
  set(nanobind_found ${nanobind_FOUND})
endif()
maxwell_dg_feature(PYTHON "${nanobind_found}" WHERE "nanobind for ${Python_EXECUTABLE}"
  REMEDY "install Python's headers (python3-dev) and nanobind (pip install nanobind), or point Python_EXECUTABLE to an interpreter that has them")

find_package(GTest QUIET)
set(tests_possible FALSE)
if(GTest_FOUND AND MAXWELL_DG_APPS)
  set(tests_possible TRUE)
endif()
maxwell_dg_feature(TESTS "${tests_possible}" WHERE "GoogleTest"
  REMEDY "install libgtest-dev, and build the programs, which the tests run (MAXWELL_DG_APPS)")

find_program(CCACHE_PROGRAM ccache)
maxwell_dg_feature(CCACHE "${CCACHE_PROGRAM}" WHERE "${CCACHE_PROGRAM}" REMEDY "install ccache for quicker rebuilds")
if(MAXWELL_DG_HAVE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Of a precompiled header GCC keeps each file's checksum, comments included, and recognises "#pragma once" by it. Looked up
  # by preprocessed text, without comments, an old one would be found after a change of a comment and every declaration be met
  # twice: "depend" looks up by the files themselves. The name keeps apart what was stored before that.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_DEPEND=1
    CCACHE_NAMESPACE=maxwell_dg_by_files ${CCACHE_PROGRAM})
endif()
