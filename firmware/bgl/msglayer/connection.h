// SPDX-License-Identifier: Apache-2.0
/// Connections and their lanes. For the layer's own files only.
#ifndef TOROID_FIRMWARE_MSGLAYER_CONNECTION_H
#define TOROID_FIRMWARE_MSGLAYER_CONNECTION_H

#include "firmware/bgl/msglayer/protocol.h"
#include "firmware/bgl/msglayer/stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Messages to one peer of which one sends at a time.
typedef struct bglml_lane {
  bglml_message_t* head;  ///< messages in the order of their posting
  bglml_message_t* tail;
  struct bglml_lane* next;  ///< in the send queue of the FIFO
  bglml_connection_t* connection;
  bglml_outflow_t flow;  ///< goes before what the message's protocol would send
  bool queued;           ///< has its place in the send queue
  bool waiting;          ///< for a confirmation: not in the send queue whatever its messages
} bglml_lane_t;

/// How packets get to a peer.
enum { BGLML_PATH_TORUS, BGLML_PATH_SELF, BGLML_PATH_VIRTUAL };

/// What the layer knows of a peer. Prepared at the first message to or from it, so that a machine of 65,536 nodes
/// does not pay for peers that nobody talks to.
struct bglml_connection {
  bglml_lane_t ordered;            ///< see protocol.h
  bglml_lane_t data;               ///< see protocol.h
  bgl_torus_header_t headers[2];   ///< by bglml_routing_t: of a packet to this peer, but for its size, its reception
                                   ///< group and the software words
  bglml_eager_receive_t* receive;  ///< receive queue: the one eager message that is coming in, or NULL
  uint8_t queue;                   ///< where its packets wait for their injection, a number of a send queue
  uint8_t group, fifo;             ///< where its packets are injected
  uint8_t reception_group;         ///< where they arrive
  uint8_t path;                    ///< BGLML_PATH_
  bool prepared;                   ///< here, beside what a packet to the peer needs
  bglml_adaptive_receive_t* adaptive;  ///< receive queue: adaptive messages that are coming in
  bglml_control_t confirmation;        ///< to the peer; at most one is under way (confirmation.c)
  uint32_t asked;                      ///< confirmations asked of the peer so far
  uint32_t confirmed;                  ///< confirmations the peer has asked for so far
  bool unconfirmed;                    ///< the last one asked for has not come
  bool unfenced;                       ///< packets were sent that an adaptive one could overtake
};

#ifdef __cplusplus
}
#endif

#endif
