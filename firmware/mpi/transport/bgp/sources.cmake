# SPDX-License-Identifier: Apache-2.0
set(TOROID_MPI_TRANSPORT)
foreach(name limits machine meet messages places remote_memory)
  list(APPEND TOROID_MPI_TRANSPORT ${CMAKE_CURRENT_LIST_DIR}/${name}.c)
endforeach()
# What the machine lacks.
foreach(name collectives matching serving)
  list(APPEND TOROID_MPI_TRANSPORT ${CMAKE_CURRENT_LIST_DIR}/../lacking/${name}.c)
endforeach()
