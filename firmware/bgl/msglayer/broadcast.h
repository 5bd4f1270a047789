// SPDX-License-Identifier: Apache-2.0
/// The broadcast in progress at this rank. For the layer's own files only.
///
/// The packets of a piece arrive one by one, each at its place in the buffer, and the lines that begin here send the
/// data that has arrived from there. So no packet waits for room, and no packet is copied.
#ifndef TOROID_FIRMWARE_MSGLAYER_BROADCAST_H
#define TOROID_FIRMWARE_MSGLAYER_BROADCAST_H

#include "firmware/bgl/msglayer/connection.h"
#include "firmware/bgl/msglayer/protocol.h"
#include "firmware/torus/broadcast_plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A piece: its part of the message, and how much of it has not arrived here.
typedef struct {
  bglml_view_t view;
  uint32_t offset;  ///< of its first byte in the message
  uint32_t length;
  uint32_t remaining;  ///< bytes that have not arrived
} bglml_piece_t;

/// A line that begins here: a message whose bytes arrive while it is sent, on its own connection, which leads to all
/// nodes of the line.
typedef struct {
  bglml_message_t base;
  bglml_connection_t way;
  const bglml_piece_t* piece;
  uint32_t seen;  ///< the piece's `remaining` when last read
  uint32_t next;  ///< byte of the piece at which push continues
  uint32_t full;  ///< bytes, in full packets, that are left to be passed to the stream
  uint32_t word2;
} bglml_line_t;

typedef struct {
  bool active;
  uint8_t handler;
  uint32_t sequence;    ///< of broadcasts, modulo the range of an id
  uint32_t root;        ///< rank
  uint32_t bytes;       ///< of the message
  uint32_t open_lines;  ///< lines that are not completely sent
  uint32_t line_count;
  torus_broadcast_plan_t plan;
  bglml_piece_t pieces[TORUS_PIECES_MAX];
  bglml_line_t lines[TORUS_DIRECTIONS];
} bglml_deposit_t;

/// The plan of this node for a broadcast from a root.
void bglml_plan_here(bglml_coordinates_t root, torus_broadcast_plan_t* plan);

void bglml_deposit_init(bglml_deposit_t* deposit);

/// Take part in a broadcast among the processes that have the same number on their nodes as the root. Every rank of the
/// job calls bglml_deposit_prepare(), then bglml_barrier(), then bglml_deposit_run().
void bglml_deposit_prepare(bglml_deposit_t* deposit, void* buffer, uint32_t bytes, uint32_t root);
void bglml_deposit_run(bglml_deposit_t* deposit);

/// The fallback of the tree's broadcast, if the tree is not available; the caller has checked that the call is allowed.
void bglml_tree_broadcast_by_messages(void* buffer, uint32_t bytes, uint32_t root);

#ifdef __cplusplus
}
#endif

#endif
