/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the kernel of a Blue Gene/Q node tells programs about it: version 8 of the personality, 176 bytes, big-endian,
 * by the offsets of its fields. Plain C11 and C++17.
 *
 * Source: firmware/include/personality.h of IBM's system software of the machine (bgq-driver V1R2M1).
 */
#ifndef TOROID_NIC_BGQ_PERSONALITY_H
#define TOROID_NIC_BGQ_PERSONALITY_H

#define BGQ_PERSONALITY_BYTES 176
#define BGQ_PERSONALITY_VERSION 8

#define BGQ_PERSONALITY_CRC_AT 0          /* 2 bytes */
#define BGQ_PERSONALITY_VERSION_AT 2      /* 1 */
#define BGQ_PERSONALITY_SIZE_WORDS_AT 3   /* 1: of 4 bytes */
#define BGQ_PERSONALITY_UCI_AT 8          /* 8: where the node is in its rack */
#define BGQ_PERSONALITY_FREQ_MHZ_AT 36    /* 4 */
#define BGQ_PERSONALITY_DDR_SIZE_MB_AT 52 /* 4 */
#define BGQ_PERSONALITY_BLOCK_ID_AT 56    /* 4 */
#define BGQ_PERSONALITY_NET_FLAGS_AT 64   /* 8 */
#define BGQ_PERSONALITY_NET_FLAGS2_AT 72  /* 8 */
#define BGQ_PERSONALITY_NODES_AT 80       /* 5 x 1: A to E */
#define BGQ_PERSONALITY_COORDS_AT 85      /* 5 x 1: absolute in the block */
#define BGQ_PERSONALITY_ZONES_AT 100      /* 4 x 4 */
#define BGQ_PERSONALITY_BRIDGE_AT 128     /* 5 x 1 */
#define BGQ_PERSONALITY_GI_LATENCY_AT 136 /* 4: from the root, processor clocks */

/* UCI of a node, Rxy-Mm-Nnn-Jjj: of a compute card on a node board (hwi/include/common/uci.h of the same software) */
#define BGQ_UCI_COMPONENT_SHIFT 58
#define BGQ_UCI_COMPUTE_CARD_ON_NODE_BOARD 13ull
#define BGQ_UCI_ROW_SHIFT 53
#define BGQ_UCI_COLUMN_SHIFT 48
#define BGQ_UCI_MIDPLANE_SHIFT 47
#define BGQ_UCI_NODE_BOARD_SHIFT 43
#define BGQ_UCI_COMPUTE_CARD_SHIFT 38

/* NetFlags: the torus is closed in a dimension, A = 0 to E = 4 */
#define BGQ_NET_TORUS(dimension) (0x80000000000ull >> (dimension))
/* NetFlags2: links that work, by A-, A+, B-, ... E+ = 0 to 9 */
#define BGQ_NET2_LINK(link) (0x8000000000000000ull >> (link))

#endif /* TOROID_NIC_BGQ_PERSONALITY_H */
