/* SPDX-License-Identifier: Apache-2.0 */
/* The PowerPC 450 as user code sees it: caches, and the special registers that it may read. The machine's header also
 * has the privileged registers. */
#ifndef _PPC450_CORE_H_
#define _PPC450_CORE_H_

#include <common/bgp_bitnumbers.h>
#include <common/namespace.h>

#define _BGP_NUM_CORES 4

#define L1I_CACHE_LINES 1024
#define L1I_CACHE_LINE_SIZE 32
#define L1I_CACHE_MASK 0xFFFFFFE0
#define L1I_CACHE_BYTES (L1I_CACHE_LINES * L1I_CACHE_LINE_SIZE)
#define L1D_CACHE_LINES 1024
#define L1D_CACHE_LINE_SIZE 32
#define L1D_CACHE_MASK 0xFFFFFFE0
#define L1D_CACHE_BYTES (L1D_CACHE_LINES * L1D_CACHE_LINE_SIZE)
#define L1D_CACHE_ASSOC 64
#define L1D_CACHE_WAYS 64
#define L1D_CACHE_SETS 16

#define SPRN_XER 0x001
#define SPRN_LR 0x008
#define SPRN_CTR 0x009
#define SPRN_USPRG0 0x100
#define SPRN_SPRG4RO 0x104 /* the kernel's words for user code: cnk/bgp_SPRG_Usage.h */
#define SPRN_SPRG5RO 0x105
#define SPRN_SPRG6RO 0x106
#define SPRN_SPRG7RO 0x107
#define SPRN_TBRL 0x10C
#define SPRN_TBRU 0x10D
#define SPRN_PIR 0x11E
#define SPRN_PVR 0x11F
#define PIR_PIN(x) _B8(31, x)

#endif
