# SPDX-License-Identifier: Apache-2.0
#
# The library above its bottom, the same on every machine: TOROID_ARMCI_SOURCES. Beside the emulated machine's, tests
# compile it for the host (testbench/tests/armci).
set(TOROID_ARMCI_SOURCES)
foreach(name
    accumulate
    accumulate_here
    arrivals
    buffers
    collective_calls
    collectives
    completion
    contiguous
    domain
    error
    fence
    group
    init
    iterator
    lists
    memory
    messages
    mutex
    patch
    process
    reduction
    regions
    requests
    rmw
    settings
    strided
    transfer
    value
    vector)
  list(APPEND TOROID_ARMCI_SOURCES ${CMAKE_CURRENT_LIST_DIR}/${name}.c)
endforeach()
