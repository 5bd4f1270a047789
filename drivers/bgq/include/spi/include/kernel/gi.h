/* SPDX-License-Identifier: Apache-2.0 */
/* Routes of the classes of global interrupts. */
#ifndef _KERNEL_GI_H_
#define _KERNEL_GI_H_

#include <cnk/include/SPI_syscalls.h>
#include <hwi/include/bqc/classroute.h>
#include <hwi/include/bqc/nd_500_dcr.h>
#include <spi/include/kernel/cnk/kernel_impl.h>
#include <spi/include/kernel/memory.h>

__BEGIN_DECLS

typedef struct Kernel_GlobalInterruptClassRouteAttributes {
  uint32_t System : 1; /* EACCES for programs */
} Kernel_GlobalInterruptClassRouteAttributes_t;

typedef enum Kernel_GIInterruptFlag {
  KERNEL_GI_INTERRUPT_FLAG_DISABLE,
  KERNEL_GI_INTERRUPT_FLAG_ENABLE
} Kernel_GIInterruptFlag_t;

/* All links. */
#ifndef _KERNEL_GI_CLASS_ROUTE_A_E_IO_BITS
#define _KERNEL_GI_CLASS_ROUTE_A_E_IO_BITS                                                             \
  (BGQ_CLASS_LINK_AM | BGQ_CLASS_LINK_AP | BGQ_CLASS_LINK_BM | BGQ_CLASS_LINK_BP | BGQ_CLASS_LINK_CM | \
   BGQ_CLASS_LINK_CP | BGQ_CLASS_LINK_DM | BGQ_CLASS_LINK_DP | BGQ_CLASS_LINK_EM | BGQ_CLASS_LINK_EP | \
   BGQ_CLASS_LINK_IO)
#endif

/* Classes that are free; taking one (attributes may be NULL; EAGAIN: it is taken); giving it back. */
__INLINE__ int32_t Kernel_QueryGlobalInterruptClassRoutes(uint32_t* nClassRoutes, uint32_t* classRouteIds,
                                                          size_t sizeOfClassRouteIds) {
  return (int32_t)CNK_SPI_SYSCALL_3(QUERYGINTCLASSROUTE, nClassRoutes, classRouteIds, sizeOfClassRouteIds);
}
__INLINE__ int32_t Kernel_AllocateGlobalInterruptClassRoute(uint32_t id,
                                                            Kernel_GlobalInterruptClassRouteAttributes_t* attributes) {
  return (int32_t)CNK_SPI_SYSCALL_2(ALLOCATEGINTCLASSROUTE, id, attributes);
}
__INLINE__ int32_t Kernel_DeallocateGlobalInterruptClassRoute(int32_t id) {
  return (int32_t)CNK_SPI_SYSCALL_1(DEALLOCATEGINTCLASSROUTE, id);
}

/* 0, or what would be wrong: 1 several outputs, 2 the output includes the node itself, 3 a link is both, 4 a link is
 * used by the class 8 numbers away. */
__INLINE__ int32_t Kernel_CheckGlobalInterruptClassRoute(int32_t id, ClassRoute_t* cr) {
  const unsigned links = _KERNEL_GI_CLASS_ROUTE_A_E_IO_BITS;
  const unsigned input = cr->input & links, output = cr->output & links;
  const unsigned other = ((unsigned)id + 8) % BGQ_GI_CLASS_MAX_CLASSROUTES;
  uint64_t routes;
  unsigned used;
  MUSPI_assert(id < BGQ_GI_CLASS_MAX_CLASSROUTES);
  if ((cr->output & (cr->output - 1)) != 0) return 1;
  if ((cr->output & BGQ_CLASS_INPUT_LINK_LOCAL) != 0) return 2;
  if ((input & output) != 0) return 3;
  /* Two classes a register, the even one in the upper half: inputs above outputs. */
  routes = DCRReadUser(ND_500_DCR(CTRL_GI_CLASS_00_01) + other / 2) >> (other % 2 == 0 ? 32 : 0);
  used = (unsigned)(routes >> 16 | routes) & links;
  return ((input | output) & used) != 0 ? 4 : 0;
}
/* The same results, as the kernel finds them; 0: it is set. */
__INLINE__ int32_t Kernel_SetGlobalInterruptClassRoute(int32_t id, ClassRoute_t* cr) {
  return (int32_t)CNK_SPI_SYSCALL_2(SETGINTCLASSROUTE, id, cr);
}
/* The node alone. */
__INLINE__ int32_t Kernel_SetEmptyGlobalInterruptClassRoute(int32_t id) {
  ClassRoute_t alone;
  alone.input = BGQ_CLASS_INPUT_LINK_LOCAL;
  alone.output = 0;
  return Kernel_SetGlobalInterruptClassRoute(id, &alone);
}

__INLINE__ int32_t Kernel_ConfigureGIInterrupts(uint32_t id, uint32_t giId, Kernel_GIInterruptFlag_t interruptFlag) {
  return (int32_t)CNK_SPI_SYSCALL_3(CONFIGUREGIINTERRUPTS, id, giId, interruptFlag);
}
/* The class that the job has from its start on. */
__INLINE__ int32_t Kernel_GetGlobalBarrierUserClassRouteId(uint32_t* classRouteId) {
  *classRouteId = 0;
  return 0;
}

__END_DECLS

#endif
