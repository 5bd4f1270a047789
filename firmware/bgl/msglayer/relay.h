// SPDX-License-Identifier: Apache-2.0
/// A broadcast by messages between ranks. The pieces of the message travel in slices from rank to rank, each piece
/// along its own tree; a rank forwards a slice as soon as it has received it. For the layer's own files only.
#ifndef TOROID_FIRMWARE_MSGLAYER_RELAY_H
#define TOROID_FIRMWARE_MSGLAYER_RELAY_H

#include "firmware/bgl/msglayer/pass.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  /// Bytes. A slice costs a rendezvous (some 4500 cycles, of which it transfers during those of its neighbours) and its
  /// length once for every rank on its way; a link carries 16 KB in 74,000 cycles.
  BGLML_SLICE = 16384,
  BGLML_SLICES_AHEAD = 2,  ///< slices in flight between two ranks: one is transferred while the next is requested
  BGLML_RELAY_PIECES = 6,
  BGLML_EDGES_MAX = 24,  ///< a binomial tree has as many as a rank has bits
};

/// From this rank to another.
typedef struct {
  uint32_t peer;
  uint32_t piece;
  uint32_t posted;  ///< slices
  struct {
    bool busy;
    bglml_pass_send_t send;
  } slots[BGLML_SLICES_AHEAD];
} bglml_edge_t;

/// A piece as it comes in.
typedef struct {
  uint8_t* buffer;
  uint32_t bytes;
  uint32_t slices;
  uint32_t received;  ///< consecutive slices received
  struct {
    bool busy;      ///< a slice is being received
    bool complete;  ///< and is complete
    bool deferred;  ///< the next one for this place has already been offered
    bglml_rendezvous_offer_t offer;
    bglml_pass_receive_t receive;
  } slots[BGLML_SLICES_AHEAD];
} bglml_intake_t;

typedef struct {
  uint32_t pieces;
  uint32_t edge_count;
  uint32_t changed;  ///< a slice has arrived or was sent
  bglml_intake_t intakes[BGLML_RELAY_PIECES];
  bglml_edge_t edges[BGLML_EDGES_MAX];
} bglml_relay_t;

/// Begins with a message split into `pieces` pieces. `own`: all data is already here.
void bglml_relay_prepare(bglml_relay_t* relay, void* buffer, uint32_t bytes, uint32_t pieces, bool own);
void bglml_relay_edge(bglml_relay_t* relay, uint32_t peer, uint32_t piece);

/// Receives what has arrived and forwards what may be sent. Returns whether all is done.
bool bglml_relay_progress(bglml_relay_t* relay);

/// After the preparation at all ranks and a barrier: receives and forwards until all is done.
void bglml_relay_run(bglml_relay_t* relay);

#ifdef __cplusplus
}
#endif

#endif
