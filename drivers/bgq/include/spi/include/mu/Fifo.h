/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A FIFO of either kind: a ring in memory. The structure is software's copy of what the hardware has, by virtual
 * addresses; hwfifo are the registers.
 */
#ifndef __MUSPI_FIFO__
#define __MUSPI_FIFO__

#include <hwi/include/bqc/MU_Fifo.h>
#include <spi/include/mu/Util.h>

__BEGIN_DECLS

typedef struct MUSPI_Fifo {
  uint64_t pa_start;
  void* va_start;
  uint64_t size_1; /* bytes minus 1 */
  void* va_head;
  void* va_tail;
  void* va_end;
  MUHWI_Fifo_t* hwfifo;
} MUSPI_Fifo_t;

/* Software's copy. */
__INLINE__ uint64_t MUSPI_getSize(MUSPI_Fifo_t* fifo) {
  return fifo->size_1;
}
__INLINE__ uint64_t MUSPI_getStartPa(MUSPI_Fifo_t* fifo) {
  return fifo->pa_start;
}
__INLINE__ void* MUSPI_getStartVa(MUSPI_Fifo_t* fifo) {
  return fifo->va_start;
}
__INLINE__ void* MUSPI_getHeadVa(MUSPI_Fifo_t* fifo) {
  return fifo->va_head;
}
__INLINE__ void* MUSPI_getTailVa(MUSPI_Fifo_t* fifo) {
  return fifo->va_tail;
}
__INLINE__ void* MUSPI_getEndVa(MUSPI_Fifo_t* fifo) {
  return fifo->va_end;
}
__INLINE__ void MUSPI_setHeadVa(MUSPI_Fifo_t* fifo, void* new_head) {
  MUSPI_assert((uint64_t)new_head % 32 == 0);
  fifo->va_head = new_head;
}
__INLINE__ void MUSPI_setTailVa(MUSPI_Fifo_t* fifo, void* new_tail) {
  MUSPI_assert((uint64_t)new_tail % 32 == 0);
  fifo->va_tail = new_tail;
}

/* The hardware: physical addresses; what is set is given as bytes from the start. */
__INLINE__ uint64_t MUSPI_getHwSize(MUSPI_Fifo_t* fifo) {
  return fifo->hwfifo->size_1;
}
__INLINE__ uint64_t MUSPI_getHwStart(MUSPI_Fifo_t* fifo) {
  return fifo->hwfifo->pa_start;
}
__INLINE__ uint64_t MUSPI_getHwHead(MUSPI_Fifo_t* fifo) {
  return fifo->hwfifo->pa_head;
}
__INLINE__ uint64_t MUSPI_getHwTail(MUSPI_Fifo_t* fifo) {
  return fifo->hwfifo->pa_tail;
}
__INLINE__ void MUSPI_setHwHead(MUSPI_Fifo_t* fifo, uint64_t head_offset) {
  MUSPI_assert(head_offset <= fifo->size_1);
  fifo->hwfifo->pa_head = fifo->pa_start + head_offset;
}
__INLINE__ void MUSPI_setHwTail(MUSPI_Fifo_t* fifo, uint64_t tail_offset) {
  MUSPI_assert(tail_offset < fifo->size_1);
  fifo->hwfifo->pa_tail = fifo->pa_start + tail_offset;
}

__END_DECLS

#endif
