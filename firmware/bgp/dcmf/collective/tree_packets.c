// SPDX-License-Identifier: Apache-2.0
// Packets of the collective network, as firmware/tree gives and takes them.
#include "firmware/bgp/dcmf/collective/networks.h"

enum { VC = 0 };  // programs'; the other is the kernel's

static inline bool is_whole(const void* payload, uint32_t bytes) {
  return bytes == TREE_PAYLOAD_BYTES && (uintptr_t)payload % 16 == 0;
}

void tree_give(uint32_t header, const void* payload, uint32_t bytes) {
  _BGP_TreeHwHdr word;
  word.CtvHdr.word = header;
  if (is_whole(payload, bytes)) {
    bgp_tree_send_quads(VC, payload, TREE_PAYLOAD_QUADS);
  } else {
    uint8_t whole[TREE_PAYLOAD_BYTES] __attribute__((aligned(16)));
    if (bytes != 0) memcpy(whole, payload, bytes);
    memset(whole + bytes, 0, sizeof whole - bytes);
    bgp_tree_send_quads(VC, whole, TREE_PAYLOAD_QUADS);
  }
  // Last, because it sends the packet.
  _bgp_TreeRawSendHeader(VC, &word);
}

/// Header and payload in one run of code, so that the core has as many loads in flight as it can.
static inline uint32_t take_whole(uint8_t* payload) {
  _BGP_TreeHwHdr word;
  _bgp_TreeRawReceiveHeader(VC, &word);
  bgp_tree_receive_quads(VC, payload, TREE_PAYLOAD_QUADS / 2);
  bgp_tree_receive_quads(VC, payload + TREE_PAYLOAD_BYTES / 2, TREE_PAYLOAD_QUADS / 2);
  return word.CtvHdr.word;
}

uint32_t tree_take(void* payload, uint32_t bytes) {
  if (is_whole(payload, bytes)) return take_whole(payload);
  uint8_t whole[TREE_PAYLOAD_BYTES] __attribute__((aligned(16)));
  const uint32_t header = take_whole(whole);
  if (bytes != 0) memcpy(payload, whole, bytes);
  return header;
}

void dcmf_tree_look(dcmf_tree_t* tree) {
  _BGP_TreeFifoStatus status;
  _bgp_TreeGetStatus(VC, &status);
  const uint32_t by_payload =
      _BGP_TREE_STATUS_MAX_PKTS - (status.InjPyldCount + TREE_PAYLOAD_QUADS - 1) / TREE_PAYLOAD_QUADS;
  const uint32_t by_header = _BGP_TREE_STATUS_MAX_PKTS - status.InjHdrCount;
  const uint32_t arrived = status.RecPyldCount / TREE_PAYLOAD_QUADS;
  tree->room = by_payload < by_header ? by_payload : by_header;
  tree->ready = arrived < status.RecHdrCount ? arrived : status.RecHdrCount;
}
