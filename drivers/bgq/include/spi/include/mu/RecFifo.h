/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reception FIFOs: packets of 32 to 544 bytes behind one another. Either MUSPI_RecFifoPoll() calls a receive function
 * for each, chosen by the packet's first software byte; or software takes them one by one.
 *
 * A packet that goes over the ring's end is put together in the FIFO's structure before it is shown.
 */
#ifndef __MUSPI_REC_FIFO__
#define __MUSPI_REC_FIFO__

#include <hwi/include/bqc/MU_PacketHeader.h>
#include <spi/include/mu/Fifo.h>
#include <spi/include/mu/Util.h>

__BEGIN_DECLS

#define _bgq_msync ppc_msync

#define BGQ_LARGEST_PACKET 544

typedef struct MUSPI_RecFifo {
  MUSPI_Fifo_t _fifo;
  uint64_t numProcessed;
  char _wrapBuf[BGQ_LARGEST_PACKET] __attribute__((__aligned__(32)));
} MUSPI_RecFifo_t;

typedef struct MUSPI_RecFifoSubGroup {
  MUSPI_RecFifo_t _recfifos[BGQ_MU_NUM_REC_FIFOS_PER_SUBGROUP];
  MUHWI_RecFifoStatus_t* groupStatus;
  uint32_t subgroupid; /* 0 to 67 */
} MUSPI_RecFifoSubGroup_t;

/* packet_bytes: with the header; its payload is a multiple of 32. The result is not looked at. */
typedef int (*MUSPI_RecvFunction_t)(void* recv_func_parm, MUHWI_PacketHeader_t* packet_ptr, uint32_t packet_bytes);

typedef struct MUSPI_RecvInfoElement {
  MUSPI_RecvFunction_t recvFunction;
  void* recvParam;
} MUSPI_RecvInfoElement_t;

#define MUSPI_MAX_FUNCTION_IDS 256
typedef struct MUSPI_RecvInfoTable {
  MUSPI_RecvInfoElement_t table[MUSPI_MAX_FUNCTION_IDS];
} MUSPI_RecvInfoTable_t;

extern MUSPI_RecvInfoTable_t _muspi_RecvInfo;
extern uint32_t _muspi_RecvInfoNextFreeId; /* none below it is free */

__INLINE__ MUSPI_RecFifo_t* MUSPI_IdToRecFifo(int fifoid, MUSPI_RecFifoSubGroup_t* fg_ptr) {
  return &fg_ptr->_recfifos[fifoid];
}

/* Receive functions ----------------------------------------------------------------------------------------------- */

/* By a number that the caller chose. */
__INLINE__ void MUSPI_RegisterRecvFunction(MUSPI_RecvFunction_t fn, void* param, uint32_t id) {
  MUSPI_assert(id < MUSPI_MAX_FUNCTION_IDS);
  _muspi_RecvInfo.table[id].recvFunction = fn;
  _muspi_RecvInfo.table[id].recvParam = param;
}
/* By a number that is free, which it gives; -1: none is. */
int32_t MUSPI_RegisterReceiveFunction(MUSPI_RecvFunction_t fn, void* param);
/* 0; -1: there is no such number. */
int32_t MUSPI_DeRegisterReceiveFunction(uint32_t id);

/* Taking packets -------------------------------------------------------------------------------------------------- */

/* Where the hardware's tail is in the process's memory. */
__INLINE__ char* bgq_received_until(MUSPI_Fifo_t* fifo) {
  return (char*)fifo->va_start + (MUSPI_getHwTail(fifo) - fifo->pa_start);
}
__INLINE__ uint32_t bgq_packet_bytes(const MUHWI_PacketHeader_t* packet) {
  return (packet->NetworkHeader.pt2pt.Byte8.Size + 1u) * 32;
}
/* Packets that begin below it lie in one piece. */
__INLINE__ char* bgq_in_one_piece(MUSPI_Fifo_t* fifo) {
  return (char*)fifo->va_end - BGQ_LARGEST_PACKET;
}

/* Gives the room of all packets that have been taken back to the hardware. */
__INLINE__ void MUSPI_syncRecFifoHwHead(MUSPI_RecFifo_t* rec_fifo) {
  MUSPI_Fifo_t* const fifo = &rec_fifo->_fifo;
  MUSPI_setHwHead(fifo, (uint64_t)((char*)fifo->va_head - (char*)fifo->va_start));
}

/* Bytes of packets that can be taken. *wrap 0: they lie in one piece, so the first function may take them until it has
 * taken that many; 1: the second must take the next packet. */
__INLINE__ uint32_t MUSPI_getAvailableBytes(MUSPI_RecFifo_t* rec_fifo, uint32_t* wrap) {
  MUSPI_Fifo_t* const fifo = &rec_fifo->_fifo;
  char* const head = (char*)fifo->va_head;
  char* const tail = bgq_received_until(fifo);
  MUSPI_setTailVa(fifo, tail);
  if (tail == head) return 0;
  *wrap = 0;
  muspi_dcbt(head, 0);
  _bgq_msync();
  if (tail > head) return (uint32_t)(tail - head);
  if (head < bgq_in_one_piece(fifo)) return (uint32_t)(bgq_in_one_piece(fifo) - head);
  *wrap = 1;
  return (uint32_t)((char*)fifo->va_end - head);
}
/* The next packet, and its bytes. Its room is given back by MUSPI_syncRecFifoHwHead(). */
__INLINE__ MUHWI_PacketHeader_t* MUSPI_getNextPacketOptimized(MUSPI_RecFifo_t* rec_fifo, uint32_t* pbytes) {
  MUSPI_Fifo_t* const fifo = &rec_fifo->_fifo;
  MUHWI_PacketHeader_t* const packet = (MUHWI_PacketHeader_t*)fifo->va_head;
  MUSPI_assert((char*)fifo->va_head < (char*)fifo->va_tail || (char*)fifo->va_head < bgq_in_one_piece(fifo));
  *pbytes = bgq_packet_bytes(packet);
  fifo->va_head = (char*)fifo->va_head + *pbytes;
  return packet;
}
__INLINE__ MUHWI_PacketHeader_t* MUSPI_getNextPacketWrap(MUSPI_RecFifo_t* rec_fifo, uint32_t* pbytes) {
  MUSPI_Fifo_t* const fifo = &rec_fifo->_fifo;
  MUHWI_PacketHeader_t* const packet = (MUHWI_PacketHeader_t*)fifo->va_head;
  const uint64_t to_end = (uint64_t)((char*)fifo->va_end - (char*)fifo->va_head);
  *pbytes = bgq_packet_bytes(packet);
  if (*pbytes < to_end) {
    fifo->va_head = (char*)fifo->va_head + *pbytes;
    return packet;
  }
  memcpy(rec_fifo->_wrapBuf, packet, to_end);
  memcpy(rec_fifo->_wrapBuf + to_end, fifo->va_start, *pbytes - to_end);
  fifo->va_head = (char*)fifo->va_start + (*pbytes - to_end);
  return (MUHWI_PacketHeader_t*)rec_fifo->_wrapBuf;
}

/* Calls the receive function of up to npackets packets, and gives their room back; how many they were. It may stop
 * earlier at the ring's end. */
uint32_t MUSPI_RecFifoPollWrap(MUSPI_RecFifo_t* rec_fifo, uint32_t npackets);
__INLINE__ uint32_t MUSPI_RecFifoPoll(MUSPI_RecFifo_t* rec_fifo, uint32_t npackets) {
  MUSPI_Fifo_t* const fifo = &rec_fifo->_fifo;
  char* head = (char*)fifo->va_head;
  char* until = NULL;
  uint32_t taken = 0;
  muspi_dcbt(head, 0);
  until = bgq_received_until(fifo);
  MUSPI_assert(npackets >= 1);
  if (until == head) return 0;
  if (until < head) {
    if (head >= bgq_in_one_piece(fifo)) return MUSPI_RecFifoPollWrap(rec_fifo, npackets);
    until = bgq_in_one_piece(fifo);
  }
  _bgq_msync();
  while (head < until && taken < npackets) {
    MUHWI_PacketHeader_t* const packet = (MUHWI_PacketHeader_t*)head;
    const uint32_t bytes = bgq_packet_bytes(packet);
    const MUSPI_RecvInfoElement_t* const receive =
        &_muspi_RecvInfo.table[packet->messageUnitHeader.Packet_Types.Memory_FIFO.Unused2[0]];
    MUSPI_assert(receive->recvFunction != NULL);
    ++taken;
    head += bytes;
    (*receive->recvFunction)(receive->recvParam, packet, bytes);
    MUSPI_setHwHead(fifo, (uint64_t)(head - (char*)fifo->va_start));
  }
  fifo->va_head = head;
  return taken;
}

/* Calls fn for all packets that are there. */
__INLINE__ void MUSPI_RecFifoExamplePoll(MUSPI_RecFifo_t* rfifo, MUSPI_RecvFunction_t fn, void* clientdata) {
  uint32_t available = 0, wrap = 0, bytes = 0;
  while ((available = MUSPI_getAvailableBytes(rfifo, &wrap)) != 0) {
    if (wrap != 0) {
      MUHWI_PacketHeader_t* const packet = MUSPI_getNextPacketWrap(rfifo, &bytes);
      (*fn)(clientdata, packet, bytes);
    } else {
      uint32_t taken = 0;
      while (taken < available) {
        MUHWI_PacketHeader_t* const packet = MUSPI_getNextPacketOptimized(rfifo, &bytes);
        (*fn)(clientdata, packet, bytes);
        taken += bytes;
      }
    }
    MUSPI_syncRecFifoHwHead(rfifo);
  }
}

/* Interrupts ------------------------------------------------------------------------------------------------------ */

/* Clears the bits of `mask` in the group's interrupt status. */
__INLINE__ volatile uint64_t* MUSPI_GetClearInterruptsStatusPtr(MUSPI_RecFifoSubGroup_t* sg_ptr) {
  return &sg_ptr->groupStatus->clearInterruptStatus;
}
__INLINE__ void MUSPI_ClearInterruptsDirect(volatile uint64_t* clearInterruptStatusPtr, uint64_t mask) {
  if (mask != 0) *clearInterruptStatusPtr = mask;
}
__INLINE__ void MUSPI_ClearInterrupts(MUSPI_RecFifoSubGroup_t* sg_ptr, uint64_t mask) {
  MUSPI_ClearInterruptsDirect(MUSPI_GetClearInterruptsStatusPtr(sg_ptr), mask);
}

__END_DECLS

#endif
