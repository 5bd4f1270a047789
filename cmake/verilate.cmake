# SPDX-License-Identifier: Apache-2.0
#
# SystemVerilog as C++ classes, made by Verilator:
#
#   toroid_verilate(NAME PREFIX class TOP module SOURCES file.sv... [ARGS argument...] [SYSTEMC] [BRIEF])
#       static library NAME with class PREFIX (header PREFIX.h), to be linked by C++ tests and by libtoroid_rtl.so
#   toroid_plant_defect(NAME PREFIX class TOP module SOURCES file.sv... FILE file.sv MATCH regex REPLACE text
#                       [ARGS argument...] [TRACED])
#       the same of sources of which one, FILE, is replaced by a copy with a defect: what MATCH (a regular expression of
#       Python's, over lines) finds becomes REPLACE. The build fails unless it is found exactly once: a test of a
#       defect that is no longer planted would show nothing.
#
# Nothing of it is part of a plain build, and configuring runs nothing: Verilator's own CMake package runs it while
# configuring, seconds for each module, for everybody. Its generated files are not known before it has run, so they are
# compiled as one, NAME_all.cpp, which includes them all.

find_program(TOROID_VERILATOR verilator DOC "Turns SystemVerilog into C++ (Debian package verilator)")
find_path(TOROID_VERILATOR_INCLUDE verilated.h PATHS /usr/share/verilator/include
          DOC "Where Verilator's own C++ code lies (Debian package verilator)")
if(NOT TOROID_VERILATOR OR NOT TOROID_VERILATOR_INCLUDE)
  # Whoever builds no RTL does not need it; ninja says who does.
  set(TOROID_VERILATOR verilator-which-is-not-installed)
  set(TOROID_VERILATOR_INCLUDE /usr/share/verilator/include)
endif()
find_program(TOROID_PYTHON python3 REQUIRED DOC "Runs generators (Debian package python3)")

# Generated code and Verilator's own: warnings in it are not ours to mend, and unoptimised it is ten times slower, also
# where our own code is built for a debugger. -fno-sanitize=...: its memory is Verilator's affair as well.
set(TOROID_VERILATED_OPTIONS -w -O2)
if(TOROID_SANITIZE)
  set(TOROID_VERILATED_OPTIONS -w -O1 -fno-sanitize=all)
endif()

# What all Verilated classes of a program share: Verilator's runtime, with our hooks. -include: its own way to have them
# replaced is a macro a function. One for classes with C++ pins, one for those with SystemC's.
foreach(kind cc sc)
  if(kind STREQUAL "sc")
    set(runtime toroid_verilated_sc)
  else()
    set(runtime toroid_verilated)
  endif()
  add_library(${runtime} STATIC EXCLUDE_FROM_ALL
    ${CMAKE_SOURCE_DIR}/torus/rtl/verilated_hooks.cpp
    ${TOROID_VERILATOR_INCLUDE}/verilated.cpp
    ${TOROID_VERILATOR_INCLUDE}/verilated_fst_c.cpp
    ${TOROID_VERILATOR_INCLUDE}/verilated_threads.cpp)
  set_target_properties(${runtime} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${runtime} SYSTEM PUBLIC ${TOROID_VERILATOR_INCLUDE} ${TOROID_VERILATOR_INCLUDE}/vltstd)
  target_compile_options(${runtime} PRIVATE ${TOROID_VERILATED_OPTIONS}
                         -include ${CMAKE_SOURCE_DIR}/torus/rtl/verilated_print.h)
  target_compile_definitions(${runtime}
    PUBLIC VM_COVERAGE=0 VM_TRACE=1 VM_TRACE_FST=1 VM_TRACE_VCD=0 VM_SC=$<STREQUAL:${kind},sc>
    PRIVATE VL_USER_STOP VL_USER_FATAL VL_USER_FINISH VL_USER_WARN)
  target_link_libraries(${runtime} PUBLIC Threads::Threads PRIVATE z)
  if(kind STREQUAL "sc")
    target_link_libraries(${runtime} PUBLIC PkgConfig::SYSTEMC)
  endif()
endforeach()

function(toroid_verilate NAME)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "SYSTEMC;BRIEF" "PREFIX;TOP" "SOURCES;ARGS")
  # Of a class that runs for a moment, a test's, the compiler's time counts.
  set(options ${TOROID_VERILATED_OPTIONS})
  set(trace --trace-fst)
  if(ARG_BRIEF)
    list(APPEND options -O0)
    set(trace)
  endif()
  set(sources)
  foreach(source IN LISTS ARG_SOURCES)
    get_filename_component(source ${source} ABSOLUTE)
    list(APPEND sources ${source})
  endforeach()
  if(ARG_SYSTEMC)
    set(flavour --sc)
    set(runtime toroid_verilated_sc)
  else()
    set(flavour --cc)
    set(runtime toroid_verilated)
  endif()
  set(directory ${CMAKE_BINARY_DIR}/verilated/${NAME})
  set(all ${directory}/${ARG_PREFIX}_all.cpp)
  file(RELATIVE_PATH shown ${CMAKE_BINARY_DIR} ${directory})
  # -Wno-fatal: warnings are for `toroid lint`; who tries a change wants to see it run.
  add_custom_command(
    OUTPUT ${all} ${directory}/${ARG_PREFIX}.h
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${directory}
    COMMAND ${TOROID_VERILATOR} ${flavour} -O3 --x-assign fast --x-initial fast --assert ${trace} -Wno-fatal
            --timescale 1ps/1ps --prefix ${ARG_PREFIX} --top-module ${ARG_TOP} --Mdir ${directory} ${ARG_ARGS}
            ${sources}
    COMMAND ${CMAKE_COMMAND} -DDIRECTORY=${directory} -DPREFIX=${ARG_PREFIX}
            -P ${CMAKE_SOURCE_DIR}/cmake/verilated_all.cmake
    DEPENDS ${sources} ${CMAKE_SOURCE_DIR}/cmake/verilated_all.cmake
    COMMENT "Verilating ${ARG_TOP} into ${shown}"
    VERBATIM)
  add_library(${NAME} STATIC EXCLUDE_FROM_ALL ${all} ${directory}/${ARG_PREFIX}.h)
  # The header is there when those who include it are compiled.
  add_custom_target(${NAME}_header DEPENDS ${directory}/${ARG_PREFIX}.h)
  add_dependencies(${NAME} ${NAME}_header)
  set_target_properties(${NAME} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${NAME} PRIVATE ${options})
  target_include_directories(${NAME} SYSTEM PUBLIC ${directory})
  target_link_libraries(${NAME} PUBLIC ${runtime})
endfunction()

function(toroid_plant_defect NAME)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "TRACED" "PREFIX;TOP;FILE;MATCH;REPLACE" "SOURCES;ARGS")
  set(brief BRIEF)
  if(ARG_TRACED)
    set(brief)
  endif()
  get_filename_component(file ${ARG_FILE} ABSOLUTE)
  get_filename_component(name ${ARG_FILE} NAME)
  set(copy ${CMAKE_BINARY_DIR}/planted/${NAME}/${name})
  add_custom_command(
    OUTPUT ${copy}
    COMMAND ${TOROID_PYTHON} ${CMAKE_SOURCE_DIR}/cmake/plant_defect.py ${file} ${copy} ${ARG_MATCH} ${ARG_REPLACE}
    DEPENDS ${file} ${CMAKE_SOURCE_DIR}/cmake/plant_defect.py
    COMMENT "Planting a defect into a copy of ${name}"
    VERBATIM)
  set(sources)
  set(found FALSE)
  foreach(source IN LISTS ARG_SOURCES)
    get_filename_component(source ${source} ABSOLUTE)
    if(source STREQUAL file)
      set(source ${copy})
      set(found TRUE)
    endif()
    list(APPEND sources ${source})
  endforeach()
  if(NOT found)
    message(FATAL_ERROR "${NAME}: ${ARG_FILE} is none of its sources")
  endif()
  toroid_verilate(${NAME} PREFIX ${ARG_PREFIX} TOP ${ARG_TOP} SOURCES ${sources} ARGS ${ARG_ARGS} ${brief})
endfunction()
