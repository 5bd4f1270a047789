/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Barriers of the nodes of a class by its global interrupts. The three bits are the barrier's states one after the
 * other, 4, 2, 1: a node enters by letting the bit of its state go and holding up the next; all have entered when the
 * bit of the state is down everywhere.
 *
 * Functions give 0, or -1: not yet. Times are core clocks.
 */
#ifndef _MUSPI_GI_BARRIER_H_
#define _MUSPI_GI_BARRIER_H_

#include <spi/include/mu/GI.h>

__BEGIN_DECLS

typedef struct MUSPI_GIBarrier {
  uint64_t classRouteId;
  volatile uint64_t* controlRegPtr;
  volatile uint64_t* statusRegPtr;
  uint64_t state;
} MUSPI_GIBarrier_t __attribute__((aligned(32)));

/* A barrier of the nodes by other means: 0, or an error that is given to the caller. */
typedef int32_t (*MUSPI_GIBarrierInitMUBarrierFunction_t)(void* parm);

#define MUSPI_GIBARRIER_INITIAL_STATE 0x4

__INLINE__ uint64_t bgq_next_state(uint64_t state) {
  return state > 1 ? state >> 1 : MUSPI_GIBARRIER_INITIAL_STATE;
}

/* A class whose route has just been set, in two steps: each node takes the first state; when all have done so, by a
 * barrier of another kind, each waits until it sees that no other bit is up. The second gives -1 if that does not come.
 */
__INLINE__ int32_t MUSPI_GIBarrierInitMU1(uint32_t classRouteId) {
  MUSPI_assert(classRouteId < BGQ_GI_CLASS_MAX_CLASSROUTES);
  *bgq_gi_control(classRouteId) = MUSPI_GIBARRIER_INITIAL_STATE;
  return 0;
}
__INLINE__ int32_t MUSPI_GIBarrierInitMU2(uint32_t classRouteId, uint64_t timeoutInCycles) {
  const uint64_t start = GetTimeBase();
  MUSPI_assert(classRouteId < BGQ_GI_CLASS_MAX_CLASSROUTES);
  do {
    if ((*bgq_gi_status(classRouteId) & 7) == MUSPI_GIBARRIER_INITIAL_STATE) return 0;
  } while (GetTimeBase() - start < timeoutInCycles);
  return -1;
}
/* Both, with the barriers before, between and behind them. */
__INLINE__ int32_t MUSPI_GIBarrierInitMU(uint32_t classRouteId, MUSPI_GIBarrierInitMUBarrierFunction_t barrierFunction,
                                         void* barrierFunctionParm, uint64_t timeoutInCycles) {
  int32_t error = barrierFunction(barrierFunctionParm);
  if (error == 0) error = MUSPI_GIBarrierInitMU1(classRouteId);
  if (error == 0) error = barrierFunction(barrierFunctionParm);
  if (error == 0) error = MUSPI_GIBarrierInitMU2(classRouteId, timeoutInCycles);
  return error != 0 ? error : barrierFunction(barrierFunctionParm);
}

/* The barrier goes on from the state in which the class is. */
__INLINE__ int32_t MUSPI_GIBarrierInit(MUSPI_GIBarrier_t* GIBarrier, uint32_t classRouteId) {
  MUSPI_assert(GIBarrier != NULL);
  MUSPI_assert(classRouteId < BGQ_GI_CLASS_MAX_CLASSROUTES);
  GIBarrier->classRouteId = classRouteId;
  GIBarrier->controlRegPtr = bgq_gi_control(classRouteId);
  GIBarrier->statusRegPtr = bgq_gi_status(classRouteId);
  GIBarrier->state = *GIBarrier->controlRegPtr & 7;
  return 0;
}
__INLINE__ int32_t MUSPI_GIBarrierEnter(MUSPI_GIBarrier_t* GIBarrier) {
  *GIBarrier->controlRegPtr = bgq_next_state(GIBarrier->state);
  return 0;
}
__INLINE__ int32_t MUSPI_GIBarrierPoll(MUSPI_GIBarrier_t* GIBarrier) {
  if ((*GIBarrier->statusRegPtr & GIBarrier->state) != 0) return -1;
  GIBarrier->state = bgq_next_state(GIBarrier->state);
  return 0;
}
__INLINE__ int32_t MUSPI_GIBarrierPollWithTimeout(MUSPI_GIBarrier_t* GIBarrier, uint64_t timeoutInCycles) {
  const uint64_t start = GetTimeBase();
  do {
    if (MUSPI_GIBarrierPoll(GIBarrier) == 0) return 0;
  } while (GetTimeBase() - start < timeoutInCycles);
  return -1;
}
__INLINE__ int32_t MUSPI_GIBarrierEnterAndWait(MUSPI_GIBarrier_t* GIBarrier) {
  const int32_t error = MUSPI_GIBarrierEnter(GIBarrier);
  if (error != 0) return error;
  while (MUSPI_GIBarrierPoll(GIBarrier) != 0) continue;
  return 0;
}
__INLINE__ int32_t MUSPI_GIBarrierEnterAndWaitWithTimeout(MUSPI_GIBarrier_t* GIBarrier, uint64_t timeoutInCycles) {
  const int32_t error = MUSPI_GIBarrierEnter(GIBarrier);
  return error != 0 ? error : MUSPI_GIBarrierPollWithTimeout(GIBarrier, timeoutInCycles);
}

__END_DECLS

#endif
