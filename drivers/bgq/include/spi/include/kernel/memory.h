/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory regions: pieces of a process's memory that are contiguous and stay where they are. Descriptors and base
 * addresses need physical addresses; that of `va` is va - BaseVa + BasePa.
 */
#ifndef _KERNEL_MEMORY_H_
#define _KERNEL_MEMORY_H_

#include <cnk/include/Config.h>
#include <cnk/include/SPI_syscalls.h>
#include <fcntl.h>
#include <firmware/include/VirtualMap.h>
#include <limits.h>
#include <spi/include/kernel/cnk/kernel_impl.h>
#include <stdio.h>

typedef struct Kernel_MemoryRegion {
  size_t Bytes;
  void* BaseVa;
  void* BasePa;
} __attribute__((__packed__)) Kernel_MemoryRegion_t;

__BEGIN_DECLS

/* Regions that have been asked for: the kernel is called once for each segment. In the library. */
typedef struct CNKSPI_MemoryRegionCacheElement {
  void* startPtr;
  void* endPtr; /* the last byte */
  void* PA;
  uint64_t bytes;
} CNKSPI_MemoryRegionCacheElement_t;
#define CNKSPI_MAX_NUM_CACHED_MEMORY_REGIONS 5

extern CNKSPI_MemoryRegionCacheElement_t _cnkspi_MemoryRegionCache[];
extern uint64_t _cnkspi_MemoryRegionCacheNumElements;
extern uint64_t _cnkspi_MemoryRegionCacheLastAccessedElementNumber;
extern uint64_t _cnkspi_MemoryRegionCacheLock;

/* Asks the kernel, and keeps the answer. */
uint32_t bgq_create_memory_region(Kernel_MemoryRegion_t* memregion, void* base_virtualaddress, size_t requested_size);
/* The element whose memory has this physical address, or NULL. */
const CNKSPI_MemoryRegionCacheElement_t* bgq_find_physical(const void* PA);

/* The segment in which the bytes lie: it is larger than what was asked for. 0, EINVAL: they are no memory of the
 * process. */
__INLINE__ uint32_t Kernel_CreateMemoryRegion(Kernel_MemoryRegion_t* memregion, void* base_virtualaddress,
                                              size_t requested_size) {
  const uint64_t last = _cnkspi_MemoryRegionCacheLastAccessedElementNumber;
  const CNKSPI_MemoryRegionCacheElement_t* const element = &_cnkspi_MemoryRegionCache[last];
  if ((char*)base_virtualaddress < (char*)element->startPtr ||
      (char*)base_virtualaddress + requested_size - 1 > (char*)element->endPtr)
    return bgq_create_memory_region(memregion, base_virtualaddress, requested_size);
  memregion->Bytes = element->bytes;
  memregion->BaseVa = element->startPtr;
  memregion->BasePa = element->PA;
  return 0;
}
__INLINE__ uint32_t Kernel_DestroyMemoryRegion(Kernel_MemoryRegion_t* memregion) {
  (void)memregion;
  return 0;
}
__INLINE__ uint32_t Kernel_QueryMemoryRegion(Kernel_MemoryRegion_t* memregion, void** base, size_t* bytes) {
  *base = memregion->BaseVa;
  *bytes = memregion->Bytes;
  return 0;
}

/* The same memory as all processes of the node see it, read-only. */
__INLINE__ uint32_t Kernel_CreateGlobalMemoryRegion(const Kernel_MemoryRegion_t* memregion,
                                                    Kernel_MemoryRegion_t* glob_memregion) {
  glob_memregion->Bytes = memregion->Bytes;
  glob_memregion->BasePa = memregion->BasePa;
  glob_memregion->BaseVa = (void*)((uint64_t)memregion->BasePa + CONFIG_GLOBAL_BASE);
  return 0;
}
__INLINE__ uint32_t Kernel_Physical2GlobalVirtual(void* PA, void** GVA) {
  *GVA = (void*)((uint64_t)PA + CONFIG_GLOBAL_BASE);
  return 0;
}
/* Of regions that the process has created. 0, ENOENT. */
__INLINE__ uint32_t Kernel_Physical2Virtual(void* PA, void** VA) {
  const CNKSPI_MemoryRegionCacheElement_t* const element = bgq_find_physical(PA);
  if (element == NULL) return ENOENT;
  *VA = (char*)element->startPtr + ((char*)PA - (char*)element->PA);
  return 0;
}

/* Where programs find operations of the L2 and registers. */
__INLINE__ uint64_t Kernel_L2AtomicsBaseAddress(void) {
  return CONFIG_APP_L2ATOMIC_BASE;
}
__INLINE__ uint64_t Kernel_L1pBaseAddress(void) {
  return VA_MINADDR_L1P;
}
__INLINE__ uint64_t Kernel_FastL1pBaseAddress(void) {
  return CONFIG_FAST_L1P_BASE;
}
__INLINE__ uint64_t Kernel_FastL2BaseAddress(void) {
  return CONFIG_FAST_L2_BASE;
}
__INLINE__ uint64_t Kernel_FirstThreadWakeupWAC(void) {
  return CNK_WAKEUP_SPI_FIRST_WAC;
}
/* 0: a program, 1: the kernel. */
__INLINE__ uint64_t Kernel_GetPrivilegeMode(void) {
  return 0;
}

/* Lets the bytes be used with l2/atomic.h. 0, or EFAULT: they are no memory of the process. */
__INLINE__ uint64_t Kernel_L2AtomicsAllocate(void* atomic_vaddress, size_t length) {
  uint64_t error;
  do {
    error = CNK_SPI_SYSCALL_2(ALLOCATEL2ATOMIC, atomic_vaddress, length);
  } while (error == EAGAIN);
  return error;
}

/* Lists of addresses for the L1 prefetcher. */
__INLINE__ uint64_t Kernel_L1pSetPatternAddress(void* readptr, void* writeptr, size_t size) {
  return CNK_SPI_SYSCALL_3(SETL1PPATTERNADDR, readptr, writeptr, size);
}
__INLINE__ uint64_t Kernel_L1pGetCurrentPatternAddress(void** readptr, void** writeptr) {
  return CNK_SPI_SYSCALL_2(GETL1PCURPATTERNADDR, readptr, writeptr);
}
__INLINE__ uint64_t Kernel_L1pSetCurrentPatternAddress(void* readptr, void* writeptr) {
  return CNK_SPI_SYSCALL_2(SETL1PCURPATTERNADDR, readptr, writeptr);
}
__INLINE__ uint64_t Kernel_SetRollbackIndicator(volatile uint64_t* ptr) {
  return CNK_SPI_SYSCALL_1(ROLLBACKINDICATOR, ptr);
}

enum KERNEL_MEMSIZETYPE {
  KERNEL_MEMSIZE_SHARED = 200,
  KERNEL_MEMSIZE_PERSIST,
  KERNEL_MEMSIZE_HEAPAVAIL,
  KERNEL_MEMSIZE_ESTHEAPAVAIL,
  KERNEL_MEMSIZE_STACKAVAIL,
  KERNEL_MEMSIZE_ESTSTACKAVAIL,
  KERNEL_MEMSIZE_STACK,
  KERNEL_MEMSIZE_ESTSTACK,
  KERNEL_MEMSIZE_HEAP,
  KERNEL_MEMSIZE_GUARD,
  KERNEL_MEMSIZE_HEAPMAX,
  KERNEL_MEMSIZE_MMAP
};
/* Bytes of a kind of memory. 0, EINVAL: no such kind. */
__INLINE__ int Kernel_GetMemorySize(enum KERNEL_MEMSIZETYPE type, uint64_t* size) {
  return (int)CNK_SPI_SYSCALL_2(GETMEMORYSIZE, type, size);
}
__INLINE__ int Kernel_SetLocalFSWindow(size_t fs_size, void* fs_baseaddr) {
  return (int)CNK_SPI_SYSCALL_2(SETLOCALFSWINDOW, fs_size, fs_baseaddr);
}

/* A file in memory that outlives the job. */
__INLINE__ int persist_open(char* name, int oflag, uint32_t mode) {
  char path[4096];
  snprintf(path, sizeof path, "/dev/persist/%s", name);
  return open(path, oflag, mode);
}

__END_DECLS

#endif
