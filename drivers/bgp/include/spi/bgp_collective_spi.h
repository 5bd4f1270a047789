/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The SPI of the collective network. User code has virtual channel 0. Functions with Raw in their name do not look
 * whether there is room, or a packet; the others wait. Functions that return int return 0.
 */
#ifndef _BGP_COLLECTIVE_SPI_H_
#define _BGP_COLLECTIVE_SPI_H_

#include <bpcore/bgp_collective.h>
#include <bpcore/bgp_collective_inlines.h>
#include <bpcore/bgp_types.h>
#include <common/alignment.h>
#include <common/linkage.h>
#include <common/namespace.h>
#include <sys/types.h>

__BEGIN_DECLS

typedef _BGP_TreeHwHdr CollHwHdr;

#define CollectiveMakeCollectiveHdr _bgp_TreeMakeCollectiveHdr
#define CollectiveMakePtpHdr _bgp_TreeMakePtpHdr
#define CollectiveMakeSendHdr _bgp_TreeMakeSendHdr
#define CollectiveMakeBcastHdr _bgp_TreeMakeBcastHdr
#define CollectiveMakeAluHdr _bgp_TreeMakeAluHdr
#define CollectiveGetStatus _bgp_TreeGetStatus
#define CollectiveRawSendHeader _bgp_TreeRawSendHeader
#define CollectiveRawReceiveHeader _bgp_TreeRawReceiveHeader
#define CollectiveRawSendPacket0 _bgp_TreeRawSendPacket0
#define CollectiveRawSendPacket _bgp_TreeRawSendPacket
#define CollectiveRawReceivePacket _bgp_TreeRawReceivePacket
#define CollectiveRawReceivePacketNoHdr _bgp_TreeRawReceivePacketNoHdr
#define CollectiveRawReceivePacketNoHdrNoStore _bgp_TreeRawReceivePacketNoHdrNoStore

/* Receive functions: of packets to one node, whose first word is the function's number and which has been read for
 * hdr_bytes bytes; and of packets of a class, whose tag is the function's number and of which the header has been read.
 * Each reads the rest of the packet. A value other than 0 ends polling. */
typedef int (*CollectiveRecvP2PFunction_t)(int vc, void* recv_func_parm, void* hdr_ptr, int hdr_bytes,
                                           int payload_bytes);
typedef int (*CollectiveRecvCollFunction_t)(int vc, void* recv_func_parm);

typedef struct P2PTblEntry_t {
  CollectiveRecvP2PFunction_t P2PrecvFunction;
  void* recv_func_parm;
  int payload_bytes;
} P2PTblEntry_t;
typedef struct CollTblEntry_t {
  CollectiveRecvCollFunction_t CollrecvFunction;
  void* recv_func_parm;
} CollTblEntry_t;
extern P2PTblEntry_t P2PrecvFunctions[256];
extern CollTblEntry_t CollrecvFunctions[256];

/* Return a number from 0 to 255, or -EBUSY if there is none. payload_bytes: what the function reads itself, a multiple
 * of 16 up to 240. */
int CollectiveRegisterRecvP2PFunction(CollectiveRecvP2PFunction_t recv_func, void* recv_func_parm, int payload_bytes);
int CollectiveRegisterRecvCollFunction(CollectiveRecvCollFunction_t recv_func, void* recv_func_parm);

/* Sums of the half-words that a virtual channel has sent, which software keeps: _BGP_TREE_CSUM_VC0_HEADER and so on. */
void CollectiveInjectionCsumInit(int vc, uint32_t hdr_init, uint32_t pyld_init);
void CollectiveInjectionCsumAdd(int vc, uint32_t hdr, uint16_t* pyld, int bytes);
uint32_t CollectiveInjectionCsumGet(int offset);
void CollectiveInjectionCsumPrint(char* preprint, int print_header);

/* Partial: bytes is a multiple of 16, up to 256, and the payload is at one. Unaligned: any address, 1 to 256 bytes.
 * Packet: header and whole payload, filled with zeros, or its rest dropped. PayloadPartial: these bytes and no more.
 * PayloadUnaligned: the whole payload. Bytes: these bytes, and the rest of the last quad. */
void CollectiveRawSendPacketPartial(int vc, CollHwHdr* hdrHW, void* pyld, int bytes);
int CollectiveRawSendPacketUnaligned(int vc, CollHwHdr* hdrHW, void* pyld, int bytes);
int CollectiveRawSendPayloadPartial(int vc, void* pyld, int bytes);
int CollectiveRawSendPayloadUnaligned(int vc, void* pyld, int bytes);
int CollectiveRawInjectBytesUnaligned(int vc, void* pyld, int bytes);
void CollectiveRawReceivePacketPartial(int vc, CollHwHdr* hdrHW, void* pyld, int bytes);
int CollectiveRawReceivePacketUnaligned(int vc, CollHwHdr* hdrHW, void* pyld, int bytes);
int CollectiveRawReceivePayloadPartial(int vc, void* pyld, int bytes);
int CollectiveRawReceivePayloadUnaligned(int vc, void* pyld, int bytes);
int CollectiveRawReceiveBytesUnaligned(int vc, void* pyld, int bytes);

/* As many packets as the bytes need, all with the same header; the header received is that of the last. */
int CollectiveSend(int vc, CollHwHdr* hdrHW, void* pyld, int bytes);
int CollectiveSendUnaligned(int vc, CollHwHdr* hdrHW, void* pyld, int bytes);
int CollectiveReceive(int vc, CollHwHdr* hdrHW, void* pyld, int bytes);
int CollectiveReceiveUnaligned(int vc, CollHwHdr* hdrHW, void* pyld, int bytes);

/* Headers and quads in the four FIFOs. */
__INLINE__ int CollectiveFifoStatus(int vc, unsigned* rechcount, unsigned* recdcount, unsigned* injhcount,
                                    unsigned* injdcount) {
  _BGP_TreeFifoStatus stat;
  _bgp_TreeGetStatus(vc, &stat);
  *rechcount = stat.RecHdrCount;
  *recdcount = stat.RecPyldCount;
  *injhcount = stat.InjHdrCount;
  *injdcount = stat.InjPyldCount;
  return 0;
}

/* Calls receive functions for as many packets as the counts say, and returns how many. */
int CollectiveRecFifoPoll(int vc, unsigned rechcount, unsigned recdcount);

__END_DECLS

#endif
