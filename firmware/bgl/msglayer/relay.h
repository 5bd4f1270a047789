// SPDX-License-Identifier: Apache-2.0
/// A broadcast by messages between ranks. The pieces of the message go in slices from rank to rank, each piece over a
/// tree of its own; a rank passes a slice on as soon as it has it. For the layer's own files only.
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
  BGLML_SLICES_AHEAD = 2,  ///< on their way from a rank to another: one is transferred while the next is asked for
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
  uint32_t received;  ///< slices without a gap
  struct {
    bool busy;      ///< a slice comes in
    bool complete;  ///< and has come
    bool deferred;  ///< the next one of this place is offered already
    bglml_rendezvous_offer_t offer;
    bglml_pass_receive_t receive;
  } slots[BGLML_SLICES_AHEAD];
} bglml_intake_t;

typedef struct {
  uint32_t pieces;
  uint32_t edge_count;
  uint32_t changed;  ///< a slice has come or gone
  bglml_intake_t intakes[BGLML_RELAY_PIECES];
  bglml_edge_t edges[BGLML_EDGES_MAX];
} bglml_relay_t;

/// Begin with a message cut into `pieces` pieces. `own`: all is here already.
void bglml_relay_prepare(bglml_relay_t* relay, void* buffer, uint32_t bytes, uint32_t pieces, bool own);
void bglml_relay_edge(bglml_relay_t* relay, uint32_t peer, uint32_t piece);

/// Take in what has come and pass on what may go. Returns whether all is done.
bool bglml_relay_progress(bglml_relay_t* relay);

/// After a barrier behind all ranks' preparation: receive and pass on until all is done.
void bglml_relay_run(bglml_relay_t* relay);

#ifdef __cplusplus
}
#endif

#endif
