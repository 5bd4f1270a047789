# SPDX-License-Identifier: Apache-2.0
#
# TOROID_OSPRI_SOURCES: what is the same on the machine and on the host, where tests have threads of their own.
set(TOROID_OSPRI_SOURCES)
foreach(name
    dcmf/accumulate
    dcmf/collective
    dcmf/fatal
    dcmf/flush
    dcmf/get
    dcmf/handoff
    dcmf/helper
    dcmf/life
    dcmf/lock
    dcmf/mutex
    dcmf/pools
    dcmf/progress
    dcmf/put
    dcmf/receive
    dcmf/requests
    dcmf/rmw
    dcmf/scaling
    dcmf/send
    dcmf/settings
    dcmf/strided
    dcmf/strided_get
    dcmf/strided_put
    core/atomics
    core/collective
    core/contiguous
    core/handles
    core/life
    core/memory
    core/order
    core/strided
    core/vector)
  list(APPEND TOROID_OSPRI_SOURCES ${CMAKE_CURRENT_LIST_DIR}/${name}.c)
endforeach()
