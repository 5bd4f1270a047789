# SPDX-License-Identifier: Apache-2.0
#
# The heavy headers of others (SystemC, TLM, GoogleTest, the C++ library), compiled once instead of in every file:
#
#   toroid_precompile()    for all C++ targets of the project; to be called after the last of them
#
# The debug build does without, so that it also shows which file forgot an include of its own. A compiler cache does
# without as well: it knows results better.
option(TOROID_PRECOMPILE "Compile the headers of others once" ON)

set(TOROID_PRECOMPILED_HEADERS
    <algorithm> <array> <cstdint> <deque> <functional> <map> <memory> <optional> <set> <sstream> <string> <string_view>
    <unordered_map> <utility> <vector> <systemc> <tlm>)

# Targets below `directory`, into the variable RESULT.
function(toroid_targets_below RESULT directory)
  get_directory_property(targets DIRECTORY ${directory} BUILDSYSTEM_TARGETS)
  get_directory_property(folders DIRECTORY ${directory} SUBDIRECTORIES)
  foreach(folder IN LISTS folders)
    toroid_targets_below(below ${folder})
    list(APPEND targets ${below})
  endforeach()
  set(${RESULT} ${targets} PARENT_SCOPE)
endfunction()

# An object library with nothing in it but the headers, for targets that are compiled with the same options.
function(toroid_precompiled NAME)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "HEADERS;LIBS;OPTIONS")
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/${NAME}.cpp CONTENT "// Holds precompiled headers.\n")
  add_library(${NAME} OBJECT ${CMAKE_BINARY_DIR}/${NAME}.cpp)
  target_link_libraries(${NAME} PRIVATE ${ARG_LIBS})
  target_compile_options(${NAME} PRIVATE ${ARG_OPTIONS})
  target_precompile_headers(${NAME} PRIVATE ${ARG_HEADERS})
endfunction()

function(toroid_precompile)
  if(NOT TOROID_PRECOMPILE OR CMAKE_CXX_COMPILER_LAUNCHER)
    return()
  endif()
  toroid_targets_below(targets ${CMAKE_SOURCE_DIR})
  toroid_precompiled(toroid_precompiled HEADERS ${TOROID_PRECOMPILED_HEADERS} LIBS PkgConfig::SYSTEMC)
  toroid_precompiled(toroid_precompiled_tests HEADERS ${TOROID_PRECOMPILED_HEADERS} <gtest/gtest.h>
                     LIBS PkgConfig::SYSTEMC GTest::gtest OPTIONS ${TOROID_TEST_OPTIONS})
  set_target_properties(toroid_precompiled_tests PROPERTIES EXCLUDE_FROM_ALL ON)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    get_target_property(pic ${target} POSITION_INDEPENDENT_CODE)
    get_target_property(sources ${target} SOURCES)
    get_target_property(test ${target} TOROID_TEST)
    if(NOT type MATCHES "^(STATIC_LIBRARY|EXECUTABLE)$" OR pic OR sources MATCHES "\\.c(;|$)")
      continue()
    endif()
    if(test)
      target_precompile_headers(${target} REUSE_FROM toroid_precompiled_tests)
    else()
      target_precompile_headers(${target} REUSE_FROM toroid_precompiled)
    endif()
  endforeach()
endfunction()
