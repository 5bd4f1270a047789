# SPDX-License-Identifier: Apache-2.0
#
# Types, geometries and collective operations of PAMI by messages: what needs no device, so that host tests build it too.
set(TOROID_PAMI_COLLECTIVE_SOURCES
    ${CMAKE_SOURCE_DIR}/firmware/bgq/pami/collective/active.c
    ${CMAKE_SOURCE_DIR}/firmware/bgq/pami/collective/allgather.c
    ${CMAKE_SOURCE_DIR}/firmware/bgq/pami/collective/allreduce.c
    ${CMAKE_SOURCE_DIR}/firmware/bgq/pami/collective/alltoall.c
    ${CMAKE_SOURCE_DIR}/firmware/bgq/pami/collective/barrier.c
    ${CMAKE_SOURCE_DIR}/firmware/bgq/pami/collective/broadcast.c
    ${CMAKE_SOURCE_DIR}/firmware/bgq/pami/collective/buffers.c
    ${CMAKE_SOURCE_DIR}/firmware/bgq/pami/collective/gather.c
    ${CMAKE_SOURCE_DIR}/firmware/bgq/pami/collective/methods.c
    ${CMAKE_SOURCE_DIR}/firmware/bgq/pami/collective/reduce.c
    ${CMAKE_SOURCE_DIR}/firmware/bgq/pami/collective/reduce_scatter.c
    ${CMAKE_SOURCE_DIR}/firmware/bgq/pami/collective/scan.c
    ${CMAKE_SOURCE_DIR}/firmware/bgq/pami/collective/schedule.c
    ${CMAKE_SOURCE_DIR}/firmware/bgq/pami/geometry/agreement.c
    ${CMAKE_SOURCE_DIR}/firmware/bgq/pami/geometry/geometry.c
    ${CMAKE_SOURCE_DIR}/firmware/bgq/pami/geometry/members.c
    ${CMAKE_SOURCE_DIR}/firmware/bgq/pami/geometry/rectangle.c
    ${CMAKE_SOURCE_DIR}/firmware/bgq/pami/types/layout.c
    ${CMAKE_SOURCE_DIR}/firmware/bgq/pami/types/operations.c
    ${CMAKE_SOURCE_DIR}/firmware/bgq/pami/types/predefined.c
    ${CMAKE_SOURCE_DIR}/firmware/bgq/pami/types/walk.c)
