# SPDX-License-Identifier: Apache-2.0
#
# The Unicorn library, from one of two places:
#
#   toroid_add_unicorn_engine(NAME source|debian SOURCES file...)   shared library NAME, linked with that Unicorn
#
# TOROID_UNICORN says which of them cores run on. `source`: version and patches of third_party/unicorn, built once for
# all presets in build/unicorn. `debian`: the package libunicorn-dev as it is.

set(TOROID_UNICORN source CACHE STRING "Which Unicorn emulates the cores: source or debian")
set_property(CACHE TOROID_UNICORN PROPERTY STRINGS source debian)
if(NOT TOROID_UNICORN MATCHES "^(source|debian)$")
  message(FATAL_ERROR "TOROID_UNICORN is '${TOROID_UNICORN}'; it must be source or debian")
endif()

set(TOROID_UNICORN_DIR ${CMAKE_SOURCE_DIR}/third_party/unicorn)
set(TOROID_UNICORN_BUILD ${CMAKE_SOURCE_DIR}/build/unicorn)
set(TOROID_UNICORN_LIBRARY ${TOROID_UNICORN_BUILD}/make/libunicorn.so.2)
file(GLOB TOROID_UNICORN_PATCHES ${TOROID_UNICORN_DIR}/patches/*.patch)
# Of whatever preset calls it first: it does nothing if another one, or the command line, has built the library. The
# directory changes when a patch comes or goes.
add_custom_command(
  OUTPUT ${TOROID_UNICORN_LIBRARY}
  COMMAND ${TOROID_PYTHON} ${TOROID_UNICORN_DIR}/build.py
  DEPENDS ${TOROID_UNICORN_DIR}/build.py ${TOROID_UNICORN_DIR}/patches ${TOROID_UNICORN_PATCHES}
  COMMENT "Building Unicorn, once for all presets"
  VERBATIM)
add_custom_target(unicorn_source DEPENDS ${TOROID_UNICORN_LIBRARY})
add_library(toroid_unicorn_library INTERFACE)
add_dependencies(toroid_unicorn_library unicorn_source)
target_include_directories(toroid_unicorn_library SYSTEM INTERFACE ${TOROID_UNICORN_BUILD}/source/include)
target_link_libraries(toroid_unicorn_library INTERFACE ${TOROID_UNICORN_LIBRARY} ${CMAKE_DL_LIBS})

find_path(TOROID_DEBIAN_UNICORN_INCLUDE unicorn/unicorn.h REQUIRED DOC "Headers of the Debian package libunicorn-dev")
find_library(TOROID_DEBIAN_UNICORN_LIBRARY unicorn REQUIRED DOC "Library of the Debian package libunicorn-dev")

function(toroid_add_unicorn_engine NAME UNICORN)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "" "" "SOURCES")
  add_library(${NAME} SHARED ${ARG_SOURCES})
  if(UNICORN STREQUAL "source")
    target_link_libraries(${NAME} PRIVATE toroid_unicorn_library)
    # Its header has the functions that our patches add.
    target_compile_definitions(${NAME} PRIVATE TOROID_UNICORN_FROM_SOURCE)
  else()
    target_include_directories(${NAME} SYSTEM PRIVATE ${TOROID_DEBIAN_UNICORN_INCLUDE})
    target_link_libraries(${NAME} PRIVATE ${TOROID_DEBIAN_UNICORN_LIBRARY} ${CMAKE_DL_LIBS})
  endif()
endfunction()
