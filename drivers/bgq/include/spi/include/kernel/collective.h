/* SPDX-License-Identifier: Apache-2.0 */
/* Routes of collective classes. */
#ifndef _KERNEL_COLLECTIVE_H_
#define _KERNEL_COLLECTIVE_H_

#include <cnk/include/SPI_syscalls.h>
#include <hwi/include/bqc/classroute.h>
#include <hwi/include/bqc/nd_500_dcr.h>
#include <spi/include/kernel/cnk/kernel_impl.h>

__BEGIN_DECLS

/* Classes that are free; taking one (EAGAIN: it is taken); giving it back. */
__INLINE__ int32_t Kernel_QueryCollectiveClassRoutes(uint32_t* nClassRoutes, uint32_t* classRouteIds,
                                                     size_t sizeOfClassRouteIds) {
  return (int32_t)CNK_SPI_SYSCALL_3(QUERYCOLLECTIVECLASSROUTE, nClassRoutes, classRouteIds, sizeOfClassRouteIds);
}
__INLINE__ int32_t Kernel_AllocateCollectiveClassRoute(uint32_t id) {
  return (int32_t)CNK_SPI_SYSCALL_1(ALLOCATECOLLECTIVECLASSROUTE, id);
}
__INLINE__ int32_t Kernel_DeallocateCollectiveClassRoute(uint32_t id) {
  return (int32_t)CNK_SPI_SYSCALL_1(DEALLOCATECOLLECTIVECLASSROUTE, id);
}
/* 0, or what is wrong: 1 several outputs, 2 the output includes the node itself, 3 the input lacks it, 4 a link is
 * both, 5 a link is used by the world and by the system. */
__INLINE__ int32_t Kernel_SetCollectiveClassRoute(uint32_t id, ClassRoute_t* cr) {
  return (int32_t)CNK_SPI_SYSCALL_2(SETCOLLECTIVECLASSROUTE, id, cr);
}

/* The checksum of what a network injection FIFO, 0 to 15, has taken. */
__INLINE__ int32_t Kernel_GetInjectionChecksum(uint64_t linkID, uint64_t* checksum) {
  *checksum = DCRReadUser(ND_500_DCR(INJ_FIFO_CHKSUM) + linkID);
  return 0;
}
__INLINE__ int32_t Kernel_ClearInjectionChecksum(uint64_t linkID) {
  return (int32_t)CNK_SPI_SYSCALL_1(CLEARINJECTIONCHECKSUM, linkID);
}

__END_DECLS

#endif
