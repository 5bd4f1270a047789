/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packets of the collective network: status, headers, and packets written and read. Those with Raw in their name do not
 * look whether there is room, or a packet. Payloads begin at multiples of 16 bytes.
 */
#ifndef _BGP_COLLECTIVE_INLINES_H_
#define _BGP_COLLECTIVE_INLINES_H_

#include <bpcore/bgp_quad_copies.h>
#include <bpcore/bgp_types.h>
#include <bpcore/collective.h>
#include <bpcore/ppc450_inlines.h>
#include <common/linkage.h>
#include <common/namespace.h>

__BEGIN_DECLS

__INLINE__ uint32_t bgp_tree_base(int vc) {
  return vc != 0 ? _BGP_VA_TREE1 : _BGP_VA_TREE0;
}
__INLINE__ void _bgp_vcX_get_status(_BGP_TreeFifoStatus* stat, uint32_t vc_base) {
  stat->status_word = _bgp_In32((uint32_t*)(vc_base + _BGP_TRx_Sx));
}
__INLINE__ void _bgp_TreeGetStatus(int vc, _BGP_TreeFifoStatus* stat) {
  _bgp_vcX_get_status(stat, bgp_tree_base(vc));
}
__INLINE__ int _bgp_TreeOkToSend(int vc) {
  _BGP_TreeFifoStatus stat;
  _bgp_TreeGetStatus(vc, &stat);
  return stat.InjHdrCount < _BGP_TREE_STATUS_MAX_PKTS &&
         stat.InjPyldCount < (_BGP_TREE_STATUS_MAX_PKTS - 1) * _BGP_TREE_PKT_MAX_QUADS;
}
__INLINE__ int _bgp_TreeReadyToReceive(int vc) {
  _BGP_TreeFifoStatus stat;
  _bgp_TreeGetStatus(vc, &stat);
  return stat.RecHdrCount > 0 && stat.RecPyldCount >= _BGP_TREE_PKT_MAX_QUADS;
}

/* Headers. vt: class; irq: the packet interrupts where it arrives. Each returns hdr. */
__INLINE__ _BGP_TreeHwHdr* _bgp_TreeMakeCollectiveHdr(_BGP_TreeHwHdr* hdr, int vt, int irq, int opcode, int opsize,
                                                      int tag, int csumMode) {
  hdr->CtvHdr.Class = (unsigned)vt;
  hdr->CtvHdr.Ptp = 0;
  hdr->CtvHdr.Irq = (unsigned)irq;
  hdr->CtvHdr.OpCode = (unsigned)opcode;
  hdr->CtvHdr.OpSize = (unsigned)opsize;
  hdr->CtvHdr.Tag = (unsigned)tag;
  hdr->CtvHdr.CsumMode = (unsigned)csumMode;
  return hdr;
}
__INLINE__ _BGP_TreeHwHdr* _bgp_TreeMakePtpHdr(_BGP_TreeHwHdr* hdr, int vt, int irq, int PtpTarget, int csumMode) {
  hdr->PtpHdr.Class = (unsigned)vt;
  hdr->PtpHdr.Ptp = 1;
  hdr->PtpHdr.Irq = (unsigned)irq;
  hdr->PtpHdr.PtpTarget = (unsigned)PtpTarget;
  hdr->PtpHdr.CsumMode = (unsigned)csumMode;
  return hdr;
}
__INLINE__ _BGP_TreeHwHdr* _bgp_TreeMakeSendHdr(_BGP_TreeHwHdr* hdr, int vt, int PtpTarget) {
  return _bgp_TreeMakePtpHdr(hdr, vt, 1, PtpTarget, _BGP_TREE_CSUM_SOME);
}
__INLINE__ _BGP_TreeHwHdr* _bgp_TreeMakeBcastHdr(_BGP_TreeHwHdr* hdr, int vt, int tag) {
  return _bgp_TreeMakeCollectiveHdr(hdr, vt, 0, _BGP_TREE_OPCODE_NONE, 0, tag, _BGP_TREE_CSUM_ALL);
}
__INLINE__ _BGP_TreeHwHdr* _bgp_TreeMakeAluHdr(_BGP_TreeHwHdr* hdr, int vt, int opcode, int opsize) {
  return _bgp_TreeMakeCollectiveHdr(hdr, vt, 0, opcode, opsize, 0, _BGP_TREE_CSUM_ALL);
}

/* A header alone. */
__INLINE__ void _bgp_TreeRawSendHeader(int vc, _BGP_TreeHwHdr* hdrHW) {
  *(volatile uint32_t*)(bgp_tree_base(vc) + _BGP_TRx_HI) = hdrHW->CtvHdr.word;
}
__INLINE__ void _bgp_TreeRawReceiveHeader(int vc, _BGP_TreeHwHdr* hdrHW) {
  hdrHW->CtvHdr.word = *(volatile uint32_t*)(bgp_tree_base(vc) + _BGP_TRx_HR);
}
/* A payload, or a part of one, alone. */
__INLINE__ void bgp_tree_send_quads(int vc, const void* pyld, unsigned quads) {
  bgp_quads_to_device(bgp_tree_base(vc) + _BGP_TRx_DI, pyld, quads);
}
__INLINE__ void bgp_tree_receive_quads(int vc, void* pyld, unsigned quads) {
  bgp_quads_from_device(pyld, bgp_tree_base(vc) + _BGP_TRx_DR, quads);
}
/* Whole packets; the payload of 0 is zeros. */
__INLINE__ void _bgp_TreeRawSendPacket(int vc, _BGP_TreeHwHdr* hdrHW, void* pyld) {
  _bgp_TreeRawSendHeader(vc, hdrHW);
  bgp_tree_send_quads(vc, pyld, _BGP_TREE_PKT_MAX_QUADS);
}
__INLINE__ void _bgp_TreeRawSendPacket0(int vc, _BGP_TreeHwHdr* hdrHW) {
  _BGP_TreePayload zeros = {{0}};
  _bgp_TreeRawSendPacket(vc, hdrHW, &zeros);
}
__INLINE__ void _bgp_TreeRawReceivePacketNoHdr(int vc, void* pyld) {
  bgp_tree_receive_quads(vc, pyld, _BGP_TREE_PKT_MAX_QUADS);
}
__INLINE__ void _bgp_TreeRawReceivePacket(int vc, _BGP_TreeHwHdr* hdrHW, void* pyld) {
  _bgp_TreeRawReceiveHeader(vc, hdrHW);
  _bgp_TreeRawReceivePacketNoHdr(vc, pyld);
}
__INLINE__ void _bgp_TreeRawReceivePacketNoHdrNoStore(int vc) {
  _BGP_TreePayload nowhere;
  _bgp_TreeRawReceivePacketNoHdr(vc, &nowhere);
}

/* The same of one virtual channel. */
#define BGP_TREE_OF_(n)                                                               \
  __INLINE__ void _bgp_TreeGetStatusVC##n(_BGP_TreeFifoStatus* stat) {                \
    _bgp_TreeGetStatus(n, stat);                                                      \
  }                                                                                   \
  __INLINE__ int _bgp_TreeOkToSendVC##n(void) {                                       \
    return _bgp_TreeOkToSend(n);                                                      \
  }                                                                                   \
  __INLINE__ int _bgp_TreeReadyToReceiveVC##n(void) {                                 \
    return _bgp_TreeReadyToReceive(n);                                                \
  }                                                                                   \
  __INLINE__ void _bgp_TreeRawSendPacketVC##n(_BGP_TreeHwHdr* hdrHW, void* pyld) {    \
    _bgp_TreeRawSendPacket(n, hdrHW, pyld);                                           \
  }                                                                                   \
  __INLINE__ void _bgp_TreeRawReceivePacketVC##n(_BGP_TreeHwHdr* hdrHW, void* pyld) { \
    _bgp_TreeRawReceivePacket(n, hdrHW, pyld);                                        \
  }
BGP_TREE_OF_(0)
BGP_TREE_OF_(1)
#undef BGP_TREE_OF_

__END_DECLS

#endif
