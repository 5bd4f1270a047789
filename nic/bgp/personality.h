/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The personality of a Blue Gene/P node: what its kernel knows of it and gives programs (GET_PERSONALITY). By offsets
 * in bytes, because its declaration belongs to drivers/bgp/include/common, which checks it against these. Plain C11 and
 * C++17. All words are big-endian.
 *
 * Source: common/bgp_personality.h of jmcadden/EBBlib, version 0x0A.
 */
#ifndef TOROID_NIC_BGP_PERSONALITY_H
#define TOROID_NIC_BGP_PERSONALITY_H

#define BGP_PERSONALITY_BYTES 416
#define BGP_PERSONALITY_VERSION 0x0A

#define BGP_PERSONALITY_CRC_AT 0        /* u16 */
#define BGP_PERSONALITY_VERSION_AT 2    /* u8 */
#define BGP_PERSONALITY_SIZE_WORDS_AT 3 /* u8 */

/* Kernel_Config: words. */
#define BGP_PERSONALITY_UCI_AT 4 /* where the node's card is: BGP_UCI_... */
#define BGP_PERSONALITY_FREQ_MHZ_AT 8
#define BGP_PERSONALITY_RAS_POLICY_AT 12
#define BGP_PERSONALITY_PROCESS_CONFIG_AT 16 /* a byte a process: low nibble cores, high nibble privileges */
#define BGP_PERSONALITY_TRACE_CONFIG_AT 20
#define BGP_PERSONALITY_NODE_CONFIG_AT 24 /* BGP_NODE_... */
#define BGP_PERSONALITY_L1_CONFIG_AT 28
#define BGP_PERSONALITY_L2_CONFIG_AT 32
#define BGP_PERSONALITY_L3_CONFIG_AT 36
#define BGP_PERSONALITY_L3_SELECT_AT 40
#define BGP_PERSONALITY_SHARED_MEM_MB_AT 44

/* DDR_Config, 88 bytes from 56 on. */
#define BGP_PERSONALITY_DDR_SIZE_MB_AT 140 /* u16 */
#define BGP_PERSONALITY_DDR_CHIPS_AT 142   /* u8 */
#define BGP_PERSONALITY_DDR_CAS_AT 143     /* u8 */

/* Network_Config, 64 bytes. */
#define BGP_PERSONALITY_BLOCK_ID_AT 144  /* u32 */
#define BGP_PERSONALITY_X_NODES_AT 148   /* u8 each: X, Y, Z */
#define BGP_PERSONALITY_X_COORD_AT 151   /* u8 each: X, Y, Z */
#define BGP_PERSONALITY_PSET_NUM_AT 154  /* u16 */
#define BGP_PERSONALITY_PSET_SIZE_AT 156 /* u32: compute nodes of the processing set */
#define BGP_PERSONALITY_RANK_IN_PSET_AT 160
#define BGP_PERSONALITY_IO_NODES_AT 164
#define BGP_PERSONALITY_RANK_AT 168 /* of the node */
#define BGP_PERSONALITY_IO_NODE_RANK_AT 172
#define BGP_PERSONALITY_TREE_ROUTES_AT 176 /* u16 each: descriptors of the tree's classes, as its DCRs hold them */
#define BGP_PERSONALITY_TREE_ROUTES 16

/* Ethernet_Config, 200 bytes from 208 on: compute nodes have none. */
#define BGP_PERSONALITY_NFS_MOUNT_DIR_AT 344 /* 32 characters: the block's name */
#define BGP_PERSONALITY_BLOCK_CONFIG_AT 408  /* u8 */

/* NODE_CONFIG: what the node has, and which dimensions are a mesh. */
#define BGP_NODE_LOCKBOX 0x40000000u
#define BGP_NODE_BIC 0x20000000u
#define BGP_NODE_GLOBAL_INTERRUPTS 0x04000000u
#define BGP_NODE_COLLECTIVE 0x02000000u
#define BGP_NODE_TORUS 0x01000000u
#define BGP_NODE_MESH_X 0x00800000u
#define BGP_NODE_MESH_Y 0x00400000u
#define BGP_NODE_MESH_Z 0x00200000u
#define BGP_NODE_DMA 0x00020000u

/* UCI of a compute card (boot loader of Kittyhawk, bgp.h): Rxy-Mm-Nnn-Jjj. */
#define BGP_UCI_COMPONENT_SHIFT 27
#define BGP_UCI_COMPONENT_COMPUTE_CARD 13u
#define BGP_UCI_RACK_ROW_SHIFT 23
#define BGP_UCI_RACK_COLUMN_SHIFT 19
#define BGP_UCI_MIDPLANE_SHIFT 18
#define BGP_UCI_NODE_CARD_SHIFT 14
#define BGP_UCI_COMPUTE_CARD_SHIFT 8
#define BGP_UCI_FIRST_COMPUTE_CARD 4u

#endif
