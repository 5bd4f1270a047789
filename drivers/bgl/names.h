// SPDX-License-Identifier: Apache-2.0
/// The names of Blue Gene/L's torus and tree packets as programs for this machine have always written them. The formats
/// are those of both Blue Genes, in nic/torus/torus_packet.h and nic/collective/tree_packet.h, and bear no machine's
/// name there; software of this repository uses those.
#ifndef TOROID_DRIVERS_BGL_NAMES_H_
#define TOROID_DRIVERS_BGL_NAMES_H_

#include "nic/collective/tree_packet.h"
#include "nic/torus/torus_packet.h"

// Torus packets.
// -------------------------------------------------------------------------------------------------------

#define BGL_TORUS_CHUNK_BYTES TORUS_CHUNK_BYTES
#define BGL_TORUS_CHUNK_QUADS TORUS_CHUNK_QUADS
#define BGL_TORUS_CSUM_SKIP_HEADER TORUS_CSUM_SKIP_HEADER
#define BGL_TORUS_HEADER0_CHUNKS_MASK TORUS_HEADER0_CHUNKS_MASK
#define BGL_TORUS_HEADER0_CHUNKS_SHIFT TORUS_HEADER0_CHUNKS_SHIFT
#define BGL_TORUS_HEADER0_CSUM_SKIP_MASK TORUS_HEADER0_CSUM_SKIP_MASK
#define BGL_TORUS_HEADER0_CSUM_SKIP_SHIFT TORUS_HEADER0_CSUM_SKIP_SHIFT
#define BGL_TORUS_HEADER0_DEPOSIT_MASK TORUS_HEADER0_DEPOSIT_MASK
#define BGL_TORUS_HEADER0_DEPOSIT_SHIFT TORUS_HEADER0_DEPOSIT_SHIFT
#define BGL_TORUS_HEADER0_DYNAMIC_MASK TORUS_HEADER0_DYNAMIC_MASK
#define BGL_TORUS_HEADER0_DYNAMIC_SHIFT TORUS_HEADER0_DYNAMIC_SHIFT
#define BGL_TORUS_HEADER0_HINTS_MASK TORUS_HEADER0_HINTS_MASK
#define BGL_TORUS_HEADER0_HINTS_SHIFT TORUS_HEADER0_HINTS_SHIFT
#define BGL_TORUS_HEADER0_PID_MASK TORUS_HEADER0_PID_MASK
#define BGL_TORUS_HEADER0_PID_SHIFT TORUS_HEADER0_PID_SHIFT
#define BGL_TORUS_HEADER0_SK_MASK TORUS_HEADER0_SK_MASK
#define BGL_TORUS_HEADER0_SK_SHIFT TORUS_HEADER0_SK_SHIFT
#define BGL_TORUS_HEADER0_SOFTWARE_MASK TORUS_HEADER0_SOFTWARE_MASK
#define BGL_TORUS_HEADER0_SOFTWARE_SHIFT TORUS_HEADER0_SOFTWARE_SHIFT
#define BGL_TORUS_HEADER0_VC_MASK TORUS_HEADER0_VC_MASK
#define BGL_TORUS_HEADER0_VC_SHIFT TORUS_HEADER0_VC_SHIFT
#define BGL_TORUS_HEADER0_X_MASK TORUS_HEADER0_X_MASK
#define BGL_TORUS_HEADER0_X_SHIFT TORUS_HEADER0_X_SHIFT
#define BGL_TORUS_HEADER1_CHECK_MASK TORUS_HEADER1_CHECK_MASK
#define BGL_TORUS_HEADER1_CHECK_SHIFT TORUS_HEADER1_CHECK_SHIFT
#define BGL_TORUS_HEADER1_SEQUENCE_MASK TORUS_HEADER1_SEQUENCE_MASK
#define BGL_TORUS_HEADER1_SEQUENCE_SHIFT TORUS_HEADER1_SEQUENCE_SHIFT
#define BGL_TORUS_HEADER1_Y_MASK TORUS_HEADER1_Y_MASK
#define BGL_TORUS_HEADER1_Y_SHIFT TORUS_HEADER1_Y_SHIFT
#define BGL_TORUS_HEADER1_Z_MASK TORUS_HEADER1_Z_MASK
#define BGL_TORUS_HEADER1_Z_SHIFT TORUS_HEADER1_Z_SHIFT
#define BGL_TORUS_HEADER_BYTES TORUS_HEADER_BYTES
#define BGL_TORUS_HINT(direction) TORUS_HINT(direction)
#define BGL_TORUS_HINT_X_MINUS TORUS_HINT_X_MINUS
#define BGL_TORUS_HINT_X_PLUS TORUS_HINT_X_PLUS
#define BGL_TORUS_HINT_Y_MINUS TORUS_HINT_Y_MINUS
#define BGL_TORUS_HINT_Y_PLUS TORUS_HINT_Y_PLUS
#define BGL_TORUS_HINT_Z_MINUS TORUS_HINT_Z_MINUS
#define BGL_TORUS_HINT_Z_PLUS TORUS_HINT_Z_PLUS
#define BGL_TORUS_MAX_CHUNKS TORUS_MAX_CHUNKS
#define BGL_TORUS_MAX_QUADS TORUS_MAX_QUADS
#define BGL_TORUS_PACKET_BYTES TORUS_PACKET_BYTES
#define BGL_TORUS_PAYLOAD_BYTES TORUS_PAYLOAD_BYTES
#define BGL_TORUS_QUAD_BYTES TORUS_QUAD_BYTES
#define BGL_TORUS_VC_BUBBLE TORUS_VC_BUBBLE
#define BGL_TORUS_VC_DYNAMIC0 TORUS_VC_DYNAMIC0
#define BGL_TORUS_VC_DYNAMIC1 TORUS_VC_DYNAMIC1
#define BGL_TORUS_VC_PRIORITY TORUS_VC_PRIORITY
#define bgl_torus_be32 torus_be32
#define bgl_torus_chunks0 torus_chunks0
#define bgl_torus_decode torus_decode
#define bgl_torus_encode0 torus_encode0
#define bgl_torus_encode1 torus_encode1
#define bgl_torus_fields_t torus_fields_t
#define bgl_torus_header_t torus_header_t

// Tree packets.
// --------------------------------------------------------------------------------------------------------

#define BGL_TREE_ADD TREE_ADD
#define BGL_TREE_AND TREE_AND
#define BGL_TREE_CLASSES TREE_CLASSES
#define BGL_TREE_H TREE_H
#define BGL_TREE_MAX TREE_MAX
#define BGL_TREE_NONE TREE_NONE
#define BGL_TREE_OR TREE_OR
#define BGL_TREE_PAYLOAD_BYTES TREE_PAYLOAD_BYTES
#define BGL_TREE_PAYLOAD_QUADS TREE_PAYLOAD_QUADS
#define BGL_TREE_PAYLOAD_WORDS TREE_PAYLOAD_WORDS
#define BGL_TREE_TAG_MASK TREE_TAG_MASK
#define BGL_TREE_VCS TREE_VCS
#define BGL_TREE_XOR TREE_XOR
#define bgl_tree_collective_header tree_collective_header
#define bgl_tree_header_class tree_header_class
#define bgl_tree_header_opcode tree_header_opcode
#define bgl_tree_header_tag tree_header_tag
#define bgl_tree_header_words tree_header_words
#define bgl_tree_point_to_point_header tree_point_to_point_header
#define bgl_tree_with_interrupt tree_with_interrupt

#endif  // TOROID_DRIVERS_BGL_NAMES_H_
