# find_package(maxwell_dg COMPONENTS core rtcg dg config simulation): static libraries, headers under include/maxwell_dg.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(MAXWELL_DG_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/maxwell_dg)
set(libraries core rtcg dg)
if(MAXWELL_DG_APPS)
  list(APPEND libraries apps/config apps/simulation)
endif()

install(TARGETS maxwell_dg_rtcg_kernels EXPORT maxwell_dg_targets ARCHIVE)  # part of the floor rtcg
foreach(folder ${libraries})
  get_filename_component(library ${folder} NAME)
  get_filename_component(above ${folder} DIRECTORY)
  install(TARGETS maxwell_dg_${library} EXPORT maxwell_dg_targets ARCHIVE)
  # Headers that name a vendor's types stay private to their library, with what only they use.
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/maxwell_dg/${above}
    FILES_MATCHING PATTERN "*.hpp"
    REGEX "core/cuda/(context|cuda|driver|nvrtc_library|nvtx|of_cuda|states)\\.hpp$" EXCLUDE
    REGEX "core/opencl/(calls|handles|inline_headers|of_opencl|opencl|platform|pocl|pocl_failure|pocl_folder|drivers|signatures|states)\\.hpp$" EXCLUDE
    REGEX "dg/hdf5/(handle|stored)\\.hpp$" EXCLUDE
    REGEX "apps/config/(type|keys|[a-z]+_keys)\\.hpp$" EXCLUDE)
endforeach()
install(EXPORT maxwell_dg_targets NAMESPACE maxwell_dg:: DESTINATION ${MAXWELL_DG_PACKAGE_DIR})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/maxwell_dgConfig.cmake.in
  ${PROJECT_BINARY_DIR}/maxwell_dgConfig.cmake INSTALL_DESTINATION ${MAXWELL_DG_PACKAGE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/maxwell_dgConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/maxwell_dgConfig.cmake ${PROJECT_BINARY_DIR}/maxwell_dgConfigVersion.cmake
  DESTINATION ${MAXWELL_DG_PACKAGE_DIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
