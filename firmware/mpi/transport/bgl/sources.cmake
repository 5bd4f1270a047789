# SPDX-License-Identifier: Apache-2.0
set(TOROID_MPI_TRANSPORT)
foreach(name accesses interrupts limits machine messages networks pages)
  list(APPEND TOROID_MPI_TRANSPORT ${CMAKE_CURRENT_LIST_DIR}/${name}.c)
endforeach()
# What the machine lacks.
foreach(name matching parts remote_memory)
  list(APPEND TOROID_MPI_TRANSPORT ${CMAKE_CURRENT_LIST_DIR}/../lacking/${name}.c)
endforeach()
