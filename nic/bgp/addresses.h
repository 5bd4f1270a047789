// SPDX-License-Identifier: Apache-2.0
/// Where a Blue Gene/P node has its devices: plain C11 and C++17. Where the kernel maps them for programs:
/// kernel_services.h. The DMA engine's are in dma_regs.h.
///
/// Sources: physmem.h and io.h of Plan 9 for the machine (HARE), bgp.h of its boot loader (Kittyhawk), bgp_dcrmap.h.
#ifndef TOROID_NIC_BGP_ADDRESSES_H_
#define TOROID_NIC_BGP_ADDRESSES_H_

// Physical addresses, of 36 bits.
#define BGP_TREE_BASE 0x610000000u /* of virtual channel 0; channel 1 follows TREE_GROUP_STRIDE later */
#define BGP_LOCKBOX_BASE 0x7FFFF4000u
#define BGP_SRAM_BASE 0x7FFFF8000u
#define BGP_SRAM_BYTES 0x8000u

// Numbers of first device control registers.
#define BGP_TREE_DCR_BASE 0xC00u
#define BGP_TORUS_DCR_BASE 0xC80u

#endif  // TOROID_NIC_BGP_ADDRESSES_H_
