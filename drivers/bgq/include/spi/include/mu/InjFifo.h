/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Injection FIFOs: descriptors at the tail, the new tail to the hardware. What is free, and how many descriptors are
 * done, is kept, and asked of the hardware where the copy does not suffice. Descriptors are numbered from 1 on; -1 as a
 * number says that there was no room.
 */
#ifndef __MUSPI_INJ_FIFO__
#define __MUSPI_INJ_FIFO__

#include <hwi/include/bqc/MU_Descriptor.h>
#include <hwi/include/bqc/MU_Fifo.h>
#include <spi/include/mu/Descriptor.h>
#include <spi/include/mu/Fifo.h>
#include <spi/include/mu/Util.h>

__BEGIN_DECLS

typedef struct MUSPI_InjFifo {
  MUSPI_Fifo_t _fifo;
  uint64_t descCount; /* descriptors done, as last read */
  uint64_t freeSpace; /* descriptors that there is room for */
  uint64_t numInjected;
  MUHWI_InjFifo_t* hw_injfifo;
} MUSPI_InjFifo_t;

typedef struct MUSPI_InjFifoSubGroup {
  MUSPI_InjFifo_t _injfifos[BGQ_MU_NUM_INJ_FIFOS_PER_SUBGROUP];
  MUHWI_InjFifoStatus_t* groupStatus;
  uint32_t subgroupid; /* 0 to 67 */
} MUSPI_InjFifoSubGroup_t;

__INLINE__ MUSPI_InjFifo_t* MUSPI_IdToInjFifo(int fifoid, MUSPI_InjFifoSubGroup_t* fg_ptr) {
  MUSPI_assert(fifoid < BGQ_MU_NUM_INJ_FIFOS_PER_SUBGROUP);
  return &fg_ptr->_injfifos[fifoid];
}

__INLINE__ uint64_t MUSPI_getFreeSpaceFromShadow(MUSPI_InjFifo_t* ififo) {
  return ififo->freeSpace;
}
__INLINE__ uint64_t MUSPI_getDescCountFromShadow(MUSPI_InjFifo_t* ififo) {
  return ififo->descCount;
}
__INLINE__ uint64_t MUSPI_getNumInjected(MUSPI_InjFifo_t* ififo) {
  return ififo->numInjected;
}
__INLINE__ uint64_t MUSPI_getHwFreeSpace(MUSPI_InjFifo_t* ififo) {
  return ififo->hw_injfifo->freeSpace;
}
__INLINE__ uint64_t MUSPI_getHwDescCount(MUSPI_InjFifo_t* ififo) {
  return ififo->hw_injfifo->descCount;
}

/* Whether there is room for that many. */
__INLINE__ int bgq_has_room(MUSPI_InjFifo_t* injfifo, uint64_t descriptors) {
  if (injfifo->freeSpace < descriptors) injfifo->freeSpace = MUSPI_getHwFreeSpace(injfifo);
  return injfifo->freeSpace >= descriptors;
}
/* `tail`, which is at most a ring's length behind the end, in the ring. */
__INLINE__ char* bgq_wrap_tail(MUSPI_InjFifo_t* injfifo, char* tail) {
  char* const end = (char*)injfifo->_fifo.va_end;
  return tail >= end ? (char*)injfifo->_fifo.va_start + (tail - end) : tail;
}
/* The hardware sees the descriptors up to `tail`. The line there is made 0, so that the next descriptor need not be
 * loaded into the cache. */
__INLINE__ uint64_t bgq_hand_over(MUSPI_InjFifo_t* injfifo, char* tail, uint64_t descriptors) {
  injfifo->freeSpace -= descriptors;
  injfifo->numInjected += descriptors;
  muspi_dcbz(tail, 0);
  MUSPI_setTailVa(&injfifo->_fifo, tail);
  MUSPI_setHwTail(&injfifo->_fifo, (uint64_t)(tail - (char*)injfifo->_fifo.va_start));
  return injfifo->numInjected;
}
__INLINE__ uint64_t bgq_places(MUSPI_InjFifo_t* injfifo, uint32_t N, void** descs) {
  char* place = (char*)injfifo->_fifo.va_tail;
  uint32_t i;
  for (i = 0; i < N; ++i) {
    descs[i] = place;
    place = bgq_wrap_tail(injfifo, place + BGQ_MU_DESCRIPTOR_SIZE_IN_BYTES);
  }
  return injfifo->numInjected + N;
}

/* The place of the next descriptor, and its number: the caller fills it in, then hands it over. */
__INLINE__ uint64_t MUSPI_InjFifoNextDesc(MUSPI_InjFifo_t* injfifo, void** desc) {
  if (!bgq_has_room(injfifo, 1)) return (uint64_t)-1;
  *desc = injfifo->_fifo.va_tail;
  return injfifo->numInjected + 1;
}
__INLINE__ uint64_t MUSPI_InjFifoAdvanceDesc(MUSPI_InjFifo_t* injfifo) {
  char* const tail = (char*)injfifo->_fifo.va_tail + BGQ_MU_DESCRIPTOR_SIZE_IN_BYTES;
  return bgq_hand_over(injfifo, bgq_wrap_tail(injfifo, tail), 1);
}

/* The same for N of them; the number is the last one's. NoCheck: the caller knows that there is room. */
__INLINE__ uint64_t MUSPI_InjFifoNextDescMultiple(MUSPI_InjFifo_t* injfifo, uint32_t N, void** descs) {
  if (!bgq_has_room(injfifo, N)) return (uint64_t)-1;
  return bgq_places(injfifo, N, descs);
}
__INLINE__ uint64_t MUSPI_InjFifoNextDescMultipleNoCheck(MUSPI_InjFifo_t* injfifo, uint32_t N, void** descs) {
  return bgq_places(injfifo, N, descs);
}
__INLINE__ uint64_t MUSPI_InjFifoAdvanceDescMultiple(MUSPI_InjFifo_t* injfifo, uint32_t N) {
  char* const tail = (char*)injfifo->_fifo.va_tail + (uint64_t)N * BGQ_MU_DESCRIPTOR_SIZE_IN_BYTES;
  return bgq_hand_over(injfifo, bgq_wrap_tail(injfifo, tail), N);
}

/* Copies descriptors, at a multiple of 32, into the ring, all of them or none. */
__INLINE__ uint64_t MUSPI_InjFifoInjectMultiple(MUSPI_InjFifo_t* injfifo, void* desc, uint32_t ndesc) {
  char* tail = (char*)injfifo->_fifo.va_tail;
  const char* from = (const char*)desc;
  uint32_t i;
  MUSPI_assert((uint64_t)desc % 32 == 0);
  if (!bgq_has_room(injfifo, ndesc)) return (uint64_t)-1;
  for (i = 0; i < ndesc; ++i, from += BGQ_MU_DESCRIPTOR_SIZE_IN_BYTES) {
    bgq_copy_descriptor(tail, from);
    tail = bgq_wrap_tail(injfifo, tail + BGQ_MU_DESCRIPTOR_SIZE_IN_BYTES);
  }
  return bgq_hand_over(injfifo, tail, ndesc);
}
__INLINE__ uint64_t MUSPI_InjFifoInject(MUSPI_InjFifo_t* injfifo, void* desc) {
  return MUSPI_InjFifoInjectMultiple(injfifo, desc, 1);
}

/* 1: the descriptor of that number is done, its payload read; 0: not yet. */
__INLINE__ uint32_t MUSPI_CheckDescComplete(MUSPI_InjFifo_t* injfifo, uint64_t desc_count) {
  if (desc_count > injfifo->descCount) injfifo->descCount = MUSPI_getHwDescCount(injfifo);
  return desc_count <= injfifo->descCount;
}

__END_DECLS

#endif
