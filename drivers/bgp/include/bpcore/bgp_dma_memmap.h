/* SPDX-License-Identifier: Apache-2.0 */
/* Where a process sees the registers of the DMA: a page a group. nic/bgp/dma_regs.h has the registers. */
#ifndef _BGP_DMA_MEMMAP_H_
#define _BGP_DMA_MEMMAP_H_

#include <cnk/bgp_VirtualMap.h>

#include "nic/bgp/dma_regs.h"

#define _BGP_VA_DMA_GROUP(g) (_BGP_VA_DMA + (g)*BGP_VA_DMA_GROUP_STRIDE)

#endif
