# SPDX-License-Identifier: Apache-2.0
#
# Code for the emulated cores. It is compiled by the machine's cross compiler, beside the host's own C++ toolchain, so it
# is built by custom commands rather than by targets of a CMake language:
#
#   toroid_guest_machine(MACHINE [directory])
#                                             what follows in this folder, and in those it adds, is for this machine
#   toroid_guest_library(NAME SOURCES file.c... [OBJECTS file.o...] [FILES file...] [INCLUDE directory...]
#                        [TEXT section])                              build/release/guest/MACHINE/lib/libNAME.a
#   toroid_guest_program(NAME SOURCES file.c... [LIBS library...])    build/release/guest/MACHINE/bin/NAME, static
#
# Their targets are guest_MACHINE_NAME; guest_MACHINE_libraries stands for all libraries and for guest_MACHINE_note: what
# is linked into every program beside them.
# The machine's toolchain is described by toolchain.json in the directory, or else in firmware/MACHINE. With a directory
# the machine is one of tests or benchmarks: what is made for it is no part of "all", since its compiler may be missing.
# OBJECTS go into the library as they are, FILES are headers that are made for it; both have rules elsewhere.
# INCLUDE are further directories in which the library's own sources find headers.
# TEXT is a section for the library's code, which the linker gives the symbols __start_TEXT and __stop_TEXT.
# LIBS are guest libraries made by toroid_guest_library, a library before those it uses. Sources are C11; headers are
# included from the project root, as on the host.

# Sets TOROID_GUEST_<PART> to a program of the toolchain for TRIPLE.
macro(toroid_guest_tool PART TRIPLE PROGRAM)
  string(MAKE_C_IDENTIFIER "TOROID_${TRIPLE}_${PROGRAM}" tool)
  find_program(${tool} ${TRIPLE}-${PROGRAM} DOC "${TRIPLE}-${PROGRAM}; packages.txt names its package")
  if(NOT ${tool})
    # It may come before it is needed: what is built for the machine asks for it by its name.
    set(${tool} ${TRIPLE}-${PROGRAM})
  endif()
  set(TOROID_GUEST_${PART} ${${tool}} PARENT_SCOPE)
endmacro()

# Sets the variable RESULT to a list of texts in a description, or to nothing if it has no such list.
function(toroid_guest_list RESULT DESCRIPTION KEY)
  set(found)
  string(JSON count ERROR_VARIABLE missing LENGTH "${DESCRIPTION}" ${KEY})
  if(NOT missing AND count GREATER 0)
    math(EXPR last "${count} - 1")
    foreach(place RANGE ${last})
      string(JSON text GET "${DESCRIPTION}" ${KEY} ${place})
      list(APPEND found ${text})
    endforeach()
  endif()
  set(${RESULT} ${found} PARENT_SCOPE)
endfunction()

function(toroid_guest_machine MACHINE)
  set(directory ${CMAKE_SOURCE_DIR}/firmware/${MACHINE})
  set(all ALL)
  if(ARGC GREATER 1)
    set(directory ${ARGV1})
    set(all)
  endif()
  set(TOROID_GUEST_ALL ${all} PARENT_SCOPE)
  set(file ${directory}/toolchain.json)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} description)
  string(JSON triple GET "${description}" triple)
  string(JSON address_bytes GET "${description}" address_bytes)
  toroid_guest_list(compile "${description}" compile)
  toroid_guest_list(link "${description}" link)
  toroid_guest_list(libraries "${description}" libraries)
  toroid_guest_list(headers "${description}" headers)
  list(TRANSFORM headers PREPEND -I${CMAKE_SOURCE_DIR}/)
  toroid_guest_list(assembler "${description}" assembler)
  list(TRANSFORM assembler PREPEND ${CMAKE_SOURCE_DIR}/)
  set(TOROID_GUEST_ASSEMBLER ${assembler} PARENT_SCOPE)
  list(TRANSFORM assembler PREPEND -Wa,)
  list(APPEND compile ${assembler})
  toroid_guest_tool(CC ${triple} gcc)
  toroid_guest_tool(CXX ${triple} g++)
  toroid_guest_tool(FC ${triple} gfortran)
  toroid_guest_tool(AR ${triple} ar)
  toroid_guest_tool(OBJCOPY ${triple} objcopy)
  set(guest ${CMAKE_BINARY_DIR}/guest/${MACHINE})
  set(TOROID_GUEST_MACHINE ${MACHINE} PARENT_SCOPE)
  set(TOROID_GUEST_DIR ${guest} PARENT_SCOPE)
  set(TOROID_GUEST_ADDRESS_BYTES ${address_bytes} PARENT_SCOPE)
  # Of all languages. Paths in debug information are relative to the project, so that a binary does not depend on where
  # it was built.
  set(TOROID_GUEST_FLAGS ${compile} -O2 -g -ffile-prefix-map=${CMAKE_SOURCE_DIR}/= PARENT_SCOPE)
  set(TOROID_GUEST_CFLAGS
      ${compile} -O2 -g -std=c11 -Wall -Wextra -Wshadow -Werror=implicit-function-declaration
      -ffile-prefix-map=${CMAKE_SOURCE_DIR}/= -I${CMAKE_SOURCE_DIR} -I${guest}/include ${headers}
      PARENT_SCOPE)
  set(TOROID_GUEST_LDFLAGS ${link} PARENT_SCOPE)
  # Says in every program for which machine it has been linked.
  set(note ${guest}/lib/machine_note.o)
  set(TOROID_GUEST_NOTE ${note} PARENT_SCOPE)
  if(NOT TARGET guest_${MACHINE}_note)
    set(sources ${CMAKE_SOURCE_DIR}/hw/kernel/machine_note.S ${CMAKE_SOURCE_DIR}/hw/kernel/machine_note.h)
    string(MAKE_C_IDENTIFIER "TOROID_${triple}_gcc" compiler)
    file(MAKE_DIRECTORY ${guest}/lib)
    add_custom_command(
      OUTPUT ${note}
      COMMAND ${${compiler}} -I${CMAKE_SOURCE_DIR} "-DTOROID_MACHINE=\"${MACHINE}\"" -c ${CMAKE_SOURCE_DIR}/hw/kernel/machine_note.S
              -o ${note}
      DEPENDS ${sources}
      COMMENT "Assembling the note of programs for ${MACHINE}"
      VERBATIM)
    add_custom_target(guest_${MACHINE}_note DEPENDS ${note})
    add_custom_target(guest_${MACHINE}_libraries DEPENDS guest_${MACHINE}_note)
  endif()
  set(TOROID_GUEST_LIBRARIES ${libraries} PARENT_SCOPE)
endfunction()

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
      DEPENDS ${source} ${ARG_HEADERS} ${TOROID_GUEST_ASSEMBLER}
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
  add_custom_target(guest_${TOROID_GUEST_MACHINE}_${NAME} ${TOROID_GUEST_ALL} DEPENDS ${archive} ${ARG_FILES})
  set_target_properties(guest_${TOROID_GUEST_MACHINE}_${NAME} PROPERTIES TOROID_GUEST_FILE ${archive} TOROID_GUEST_HEADERS "${ARG_FILES}")
  add_dependencies(guest_${TOROID_GUEST_MACHINE}_libraries guest_${TOROID_GUEST_MACHINE}_${NAME})
endfunction()

function(toroid_guest_program NAME)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "SOURCES;LIBS")
  set(archives)
  set(targets)
  set(headers)
  foreach(library IN LISTS ARG_LIBS)
    get_target_property(archive guest_${TOROID_GUEST_MACHINE}_${library} TOROID_GUEST_FILE)
    get_target_property(made guest_${TOROID_GUEST_MACHINE}_${library} TOROID_GUEST_HEADERS)
    list(APPEND archives ${archive})
    list(APPEND targets guest_${TOROID_GUEST_MACHINE}_${library})
    list(APPEND headers ${made})
  endforeach()
  toroid_guest_objects(objects ${NAME} SOURCES ${ARG_SOURCES} HEADERS ${headers})
  set(program ${TOROID_GUEST_DIR}/bin/${NAME})
  file(MAKE_DIRECTORY ${TOROID_GUEST_DIR}/bin)
  add_custom_command(
    OUTPUT ${program}
    COMMAND ${TOROID_GUEST_CC} ${TOROID_GUEST_LDFLAGS} ${objects} ${archives} ${TOROID_GUEST_NOTE} -lm -o ${program}
    DEPENDS ${objects} ${archives}
    COMMENT "Linking ${NAME} for the emulated cores"
    VERBATIM)
  add_custom_target(guest_${TOROID_GUEST_MACHINE}_${NAME} ${TOROID_GUEST_ALL} DEPENDS ${program})
  set_target_properties(guest_${TOROID_GUEST_MACHINE}_${NAME} PROPERTIES TOROID_GUEST_FILE ${program})
  add_dependencies(guest_${TOROID_GUEST_MACHINE}_${NAME} ${targets} guest_${TOROID_GUEST_MACHINE}_note)
endfunction()
