/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What injection and reception FIFOs have in common: rings in memory. The hardware has physical addresses >> 4; the
 * structure has a shadow of them as virtual addresses, which the calls keep: a read of the hardware brings the shadow
 * up to date. Sizes are in quads of 16 bytes. A FIFO is empty if head and tail are equal.
 */
#ifndef _DMA_FIFO_H_
#define _DMA_FIFO_H_

#include <common/alignment.h>
#include <common/namespace.h>
#include <spi/DMA_Assert.h>
#include <spi/kernel_interface.h>

__BEGIN_DECLS

#define DMA_NUM_FIFO_GROUPS 4

typedef struct DMA_FifoHW_t {
  volatile unsigned pa_start;
  volatile unsigned pa_end;
  volatile unsigned pa_head;
  volatile unsigned pa_tail;
} DMA_FifoHW_t;

typedef struct DMA_Fifo_t {
  DMA_FifoHW_t* fifo_hw_ptr;
  unsigned int free_space;
  unsigned int fifo_size;
  unsigned int pa_start;
  void* va_start;
  void* va_head;
  void* va_tail;
  void* va_end;
} ALIGN_L1D_CACHE DMA_Fifo_t;

/* The hardware's words. */
#define BGP_FIFO_WORD_(Name, word)                                                    \
  __INLINE__ void DMA_FifoSet##Name##Pa(DMA_FifoHW_t* fifo_hw_ptr, unsigned int pa) { \
    SPI_assert(fifo_hw_ptr != NULL);                                                  \
    fifo_hw_ptr->word = pa;                                                           \
    _bgp_mbar();                                                                      \
  }                                                                                   \
  __INLINE__ unsigned int DMA_FifoGet##Name##Pa(DMA_FifoHW_t* fifo_hw_ptr) {          \
    SPI_assert(fifo_hw_ptr != NULL);                                                  \
    return fifo_hw_ptr->word;                                                         \
  }
BGP_FIFO_WORD_(Start, pa_start)
BGP_FIFO_WORD_(End, pa_end)
BGP_FIFO_WORD_(Head, pa_head)
BGP_FIFO_WORD_(Tail, pa_tail)
#undef BGP_FIFO_WORD_

/* Between physical and virtual addresses of the FIFO, by the distance from its start. */
__INLINE__ void* bgp_fifo_va(const DMA_Fifo_t* f_ptr, unsigned int pa) {
  return (char*)f_ptr->va_start + ((pa - f_ptr->pa_start) << 4);
}
__INLINE__ unsigned int bgp_fifo_pa(const DMA_Fifo_t* f_ptr, const void* va) {
  return f_ptr->pa_start + (unsigned int)(((const char*)va - (const char*)f_ptr->va_start) >> 4);
}

/* From the shadow alone. */
__INLINE__ void DMA_FifoUpdateFreeSpaceFromShadow(DMA_Fifo_t* f_ptr) {
  int used;
  SPI_assert(f_ptr != NULL && f_ptr->fifo_hw_ptr != NULL);
  used = (int)((char*)f_ptr->va_tail - (char*)f_ptr->va_head) / 16;
  f_ptr->free_space = used >= 0 ? f_ptr->fifo_size - (unsigned)used : (unsigned)-used;
}
__INLINE__ void* DMA_FifoGetStartFromShadow(DMA_Fifo_t* f_ptr) {
  SPI_assert(f_ptr != NULL && f_ptr->fifo_hw_ptr != NULL);
  return f_ptr->va_start;
}
__INLINE__ void* DMA_FifoGetTailFromShadow(DMA_Fifo_t* f_ptr) {
  SPI_assert(f_ptr != NULL && f_ptr->fifo_hw_ptr != NULL);
  return f_ptr->va_tail;
}
__INLINE__ void* DMA_FifoGetEndFromShadow(DMA_Fifo_t* f_ptr) {
  SPI_assert(f_ptr != NULL && f_ptr->fifo_hw_ptr != NULL);
  return f_ptr->va_end;
}
__INLINE__ unsigned int DMA_FifoGetSize(DMA_Fifo_t* f_ptr) {
  SPI_assert(f_ptr != NULL && f_ptr->fifo_hw_ptr != NULL);
  return f_ptr->fifo_size;
}
__INLINE__ unsigned int DMA_FifoGetFreeSpaceNoUpdateCalculation(DMA_Fifo_t* f_ptr) {
  SPI_assert(f_ptr != NULL);
  return f_ptr->free_space;
}

/* From the hardware; the shadow follows. */
__INLINE__ void* DMA_FifoGetHeadNoFreeSpaceUpdate(DMA_Fifo_t* f_ptr) {
  SPI_assert(f_ptr != NULL && f_ptr->fifo_hw_ptr != NULL);
  return f_ptr->va_head = bgp_fifo_va(f_ptr, f_ptr->fifo_hw_ptr->pa_head);
}
__INLINE__ void* DMA_FifoGetTailNoFreeSpaceUpdate(DMA_Fifo_t* f_ptr) {
  SPI_assert(f_ptr != NULL && f_ptr->fifo_hw_ptr != NULL);
  return f_ptr->va_tail = bgp_fifo_va(f_ptr, f_ptr->fifo_hw_ptr->pa_tail);
}
__INLINE__ void* DMA_FifoGetHead(DMA_Fifo_t* f_ptr) {
  void* head = DMA_FifoGetHeadNoFreeSpaceUpdate(f_ptr);
  DMA_FifoUpdateFreeSpaceFromShadow(f_ptr);
  return head;
}
__INLINE__ void* DMA_FifoGetTail(DMA_Fifo_t* f_ptr) {
  void* tail = DMA_FifoGetTailNoFreeSpaceUpdate(f_ptr);
  DMA_FifoUpdateFreeSpaceFromShadow(f_ptr);
  return tail;
}
/* read_head, read_tail: 1 asks the hardware, 0 the shadow. */
__INLINE__ unsigned int DMA_FifoGetFreeSpace(DMA_Fifo_t* f_ptr, unsigned int read_head, unsigned int read_tail) {
  SPI_assert(f_ptr != NULL && f_ptr->fifo_hw_ptr != NULL);
  SPI_assert(read_head <= 1 && read_tail <= 1);
  if (read_head != 0) (void)DMA_FifoGetHeadNoFreeSpaceUpdate(f_ptr);
  if (read_tail != 0) (void)DMA_FifoGetTailNoFreeSpaceUpdate(f_ptr);
  DMA_FifoUpdateFreeSpaceFromShadow(f_ptr);
  return f_ptr->free_space;
}

/* To the hardware and the shadow. */
__INLINE__ void DMA_FifoSetHead(DMA_Fifo_t* f_ptr, void* va_head) {
  SPI_assert(f_ptr != NULL && f_ptr->fifo_hw_ptr != NULL);
  SPI_assert(va_head >= f_ptr->va_start && va_head < f_ptr->va_end);
  DMA_FifoSetHeadPa(f_ptr->fifo_hw_ptr, bgp_fifo_pa(f_ptr, va_head));
  f_ptr->va_head = va_head;
  DMA_FifoUpdateFreeSpaceFromShadow(f_ptr);
}
__INLINE__ void DMA_FifoSetTail(DMA_Fifo_t* f_ptr, void* va_tail) {
  SPI_assert(f_ptr != NULL && f_ptr->fifo_hw_ptr != NULL);
  SPI_assert(va_tail >= f_ptr->va_start && va_tail < f_ptr->va_end);
  DMA_FifoSetTailPa(f_ptr->fifo_hw_ptr, bgp_fifo_pa(f_ptr, va_tail));
  f_ptr->va_tail = va_tail;
  DMA_FifoUpdateFreeSpaceFromShadow(f_ptr);
}

/* The address `quads` quads behind va in the ring. */
__INLINE__ void* bgp_fifo_advance(const DMA_Fifo_t* f_ptr, void* va, unsigned int quads) {
  const unsigned int to_end = (unsigned int)((char*)f_ptr->va_end - (char*)va);
  const unsigned int bytes = quads << 4;
  return bytes < to_end ? (char*)va + bytes : (char*)f_ptr->va_start + (bytes - to_end);
}

__END_DECLS

#endif
