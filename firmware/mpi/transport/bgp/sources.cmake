# SPDX-License-Identifier: Apache-2.0
set(TOROID_MPI_TRANSPORT)
foreach(name limits machine messages networks remote_memory serving)
  list(APPEND TOROID_MPI_TRANSPORT ${CMAKE_CURRENT_LIST_DIR}/${name}.c)
endforeach()
# What the machine lacks.
foreach(name matching parts)
  list(APPEND TOROID_MPI_TRANSPORT ${CMAKE_CURRENT_LIST_DIR}/../lacking/${name}.c)
endforeach()
# What it shares with other machines whose processes have threads.
list(APPEND TOROID_MPI_TRANSPORT ${CMAKE_CURRENT_LIST_DIR}/../threaded/pages.c)
