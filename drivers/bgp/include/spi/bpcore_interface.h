/* SPDX-License-Identifier: Apache-2.0 */
/* What the SPI needs of the chip: scratch memory, and the interrupt group of the DMA. */
#ifndef _BGP_BPCORE_INT_H_
#define _BGP_BPCORE_INT_H_

#define _BGP_UA_SCRATCH 0x4 /* bits 32 to 35 of its physical address */
#define _BGP_PA_SCRATCH 0x00000000
#define _BGP_PS_SCRATCH (8 * 1024 * 1024)
#define _BGP_PM_SCRATCH 0x007FFFFF

#define _BGP_IC_DMA_NFT_G3_HIER_POS 3
#define _BGP_IC_DMA_NFT_G3_UNIT_NUM 3
#define _BGP_IC_DMA_NFT_G3_UNIT_POS 0
#define _BGP_IC_DMA_NFT_G3_UNIT_SIZE 32
#define _BGP_IC_DMA_NFT_G3_UNIT_MASK 0xFFFFFFFF

#endif
