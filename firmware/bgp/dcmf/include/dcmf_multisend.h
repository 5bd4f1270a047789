/* SPDX-License-Identifier: Apache-2.0 */
/*
 * DCMF's multisend operations: one call sends to many ranks. Names, fields and their order are those of the deprecated
 * part of interface/ll_multisend.h in jedbrown/pami, and of the programs that use them (Charm++, jeffhammond/a1).
 */
#ifndef __dcmf_multisend_h__
#define __dcmf_multisend_h__

#include <dcmf.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Multicast: the same bytes to a list of ranks ----------------------------------------------------------------------
 */

/* How a rank is reached. A line broadcast goes to every node from the next one in that direction to the rank. */
typedef enum {
  DCMF_PT_TO_PT_SEND = 0,
  DCMF_LINE_BCAST_XP = 0x20,
  DCMF_LINE_BCAST_XM = 0x10,
  DCMF_LINE_BCAST_YP = 0x08,
  DCMF_LINE_BCAST_YM = 0x04,
  DCMF_LINE_BCAST_ZP = 0x02,
  DCMF_LINE_BCAST_ZM = 0x01,
  DCMF_COMBINE = 0x0100,
  DCMF_GI_BARRIER = 0x0200,
  DCMF_LOCKBOX_BARRIER = 0x0300,
  DCMF_TREE_BARRIER = 0x0400,
  DCMF_TREE_BCAST = 0x0500,
  DCMF_TREE_ALLREDUCE = 0x0600,
  DCMF_REDUCE_RECV_STORE = 0x0700,
  DCMF_REDUCE_RECV_NOSTORE = 0x0800,
  DCMF_BCAST_RECV_STORE = 0x0900,
  DCMF_BCAST_RECV_NOSTORE = 0x0a00,
  DCMF_LOCALCOPY = 0x0b00,
  DCMF_UNDEFINED_OPCODE = ~0x3f
} DCMF_Opcode_t;
#define DCMF_LINE_BCAST_MASK                                                                                \
  (DCMF_LINE_BCAST_XP | DCMF_LINE_BCAST_XM | DCMF_LINE_BCAST_YP | DCMF_LINE_BCAST_YM | DCMF_LINE_BCAST_ZP | \
   DCMF_LINE_BCAST_ZM)

typedef enum {
  DCMF_DEFAULT_MSEND_PROTOCOL = 0,
  DCMF_MEMFIFO_DMA_MSEND_PROTOCOL,
  DCMF_GI_MSEND_PROTOCOL,
  DCMF_TREE_MSEND_PROTOCOL,
  DCMF_DPUT_DMA_MSEND_PROTOCOL, /* straight into buffers that the receivers have posted */
  DCMF_TREE_DPUT_MSEND_PROTOCOL
} DCMF_Multicast_Protocol;

/* As DCMF_RecvSend. After each *pipewidth bytes, and at the end, the layer calls *cb_done. 0: at the end only. */
typedef DCMF_Request_t* (*DCMF_RecvMulticast)(const DCQuad* info, unsigned count, unsigned peer, unsigned sndlen,
                                              unsigned conn_id, void* arg, unsigned* rcvlen, char** rcvbuf,
                                              unsigned* pipewidth, DCMF_Callback_t* cb_done);

typedef struct {
  DCMF_Multicast_Protocol protocol;
  DCMF_RecvMulticast cb_recv;
  void* clientdata;
  void** connectionlist; /* memory for the layer, an element a connection */
  unsigned nconnections;
} DCMF_Multicast_Configuration_t;

DCMF_Result DCMF_Multicast_register(DCMF_Protocol_t* registration, DCMF_Multicast_Configuration_t* configuration);

/* The structure may be used again when the call returns; what it points to when cb_done has been called. */
typedef struct {
  DCMF_Protocol_t* registration;
  DCMF_Request_t* request;
  DCMF_Callback_t cb_done;
  DCMF_Consistency consistency;
  unsigned connection_id;
  unsigned bytes;
  const char* src;
  unsigned nranks;
  unsigned* ranks;
  DCMF_Opcode_t* opcodes; /* an element a rank; NULL: all DCMF_PT_TO_PT_SEND */
  const DCQuad* msginfo;
  unsigned count; /* quads of msginfo, at most 7 */
  DCMF_Op op;
  DCMF_Dt dt;
  unsigned flags;
} DCMF_Multicast_t;

int DCMF_Multicast(DCMF_Multicast_t* mcastinfo);

typedef struct {
  DCMF_Protocol_t* registration;
  DCMF_Request_t* request;
  DCMF_Callback_t cb_done;
  unsigned connection_id;
  unsigned bytes;
  char* dst;
  unsigned pwidth;
  DCMF_Opcode_t opcode;
  DCMF_Op op;
  DCMF_Dt dt;
} DCMF_MulticastRecv_t;

/* States where the next message of a connection shall go; one at a time for each connection. */
int DCMF_Multicast_postrecv(DCMF_MulticastRecv_t* recv);

/* Many to many: other bytes to each of a list of ranks --------------------------------------------------------------
 */

/* Called for the first message of a connection that arrives: states where the data of sender i, whose rindex is i, for
 * i below *nranks, shall go: rcvbuf + rcvdispls[i], rcvlens[i] bytes. *rankIndex is the place of the receiver itself,
 * from which nothing comes over the network, or 0xFFFFFFFF. *rcvcounters: memory for the layer, an element a sender. */
typedef DCMF_Request_t* (*DCMF_RecvManytomany)(unsigned conn_id, void* arg, char** rcvbuf, unsigned** rcvlens,
                                               unsigned** rcvdispls, unsigned** rcvcounters, unsigned* nranks,
                                               unsigned* rankIndex, DCMF_Callback_t* cb_done);

typedef enum {
  DCMF_DEFAULT_M2M_PROTOCOL = 0,
  DCMF_MEMFIFO_DMA_M2M_PROTOCOL /* at most 32 connections */
} DCMF_Manytomany_Protocol;

typedef struct {
  DCMF_Manytomany_Protocol protocol;
  DCMF_RecvManytomany cb_recv;
  void* arg;
  unsigned nconnections;
} DCMF_Manytomany_Configuration_t;

DCMF_Result DCMF_Manytomany_register(DCMF_Protocol_t* registration, DCMF_Manytomany_Configuration_t* configuration);

/* Sends sndlens[i] bytes at sndbuf + sdispls[i] to ranks[i], for each i = permutation[0], permutation[1] ... `rindex`
 * is the sender's place in the receivers' arrays. sndcounters: memory for the layer. */
int DCMF_Manytomany(DCMF_Protocol_t* registration, DCMF_Request_t* request, DCMF_Callback_t cb_done,
                    DCMF_Consistency consistency, unsigned connection_id, unsigned rindex, const char* sndbuf,
                    unsigned* sndlens, unsigned* sdispls, unsigned* sndcounters, unsigned* ranks, unsigned* permutation,
                    unsigned nranks);

#ifdef __cplusplus
}
#endif

#endif
