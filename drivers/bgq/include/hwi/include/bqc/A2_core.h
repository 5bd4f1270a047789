/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of the core's special registers: those that a program may read. */
#ifndef _A2_CORE_H_
#define _A2_CORE_H_

#include <hwi/include/common/bgq_bitnumbers.h>

#define SPRN_XER 0x001
#define SPRN_LR 0x008
#define SPRN_CTR 0x009
#define SPRN_VRSAVE 0x100
#define SPRN_SPRG3RO 0x103
#define SPRN_SPRG4RO 0x104
#define SPRN_SPRG5RO 0x105
#define SPRN_SPRG6RO 0x106
#define SPRN_SPRG7RO 0x107 /* what the kernel tells of the hardware thread: cnk/include/SPRG_Usage.h */
#define SPRN_TBRO 0x10C    /* the time base, all 64 bits */
#define SPRN_TBLRO 0x10C
#define SPRN_TBURO 0x10D

/* Lines of the first level's caches. */
#define L1I_CACHE_LINE_SIZE 64
#define L1D_CACHE_LINE_SIZE 64

/* Versions of the processor, of which Kernel_GetPVR() gives the second. */
#define SPRN_PVR_DD1 0x490000
#define SPRN_PVR_DD2 0x490200

#endif
