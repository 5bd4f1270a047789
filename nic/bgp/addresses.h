// SPDX-License-Identifier: Apache-2.0
/// Where a Blue Gene/P node has the devices that other machines have as well (nic/torus, nic/collective): plain C11 and
/// C++17.
///
/// Source: bgp_dcrmap.h and bgp_physmap.h of the machine's public drivers.
#ifndef TOROID_NIC_BGP_ADDRESSES_H_
#define TOROID_NIC_BGP_ADDRESSES_H_

/// Physical address of the tree's FIFO windows.
#define BGP_TREE_BASE 0x610000000u

// Numbers of first device control registers.
#define BGP_TREE_DCR_BASE 0xC00u
#define BGP_TORUS_DCR_BASE 0xC80u

#endif  // TOROID_NIC_BGP_ADDRESSES_H_
