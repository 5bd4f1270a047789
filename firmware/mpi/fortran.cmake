# SPDX-License-Identifier: Apache-2.0
#
# What programs of MPI include, in build/release/guest/include, and MPI for Fortran: fortran_calls.c once for each of its
# functions, and the module. Puts the objects into TOROID_MPI_FORTRAN_OBJECTS, and the files to include into
# TOROID_MPI_HEADERS.

find_program(TOROID_GUEST_gfortran powerpc-linux-gnu-gfortran REQUIRED
             DOC "Fortran compiler for the emulated PowerPC cores (Debian package gfortran-powerpc-linux-gnu)")

set(include ${TOROID_GUEST_DIR}/include)
set(objects ${TOROID_GUEST_DIR}/obj/mpi/fortran)
file(MAKE_DIRECTORY ${include} ${objects})

# A directory of their own: the library's other headers have names that programs may use as well.
set(TOROID_MPI_HEADERS)
foreach(header mpi.h mpi_profiling.h mpif.h)
  add_custom_command(
    OUTPUT ${include}/${header}
    COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_CURRENT_LIST_DIR}/${header} ${include}/${header}
    DEPENDS ${CMAKE_CURRENT_LIST_DIR}/${header}
    VERBATIM)
  list(APPEND TOROID_MPI_HEADERS ${include}/${header})
endforeach()

# Each function is an object of its own; the file says why.
set(calls ${CMAKE_CURRENT_LIST_DIR}/fortran_calls.c)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${calls})
file(STRINGS ${calls} parts REGEX "^#ifdef MPII_FORTRAN_")
set(TOROID_MPI_FORTRAN_OBJECTS)
foreach(part IN LISTS parts)
  string(REPLACE "#ifdef " "" part ${part})
  string(REPLACE "MPII_FORTRAN_" "" name ${part})
  set(object ${objects}/${name}.o)
  add_custom_command(
    OUTPUT ${object}
    COMMAND ${TOROID_GUEST_CC} ${TOROID_GUEST_CFLAGS} -D${part} -c ${calls} -o ${object}
    DEPENDS ${calls} ${CMAKE_CURRENT_LIST_DIR}/fortran.h ${CMAKE_CURRENT_LIST_DIR}/mpi.h
            ${CMAKE_CURRENT_LIST_DIR}/mpi_profiling.h
    COMMENT "Compiling MPI_${name} in Fortran for the emulated cores"
    VERBATIM)
  list(APPEND TOROID_MPI_FORTRAN_OBJECTS ${object})
endforeach()

# mpi_f08 uses mpi. The compiler leaves a module's file as it is where nothing has changed in it.
set(before)
foreach(module mpi mpi_f08)
  set(source ${CMAKE_CURRENT_LIST_DIR}/${module}.f90)
  set(object ${objects}/module_${module}.o)
  add_custom_command(
    OUTPUT ${object}
    BYPRODUCTS ${include}/${module}.mod
    COMMAND ${TOROID_GUEST_gfortran} -mcpu=powerpc -O2 -g -fno-pic -Wall -ffile-prefix-map=${CMAKE_SOURCE_DIR}/=
            -J${include} -c ${source} -o ${object}
    DEPENDS ${source} ${before}
    COMMENT "Compiling the module ${module} for the emulated cores"
    VERBATIM)
  list(APPEND TOROID_MPI_FORTRAN_OBJECTS ${object})
  set(before ${object})
endforeach()
