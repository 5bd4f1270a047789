// SPDX-License-Identifier: Apache-2.0
#include "firmware/bgl/msglayer/stream.h"

#include "firmware/bgl/msglayer/state.h"

/// Full packets of `left` bytes that lie in one piece at `buffer`, without the last packet.
static uint32_t full_packets(const uint8_t* buffer, uint32_t left) {
  if (left <= BGLML_ONE_PACKET_MAX || (uintptr_t)buffer % BGLML_QUAD_BYTES != 0) return 0;
  return (left - 1) / BGLML_ONE_PACKET_MAX;
}

uint32_t bglml_send_full(bglml_lane_t* lane, const bglml_head_t* head, const bglml_view_t* view, uint32_t offset,
                         uint32_t left, bglml_counted_t kind) {
  const uint8_t* const from = view->buffer + offset;
  if (view->layout != NULL || lane->connection->path != BGLML_PATH_TORUS) return 0;
  const uint32_t packets = full_packets(from, left);
  if (packets == 0) return 0;
  lane->flow.header = bglml_make_header(lane->connection, head, TORUS_MAX_CHUNKS);
  lane->flow.from = from;
  lane->flow.packets = packets;
  bglml_traffic_t* traffic = &bglml_instance->counters.sent;
  traffic->packets[kind] += packets;
  traffic->direct += packets * (uint64_t)BGLML_ONE_PACKET_MAX;
  return packets * BGLML_ONE_PACKET_MAX;
}

void bglml_packet_follow(const bglml_packet_t* packet, const bglml_follow_t* follow) {
  bglml_inflow_t* flow = packet->flow;
  if (flow == NULL || follow->view->layout != NULL) return;
  uint8_t* const to = follow->view->buffer + follow->offset;
  const uint32_t packets = full_packets(to, follow->length - follow->offset);
  if (packets == 0) return;
  *flow = (bglml_inflow_t){
      .word2 = follow->word2,
      .argument = follow->address + follow->offset,
      .quads = (packets - 1) * (BGLML_ONE_PACKET_MAX / BGLML_QUAD_BYTES) + 1,
      .to = to,
      .remaining = follow->remaining,
      .end = follow->address + follow->length,
      .disordered = follow->disordered,
      .kind = follow->kind,
  };
}

void bglml_packet_unfollow(const bglml_packet_t* packet) {
  if (packet->flow != NULL) packet->flow->word2 = BGLML_NO_INFLOW;
}

void bglml_inflow_early(const bglml_inflow_t* flow) {
  *flow->disordered = true;
  bglml_instance->counters.early_packets += 1;
}
