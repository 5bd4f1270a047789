/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <spi/bgp_collective_spi.h>
#include <stdio.h>
#include <string.h>

#define MOST_FUNCTIONS 256
#define CHANNELS 2

P2PTblEntry_t P2PrecvFunctions[MOST_FUNCTIONS];
CollTblEntry_t CollrecvFunctions[MOST_FUNCTIONS];

int CollectiveRegisterRecvP2PFunction(CollectiveRecvP2PFunction_t recv_func, void* recv_func_parm, int payload_bytes) {
  for (int number = 0; number < MOST_FUNCTIONS; number++)
    if (P2PrecvFunctions[number].P2PrecvFunction == NULL) {
      P2PrecvFunctions[number].recv_func_parm = recv_func_parm;
      P2PrecvFunctions[number].payload_bytes = payload_bytes;
      P2PrecvFunctions[number].P2PrecvFunction = recv_func;
      return number;
    }
  return -EBUSY;
}

int CollectiveRegisterRecvCollFunction(CollectiveRecvCollFunction_t recv_func, void* recv_func_parm) {
  for (int number = 0; number < MOST_FUNCTIONS; number++)
    if (CollrecvFunctions[number].CollrecvFunction == NULL) {
      CollrecvFunctions[number].recv_func_parm = recv_func_parm;
      CollrecvFunctions[number].CollrecvFunction = recv_func;
      return number;
    }
  return -EBUSY;
}

/* Header and payload of virtual channel 0, then of 1. */
static uint32_t checksums[2 * CHANNELS];

void CollectiveInjectionCsumInit(int vc, uint32_t hdr_init, uint32_t pyld_init) {
  checksums[2 * vc] = hdr_init;
  checksums[2 * vc + 1] = pyld_init;
}

void CollectiveInjectionCsumAdd(int vc, uint32_t hdr, uint16_t* pyld, int bytes) {
  checksums[2 * vc] += (hdr >> 16) + (hdr & 0xFFFFu);
  for (int number = 0; number < bytes / 2; number++) checksums[2 * vc + 1] += pyld[number];
}

uint32_t CollectiveInjectionCsumGet(int offset) {
  return checksums[offset];
}

void CollectiveInjectionCsumPrint(char* preprint, int print_header) {
  if (print_header) printf("%sheader 0  payload 0 header 1  payload 1\n", preprint);
  printf("%s%08x  %08x  %08x  %08x\n", preprint, checksums[0], checksums[1], checksums[2], checksums[3]);
}

/* What is to be sent, as whole quads, and what comes, before it is where it belongs. */
static unsigned quads_of(int bytes) {
  return ((unsigned)bytes + 15u) / 16u;
}

static void send_bytes(int vc, const void* payload, int bytes, unsigned quads) {
  _BGP_TreePayload whole;
  memset(&whole, 0, sizeof whole);
  memcpy(&whole, payload, (size_t)bytes);
  bgp_tree_send_quads(vc, &whole, quads);
}

static void receive_bytes(int vc, void* payload, int bytes, unsigned quads) {
  _BGP_TreePayload whole;
  bgp_tree_receive_quads(vc, &whole, quads);
  memcpy(payload, &whole, (size_t)bytes);
}

void CollectiveRawSendPacketPartial(int vc, CollHwHdr* hdrHW, void* pyld, int bytes) {
  (void)CollectiveRawSendPacketUnaligned(vc, hdrHW, pyld, bytes);
}

int CollectiveRawSendPacketUnaligned(int vc, CollHwHdr* hdrHW, void* pyld, int bytes) {
  _bgp_TreeRawSendHeader(vc, hdrHW);
  return CollectiveRawSendPayloadUnaligned(vc, pyld, bytes);
}

int CollectiveRawSendPayloadPartial(int vc, void* pyld, int bytes) {
  bgp_tree_send_quads(vc, pyld, quads_of(bytes));
  return 0;
}

int CollectiveRawSendPayloadUnaligned(int vc, void* pyld, int bytes) {
  send_bytes(vc, pyld, bytes, _BGP_TREE_PKT_MAX_QUADS);
  return 0;
}

int CollectiveRawInjectBytesUnaligned(int vc, void* pyld, int bytes) {
  send_bytes(vc, pyld, bytes, quads_of(bytes));
  return 0;
}

void CollectiveRawReceivePacketPartial(int vc, CollHwHdr* hdrHW, void* pyld, int bytes) {
  (void)CollectiveRawReceivePacketUnaligned(vc, hdrHW, pyld, bytes);
}

int CollectiveRawReceivePacketUnaligned(int vc, CollHwHdr* hdrHW, void* pyld, int bytes) {
  _bgp_TreeRawReceiveHeader(vc, hdrHW);
  return CollectiveRawReceivePayloadUnaligned(vc, pyld, bytes);
}

int CollectiveRawReceivePayloadPartial(int vc, void* pyld, int bytes) {
  bgp_tree_receive_quads(vc, pyld, quads_of(bytes));
  return 0;
}

int CollectiveRawReceivePayloadUnaligned(int vc, void* pyld, int bytes) {
  receive_bytes(vc, pyld, bytes, _BGP_TREE_PKT_MAX_QUADS);
  return 0;
}

int CollectiveRawReceiveBytesUnaligned(int vc, void* pyld, int bytes) {
  receive_bytes(vc, pyld, bytes, quads_of(bytes));
  return 0;
}

static int of_next_packet(int bytes) {
  return bytes < _BGP_TREE_PKT_MAX_BYTES ? bytes : _BGP_TREE_PKT_MAX_BYTES;
}

int CollectiveSendUnaligned(int vc, CollHwHdr* hdrHW, void* pyld, int bytes) {
  char* from = (char*)pyld;
  while (bytes > 0) {
    const int now = of_next_packet(bytes);
    while (!_bgp_TreeOkToSend(vc)) {
    }
    (void)CollectiveRawSendPacketUnaligned(vc, hdrHW, from, now);
    from += now;
    bytes -= now;
  }
  return 0;
}

int CollectiveSend(int vc, CollHwHdr* hdrHW, void* pyld, int bytes) {
  return CollectiveSendUnaligned(vc, hdrHW, pyld, bytes);
}

int CollectiveReceiveUnaligned(int vc, CollHwHdr* hdrHW, void* pyld, int bytes) {
  char* to = (char*)pyld;
  while (bytes > 0) {
    const int now = of_next_packet(bytes);
    while (!_bgp_TreeReadyToReceive(vc)) {
    }
    (void)CollectiveRawReceivePacketUnaligned(vc, hdrHW, to, now);
    to += now;
    bytes -= now;
  }
  return 0;
}

int CollectiveReceive(int vc, CollHwHdr* hdrHW, void* pyld, int bytes) {
  return CollectiveReceiveUnaligned(vc, hdrHW, pyld, bytes);
}

/* Of a packet to one node: its first words are read, up to where the function reads on. */
static int take_p2p(int vc) {
  _BGP_TreePayload packet;
  bgp_tree_receive_quads(vc, &packet, 1);
  const P2PTblEntry_t* entry = &P2PrecvFunctions[packet.u32[0] % MOST_FUNCTIONS];
  const int header_bytes = _BGP_TREE_PKT_MAX_BYTES - entry->payload_bytes;
  if (entry->P2PrecvFunction == NULL) {
    bgp_tree_receive_quads(vc, &packet.q[1], _BGP_TREE_PKT_MAX_QUADS - 1);
    return -1;
  }
  if (header_bytes > 16) bgp_tree_receive_quads(vc, &packet.q[1], quads_of(header_bytes - 16));
  return entry->P2PrecvFunction(vc, entry->recv_func_parm, &packet, header_bytes, entry->payload_bytes);
}

static int take_collective(int vc, unsigned tag) {
  const CollTblEntry_t* entry = &CollrecvFunctions[tag % MOST_FUNCTIONS];
  if (entry->CollrecvFunction == NULL) {
    _bgp_TreeRawReceivePacketNoHdrNoStore(vc);
    return -1;
  }
  return entry->CollrecvFunction(vc, entry->recv_func_parm);
}

int CollectiveRecFifoPoll(int vc, unsigned rechcount, unsigned recdcount) {
  int taken = 0, done = 0;
  for (; rechcount > 0 && recdcount >= _BGP_TREE_PKT_MAX_QUADS && !done; rechcount--) {
    CollHwHdr header;
    _bgp_TreeRawReceiveHeader(vc, &header);
    done = header.CtvHdr.Ptp ? take_p2p(vc) : take_collective(vc, header.CtvHdr.Tag);
    recdcount -= _BGP_TREE_PKT_MAX_QUADS;
    taken++;
  }
  return taken;
}
