/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Injection FIFOs: rings of descriptors. A group has 32, which the kernel gives out by number; a structure stands for
 * those that this process has of a group. Functions whose name ends in ById take the structure and a number.
 *
 * Two levels of this interface were in use. They differ in the barrier of all cores that a remote get to a full FIFO
 * needs (the argument rget_barrier): at level 1 it is a LockBox_Barrier_t, at level 2 a function and its argument. A
 * call is taken by the number of its arguments; BGP_SPI_LEVEL 1 or 2 allows one alone.
 */
#ifndef _DMA_INJFIFO_H_
#define _DMA_INJFIFO_H_

#include <common/namespace.h>
#include <memory.h>
#include <spi/DMA_Assert.h>
#include <spi/DMA_Descriptors.h>
#include <spi/DMA_Fifo.h>

__BEGIN_DECLS

#define DMA_NUM_INJ_FIFO_GROUPS 4
#define DMA_NUM_INJ_FIFOS_PER_GROUP 32
#define DMA_NUM_INJ_FIFOS (DMA_NUM_INJ_FIFO_GROUPS * DMA_NUM_INJ_FIFOS_PER_GROUP)

/* Free space that remains when a descriptor has been injected, for those that remote gets bring. */
#define DMA_MIN_INJECT_SIZE_IN_QUADS 32
#define DMA_FIFO_DESCRIPTOR_SIZE_IN_QUADS 2
#define DMA_FIFO_DESCRIPTOR_SIZE_IN_BYTES (DMA_FIFO_DESCRIPTOR_SIZE_IN_QUADS * 16)
#define DMA_MIN_INJ_FIFO_SIZE_IN_BYTES (256 * 4)

typedef struct DMA_InjFifo_t {
  DMA_Fifo_t dma_fifo;
  unsigned short int fifo_id;
  unsigned long long desc_count; /* descriptors injected so far */
  unsigned int occupiedSize;     /* quads reserved */
  unsigned short int priority;
  unsigned short int local;
  unsigned char
      ts_inj_map; /* torus FIFOs that it may use: 0x80 N0, 0x40 N1, 0x20 N2, 0x10 high; 0x08 to 0x01 group 1 */
} DMA_InjFifo_t;

typedef struct DMA_InjFifoStatus_t {
  volatile unsigned not_empty;
  volatile unsigned reserved_0;
  volatile unsigned available;
  volatile unsigned reserved_1;
  volatile unsigned threshold_crossed;
  volatile unsigned reserved_2;
  volatile unsigned clear_threshold_crossed;
  volatile unsigned reserved_3;
  volatile unsigned activated;
  volatile unsigned activate;
  volatile unsigned deactivate;
} DMA_InjFifoStatus_t;

typedef struct DMA_InjFifoGroup_t {
  DMA_InjFifoStatus_t* status_ptr;
  DMA_InjFifo_t fifos[DMA_NUM_INJ_FIFOS_PER_GROUP];
  unsigned int permissions; /* a bit for each FIFO of this process */
  unsigned int group_id;
} DMA_InjFifoGroup_t;

/* Called when a remote get has found a FIFO without room; it makes room. Then reception, which has stopped, goes on. */
typedef void (*DMA_InjFifoRgetFifoFullHandler_t)(DMA_InjFifoGroup_t* fg_ptr, int f_num, void* handler_parm);

typedef struct DMA_InjFifoRgetFifoFullHandlerEntry_t {
  DMA_InjFifoGroup_t* fg_ptr;
  DMA_InjFifoRgetFifoFullHandler_t handler;
  void* handler_parm;
  uint32_t core_num;
} DMA_InjFifoRgetFifoFullHandlerEntry_t;

extern DMA_InjFifoRgetFifoFullHandlerEntry_t DMA_RgetFifoFullHandlerTable[DMA_NUM_INJ_FIFOS];
extern int DMA_InjFifoRgetFifoFullInitHasBeenDone;

/* The status word has a bit for each FIFO. */
__INLINE__ DMA_InjFifo_t* bgp_inj_fifo(DMA_InjFifoGroup_t* fg_ptr, int fifo_id) {
  SPI_assert(fg_ptr != NULL);
  SPI_assert(fifo_id >= 0 && fifo_id < DMA_NUM_INJ_FIFOS_PER_GROUP);
  SPI_assert((fg_ptr->permissions & _BN(fifo_id)) != 0);
  return &fg_ptr->fifos[fifo_id];
}
__INLINE__ DMA_InjFifoStatus_t* bgp_inj_status(DMA_InjFifoGroup_t* fg_ptr) {
  SPI_assert(fg_ptr != NULL);
  SPI_assert(fg_ptr->status_ptr != NULL);
  return fg_ptr->status_ptr;
}

/* FIFOs of a group: which are free; take, with priority, local (1: to this node) and map of each; give back. 0, EINVAL,
 * EBUSY. */
__INLINE__ int DMA_InjFifoGroupQueryFree(int grp, int* num_fifos, int* fifo_ids) {
  return (int)Kernel_InjFifoGroupQueryFree((uint32_t)grp, (uint32_t*)num_fifos, (uint32_t*)fifo_ids);
}
__INLINE__ int DMA_InjFifoGroupFree(int grp, int num_fifos, int* fifo_ids, DMA_InjFifoGroup_t* fg_ptr) {
  return (int)Kernel_InjFifoGroupFree((uint32_t)grp, (uint32_t)num_fifos, (uint32_t*)fifo_ids,
                                      (uint32_t*)(void*)fg_ptr);
}
__INLINE__ int bgp_inj_group_allocate(int grp, int num_fifos, int* fifo_ids, unsigned short int* priorities,
                                      unsigned short int* locals, unsigned char* ts_inj_maps,
                                      DMA_InjFifoGroup_t* fg_ptr) {
  return (int)Kernel_InjFifoGroupAllocate((uint32_t)grp, (uint32_t)num_fifos, (uint32_t*)fifo_ids, priorities, locals,
                                          ts_inj_maps, (uint32_t*)(void*)fg_ptr);
}
/* Enters the handler of FIFOs that have been taken. */
void bgp_rget_register(int grp, int num_fifos, const int* fifo_ids, DMA_InjFifoRgetFifoFullHandler_t rget_handler,
                       void* rget_handler_parm, DMA_InjFifoGroup_t* fg_ptr);

/* Lets the interrupt call the handlers: all cores come to the barrier, then the handler runs on the core that
 * registered it. Once a process; the allocations below call it. */
void DMA_InjFifoRgetFifoFullInit(Kernel_InterruptGroup_t rget_interruptGroup, LockBox_Barrier_t* rget_barrier);
void bgp_rget_init_2(Kernel_InterruptGroup_t rget_interruptGroup, void (*rget_barrier)(void*), void* rget_barrier_arg);

__INLINE__ int DMA_InjFifoGroupAllocate(int grp, int num_fifos, int* fifo_ids, unsigned short int* priorities,
                                        unsigned short int* locals, unsigned char* ts_inj_maps,
                                        DMA_InjFifoRgetFifoFullHandler_t rget_handler, void* rget_handler_parm,
                                        Kernel_InterruptGroup_t rget_interruptGroup, LockBox_Barrier_t* rget_barrier,
                                        DMA_InjFifoGroup_t* fg_ptr) {
  const int error = bgp_inj_group_allocate(grp, num_fifos, fifo_ids, priorities, locals, ts_inj_maps, fg_ptr);
  if (error != 0 || rget_handler == NULL) return error;
  if (!DMA_InjFifoRgetFifoFullInitHasBeenDone) DMA_InjFifoRgetFifoFullInit(rget_interruptGroup, rget_barrier);
  bgp_rget_register(grp, num_fifos, fifo_ids, rget_handler, rget_handler_parm, fg_ptr);
  return 0;
}
__INLINE__ int bgp_inj_group_allocate_2(int grp, int num_fifos, int* fifo_ids, unsigned short int* priorities,
                                        unsigned short int* locals, unsigned char* ts_inj_maps,
                                        DMA_InjFifoRgetFifoFullHandler_t rget_handler, void* rget_handler_parm,
                                        Kernel_InterruptGroup_t rget_interruptGroup, void (*rget_barrier)(void*),
                                        void* rget_barrier_arg, DMA_InjFifoGroup_t* fg_ptr) {
  const int error = bgp_inj_group_allocate(grp, num_fifos, fifo_ids, priorities, locals, ts_inj_maps, fg_ptr);
  if (error != 0 || rget_handler == NULL) return error;
  if (!DMA_InjFifoRgetFifoFullInitHasBeenDone) bgp_rget_init_2(rget_interruptGroup, rget_barrier, rget_barrier_arg);
  bgp_rget_register(grp, num_fifos, fifo_ids, rget_handler, rget_handler_parm, fg_ptr);
  return 0;
}

#if !defined(BGP_SPI_LEVEL)
#define BGP_TWELFTH_(a, b, c, d, e, f, g, h, i, j, k, name, ...) name
#define BGP_THIRD_(a, b, name, ...) name
/* 12 arguments; 11; and 7, from before remote gets had a handler. */
#define DMA_InjFifoGroupAllocate(a, b, c, d, e, f, ...)                                                 \
  BGP_TWELFTH_(__VA_ARGS__, 0, 0, 0, 0, 0, bgp_inj_group_allocate_2, DMA_InjFifoGroupAllocate, 0, 0, 0, \
               bgp_inj_group_allocate, 0)                                                               \
  (a, b, c, d, e, f, __VA_ARGS__)
#define DMA_InjFifoRgetFifoFullInit(a, ...) \
  BGP_THIRD_(__VA_ARGS__, bgp_rget_init_2, DMA_InjFifoRgetFifoFullInit, 0)(a, __VA_ARGS__)
#elif BGP_SPI_LEVEL == 2
#define DMA_InjFifoGroupAllocate bgp_inj_group_allocate_2
#define DMA_InjFifoRgetFifoFullInit bgp_rget_init_2
#elif BGP_SPI_LEVEL != 1
#error "BGP_SPI_LEVEL is 1 or 2; without it, calls of both levels are taken"
#endif

/* Gives a FIFO its memory, physically contiguous, start and end at multiples of 32 bytes, and activates it. */
__INLINE__ int DMA_InjFifoInitById(DMA_InjFifoGroup_t* fg_ptr, int fifo_id, void* va_start, void* va_head,
                                   void* va_end) {
  DMA_InjFifo_t* fifo = bgp_inj_fifo(fg_ptr, fifo_id);
  int error;
  SPI_assert((uint32_t)va_start % DMA_FIFO_DESCRIPTOR_SIZE_IN_BYTES == 0);
  SPI_assert((uint32_t)va_end % DMA_FIFO_DESCRIPTOR_SIZE_IN_BYTES == 0);
  SPI_assert(va_start < va_end);
  SPI_assert((uint32_t)va_end - (uint32_t)va_start >=
             (DMA_MIN_INJECT_SIZE_IN_QUADS + DMA_FIFO_DESCRIPTOR_SIZE_IN_QUADS) * 16);
  SPI_assert(va_head >= va_start && (uint32_t)va_head <= (uint32_t)va_end - DMA_FIFO_DESCRIPTOR_SIZE_IN_BYTES);
  error = (int)Kernel_InjFifoInitById((uint32_t*)(void*)fg_ptr, fifo_id, (uint32_t*)va_start, (uint32_t*)va_head,
                                      (uint32_t*)va_end);
  if (error != 0) return error;
  fifo->desc_count = 0;
  return 0;
}

/* Descriptors ----------------------------------------------------------------------------------------------------- */

__INLINE__ void DMA_InjFifoSetHead(DMA_InjFifo_t* f_ptr, void* va_head) {
  SPI_assert(f_ptr != NULL);
  DMA_FifoSetHead(&f_ptr->dma_fifo, va_head);
}
/* Moves the tail by `incr` quads, two for each descriptor: the DMA sees them. */
__INLINE__ void DMA_InjFifoIncrementTail(DMA_InjFifo_t* f_ptr, unsigned int incr) {
  SPI_assert(f_ptr != NULL);
  SPI_assert(incr % DMA_FIFO_DESCRIPTOR_SIZE_IN_QUADS == 0);
  DMA_FifoSetTail(&f_ptr->dma_fifo, bgp_fifo_advance(&f_ptr->dma_fifo, f_ptr->dma_fifo.va_tail, incr));
  f_ptr->desc_count += incr / DMA_FIFO_DESCRIPTOR_SIZE_IN_QUADS;
}

/* The number of descriptors injected; and whether the one after which it was desc_count has been carried out. update: 1
 * asks the hardware. */
__INLINE__ unsigned long long DMA_InjFifoGetDescriptorCount(DMA_InjFifo_t* f_ptr) {
  SPI_assert(f_ptr != NULL);
  return f_ptr->desc_count;
}
__INLINE__ unsigned int DMA_InjFifoIsDescriptorDone(DMA_InjFifo_t* f_ptr, unsigned long long desc_count,
                                                    unsigned int update) {
  unsigned int free_space, waiting;
  SPI_assert(f_ptr != NULL);
  free_space = update != 0 ? DMA_FifoGetFreeSpace(&f_ptr->dma_fifo, 1, 0)
                           : DMA_FifoGetFreeSpaceNoUpdateCalculation(&f_ptr->dma_fifo);
  waiting = (DMA_FifoGetSize(&f_ptr->dma_fifo) - free_space) / DMA_FIFO_DESCRIPTOR_SIZE_IN_QUADS;
  return desc_count <= f_ptr->desc_count - waiting;
}

/* Reservations: a place for a descriptor for each. 0, or -1 if there is no more. */
__INLINE__ int DMA_InjFifoReserveDescriptorStorage(DMA_InjFifo_t* f_ptr) {
  SPI_assert(f_ptr != NULL);
  if (DMA_FifoGetSize(&f_ptr->dma_fifo) - f_ptr->occupiedSize <
      DMA_MIN_INJECT_SIZE_IN_QUADS + DMA_FIFO_DESCRIPTOR_SIZE_IN_QUADS)
    return -1;
  f_ptr->occupiedSize += DMA_FIFO_DESCRIPTOR_SIZE_IN_QUADS;
  return 0;
}
__INLINE__ void DMA_InjFifoFreeDescriptorStorageReservation(DMA_InjFifo_t* f_ptr) {
  SPI_assert(f_ptr != NULL);
  SPI_assert(f_ptr->occupiedSize >= DMA_FIFO_DESCRIPTOR_SIZE_IN_QUADS);
  f_ptr->occupiedSize -= DMA_FIFO_DESCRIPTOR_SIZE_IN_QUADS;
}

/* Free quads for descriptors; the hardware is asked only if the shadow does not show room for `wanted`. */
__INLINE__ unsigned int bgp_inj_room(DMA_InjFifo_t* f_ptr, unsigned int wanted) {
  unsigned int free_space = DMA_FifoGetFreeSpace(&f_ptr->dma_fifo, 0, 0);
  if (free_space < DMA_MIN_INJECT_SIZE_IN_QUADS + wanted) free_space = DMA_FifoGetFreeSpace(&f_ptr->dma_fifo, 1, 0);
  return free_space > DMA_MIN_INJECT_SIZE_IN_QUADS ? free_space - DMA_MIN_INJECT_SIZE_IN_QUADS : 0;
}
__INLINE__ unsigned int DMA_InjFifoHasSpace(DMA_InjFifo_t* f_ptr) {
  SPI_assert(f_ptr != NULL);
  return bgp_inj_room(f_ptr, DMA_FIFO_DESCRIPTOR_SIZE_IN_QUADS) >= DMA_FIFO_DESCRIPTOR_SIZE_IN_QUADS;
}

/* Copies a descriptor into the FIFO, at a multiple of 32 bytes. */
__INLINE__ void bgp_inj_copy(void* to, const DMA_InjDescriptor_t* desc) {
#if defined(__ALTIVEC__)
  if ((uint32_t)desc % 16 == 0) {
    /* lvx and stvx: as lfpdx and stfpdx, but instructions that the emulated core has. */
    uint32_t second = 16;
    __asm__ volatile("lvx 0,0,%0\n\tlvx 1,%2,%0\n\tstvx 0,0,%1\n\tstvx 1,%2,%1"
                     :
                     : "r"(desc), "r"(to), "b"(second)
                     : "v0", "v1", "memory");
    return;
  }
#endif
  memcpy(to, desc, DMA_FIFO_DESCRIPTOR_SIZE_IN_BYTES);
}

/* Inject a descriptor: 1, or 0 if there is no room; the first form does not look. */
__INLINE__ int DMA_InjFifoInjectDescriptorNoSpaceCheck(DMA_InjFifo_t* f_ptr, DMA_InjDescriptor_t* desc) {
  SPI_assert(f_ptr != NULL);
  SPI_assert(desc != NULL);
  bgp_inj_copy(DMA_FifoGetTailFromShadow(&f_ptr->dma_fifo), desc);
  _bgp_mbar();
  DMA_InjFifoIncrementTail(f_ptr, DMA_FIFO_DESCRIPTOR_SIZE_IN_QUADS);
  return 1;
}
__INLINE__ int DMA_InjFifoInjectDescriptor(DMA_InjFifo_t* f_ptr, DMA_InjDescriptor_t* desc) {
  return DMA_InjFifoHasSpace(f_ptr) ? DMA_InjFifoInjectDescriptorNoSpaceCheck(f_ptr, desc) : 0;
}
/* Inject as many of num_desc descriptors as there is room for; returns how many. */
__INLINE__ int DMA_InjFifoInjectDescriptors(DMA_InjFifo_t* f_ptr, int num_desc, DMA_InjDescriptor_t** desc) {
  unsigned int wanted, room;
  void* to;
  int done;
  SPI_assert(f_ptr != NULL);
  SPI_assert(desc != NULL);
  SPI_assert(num_desc > 0);
  wanted = (unsigned)num_desc * DMA_FIFO_DESCRIPTOR_SIZE_IN_QUADS;
  room = bgp_inj_room(f_ptr, wanted);
  if (room < wanted) num_desc = (int)(room / DMA_FIFO_DESCRIPTOR_SIZE_IN_QUADS);
  if (num_desc == 0) return 0;
  to = DMA_FifoGetTailFromShadow(&f_ptr->dma_fifo);
  for (done = 0; done < num_desc; done++) {
    SPI_assert(desc[done] != NULL);
    bgp_inj_copy(to, desc[done]);
    to = bgp_fifo_advance(&f_ptr->dma_fifo, to, DMA_FIFO_DESCRIPTOR_SIZE_IN_QUADS);
  }
  _bgp_mbar();
  DMA_InjFifoIncrementTail(f_ptr, (unsigned)num_desc * DMA_FIFO_DESCRIPTOR_SIZE_IN_QUADS);
  return num_desc;
}

/* Status words: a bit for each FIFO of this process ---------------------------------------------------------------- */

__INLINE__ int DMA_InjFifoGetGroupNum(const DMA_InjFifoGroup_t* fg_ptr) {
  SPI_assert(fg_ptr != NULL);
  return (int)fg_ptr->group_id;
}
/* Get: the word; GetById: not 0 if the FIFO's bit is set. */
#define BGP_INJ_GET_(Name, word)                                                            \
  __INLINE__ unsigned DMA_InjFifoGet##Name(DMA_InjFifoGroup_t* fg_ptr) {                    \
    return bgp_inj_status(fg_ptr)->word & fg_ptr->permissions;                              \
  }                                                                                         \
  __INLINE__ unsigned DMA_InjFifoGet##Name##ById(DMA_InjFifoGroup_t* fg_ptr, int fifo_id) { \
    (void)bgp_inj_fifo(fg_ptr, fifo_id);                                                    \
    return bgp_inj_status(fg_ptr)->word & _BN(fifo_id);                                     \
  }
BGP_INJ_GET_(NotEmpty, not_empty)
BGP_INJ_GET_(Available, available)
BGP_INJ_GET_(ThresholdCrossed, threshold_crossed)
BGP_INJ_GET_(Activated, activated)
#undef BGP_INJ_GET_

#define BGP_INJ_SET_(Name, word)                                                        \
  __INLINE__ void DMA_InjFifoSet##Name(DMA_InjFifoGroup_t* fg_ptr, unsigned int bits) { \
    SPI_assert(fg_ptr != NULL && (bits & ~fg_ptr->permissions) == 0);                   \
    bgp_inj_status(fg_ptr)->word = bits;                                                \
    _bgp_mbar();                                                                        \
  }                                                                                     \
  __INLINE__ void DMA_InjFifoSet##Name##ById(DMA_InjFifoGroup_t* fg_ptr, int fifo_id) { \
    (void)bgp_inj_fifo(fg_ptr, fifo_id);                                                \
    bgp_inj_status(fg_ptr)->word = _BN(fifo_id);                                        \
    _bgp_mbar();                                                                        \
  }
BGP_INJ_SET_(ClearThresholdCrossed, clear_threshold_crossed)
BGP_INJ_SET_(Activate, activate)
BGP_INJ_SET_(Deactivate, deactivate)
#undef BGP_INJ_SET_

/* By number ---------------------------------------------------------------------------------------------------------
 */

__INLINE__ void* DMA_InjFifoGetStartFromShadowById(DMA_InjFifoGroup_t* fg_ptr, int fifo_id) {
  return DMA_FifoGetStartFromShadow(&bgp_inj_fifo(fg_ptr, fifo_id)->dma_fifo);
}
__INLINE__ void* DMA_InjFifoGetHeadById(DMA_InjFifoGroup_t* fg_ptr, int fifo_id) {
  return DMA_FifoGetHead(&bgp_inj_fifo(fg_ptr, fifo_id)->dma_fifo);
}
__INLINE__ void* DMA_InjFifoGetTailById(DMA_InjFifoGroup_t* fg_ptr, int fifo_id) {
  return DMA_FifoGetTail(&bgp_inj_fifo(fg_ptr, fifo_id)->dma_fifo);
}
__INLINE__ void* DMA_InjFifoGetEndById(DMA_InjFifoGroup_t* fg_ptr, int fifo_id) {
  return DMA_FifoGetEndFromShadow(&bgp_inj_fifo(fg_ptr, fifo_id)->dma_fifo);
}
__INLINE__ unsigned int DMA_InjFifoGetSizeById(DMA_InjFifoGroup_t* fg_ptr, int fifo_id) {
  return DMA_FifoGetSize(&bgp_inj_fifo(fg_ptr, fifo_id)->dma_fifo);
}
__INLINE__ unsigned int DMA_InjFifoGetFreeSpaceById(DMA_InjFifoGroup_t* fg_ptr, int fifo_id, unsigned int read_head,
                                                    unsigned int read_tail) {
  return DMA_FifoGetFreeSpace(&bgp_inj_fifo(fg_ptr, fifo_id)->dma_fifo, read_head, read_tail);
}
__INLINE__ void DMA_InjFifoSetHeadById(DMA_InjFifoGroup_t* fg_ptr, int fifo_id, void* va_head) {
  DMA_InjFifoSetHead(bgp_inj_fifo(fg_ptr, fifo_id), va_head);
}
__INLINE__ void DMA_InjFifoSetTailById(DMA_InjFifoGroup_t* fg_ptr, int fifo_id, void* va_tail) {
  DMA_FifoSetTail(&bgp_inj_fifo(fg_ptr, fifo_id)->dma_fifo, va_tail);
}
__INLINE__ void DMA_InjFifoIncrementTailById(DMA_InjFifoGroup_t* fg_ptr, int fifo_id, unsigned int incr) {
  DMA_InjFifoIncrementTail(bgp_inj_fifo(fg_ptr, fifo_id), incr);
}
__INLINE__ unsigned long long DMA_InjFifoGetDescriptorCountById(DMA_InjFifoGroup_t* fg_ptr, int fifo_id) {
  return DMA_InjFifoGetDescriptorCount(bgp_inj_fifo(fg_ptr, fifo_id));
}
__INLINE__ unsigned int DMA_InjFifoIsDescriptorDoneById(DMA_InjFifoGroup_t* fg_ptr, int fifo_id,
                                                        unsigned long long desc_count, unsigned int update) {
  return DMA_InjFifoIsDescriptorDone(bgp_inj_fifo(fg_ptr, fifo_id), desc_count, update);
}
__INLINE__ int DMA_InjFifoReserveDescriptorStorageById(DMA_InjFifoGroup_t* fg_ptr, int fifo_id) {
  return DMA_InjFifoReserveDescriptorStorage(bgp_inj_fifo(fg_ptr, fifo_id));
}
__INLINE__ void DMA_InjFifoFreeDescriptorStorageReservationById(DMA_InjFifoGroup_t* fg_ptr, int fifo_id) {
  DMA_InjFifoFreeDescriptorStorageReservation(bgp_inj_fifo(fg_ptr, fifo_id));
}
__INLINE__ unsigned int DMA_InjFifoHasSpaceById(DMA_InjFifoGroup_t* fg_ptr, int fifo_id) {
  return DMA_InjFifoHasSpace(bgp_inj_fifo(fg_ptr, fifo_id));
}
__INLINE__ int DMA_InjFifoInjectDescriptorNoSpaceCheckById(DMA_InjFifoGroup_t* fg_ptr, int fifo_id,
                                                           DMA_InjDescriptor_t* desc) {
  return DMA_InjFifoInjectDescriptorNoSpaceCheck(bgp_inj_fifo(fg_ptr, fifo_id), desc);
}
__INLINE__ int DMA_InjFifoInjectDescriptorById(DMA_InjFifoGroup_t* fg_ptr, int fifo_id, DMA_InjDescriptor_t* desc) {
  return DMA_InjFifoInjectDescriptor(bgp_inj_fifo(fg_ptr, fifo_id), desc);
}
__INLINE__ int DMA_InjFifoInjectDescriptorsById(DMA_InjFifoGroup_t* fg_ptr, int fifo_id, int num_desc,
                                                DMA_InjDescriptor_t** desc) {
  return DMA_InjFifoInjectDescriptors(bgp_inj_fifo(fg_ptr, fifo_id), num_desc, desc);
}

__END_DECLS

#endif
