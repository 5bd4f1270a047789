// SPDX-License-Identifier: Apache-2.0
/// Messages between two ranks inside a collective operation. The receivers know all of them before the first is sent
/// (collectives.h), so each has a destination. For the layer's own files only.
#ifndef TOROID_FIRMWARE_MSGLAYER_PASS_H
#define TOROID_FIRMWARE_MSGLAYER_PASS_H

#include "firmware/bgl/msglayer/msglayer.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Messages up to this size in bytes use the eager protocol: about the limit in the machine's MPI, which is recalled
/// and was not checked in a document. For shorter messages, the two additional crossings of a rendezvous take longer
/// than the message.
enum { BGLML_PASS_EAGER_MAX = 1000 };

typedef union {
  bglml_message_t base;
  bglml_eager_t eager;
  bglml_rendezvous_t rendezvous;
} bglml_pass_send_t;

typedef union {
  bglml_eager_receive_t eager;
  bglml_rendezvous_receive_t rendezvous;
} bglml_pass_receive_t;

/// Destination of a message.
typedef struct {
  bglml_pass_receive_t* receive;  ///< NULL: it must wait for bglml_pass_accept() with its offer
  void* buffer;
  bglml_done_t recvdone;
  void* context;
} bglml_pass_place_t;

/// Returns the destination of the message of `length` bytes from `source` with `tag`. `offer` is NULL if it cannot
/// wait.
typedef bglml_pass_place_t (*bglml_pass_arrival_t)(uint32_t source, uint32_t tag, uint32_t length,
                                                   const bglml_rendezvous_offer_t* offer);

/// Operations that may send such messages.
typedef enum {
  BGLML_PASS_BROADCAST_DEPOSIT,  ///< as in bglml_broadcast_t; if it uses messages
  BGLML_PASS_BROADCAST_NEIGHBOURS,
  BGLML_PASS_BROADCAST_BINOMIAL,
  BGLML_PASS_TREE_BROADCAST,
  BGLML_PASS_ALLTOALL_AT_ONCE,
  BGLML_PASS_ALLTOALL_PAIRS,
  BGLML_PASS_ALLTOALLV,
  BGLML_PASS_ALLGATHERV,
  BGLML_PASS_KINDS
} bglml_pass_kind_t;

/// A call of an operation, which must be the same at all ranks. Every message carries it and is checked on arrival, so
/// that ranks that make different calls do not accept each other's messages.
typedef struct {
  uint32_t number;         ///< of such operations begun before, modulo 2^32
  uint32_t kind_and_root;  ///< a bglml_pass_kind_t in the highest byte; the other bits all ones: no root
  uint32_t bytes;          ///< 0 if each rank has its own counts
} bglml_pass_call_t;

typedef struct {
  bglml_pass_arrival_t arrival;  ///< of the operation in progress
  bglml_pass_call_t call;        ///< of that operation, or the latest one
  bglml_port_t eager, rendezvous;
} bglml_passing_t;

void bglml_passing_init(bglml_passing_t* passing);

/// Begins an operation, before its barrier. `root` may be BGLML_NO_RANK. Without `arrival`, no messages are expected
/// yet.
void bglml_pass_begin(bglml_pass_kind_t kind, uint32_t root, uint32_t bytes, bglml_pass_arrival_t arrival);

/// Sends a message, eager or by rendezvous.
void bglml_pass(bglml_pass_send_t* send, uint32_t peer, uint32_t tag, const void* buffer, uint32_t bytes,
                bool rendezvous, bglml_done_t senddone, void* context);

void bglml_pass_accept(const bglml_rendezvous_offer_t* offer, const bglml_pass_place_t* place);

#ifdef __cplusplus
}
#endif

#endif
