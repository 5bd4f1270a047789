# SPDX-License-Identifier: Apache-2.0
#
# TOROID_OSPRI_SOURCES: what is the same on the machine and on the host, where tests have threads of their own.
set(TOROID_OSPRI_SOURCES)
foreach(name
    bgp/accumulate
    bgp/collective
    bgp/fatal
    bgp/flush
    bgp/get
    bgp/handoff
    bgp/helper
    bgp/life
    bgp/lock
    bgp/mutex
    bgp/pools
    bgp/progress
    bgp/put
    bgp/receive
    bgp/requests
    bgp/rmw
    bgp/scaling
    bgp/send
    bgp/settings
    bgp/strided
    bgp/strided_get
    bgp/strided_put
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
