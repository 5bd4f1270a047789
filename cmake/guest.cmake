# SPDX-License-Identifier: Apache-2.0
#
# Code for the emulated cores. It is compiled by the cross compiler, beside the host's own C++ toolchain, so it is built
# by custom commands rather than by targets of a CMake language:
#
#   toroid_guest_library(NAME SOURCES file.c... [OBJECTS file.o...] [FILES file...] [INCLUDE directory...]
#                        [TEXT section])
#                                                                     build/release/guest/lib/libNAME.a
#   toroid_guest_program(NAME SOURCES file.c... [LIBS library...])    build/release/guest/bin/NAME, static
#
# OBJECTS go into the library as they are, FILES are headers that are made for it; both have rules elsewhere.
# INCLUDE are further directories in which the library's own sources find headers.
# TEXT is a section for the library's code, which the linker gives the symbols __start_TEXT and __stop_TEXT.
# LIBS are guest libraries made by toroid_guest_library, a library before those it uses. Sources are C11; headers are
# included from the project root, as on the host.

find_program(TOROID_GUEST_CC powerpc-linux-gnu-gcc REQUIRED
             DOC "C compiler for the emulated PowerPC cores (Debian package gcc-powerpc-linux-gnu)")
find_program(TOROID_GUEST_AR powerpc-linux-gnu-ar REQUIRED
             DOC "Archiver for the emulated PowerPC cores (Debian package binutils-powerpc-linux-gnu)")
find_program(TOROID_GUEST_OBJCOPY powerpc-linux-gnu-objcopy REQUIRED
             DOC "For sections of objects for the emulated PowerPC cores (Debian package binutils-powerpc-linux-gnu)")

# -maltivec: lvx and stvx stand for the quad loads and stores of the machine's double FPU (drivers/bgl/access.h).
# -fno-tree-vectorize: other vector instructions the machine's cores do not have.
# -fno-pic, -no-pie: the kernel loads static programs at the address they are linked to.
# Paths in debug information are relative to the project, so that a binary does not depend on where it was built.
set(TOROID_GUEST_DIR ${CMAKE_BINARY_DIR}/guest)
set(TOROID_GUEST_CFLAGS
    -mcpu=powerpc -maltivec -mabi=altivec -fno-tree-vectorize -O2 -g -std=c11 -fno-pic -Wall -Wextra -Wshadow
    -Werror=implicit-function-declaration -ffile-prefix-map=${CMAKE_SOURCE_DIR}/= -I${CMAKE_SOURCE_DIR} -I${TOROID_GUEST_DIR}/include)
set(TOROID_GUEST_LDFLAGS -static -no-pie)
set(TOROID_GUEST_ADDRESS_BYTES 4)

# Compiles SOURCES for the guest, with headers in the directories INCLUDE, when the files in HEADERS have been made; puts
# the list of objects into the variable RESULT.
function(toroid_guest_objects RESULT NAME)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "" "" "SOURCES;HEADERS;INCLUDE")
  set(objects)
  set(include)
  foreach(directory IN LISTS ARG_INCLUDE)
    get_filename_component(directory ${directory} ABSOLUTE)
    list(APPEND include -I${directory})
  endforeach()
  foreach(source IN LISTS ARG_SOURCES)
    get_filename_component(source ${source} ABSOLUTE)
    file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR} ${source})
    set(object ${TOROID_GUEST_DIR}/obj/${NAME}/${path}.o)
    get_filename_component(directory ${object} DIRECTORY)
    file(MAKE_DIRECTORY ${directory})
    add_custom_command(
      OUTPUT ${object}
      COMMAND ${TOROID_GUEST_CC} ${TOROID_GUEST_CFLAGS} ${include} -MD -MF ${object}.d -MT ${object} -c ${source} -o ${object}
      DEPENDS ${source} ${ARG_HEADERS}
      DEPFILE ${object}.d
      COMMENT "Compiling ${path} for the emulated cores"
      VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  set(${RESULT} ${objects} PARENT_SCOPE)
endfunction()

function(toroid_guest_library NAME)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "TEXT" "SOURCES;OBJECTS;FILES;INCLUDE")
  toroid_guest_objects(objects ${NAME} SOURCES ${ARG_SOURCES} HEADERS ${ARG_FILES} INCLUDE ${ARG_INCLUDE})
  list(APPEND objects ${ARG_OBJECTS})
  set(archive ${TOROID_GUEST_DIR}/lib/lib${NAME}.a)
  set(rename)
  if(ARG_TEXT)
    set(rename COMMAND ${TOROID_GUEST_OBJCOPY} -D)
    foreach(section .text .text.hot .text.unlikely .text.startup .text.exit)
      list(APPEND rename --rename-section ${section}=${ARG_TEXT})
    endforeach()
    list(APPEND rename ${archive})
  endif()
  file(MAKE_DIRECTORY ${TOROID_GUEST_DIR}/lib)
  add_custom_command(
    OUTPUT ${archive}
    COMMAND ${CMAKE_COMMAND} -E rm -f ${archive}
    COMMAND ${TOROID_GUEST_AR} crsD ${archive} ${objects}
    ${rename}
    DEPENDS ${objects}
    COMMENT "Archiving lib${NAME}.a for the emulated cores"
    VERBATIM)
  add_custom_target(guest_${NAME} ALL DEPENDS ${archive} ${ARG_FILES})
  set_target_properties(guest_${NAME} PROPERTIES TOROID_GUEST_FILE ${archive} TOROID_GUEST_HEADERS "${ARG_FILES}")
endfunction()

function(toroid_guest_program NAME)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "SOURCES;LIBS")
  set(archives)
  set(targets)
  set(headers)
  foreach(library IN LISTS ARG_LIBS)
    get_target_property(archive guest_${library} TOROID_GUEST_FILE)
    get_target_property(made guest_${library} TOROID_GUEST_HEADERS)
    list(APPEND archives ${archive})
    list(APPEND targets guest_${library})
    list(APPEND headers ${made})
  endforeach()
  toroid_guest_objects(objects ${NAME} SOURCES ${ARG_SOURCES} HEADERS ${headers})
  set(program ${TOROID_GUEST_DIR}/bin/${NAME})
  file(MAKE_DIRECTORY ${TOROID_GUEST_DIR}/bin)
  add_custom_command(
    OUTPUT ${program}
    COMMAND ${TOROID_GUEST_CC} ${TOROID_GUEST_LDFLAGS} ${objects} ${archives} -lm -o ${program}
    DEPENDS ${objects} ${archives}
    COMMENT "Linking ${NAME} for the emulated cores"
    VERBATIM)
  add_custom_target(guest_${NAME} ALL DEPENDS ${program})
  set_target_properties(guest_${NAME} PROPERTIES TOROID_GUEST_FILE ${program})
  if(targets)
    add_dependencies(guest_${NAME} ${targets})
  endif()
endfunction()
