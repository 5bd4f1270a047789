/* SPDX-License-Identifier: Apache-2.0 */
/* The table of receive functions, and polling at the end of a reception FIFO's ring. */
#include <spi/include/mu/RecFifo.h>

MUSPI_RecvInfoTable_t _muspi_RecvInfo;
uint32_t _muspi_RecvInfoNextFreeId;

int32_t MUSPI_RegisterReceiveFunction(MUSPI_RecvFunction_t fn, void* param) {
  MUSPI_assert(fn != NULL);
  for (uint32_t id = _muspi_RecvInfoNextFreeId; id < MUSPI_MAX_FUNCTION_IDS; ++id) {
    if (_muspi_RecvInfo.table[id].recvFunction != NULL) continue;
    MUSPI_RegisterRecvFunction(fn, param, id);
    _muspi_RecvInfoNextFreeId = id + 1;
    return (int32_t)id;
  }
  _muspi_RecvInfoNextFreeId = 0;
  return -1;
}

int32_t MUSPI_DeRegisterReceiveFunction(uint32_t id) {
  if (id >= MUSPI_MAX_FUNCTION_IDS) return -1;
  MUSPI_RegisterRecvFunction(NULL, NULL, id);
  _muspi_RecvInfoNextFreeId = 0;
  return 0;
}

/* The head is at most a packet away from the ring's end, and there are packets behind it. */
uint32_t MUSPI_RecFifoPollWrap(MUSPI_RecFifo_t* rec_fifo, uint32_t npackets) {
  MUSPI_Fifo_t* const fifo = &rec_fifo->_fifo;
  uint32_t taken = 0;
  _bgq_msync();
  while (taken < npackets) {
    const char* const before = fifo->va_head;
    uint32_t bytes = 0;
    MUHWI_PacketHeader_t* const packet = MUSPI_getNextPacketWrap(rec_fifo, &bytes);
    const MUSPI_RecvInfoElement_t* const receive =
        &_muspi_RecvInfo.table[packet->messageUnitHeader.Packet_Types.Memory_FIFO.Unused2[0]];
    MUSPI_assert(receive->recvFunction != NULL);
    ++taken;
    (*receive->recvFunction)(receive->recvParam, packet, bytes);
    if ((const char*)fifo->va_head < before) break; /* it went over the end */
  }
  MUSPI_syncRecFifoHwHead(rec_fifo);
  return taken;
}
