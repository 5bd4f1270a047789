/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of a core's wake-up unit, by their places in an array of doublewords that begins WAKEUP_OFFSET_FROM_L1P
 * behind the L1 prefetcher's. */
#ifndef WU_MMIO_H
#define WU_MMIO_H

#include <hwi/include/bqc/PhysicalMap.h>

#define WAKEUP_OFFSET_FROM_L1P 0x1c00
#define WAKEUP_BASE ((unsigned long*)(PHYMAP_MINADDR_L1P + PHYMAP_PRIVILEGEDOFFSET + WAKEUP_OFFSET_FROM_L1P))
#define WAKEUP_BASE_USER ((unsigned long*)(PHYMAP_MINADDR_L1P + WAKEUP_OFFSET_FROM_L1P))

/* Comparator N: an address, and which of its bits are compared. */
#define WAC_BASE(N) (((N)*0x40) / sizeof(unsigned long))
#define WAC_ENABLE(N) ((0x20 + (N)*0x40) / sizeof(unsigned long))
#define WAC_TTYPES (0x2d0 / sizeof(unsigned long))
#define WU_USER_ACCESS (0x2c8 / sizeof(unsigned long))
#define SET_GUARD (0x1e8 / sizeof(unsigned long))
#define CLEAR_GUARD (0x1f0 / sizeof(unsigned long))

/* Events of thread i of the core, fields of wu_dcr.h: writing sets or clears bits, reading gives them. */
#define SET_THREAD(i) ((0x300 + (i)*0x40) / sizeof(unsigned long))
#define CLEAR_THREAD(i) ((0x320 + (i)*0x40) / sizeof(unsigned long))

#endif
