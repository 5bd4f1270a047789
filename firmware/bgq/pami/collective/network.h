/* SPDX-License-Identifier: Apache-2.0 */
/* The algorithms that use the network's collective unit and global interrupts: entries of the table of methods. */
#ifndef TOROID_FIRMWARE_BGQ_PAMI_COLLECTIVE_NETWORK_H
#define TOROID_FIRMWARE_BGQ_PAMI_COLLECTIVE_NETWORK_H

#include "firmware/bgq/pami/collective/methods.h"

pami_result_t pami_start_network_barrier(pami_context_impl_t* context, pami_geometry_impl_t* geometry,
                                         const pami_xfer_t* xfer);
pami_result_t pami_start_network_broadcast(pami_context_impl_t* context, pami_geometry_impl_t* geometry,
                                           const pami_xfer_t* xfer);
pami_result_t pami_start_network_allreduce(pami_context_impl_t* context, pami_geometry_impl_t* geometry,
                                           const pami_xfer_t* xfer);
pami_result_t pami_start_network_reduce(pami_context_impl_t* context, pami_geometry_impl_t* geometry,
                                        const pami_xfer_t* xfer);
/* The route of the world, for the first client; NULL: none. All tasks of the node call. */
struct pami_route* pami_network_start(void);
void pami_network_end(void);

/* Whether the geometry has a class route; interrupts of its own. */
bool pami_has_route(const pami_geometry_impl_t* geometry);
bool pami_has_interrupts(const pami_geometry_impl_t* geometry);
/* Whether the operation can be performed by the network, by the call's arguments. */
metadata_result_t pami_check_network_broadcast(pami_xfer_t* xfer);
metadata_result_t pami_check_network_allreduce(pami_xfer_t* xfer);
metadata_result_t pami_check_network_reduce(pami_xfer_t* xfer);

#define PAMI_NETWORK_METHOD(type_, name_, flags_, function, offered_, check_)                              \
  {                                                                                                        \
    .type = PAMI_XFER_##type_, .name = name_, .flags = PAMI_METHOD_HARDWARE | (flags_), .start = function, \
    .offered = offered_, .check = check_                                                                   \
  }

#define PAMI_NETWORK_BARRIER \
  PAMI_NETWORK_METHOD(BARRIER, "I0:MultiSync2Device:SHMEM:GI", 0, pami_start_network_barrier, pami_has_interrupts, NULL)
#define PAMI_NETWORK_BROADCAST                                                                            \
  PAMI_NETWORK_METHOD(BROADCAST, "I0:MultiCast2Device:SHMEM:MU", PAMI_METHOD_QUERY | PAMI_METHOD_INPLACE, \
                      pami_start_network_broadcast, pami_has_route, pami_check_network_broadcast)
#define PAMI_NETWORK_ALLREDUCE                                                                               \
  PAMI_NETWORK_METHOD(ALLREDUCE, "I0:MultiCombine2Device:SHMEM:MU", PAMI_METHOD_QUERY | PAMI_METHOD_INPLACE, \
                      pami_start_network_allreduce, pami_has_route, pami_check_network_allreduce)
#define PAMI_NETWORK_REDUCE                                                                               \
  PAMI_NETWORK_METHOD(REDUCE, "I0:MultiCombine2Device:SHMEM:MU", PAMI_METHOD_QUERY | PAMI_METHOD_INPLACE, \
                      pami_start_network_reduce, pami_has_route, pami_check_network_reduce)

#endif
