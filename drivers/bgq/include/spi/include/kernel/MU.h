/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the Messaging Unit's resources need of the kernel. FIFOs and base addresses are given out by subgroup, 0 to 67,
 * and number in it; a process takes those of its own hardware threads. Functions give 0 or a positive errno.
 *
 * A FIFO is allocated (a call), given its memory (Kernel_InjFifoInit, Kernel_RecFifoInit), then started
 * (Kernel_InjFifoActivate; for reception a call, Kernel_RecFifoEnable).
 */
#ifndef _KERNEL_MU_H_
#define _KERNEL_MU_H_

#include <cnk/include/SPI_syscalls.h>
#include <hwi/include/bqc/MU_Macros.h>
#include <hwi/include/bqc/dcr_support.h>
#include <hwi/include/bqc/mu_dcr.h>
#include <spi/include/kernel/memory.h>
#include <spi/include/mu/Addressing.h>
#include <spi/include/mu/Descriptor.h>
#include <spi/include/mu/InjFifo.h>
#include <spi/include/mu/RecFifo.h>

__BEGIN_DECLS

typedef struct Kernel_InjFifoAttributes {
  uint32_t RemoteGet : 1; /* remote gets may bring descriptors */
  uint32_t System : 1;    /* EACCES for programs */
  uint32_t Priority : 1;  /* goes before others */
} Kernel_InjFifoAttributes_t;

typedef struct Kernel_RecFifoAttributes {
  uint32_t System : 1; /* EACCES for programs */
} Kernel_RecFifoAttributes_t;

typedef struct Kernel_InjFifoInterrupts {
  uint32_t Threshold_Crossing : 1;
} Kernel_InjFifoInterrupts_t;

typedef struct Kernel_RecFifoInterrupts {
  uint32_t Threshold_Crossing : 1;
  uint32_t Packet_Arrival : 1;
} Kernel_RecFifoInterrupts_t;

#define KERNEL_INJ_FIFO_ACTIVATE 1
#define KERNEL_INJ_FIFO_DEACTIVATE 0

#define KERNEL_SUBGROUP_INTERRUPTS_GO_TO_GEA 1
#define KERNEL_SUBGROUP_INTERRUPTS_DO_NOT_GO_TO_GEA 0

/* Signals: an error of the unit or the network; a reception FIFO is full (ignored unless there is a handler). */
#define SIGMUNDFATAL 36
#define SIGMUFIFOFULL 37

/* Which are free: how many, and their numbers in the subgroup. */
__INLINE__ int32_t Kernel_QueryInjFifos(uint32_t subgrpid, uint32_t* nfifos, uint32_t* fifoids) {
  return (int32_t)CNK_SPI_SYSCALL_3(QUERY_INJ_FIFOS, subgrpid, nfifos, fifoids);
}
__INLINE__ int32_t Kernel_QueryRecFifos(uint32_t subgrpid, uint32_t* nfifos, uint32_t* fifoids) {
  return (int32_t)CNK_SPI_SYSCALL_3(QUERY_REC_FIFOS, subgrpid, nfifos, fifoids);
}
__INLINE__ int32_t Kernel_QueryBaseAddressTable(uint32_t subgrpid, uint32_t* nbatids, uint32_t* batids) {
  return (int32_t)CNK_SPI_SYSCALL_3(QUERY_BASE_ADDRESS_TABLE, subgrpid, nbatids, batids);
}

/* Takes them; the structure is for those of this call alone. EAGAIN: one is taken. An attribute for each. */
__INLINE__ int32_t Kernel_AllocateInjFifos(uint32_t subgrpid, MUSPI_InjFifoSubGroup_t* sg_ptr, uint32_t nfifos,
                                           uint32_t* fifoids, Kernel_InjFifoAttributes_t* fifoAttrs) {
  return (int32_t)CNK_SPI_SYSCALL_5(ALLOCATE_INJ_FIFOS, subgrpid, sg_ptr, nfifos, fifoids, fifoAttrs);
}
__INLINE__ int32_t Kernel_AllocateRecFifos(uint32_t subgrpid, MUSPI_RecFifoSubGroup_t* sg_ptr, uint32_t nfifos,
                                           uint32_t* fifoids, Kernel_RecFifoAttributes_t* fifoAttrs) {
  return (int32_t)CNK_SPI_SYSCALL_5(ALLOCATE_REC_FIFOS, subgrpid, sg_ptr, nfifos, fifoids, fifoAttrs);
}
__INLINE__ int32_t Kernel_AllocateBaseAddressTable(uint32_t subgrpid, MUSPI_BaseAddressTableSubGroup_t* sg_ptr,
                                                   uint32_t nbatids, uint32_t* batids, uint32_t system) {
  return (int32_t)CNK_SPI_SYSCALL_5(ALLOCATE_BASE_ADDRESS_TABLE, subgrpid, sg_ptr, nbatids, batids, system);
}

/* Gives them back. */
__INLINE__ int32_t Kernel_DeallocateInjFifos(MUSPI_InjFifoSubGroup_t* sg_ptr, uint32_t nfifos, uint32_t* fifoids) {
  return (int32_t)CNK_SPI_SYSCALL_3(DEALLOC_INJ_FIFOS, sg_ptr, nfifos, fifoids);
}
__INLINE__ int32_t Kernel_DeallocateRecFifos(MUSPI_RecFifoSubGroup_t* sg_ptr, uint32_t nfifos, uint32_t* fifoids) {
  return (int32_t)CNK_SPI_SYSCALL_3(DEALLOC_REC_FIFOS, sg_ptr, nfifos, fifoids);
}
__INLINE__ int32_t Kernel_DeallocateBaseAddressTable(MUSPI_BaseAddressTableSubGroup_t* sg_ptr, uint32_t nbatids,
                                                     uint32_t* batids) {
  return (int32_t)CNK_SPI_SYSCALL_3(DEALLOC_BASE_ADDR_TABLE, sg_ptr, nbatids, batids);
}

/* The ring's memory: from startoffset on in a region, size_1 + 1 bytes. It begins empty. */
__INLINE__ void bgq_init_fifo(MUSPI_Fifo_t* fifo, const Kernel_MemoryRegion_t* memregion, uint64_t startoffset,
                              uint64_t size_1) {
  MUHWI_Fifo_t* const hardware = fifo->hwfifo;
  const uint64_t pa = (uint64_t)memregion->BasePa + startoffset;
  char* const va = (char*)memregion->BaseVa + startoffset;
  fifo->va_start = va;
  fifo->pa_start = pa;
  hardware->pa_start = pa;
  fifo->va_head = va;
  hardware->pa_head = pa;
  fifo->va_tail = va;
  hardware->pa_tail = pa;
  fifo->size_1 = size_1;
  hardware->size_1 = size_1;
  fifo->va_end = va + size_1 + 1;
}
/* Start and bytes are multiples of 64. */
__INLINE__ int32_t Kernel_InjFifoInit(MUSPI_InjFifoSubGroup_t* sg_ptr, uint32_t fifoid,
                                      Kernel_MemoryRegion_t* memregion, uint64_t startoffset, uint64_t size_1) {
  MUSPI_InjFifo_t* injfifo = NULL;
  MUSPI_assert(sg_ptr != NULL);
  MUSPI_assert(fifoid < BGQ_MU_NUM_INJ_FIFOS_PER_SUBGROUP);
  MUSPI_assert(((uint64_t)memregion->BaseVa + startoffset) % 64 == 0);
  MUSPI_assert((size_1 + 1) % 64 == 0);
  MUSPI_assert(size_1 + 1 >= BGQ_MU_MIN_INJFIFO_SIZE_IN_BYTES);
  MUSPI_assert(startoffset < memregion->Bytes);
  injfifo = &sg_ptr->_injfifos[fifoid];
  bgq_init_fifo(&injfifo->_fifo, memregion, startoffset, size_1);
  injfifo->freeSpace = injfifo->hw_injfifo->freeSpace;
  return 0;
}
/* Start and bytes are multiples of 32. */
__INLINE__ int32_t Kernel_RecFifoInit(MUSPI_RecFifoSubGroup_t* sg_ptr, uint32_t fifoid,
                                      Kernel_MemoryRegion_t* memregion, uint64_t startoffset, uint64_t size_1) {
  MUSPI_assert(sg_ptr != NULL);
  MUSPI_assert(fifoid < BGQ_MU_NUM_REC_FIFOS_PER_SUBGROUP);
  MUSPI_assert(((uint64_t)memregion->BaseVa + startoffset) % 32 == 0);
  MUSPI_assert((size_1 + 1) % 32 == 0);
  MUSPI_assert(size_1 + 1 >= BGQ_MU_MIN_RECFIFO_SIZE_IN_BYTES);
  bgq_init_fifo(&sg_ptr->_recfifos[fifoid]._fifo, memregion, startoffset, size_1);
  return 0;
}

/* Starts FIFOs, or stops them: a message that has begun is sent. */
__INLINE__ int32_t Kernel_InjFifoActivate(MUSPI_InjFifoSubGroup_t* sg_ptr, uint32_t nfifos, uint32_t* fifoids,
                                          uint32_t activate) {
  const uint32_t first = sg_ptr->subgroupid % BGQ_MU_NUM_FIFO_SUBGROUPS * BGQ_MU_NUM_INJ_FIFOS_PER_SUBGROUP;
  uint64_t bits = 0;
  uint32_t i;
  MUSPI_assert(activate == KERNEL_INJ_FIFO_ACTIVATE || activate == KERNEL_INJ_FIFO_DEACTIVATE);
  for (i = 0; i < nfifos; ++i) {
    MUSPI_assert(fifoids[i] < BGQ_MU_NUM_INJ_FIFOS_PER_SUBGROUP);
    bits |= 0x80000000ull >> (first + fifoids[i]);
  }
  if (activate == KERNEL_INJ_FIFO_ACTIVATE)
    sg_ptr->groupStatus->enable = bits;
  else
    sg_ptr->groupStatus->disable = bits;
  return 0;
}
/* Starts reception FIFOs of a group, 0 to 16: FIFO f of its subgroup s is bit 15 - (4 s + f). A program cannot stop
 * them. */
__INLINE__ int32_t Kernel_RecFifoEnable(uint32_t groupid, uint64_t enableBits) {
  return (int32_t)CNK_SPI_SYSCALL_2(REC_FIFO_ENABLE, groupid, enableBits);
}
__INLINE__ int32_t Kernel_RecFifoDisable(uint32_t groupid, uint64_t disableBits) {
  (void)groupid;
  (void)disableBits;
  return 0;
}

/* Interrupts of FIFOs, and whether those of a subgroup go to the node's own. */
__INLINE__ int32_t Kernel_ConfigureInjFifoInterrupts(MUSPI_InjFifoSubGroup_t* sg_ptr, uint32_t nfifos,
                                                     uint32_t* fifoids, Kernel_InjFifoInterrupts_t* fifoInterrupts) {
  return (int32_t)CNK_SPI_SYSCALL_4(CFG_INJ_FIFO_INTS, sg_ptr, nfifos, fifoids, fifoInterrupts);
}
__INLINE__ int32_t Kernel_ConfigureRecFifoInterrupts(MUSPI_RecFifoSubGroup_t* sg_ptr, uint32_t nfifos,
                                                     uint32_t* fifoids, Kernel_RecFifoInterrupts_t* fifoInterrupts) {
  return (int32_t)CNK_SPI_SYSCALL_4(CFG_REC_FIFO_INTS, sg_ptr, nfifos, fifoids, fifoInterrupts);
}
__INLINE__ int32_t Kernel_Configure_MU_GEA(uint32_t subgrpid, uint64_t gea_flag) {
  return (int32_t)CNK_SPI_SYSCALL_2(CFG_MU_GEA, subgrpid, gea_flag);
}

/* Free space at which FIFOs cross their threshold, of the whole node: units of 64 bytes for injection FIFOs that rise
 * above it, of 32 for those of remote gets and of reception that fall below it. Pointers may be NULL. */
__INLINE__ int32_t Kernel_GetInjFifoThresholds(uint64_t* normalThreshold, uint64_t* remoteGetThreshold) {
  if (normalThreshold != NULL) *normalThreshold = DCRReadUser(MU_DCR(IMU_THOLD));
  if (remoteGetThreshold != NULL) *remoteGetThreshold = DCRReadUser(MU_DCR(RGET_THOLD));
  return 0;
}
__INLINE__ int32_t Kernel_ConfigureInjFifoThresholds(uint64_t* normalThreshold, uint64_t* remoteGetThreshold) {
  return (int32_t)CNK_SPI_SYSCALL_2(CFG_INJ_FIFO_THRESH, normalThreshold, remoteGetThreshold);
}
__INLINE__ int32_t Kernel_GetRecFifoThreshold(uint64_t* threshold) {
  *threshold = DCRReadUser(MU_DCR(RMU_THOLD));
  return 0;
}
__INLINE__ int32_t Kernel_ConfigureRecFifoThreshold(uint64_t threshold) {
  return (int32_t)CNK_SPI_SYSCALL_1(CFG_REC_FIFO_THRESH, threshold);
}

/// Tokens of a link's virtual channel. Declared and not defined, as on the machine: the kernel of compute nodes has no
/// such call. Programs that define it themselves rely on the declaration, which says how it is linked.
__INLINE__ int32_t Kernel_GetNDExpectedTokens(uint32_t link_id, uint32_t vc, uint32_t* token_ptr);
/// The same for all virtual channels, as the link's DCR has them.
__INLINE__ int32_t Kernel_GetNDExpectedTokensDCR(uint32_t link_id, uint64_t* token_ptr);

/* For the kernel alone. */
__INLINE__ int32_t Kernel_DropPacketsOnLink(uint32_t link_id, uint32_t drop_user, uint32_t drop_system) {
  (void)link_id, (void)drop_user, (void)drop_system;
  return ENOSYS;
}
__INLINE__ int32_t Kernel_EnableSenderAndDropPacketsOnLink(uint32_t link_id, uint32_t drop_user, uint32_t drop_system) {
  (void)link_id, (void)drop_user, (void)drop_system;
  return ENOSYS;
}

__END_DECLS

#endif
