// SPDX-License-Identifier: Apache-2.0
/// What OSPRI's messages look like.
///
/// Each message begins with a head, as DCMF's msginfo (in sends) or as the whole message (in controls). Messages that
/// carry blocks of a strided operation have a header at the beginning of their data, too.
#ifndef TOROID_FIRMWARE_OSPRI_DCMF_WIRE_H
#define TOROID_FIRMWARE_OSPRI_DCMF_WIRE_H

#include <dcmf.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
  // Sends.
  OSPRI_PUT,             ///< data for `place`: a put of unordered operation
  OSPRI_ACCUMULATE,      ///< data for `place`, of `type`; value: the scaling
  OSPRI_PUT_BLOCKS,      ///< ospri_blocks_t, then blocks
  OSPRI_ADD_BLOCKS,      ///< the same, to be accumulated
  OSPRI_FETCH,           ///< ospri_fetch_request_t
  OSPRI_FETCHED_BLOCKS,  ///< ospri_fetched_t, then blocks
  OSPRI_COMBINE,         ///< xor of data into `place`
  OSPRI_RMW,             ///< value: the operand, `number` bytes
  OSPRI_RMW_RESULT,      ///< value: what was there
  OSPRI_FLUSH,
  OSPRI_REQUEST,  ///< of a library above; value: its header, `number` bytes
  OSPRI_LOCK,     ///< mutex `number`
  OSPRI_TRY_LOCK,
  OSPRI_UNLOCK,
  // Controls.
  OSPRI_FLUSHED,
  OSPRI_ACKNOWLEDGED,
  OSPRI_LOCKED,  ///< number: 1 if the asker has it
  OSPRI_SHARED,  ///< value: something of the sender that all processes exchange
} ospri_kind_t;

enum {
  OSPRI_LEVELS = 8,
  OSPRI_HEAD_QUADS = 7,
  OSPRI_VALUE_BYTES = 64,  ///< operands of a read-modify-write
  OSPRI_SCALING_BYTES = 16
};

typedef struct {
  uint8_t kind;
  uint8_t type;         ///< A1_datatype_t
  uint8_t operation;    ///< A1_atomic_op_t
  uint8_t acknowledge;  ///< the sender counts confirmations of its messages
  uint32_t number;
  void* place;   ///< in the receiver's memory
  void* origin;  ///< what the answer shall name, or what it names
  unsigned char value[OSPRI_VALUE_BYTES];
} __attribute__((aligned(16), may_alias)) ospri_head_t;

#define OSPRI_HEAD_BYTES offsetof(ospri_head_t, value)

/// Ahead of packed blocks; followed by a count and a stride for each level, and padded to 16 bytes.
typedef struct {
  char* place;  ///< of the whole operation
  uint32_t first, blocks, block;
  uint16_t levels;
  uint16_t type;
  unsigned char scaling[OSPRI_SCALING_BYTES];
} __attribute__((aligned(8))) ospri_blocks_t;

/// Of one level.
typedef struct {
  uint32_t count;
  int32_t stride;
} ospri_level_t;

enum { OSPRI_MOST_PACKET_HEADER = (sizeof(ospri_blocks_t) + OSPRI_LEVELS * sizeof(ospri_level_t) + 15) / 16 * 16 };

typedef struct {
  char* place;
  void* fetch;  ///< of the asker
  uint32_t block;
  uint32_t levels;
  ospri_level_t level[OSPRI_LEVELS];
} ospri_fetch_request_t;

typedef struct {
  void* fetch;
  uint32_t first, blocks;
} __attribute__((aligned(16))) ospri_fetched_t;

#endif
