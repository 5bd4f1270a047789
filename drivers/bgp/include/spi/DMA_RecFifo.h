/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reception FIFOs: rings of packets. The map, set once a job, says which FIFO a packet goes to: by its pid, and by the
 * direction from which it comes. Polling calls, for each packet, the receive function that the packet's header names.
 */
#ifndef _DMA_RECFIFO_H_
#define _DMA_RECFIFO_H_

#include <common/alignment.h>
#include <common/bgp_ras.h>
#include <common/namespace.h>
#include <spi/DMA_Assert.h>
#include <spi/DMA_Fifo.h>
#include <spi/DMA_Packet.h>

__BEGIN_DECLS

#define DMA_NUM_NORMAL_REC_FIFOS_PER_GROUP 8
#define DMA_NUM_HEADER_REC_FIFOS_PER_GROUP 1
#define DMA_HEADER_REC_FIFO_ID (DMA_NUM_NORMAL_REC_FIFOS_PER_GROUP)
#define DMA_NUM_REC_FIFOS_PER_GROUP (DMA_NUM_NORMAL_REC_FIFOS_PER_GROUP + DMA_NUM_HEADER_REC_FIFOS_PER_GROUP)
#define DMA_NUM_REC_FIFO_GROUPS 4
#define DMA_NUM_NORMAL_REC_FIFOS (DMA_NUM_REC_FIFO_GROUPS * DMA_NUM_NORMAL_REC_FIFOS_PER_GROUP)
#define DMA_NUM_HEADER_REC_FIFOS (DMA_NUM_REC_FIFO_GROUPS * DMA_NUM_HEADER_REC_FIFOS_PER_GROUP)

#define DMA_MAX_NUM_PACKETS_BEFORE_MOVING_HEAD 32
#define DMA_MIN_REC_FIFO_SIZE_IN_BYTES (512 + (256 * DMA_MAX_NUM_PACKETS_BEFORE_MOVING_HEAD))

/* FIFOs are numbered over all groups here: 8 x group + number. */
typedef struct DMA_RecFifoMap_t {
  unsigned short int save_headers;                   /* 1: headers of direct puts go to the header FIFOs */
  unsigned int fifo_types[DMA_NUM_NORMAL_REC_FIFOS]; /* 0 or 1: which threshold counts */
  unsigned int hdr_fifo_types[DMA_NUM_HEADER_REC_FIFOS];
  unsigned int threshold[2];      /* quads free */
  unsigned char ts_rec_map[4][8]; /* by pid and by X+ X- Y+ Y- Z+ Z-, high priority, local */
} DMA_RecFifoMap_t;

/* Word 0 has the normal FIFOs of all groups, word 1 the header FIFOs, at bits 7, 15, 23 and 31. */
typedef struct DMA_RecFifoStatus_t {
  volatile unsigned not_empty[2];
  volatile unsigned available[2];
  volatile unsigned threshold_crossed[2];
  volatile unsigned clear_threshold_crossed[2];
} DMA_RecFifoStatus_t;

#define DMA_REC_FIFO_GROUP_WORD_ID(global_rec_fifo_id) (((unsigned)(global_rec_fifo_id) >> 5) & 1u)

typedef struct DMA_RecFifo_t {
  DMA_Fifo_t dma_fifo;
  unsigned char global_fifo_id; /* 0 to 31, or 32 + group for a header FIFO */
  unsigned char type;
  unsigned int num_packets_processed_since_moving_fifo_head;
} DMA_RecFifo_t;

typedef struct DMA_RecFifoGroup_t {
  int group_id;
  int num_normal_fifos;
  int num_hdr_fifos;
  unsigned mask; /* the group's bits of a status word */
  void* unused1;
  DMA_RecFifoStatus_t* status_ptr;
  DMA_RecFifo_t
      fifos[DMA_NUM_REC_FIFOS_PER_GROUP]; /* those that the map names, by ascending number, then the header FIFO */
} ALIGN_L1D_CACHE DMA_RecFifoGroup_t;

/* Takes a packet. The payload stays where it is only until the function returns. A value other than 0 ends polling,
 * which returns it. */
typedef int (*DMA_RecFifoRecvFunction_t)(DMA_RecFifo_t* f_ptr, DMA_PacketHeader_t* packet_ptr, void* recv_func_parm,
                                         char* payload_ptr, int payload_bytes);
/* What takes packets that name no function: it says so, and returns -1. */
int DMA_RecFifoDefaultErrorRecvFunction(DMA_RecFifo_t* f_ptr, DMA_PacketHeader_t* packet_ptr, void* recv_func_parm,
                                        char* payload_ptr, int payload_bytes);

__INLINE__ int DMA_RecFifoSetMap(DMA_RecFifoMap_t* rec_map) {
  return Kernel_RecFifoSetMap((uint32_t*)(void*)rec_map);
}
__INLINE__ int DMA_RecFifoGetMap(DMA_RecFifoMap_t* rec_map) {
  return Kernel_RecFifoGetMap((uint32_t*)(void*)rec_map);
}

/* The FIFOs of a group, or NULL. Handlers are called by interrupts at a threshold, on core `target`. */
DMA_RecFifoGroup_t* DMA_RecFifoGetFifoGroup(int grp, int target, Kernel_CommThreadHandler normal_handler,
                                            void* normal_handler_parm, Kernel_CommThreadHandler header_handler,
                                            void* header_handler_parm, Kernel_InterruptGroup_t interruptGroup);

/* Gives a FIFO its memory, once: physically contiguous, start and end at multiples of 32 bytes. */
__INLINE__ int DMA_RecFifoInitById(DMA_RecFifoGroup_t* fg_ptr, int fifo_id, void* va_start, void* va_head,
                                   void* va_end) {
  SPI_assert(fg_ptr != NULL);
  SPI_assert(fifo_id >= 0 && fifo_id < DMA_NUM_REC_FIFOS_PER_GROUP);
  SPI_assert((uint32_t)va_end - (uint32_t)va_start >= DMA_MIN_REC_FIFO_SIZE_IN_BYTES);
  return Kernel_RecFifoInitById((uint32_t*)(void*)fg_ptr, fifo_id, va_start, va_head, va_end);
}

/* Packets --------------------------------------------------------------------------------------------------------- */

/* Registers a receive function and returns its number, 0 to 255, for Func_Id of packets. is_error_function: it takes
 * packets that name no function; is_header_fifo: those of header FIFOs; these return 0. -EBUSY: there is one, or there
 * are 256; -EINVAL: both. */
int DMA_RecFifoRegisterRecvFunction(DMA_RecFifoRecvFunction_t recv_func, void* recv_func_parm, int is_error_function,
                                    int is_header_fifo);
int DMA_RecFifoDeRegisterRecvFunction(int registrationId, int is_error_function, int is_header_fifo);

/* Polling: each calls receive functions until there are no packets, or a limit is reached, or a function returns
 * another value than 0, or a packet named no function. Returns the number of packets, or that value.
 *
 * An empty FIFO is looked at num_empty_passes times more, not_empty_poll_delay cycles apart. starting_index and
 * *next_fifo_index are places in fifos[]. fruitfulPollLimit: looks that find packets, 0 for no limit. */
int DMA_RecFifoPollNormalFifos(int total_packets, int packets_per_fifo, int starting_index, int num_empty_passes,
                               int not_empty_poll_delay, DMA_RecFifoGroup_t* fg_ptr, int* next_fifo_index);
int DMA_RecFifoSimplePollNormalFifos(DMA_RecFifoGroup_t* fg_ptr, int fruitfulPollLimit);
int DMA_RecFifoPollNormalFifoById(int num_packets, int fifo_id, int num_empty_passes, int not_empty_poll_delay,
                                  DMA_RecFifoGroup_t* fg_ptr);
int DMA_RecFifoSimplePollNormalFifoById(int fifo_id, DMA_RecFifoGroup_t* fg_ptr, int fruitfulPollLimit);
int DMA_RecFifoPollHeaderFifo(int num_packets, int num_empty_passes, int not_empty_poll_delay,
                              DMA_RecFifoGroup_t* fg_ptr);

/* Moves the head by `incr` quads: the DMA may overwrite the packets before it. */
__INLINE__ void DMA_RecFifoIncrementHead(DMA_RecFifo_t* f_ptr, unsigned int incr) {
  SPI_assert(f_ptr != NULL);
  DMA_FifoSetHead(&f_ptr->dma_fifo,
                  bgp_fifo_advance(&f_ptr->dma_fifo, DMA_FifoGetHeadNoFreeSpaceUpdate(&f_ptr->dma_fifo), incr));
}

/* Status words ---------------------------------------------------------------------------------------------------- */

__INLINE__ DMA_RecFifo_t* bgp_rec_fifo(DMA_RecFifoGroup_t* fg_ptr, int fifo_id) {
  SPI_assert(fg_ptr != NULL);
  SPI_assert(fifo_id >= 0 && fifo_id < DMA_NUM_REC_FIFOS_PER_GROUP);
  return &fg_ptr->fifos[fifo_id];
}
/* Word and bits that stand for a FIFO. */
__INLINE__ int bgp_rec_word(const DMA_RecFifo_t* fifo) {
  return (int)DMA_REC_FIFO_GROUP_WORD_ID(fifo->global_fifo_id);
}
__INLINE__ unsigned bgp_rec_bits(const DMA_RecFifoGroup_t* fg_ptr, const DMA_RecFifo_t* fifo) {
  return bgp_rec_word(fifo) == 0 ? _BN(fifo->global_fifo_id) & fg_ptr->mask : fg_ptr->mask;
}
#define BGP_REC_GET_(Name, field)                                                           \
  __INLINE__ unsigned DMA_RecFifoGet##Name(DMA_RecFifoGroup_t* fg_ptr, int word) {          \
    SPI_assert(fg_ptr != NULL && fg_ptr->status_ptr != NULL);                               \
    SPI_assert(word == 0 || word == 1);                                                     \
    return fg_ptr->status_ptr->field[word] & fg_ptr->mask;                                  \
  }                                                                                         \
  __INLINE__ unsigned DMA_RecFifoGet##Name##ById(DMA_RecFifoGroup_t* fg_ptr, int fifo_id) { \
    const DMA_RecFifo_t* fifo = bgp_rec_fifo(fg_ptr, fifo_id);                              \
    return DMA_RecFifoGet##Name(fg_ptr, bgp_rec_word(fifo)) & bgp_rec_bits(fg_ptr, fifo);   \
  }
BGP_REC_GET_(NotEmpty, not_empty)
BGP_REC_GET_(Available, available)
BGP_REC_GET_(ThresholdCrossed, threshold_crossed)
#undef BGP_REC_GET_

__INLINE__ void DMA_RecFifoSetClearThresholdCrossed(DMA_RecFifoGroup_t* fg_ptr, unsigned int clr, int word) {
  SPI_assert(fg_ptr != NULL && fg_ptr->status_ptr != NULL);
  SPI_assert(word == 0 || word == 1);
  fg_ptr->status_ptr->clear_threshold_crossed[word] = clr & fg_ptr->mask;
  _bgp_mbar();
}
__INLINE__ void DMA_RecFifoSetClearThresholdCrossedById(DMA_RecFifoGroup_t* fg_ptr, int fifo_id) {
  const DMA_RecFifo_t* fifo = bgp_rec_fifo(fg_ptr, fifo_id);
  DMA_RecFifoSetClearThresholdCrossed(fg_ptr, bgp_rec_bits(fg_ptr, fifo), bgp_rec_word(fifo));
}

/* By number: fifo_id is a place in fifos[] --------------------------------------------------------------------------
 */

__INLINE__ void* DMA_RecFifoGetStartById(DMA_RecFifoGroup_t* fg_ptr, int fifo_id) {
  return DMA_FifoGetStartFromShadow(&bgp_rec_fifo(fg_ptr, fifo_id)->dma_fifo);
}
__INLINE__ void* DMA_RecFifoGetHeadById(DMA_RecFifoGroup_t* fg_ptr, int fifo_id) {
  return DMA_FifoGetHead(&bgp_rec_fifo(fg_ptr, fifo_id)->dma_fifo);
}
__INLINE__ void* DMA_RecFifoGetTailById(DMA_RecFifoGroup_t* fg_ptr, int fifo_id) {
  return DMA_FifoGetTail(&bgp_rec_fifo(fg_ptr, fifo_id)->dma_fifo);
}
__INLINE__ void* DMA_RecFifoGetEndById(DMA_RecFifoGroup_t* fg_ptr, int fifo_id) {
  return DMA_FifoGetEndFromShadow(&bgp_rec_fifo(fg_ptr, fifo_id)->dma_fifo);
}
__INLINE__ unsigned int DMA_RecFifoGetSizeById(DMA_RecFifoGroup_t* fg_ptr, int fifo_id) {
  return DMA_FifoGetSize(&bgp_rec_fifo(fg_ptr, fifo_id)->dma_fifo);
}
__INLINE__ unsigned int DMA_RecFifoGetFreeSpaceById(DMA_RecFifoGroup_t* fg_ptr, int fifo_id, unsigned int read_head,
                                                    unsigned int read_tail) {
  return DMA_FifoGetFreeSpace(&bgp_rec_fifo(fg_ptr, fifo_id)->dma_fifo, read_head, read_tail);
}
__INLINE__ void DMA_RecFifoSetHeadById(DMA_RecFifoGroup_t* fg_ptr, int fifo_id, void* va_head) {
  DMA_FifoSetHead(&bgp_rec_fifo(fg_ptr, fifo_id)->dma_fifo, va_head);
}
__INLINE__ void DMA_RecFifoSetTailById(DMA_RecFifoGroup_t* fg_ptr, int fifo_id, void* va_tail) {
  DMA_FifoSetTail(&bgp_rec_fifo(fg_ptr, fifo_id)->dma_fifo, va_tail);
}
__INLINE__ void DMA_RecFifoIncrementHeadById(DMA_RecFifoGroup_t* fg_ptr, int fifo_id, unsigned int incr) {
  DMA_RecFifoIncrementHead(bgp_rec_fifo(fg_ptr, fifo_id), incr);
}

__END_DECLS

#endif
