/* SPDX-License-Identifier: Apache-2.0 */
/* A descriptor: what is sent, and the header that its packets have. 64 bytes, at a multiple of 32. */
#ifndef _MUHWI_DESCRIPTOR_H_
#define _MUHWI_DESCRIPTOR_H_

#include <hwi/include/bqc/MU_PacketCommon.h>
#include <hwi/include/bqc/MU_PacketHeader.h>
#include <hwi/include/common/compiler_support.h>

__BEGIN_DECLS

#define MUHWI_DESCRIPTOR_PRE_FETCH_ONLY_YES (1)
#define MUHWI_DESCRIPTOR_PRE_FETCH_ONLY_NO (0)
#define MUHWI_DESCRIPTOR_INTERRUPT_ON_PACKET_ARRIVAL (1)
#define MUHWI_DESCRIPTOR_DO_NOT_INTERRUPT_ON_PACKET_ARRIVAL (0)

/* Network FIFOs that the message may go through. */
#define MUHWI_DESCRIPTOR_TORUS_FIFO_MAP_AM (0x0000000000008000ULL)
#define MUHWI_DESCRIPTOR_TORUS_FIFO_MAP_AP (0x0000000000004000ULL)
#define MUHWI_DESCRIPTOR_TORUS_FIFO_MAP_BM (0x0000000000002000ULL)
#define MUHWI_DESCRIPTOR_TORUS_FIFO_MAP_BP (0x0000000000001000ULL)
#define MUHWI_DESCRIPTOR_TORUS_FIFO_MAP_CM (0x0000000000000800ULL)
#define MUHWI_DESCRIPTOR_TORUS_FIFO_MAP_CP (0x0000000000000400ULL)
#define MUHWI_DESCRIPTOR_TORUS_FIFO_MAP_DM (0x0000000000000200ULL)
#define MUHWI_DESCRIPTOR_TORUS_FIFO_MAP_DP (0x0000000000000100ULL)
#define MUHWI_DESCRIPTOR_TORUS_FIFO_MAP_EM (0x0000000000000080ULL)
#define MUHWI_DESCRIPTOR_TORUS_FIFO_MAP_EP (0x0000000000000040ULL)
#define MUHWI_DESCRIPTOR_TORUS_FIFO_MAP_LOCAL0 (0x0000000000000020ULL)
#define MUHWI_DESCRIPTOR_TORUS_FIFO_MAP_LOCAL1 (0x0000000000000010ULL)
#define MUHWI_DESCRIPTOR_TORUS_FIFO_MAP_PRIORITY (0x0000000000000008ULL)
#define MUHWI_DESCRIPTOR_TORUS_FIFO_MAP_SYSTEM (0x0000000000000004ULL)
#define MUHWI_DESCRIPTOR_TORUS_FIFO_MAP_CUSER (0x0000000000000002ULL)
#define MUHWI_DESCRIPTOR_TORUS_FIFO_MAP_CSYSTEM (0x0000000000000001ULL)

typedef struct MUHWI_Descriptor {
  union {
    uint32_t Half_Word0;
    struct {
      uint32_t Unused1 : 31;
      uint32_t Prefetch_Only : 1;
    } __attribute__((__packed__));
  } __attribute__((__packed__)) Half_Word0;
  union {
    uint32_t Half_Word1;
    struct {
      uint32_t Unused2 : 31;
      uint32_t Interrupt : 1;
    } __attribute__((__packed__));
  } __attribute__((__packed__)) Half_Word1;
  uint64_t Pa_Payload;
  uint64_t Message_Length;
  uint64_t Torus_FIFO_Map;
  MUHWI_PacketHeader_t PacketHeader;
} __attribute__((__packed__, __aligned__(32))) MUHWI_Descriptor_t;

__END_DECLS

#endif
