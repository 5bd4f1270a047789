# SPDX-License-Identifier: Apache-2.0
#
# The headers that libraries of the simulator include nearly everywhere, SystemC's above all, are compiled once: reading
# them is a third of the processor time that a source file takes. A file still includes what it uses.
#
#   toroid_includes_systemc(TARGET)   a library that links SystemC and has the options of all libraries
#
# ccache shares no objects between directories that were compiled with such headers, and it needs them less.

function(toroid_includes_systemc TARGET)
  if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
    target_precompile_headers(${TARGET} REUSE_FROM toroid_systemc_header)
  endif()
endfunction()

if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(headers systemc tlm algorithm array functional map memory optional sstream string unordered_map utility variant
              vector)
  list(TRANSFORM headers PREPEND "<")
  list(TRANSFORM headers APPEND "$<ANGLE-R>")
  add_library(toroid_systemc_header OBJECT EXCLUDE_FROM_ALL cmake/systemc_header.cpp)
  target_link_libraries(toroid_systemc_header PRIVATE PkgConfig::SYSTEMC)
  target_precompile_headers(toroid_systemc_header PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${headers}>")
endif()
