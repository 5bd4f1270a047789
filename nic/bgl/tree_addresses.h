// SPDX-License-Identifier: Apache-2.0
/// Where a Blue Gene/L node has its tree device (nic/collective/tree_regs.h): plain C11 and C++17.
///
/// Source: bl_physmap.h and bl_dcrmap.h of the machine's own drivers.
#ifndef TOROID_NIC_BGL_TREE_ADDRESSES_H_
#define TOROID_NIC_BGL_TREE_ADDRESSES_H_

/// Physical address of the FIFO windows. The kernel maps them at the same addresses in user space.
#define BGL_TREE_BASE 0xB0000000u
/// Number of the first device control register.
#define BGL_TREE_DCR_BASE 0x1C0u

#endif  // TOROID_NIC_BGL_TREE_ADDRESSES_H_
