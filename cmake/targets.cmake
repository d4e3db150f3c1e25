# The three kinds of target, so that each says the same things about itself.

add_library(maxwell_dg_warnings INTERFACE)
# A file that is included is taken for a header, and its own names for everybody's (maxwell_dg_compile_together).
target_compile_options(maxwell_dg_warnings INTERFACE $<$<NOT:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>:-Wshadow>
  $<$<AND:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>,$<CXX_COMPILER_ID:GNU>>:-Wno-subobject-linkage>)
target_compile_options(maxwell_dg_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wno-sign-conversion
  -Wno-missing-field-initializers)  # designated initializers leave defaults out on purpose
# GCC 12 and 13 see overlapping copies in `"text" + std::string` where there are none (GCC bug 105651).
target_compile_options(maxwell_dg_warnings INTERFACE
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,14>>:-Wno-restrict>)
# No warning, but for every target, too: GCC begins to collect garbage at 128 MB, which is 6 to 9 % of its time.
target_compile_options(maxwell_dg_warnings INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=524288>)
if(MAXWELL_DG_WERROR)
  target_compile_options(maxwell_dg_warnings INTERFACE -Werror)
endif()
if(MAXWELL_DG_SANITIZE STREQUAL "address")
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
  set(maxwell_dg_program_sources ${CMAKE_CURRENT_LIST_DIR}/leaks_of_others.cpp)
elseif(MAXWELL_DG_SANITIZE STREQUAL "thread")
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
endif()

# Options for tests, and for other targets that compute little on the host: optimizing them takes longer than it saves.
set(maxwell_dg_not_optimized $<$<CONFIG:Release>:-O0>)
set(maxwell_dg_hardly_optimized $<$<CONFIG:Release>:-O1>)
# For those whose time is spent in Eigen, which says itself what to unroll and to inline.
set(maxwell_dg_less_optimized $<$<CONFIG:Release>:-O2>)

# Reads the headers once for several files of a target, if MAXWELL_DG_TOGETHER: in these, no two things in anonymous
# namespaces may have one name.
function(maxwell_dg_compile_together target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${MAXWELL_DG_TOGETHER} UNITY_BUILD_BATCH_SIZE 24)
endfunction()

# Reads headers that most files of a target include once for all of them, if MAXWELL_DG_TOGETHER.
function(maxwell_dg_precompile target)
  if(MAXWELL_DG_TOGETHER)
    target_precompile_headers(${target} PRIVATE ${ARGN})
    maxwell_dg_take_precompiled(${target})
  endif()
endfunction()

# Gives a program the headers that another target has precompiled: a program, or a library for programs alone that is
# compiled as they are (maxwell_dg_for_programs).
function(maxwell_dg_reuse_precompiled target other)
  if(MAXWELL_DG_TOGETHER)
    target_precompile_headers(${target} REUSE_FROM ${other})
    maxwell_dg_take_precompiled(${target})
  endif()
endfunction()

function(maxwell_dg_for_programs library)
  set_target_properties(${library} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${library} PRIVATE ${CMAKE_CXX_COMPILE_OPTIONS_PIE} ${maxwell_dg_hardly_optimized})
endfunction()

# The first option lets ccache see precompiled headers; the others are for what GCC 12 warns of in the standard library's
# own code.
function(maxwell_dg_take_precompiled target)
  target_compile_options(${target} PRIVATE
    $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess -Wno-stringop-overflow -Wno-array-bounds>)
endfunction()

# maxwell_dg_floor(name [TOGETHER]): the library of one floor, e.g. target maxwell_dg_core, alias maxwell_dg::core. TOGETHER
# allows maxwell_dg_compile_together. Rooms add their files with target_sources(maxwell_dg_core PRIVATE ...).
function(maxwell_dg_floor name)
  add_library(maxwell_dg_${name} STATIC)
  add_library(maxwell_dg::${name} ALIAS maxwell_dg_${name})
  set_target_properties(maxwell_dg_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(maxwell_dg_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include/maxwell_dg>)
  target_compile_features(maxwell_dg_${name} PUBLIC cxx_std_20)
  target_link_libraries(maxwell_dg_${name} PRIVATE $<BUILD_INTERFACE:maxwell_dg_warnings>)
  if("TOGETHER" IN_LIST ARGN)
    maxwell_dg_compile_together(maxwell_dg_${name})
  endif()
endfunction()

# maxwell_dg_embed_kernels(names...): the room's texts <name>.kernel become part of the library, so that the programs
# need no data directory: of dg::kernel_texts(). An edited text reconfigures by itself.
function(maxwell_dg_embed_kernels)
  file(RELATIVE_PATH room ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  set(list "")
  foreach(kernel ${ARGN})
    set(file ${CMAKE_CURRENT_SOURCE_DIR}/${kernel}.kernel)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} text)
    string(APPEND list "    {.path = \"${room}/${kernel}.kernel\", .text = R\"KERNEL(${text})KERNEL\"},\n")
  endforeach()
  # dg/codegen makes kernel_texts() of it, dg/variants a digest
  set_property(GLOBAL APPEND_STRING PROPERTY MAXWELL_DG_KERNEL_LIST "${list}")
endfunction()

# maxwell_dg_program(NAME name SOURCES ... LIBRARIES ... [INSTALL]): an executable, with INSTALL one that users get.
function(maxwell_dg_program)
  cmake_parse_arguments(arg "INSTALL" "NAME" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${arg_NAME} ${arg_SOURCES} ${maxwell_dg_program_sources})
  target_link_libraries(${arg_NAME} PRIVATE ${arg_LIBRARIES} maxwell_dg_warnings)
  if(arg_INSTALL)
    install(TARGETS ${arg_NAME} RUNTIME)
  endif()
endfunction()

# A linker takes the first copy that it meets of a function that several files have compiled, as they do Eigen's templates.
# The copies of a test are not optimized, so those of the libraries have to come before: that made tests 8 times as fast.
function(maxwell_dg_link_optimized_first target)
  set(files)
  foreach(library IN LISTS ARGN)
    string(APPEND files ",$<TARGET_FILE:${library}>")
  endforeach()
  target_link_options(${target} PRIVATE $<$<CONFIG:Release>:-Wl,--whole-archive${files},--no-whole-archive>)
endfunction()

# What every test finds in its environment: a kernel cache of the build folder's own.
set(MAXWELL_DG_TEST_ENVIRONMENT "MAXWELL_DG_CACHE=${PROJECT_BINARY_DIR}/test_cache")

# maxwell_dg_test(NAME name LABEL label SOURCES ... LIBRARIES ... [TIMEOUT seconds] [COST seconds] [SHARDS suite count ...]
# [TOGETHER]): a GoogleTest program whose suites are CTest entries, each one process. SHARDS spreads the tests of a suite
# over several; entries of a higher COST, in seconds, start earlier. TOGETHER allows maxwell_dg_compile_together.
function(maxwell_dg_test)
  cmake_parse_arguments(arg "TOGETHER" "NAME;LABEL;TIMEOUT;COST" "SOURCES;LIBRARIES;SHARDS" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 900)
  endif()
  if(NOT arg_COST)
    set(arg_COST 0)
  endif()
  add_executable(${arg_NAME} ${arg_SOURCES} ${maxwell_dg_program_sources})
  target_link_libraries(${arg_NAME} PRIVATE ${arg_LIBRARIES} maxwell_dg_warnings maxwell_dg_test_main)
  target_compile_definitions(${arg_NAME} PRIVATE MAXWELL_DG_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  # A test program is compiled once and run once; libraries and devices compute.
  target_compile_options(${arg_NAME} PRIVATE ${maxwell_dg_not_optimized})
  if("${arg_LIBRARIES}" MATCHES "maxwell_dg::dg|maxwell_dg_test_support|maxwell_dg_config|maxwell_dg_mie_comparison")
    maxwell_dg_reuse_precompiled(${arg_NAME} maxwell_dg_test_support)
    maxwell_dg_link_optimized_first(${arg_NAME} maxwell_dg_dg maxwell_dg_rtcg_kernels maxwell_dg_core)
  else()
    maxwell_dg_reuse_precompiled(${arg_NAME} maxwell_dg_test_main)
  endif()
  if(arg_TOGETHER)
    maxwell_dg_compile_together(${arg_NAME})
  endif()

  # What the program's suites are is known once it is built.
  set(entries ${CMAKE_CURRENT_BINARY_DIR}/${arg_NAME}_suites.cmake)
  set(found ${CMAKE_CURRENT_BINARY_DIR}/${arg_NAME}_suites_found.cmake)
  add_custom_command(TARGET ${arg_NAME} POST_BUILD BYPRODUCTS ${found} VERBATIM
    COMMAND ${CMAKE_COMMAND} -D PROGRAM=$<TARGET_FILE:${arg_NAME}> -D ENTRIES=${found} -D "SHARDS=${arg_SHARDS}"
      -D LABEL=${arg_LABEL} -D TIMEOUT=${arg_TIMEOUT} -D COST=${arg_COST} -D "ENVIRONMENT=${MAXWELL_DG_TEST_ENVIRONMENT}"
      -P ${PROJECT_SOURCE_DIR}/cmake/find_suites.cmake)
  file(WRITE ${entries} "if(EXISTS \"${found}\")\n  include(\"${found}\")\nelse()\n"
    "  add_test(${arg_NAME}_is_not_built ${arg_NAME}_is_not_built)\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${entries})
endfunction()
