# SPDX-License-Identifier: Apache-2.0
set(TOROID_MPI_TRANSPORT)
foreach(name limits lock machine messages networks regions remote_memory)
  list(APPEND TOROID_MPI_TRANSPORT ${CMAKE_CURRENT_LIST_DIR}/${name}.c)
endforeach()
# What the machine lacks.
foreach(name matching serving)
  list(APPEND TOROID_MPI_TRANSPORT ${CMAKE_CURRENT_LIST_DIR}/../lacking/${name}.c)
endforeach()
