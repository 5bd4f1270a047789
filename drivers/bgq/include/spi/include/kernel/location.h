/* SPDX-License-Identifier: Apache-2.0 */
/* Where a thread runs, and where the ranks of the job are. */
#ifndef _KERNEL_LOCATION_H_
#define _KERNEL_LOCATION_H_

#include <spi/include/kernel/process.h>

/* Coordinates of a rank, relative to the job's corner; t is the process of the node. */
typedef struct {
  uint32_t e : 1;
  uint32_t reserved : 1;
  uint32_t a : 6;
  uint32_t b : 6;
  uint32_t c : 6;
  uint32_t d : 6;
  uint32_t t : 6;
} BG_CoordinateMapping_t;

/* The job's place and size in the block. */
typedef struct {
  struct {
    uint8_t a, b, c, d, e, core;
  } corner;
  struct {
    uint8_t a, b, c, d, e, core;
  } shape;
  uint8_t isSubBlock;
} BG_JobCoords_t;

__BEGIN_DECLS

/* Core 0 to 16 and thread 0 to 3 of it; both in one number, core x 4 + thread. */
__INLINE__ uint32_t Kernel_ProcessorID(void) {
  return (uint32_t)bgq_thread_field(SPRG_SPIinfo_HWTindex, 0x7F);
}
__INLINE__ uint32_t Kernel_ProcessorCoreID(void) {
  return Kernel_ProcessorID() >> 2;
}
__INLINE__ uint32_t Kernel_ProcessorThreadID(void) {
  return Kernel_ProcessorID() & 3;
}
__INLINE__ uint32_t Kernel_PhysicalProcessorID(void) {
  return Kernel_ProcessorCoreID();
}
__INLINE__ uint32_t Kernel_PhysicalHWThreadID(void) {
  return Kernel_ProcessorThreadID();
}
__INLINE__ uint32_t Kernel_PhysicalHWThreadIndex(void) {
  return Kernel_ProcessorID();
}

/* The process of the node; its rank in the job. */
__INLINE__ uint32_t Kernel_MyTcoord(void) {
  const uint32_t first = (uint32_t)bgq_thread_field(SPRG_SPIinfo_AppLeaderCore, 0xF) * 4;
  return (Kernel_ProcessorID() - first) / Kernel_ProcessorCount();
}
__INLINE__ uint32_t Kernel_GetRank(void) {
  return (uint32_t)CNK_SPI_SYSCALL_0(GETRANK);
}

/* All ranks: `mapsize` is the bytes of `map`, *numentries becomes their number. 0, EINVAL (it is too small), EFAULT. */
__INLINE__ uint32_t Kernel_RanksToCoords(size_t mapsize, BG_CoordinateMapping_t* map, uint64_t* numentries) {
  return (uint32_t)CNK_SPI_SYSCALL_3(RANKS2COORDS, mapsize, map, numentries);
}
__INLINE__ uint32_t Kernel_JobCoords(BG_JobCoords_t* sblock) {
  return (uint32_t)CNK_SPI_SYSCALL_1(JOBCOORDS, sblock);
}
/* The order of ranks, as "ABCDET", or the name of the file that says it. */
__INLINE__ uint32_t Kernel_GetMapping(size_t namesize, char* name, uint32_t* isFile) {
  return (uint32_t)CNK_SPI_SYSCALL_3(GETMAPPING, namesize, name, isFile);
}

/* The processor's version: SPRN_PVR_DD2. */
__INLINE__ uint32_t Kernel_GetPVR(uint32_t* pvr) {
  return (uint32_t)CNK_SPI_SYSCALL_1(GETPVR, pvr);
}

/* Of all hardware threads of the block: node x 68 + thread. */
__INLINE__ uint32_t Kernel_BlockThreadId(void) {
  Personality_t personality;
  uint32_t node = 0;
  if (Kernel_GetPersonality(&personality, sizeof personality) == 0) {
    const Personality_Networks_t* const net = &personality.Network_Config;
    node = net->Acoord;
    node = node * net->Bnodes + net->Bcoord;
    node = node * net->Cnodes + net->Ccoord;
    node = node * net->Dnodes + net->Dcoord;
    node = node * net->Enodes + net->Ecoord;
  }
  return node * 68 + Kernel_ProcessorID();
}

__END_DECLS

#endif
