/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Global interrupts one by one: each class has three bits, and a bit is up where any node of the class holds it up.
 * Functions give 0, or -1: not yet. Times are core clocks.
 */
#ifndef _MUSPI_GI__H_
#define _MUSPI_GI__H_

#include <hwi/include/bqc/MU_Macros.h>
#include <hwi/include/bqc/classroute.h>
#include <spi/include/kernel/memory.h>
#include <spi/include/mu/Util.h>

__BEGIN_DECLS

typedef struct MUSPI_GI {
  uint64_t classRouteId;
  volatile uint64_t* controlRegPtr; /* the node's own bits */
  volatile uint64_t* statusRegPtr;  /* those that are up */
  uint64_t mask;
} MUSPI_GI_t __attribute__((aligned(32)));

/* A barrier of the nodes by other means: 0, or an error that is given to the caller. */
typedef int32_t (*MUSPI_GIInitMUBarrierFunction_t)(void* parm);

/* A class's registers, at the addresses of programs. */
#define bgq_gi_control(classRouteId) \
  ((volatile uint64_t*)(BGQ_MU_GI_CONTROL_OFFSET(0, (uint64_t)(classRouteId)) - PHYMAP_PRIVILEGEDOFFSET))
#define bgq_gi_status(classRouteId) \
  ((volatile uint64_t*)(BGQ_MU_GI_STATUS_OFFSET(0, (uint64_t)(classRouteId)) - PHYMAP_PRIVILEGEDOFFSET))

__INLINE__ uint64_t bgq_gi_mask(uint32_t GIId) {
  MUSPI_assert(GIId < BGQ_GI_CLASS_MAX_GI_PER_CLASSROUTE);
  return 4u >> GIId;
}

/* Interrupt GIId, 0 to 2, of a class. */
__INLINE__ int32_t MUSPI_GIInit(MUSPI_GI_t* GI, uint32_t classRouteId, uint32_t GIId) {
  MUSPI_assert(GI != NULL);
  MUSPI_assert(classRouteId < BGQ_GI_CLASS_MAX_CLASSROUTES);
  GI->classRouteId = classRouteId;
  GI->controlRegPtr = bgq_gi_control(classRouteId);
  GI->statusRegPtr = bgq_gi_status(classRouteId);
  GI->mask = bgq_gi_mask(GIId);
  return 0;
}

/* Holds the bit up; lets it go. */
__INLINE__ int32_t MUSPI_GISend(MUSPI_GI_t* GI) {
  *GI->controlRegPtr = *GI->controlRegPtr | GI->mask;
  return 0;
}
__INLINE__ int32_t MUSPI_GISendClear(MUSPI_GI_t* GI) {
  *GI->controlRegPtr = *GI->controlRegPtr & ~GI->mask;
  return 0;
}

/* Whether it is up anywhere; whether it is down everywhere. */
__INLINE__ int32_t MUSPI_GIPollForArrival(MUSPI_GI_t* GI) {
  return (*GI->statusRegPtr & GI->mask) != 0 ? 0 : -1;
}
__INLINE__ int32_t MUSPI_GIPollForClear(MUSPI_GI_t* GI) {
  return (*GI->statusRegPtr & GI->mask) == 0 ? 0 : -1;
}
__INLINE__ int32_t MUSPI_GIPollForArrivalWithTimeout(MUSPI_GI_t* GI, uint64_t timeoutInCycles) {
  const uint64_t start = GetTimeBase();
  do {
    if (MUSPI_GIPollForArrival(GI) == 0) return 0;
  } while (GetTimeBase() - start < timeoutInCycles);
  return -1;
}
__INLINE__ int32_t MUSPI_GIPollForClearWithTimeout(MUSPI_GI_t* GI, uint64_t timeoutInCycles) {
  const uint64_t start = GetTimeBase();
  do {
    if (MUSPI_GIPollForClear(GI) == 0) return 0;
  } while (GetTimeBase() - start < timeoutInCycles);
  return -1;
}

/* All nodes of the class: lets the bit go, and waits until it is down everywhere. */
__INLINE__ int32_t MUSPI_GIInitMU(uint32_t classRouteId, uint32_t GIId, MUSPI_GIInitMUBarrierFunction_t barrierFunction,
                                  void* barrierFunctionParm, uint64_t timeoutInCycles) {
  MUSPI_GI_t interrupt;
  int32_t error;
  MUSPI_GIInit(&interrupt, classRouteId, GIId);
  error = barrierFunction(barrierFunctionParm);
  if (error != 0) return error;
  MUSPI_GISendClear(&interrupt);
  error = barrierFunction(barrierFunctionParm);
  if (error != 0) return error;
  error = MUSPI_GIPollForClearWithTimeout(&interrupt, timeoutInCycles);
  return error != 0 ? error : barrierFunction(barrierFunctionParm);
}

__END_DECLS

#endif
