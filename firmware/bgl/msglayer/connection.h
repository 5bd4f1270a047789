// SPDX-License-Identifier: Apache-2.0
/// Connections and their lanes. For the layer's own files only.
#ifndef TOROID_FIRMWARE_MSGLAYER_CONNECTION_H
#define TOROID_FIRMWARE_MSGLAYER_CONNECTION_H

#include "firmware/bgl/msglayer/protocol.h"
#include "firmware/bgl/msglayer/stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Messages to one peer, of which one is sent at a time.
typedef struct bglml_lane {
  bglml_message_t* head;  ///< messages in posting order
  bglml_message_t* tail;
  struct bglml_lane* next;  ///< in the send queue of the FIFO
  bglml_connection_t* connection;
  bglml_outflow_t flow;  ///< sent before the next packet of the message's protocol
  bool queued;           ///< is in the send queue
  bool waiting;          ///< waits for a confirmation: not in the send queue even if it has messages
} bglml_lane_t;

/// How packets reach a peer.
enum { BGLML_PATH_TORUS, BGLML_PATH_SELF, BGLML_PATH_VIRTUAL };

/// The layer's state for a peer. Prepared at the first message to or from it, so that a machine of 65,536 nodes does
/// not pay for peers without messages.
struct bglml_connection {
  bglml_lane_t ordered;            ///< see protocol.h
  bglml_lane_t data;               ///< see protocol.h
  torus_header_t headers[2];       ///< by bglml_routing_t: of a packet to this peer, but for its size, its reception
                                   ///< group and the software words
  bglml_eager_receive_t* receive;  ///< receive queue: the one eager message that is being received, or NULL
  uint8_t queue;                   ///< number of the send queue in which its packets wait for injection
  uint8_t group, fifo;             ///< where its packets are injected
  uint8_t reception_group;         ///< where they arrive
  uint8_t path;                    ///< BGLML_PATH_
  bool prepared;                   ///< this flag shares a cache line with what a packet to the peer needs
  bglml_adaptive_receive_t* adaptive;  ///< receive queue: adaptive messages that are being received
  bglml_control_t confirmation;        ///< to the peer; at most one is in flight (confirmation.c)
  uint32_t asked;                      ///< number of confirmations requested from the peer
  uint32_t confirmed;                  ///< number of confirmations that the peer has requested
  bool unconfirmed;                    ///< the last requested confirmation has not arrived
  bool unfenced;                       ///< packets have been sent that an adaptive packet could overtake
};

#ifdef __cplusplus
}
#endif

#endif
