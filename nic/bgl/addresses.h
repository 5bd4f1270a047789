// SPDX-License-Identifier: Apache-2.0
/// Where a Blue Gene/L node has the devices that other machines have as well (nic/torus, nic/collective): plain C11 and
/// C++17.
///
/// Source: bl_physmap.h and bl_dcrmap.h of the machine's own drivers.
#ifndef TOROID_NIC_BGL_ADDRESSES_H_
#define TOROID_NIC_BGL_ADDRESSES_H_

/// Physical address of the tree's FIFO windows. The kernel maps them at the same addresses in user space.
#define BGL_TREE_BASE 0xB0000000u

// Numbers of first device control registers.
#define BGL_TREE_DCR_BASE 0x1C0u
#define BGL_TORUS_DCR_BASE 0x280u

#endif  // TOROID_NIC_BGL_ADDRESSES_H_
