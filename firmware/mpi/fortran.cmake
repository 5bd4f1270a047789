# SPDX-License-Identifier: Apache-2.0
#
# What programs of MPI include, in build/release/guest/MACHINE/include, and MPI for Fortran. generate_bindings.py makes most of
# it from mpi.h. Puts the objects into TOROID_MPI_FORTRAN_OBJECTS, the files to include into TOROID_MPI_HEADERS, and the
# folder of generated sources into TOROID_MPI_GENERATED.

find_program(TOROID_PYTHON python3 REQUIRED DOC "Runs generators (Debian package python3)")

set(here ${CMAKE_CURRENT_LIST_DIR})
set(include ${TOROID_GUEST_DIR}/include)
set(TOROID_MPI_GENERATED ${TOROID_GUEST_DIR}/generated/mpi)
set(objects ${TOROID_GUEST_DIR}/obj/mpi/fortran)
file(MAKE_DIRECTORY ${include} ${objects} ${TOROID_MPI_GENERATED})

set(names mpi_profiling.h mpi_locked.h fortran_calls.c mpif.h mpi.f90 mpi_f08.f90)
list(TRANSFORM names PREPEND ${TOROID_MPI_GENERATED}/ OUTPUT_VARIABLE generated)
add_custom_command(
  OUTPUT ${generated}
  COMMAND ${TOROID_PYTHON} -B ${here}/generate_bindings.py --output ${TOROID_MPI_GENERATED}
          --address-bytes ${TOROID_GUEST_ADDRESS_BYTES} ${TOROID_MPI_SOURCES}
  DEPENDS ${here}/generate_bindings.py ${here}/declarations.py ${here}/fortran_calls.py ${here}/fortran_module.py
          ${here}/fortran_module_f08.py ${here}/mpi.h ${TOROID_MPI_SOURCES}
  COMMENT "Generating MPI's Fortran bindings and profiling names"
  VERBATIM)

# A directory of their own: the library's other headers have names that programs may use as well.
set(TOROID_MPI_HEADERS)
foreach(header ${here}/mpi.h ${TOROID_MPI_GENERATED}/mpi_profiling.h ${TOROID_MPI_GENERATED}/mpif.h)
  get_filename_component(name ${header} NAME)
  add_custom_command(
    OUTPUT ${include}/${name}
    COMMAND ${CMAKE_COMMAND} -E copy ${header} ${include}/${name}
    DEPENDS ${header}
    VERBATIM)
  list(APPEND TOROID_MPI_HEADERS ${include}/${name})
endforeach()
add_custom_target(guest_${TOROID_GUEST_MACHINE}_mpi_headers DEPENDS ${TOROID_MPI_HEADERS} ${generated})

# An object for each source file in C that defines functions of MPI; the generated file says why.
set(TOROID_MPI_FORTRAN_OBJECTS)
foreach(source IN LISTS TOROID_MPI_SOURCES)
  file(STRINGS ${source} defines REGEX "^MPII_PUBLIC\\(" LIMIT_COUNT 1)
  if(NOT defines)
    continue()
  endif()
  get_filename_component(part ${source} NAME_WE)
  set(object ${objects}/${part}.o)
  add_custom_command(
    OUTPUT ${object}
    COMMAND ${TOROID_GUEST_CC} ${TOROID_GUEST_CFLAGS} -DMPII_FORTRAN_${part} -c ${TOROID_MPI_GENERATED}/fortran_calls.c
            -o ${object}
    DEPENDS ${TOROID_MPI_GENERATED}/fortran_calls.c ${here}/fortran.h ${TOROID_MPI_HEADERS}
    COMMENT "Compiling ${part}.c's functions in Fortran for the emulated cores"
    VERBATIM)
  list(APPEND TOROID_MPI_FORTRAN_OBJECTS ${object})
endforeach()

# mpi_f08 uses mpi. The compiler leaves a module's file as it is where nothing has changed in it.
set(before)
foreach(module mpi mpi_f08)
  set(source ${TOROID_MPI_GENERATED}/${module}.f90)
  set(object ${objects}/module_${module}.o)
  add_custom_command(
    OUTPUT ${object}
    BYPRODUCTS ${include}/${module}.mod
    COMMAND ${TOROID_GUEST_FC} ${TOROID_GUEST_FLAGS} -Wall -J${include} -c ${source} -o ${object}
    DEPENDS ${source} ${before}
    COMMENT "Compiling the module ${module} for the emulated cores"
    VERBATIM)
  list(APPEND TOROID_MPI_FORTRAN_OBJECTS ${object})
  set(before ${object})
endforeach()
