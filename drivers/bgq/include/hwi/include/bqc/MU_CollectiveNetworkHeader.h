/* SPDX-License-Identifier: Apache-2.0 */
/* The first 12 bytes of a packet that the nodes of a class combine. */
#ifndef _MUHWI_COLLECTIVE_NETWORK_HEADER_H_
#define _MUHWI_COLLECTIVE_NETWORK_HEADER_H_

#include <hwi/include/bqc/MU_PacketCommon.h>
#include <hwi/include/common/compiler_support.h>

__BEGIN_DECLS

/* Byte 0. */
#define MUHWI_COLLECTIVE_DATA_PACKET_TYPE 0x5a

/* Byte 1, upper half: the operation. Lower half n: operands have 4 << n bytes; of floating point, 8. */
#define MUHWI_COLLECTIVE_OP_CODE_AND (0x00)
#define MUHWI_COLLECTIVE_OP_CODE_OR (0x10)
#define MUHWI_COLLECTIVE_OP_CODE_XOR (0x20)
#define MUHWI_COLLECTIVE_OP_CODE_UNSIGNED_ADD (0x40)
#define MUHWI_COLLECTIVE_OP_CODE_UNSIGNED_MIN (0x50)
#define MUHWI_COLLECTIVE_OP_CODE_UNSIGNED_MAX (0x60)
#define MUHWI_COLLECTIVE_OP_CODE_SIGNED_ADD (0x80)
#define MUHWI_COLLECTIVE_OP_CODE_SIGNED_MIN (0x90)
#define MUHWI_COLLECTIVE_OP_CODE_SIGNED_MAX (0xa0)
#define MUHWI_COLLECTIVE_OP_CODE_FLOATING_POINT_ADD (0xc0)
#define MUHWI_COLLECTIVE_OP_CODE_FLOATING_POINT_MIN (0xd0)
#define MUHWI_COLLECTIVE_OP_CODE_FLOATING_POINT_MAX (0xe0)

/* Byte 3. */
#define MUHWI_COLLECTIVE_TYPE_BROADCAST (0x00)
#define MUHWI_COLLECTIVE_TYPE_ALLREDUCE (0x10)
#define MUHWI_COLLECTIVE_TYPE_REDUCE (0x18)

typedef struct MUHWI_CollectiveNetworkHeader {
  uint8_t Data_Packet_Type;
  union {
    uint8_t Byte1;
    struct {
      uint8_t OpCode : 4;
      uint8_t Word_Length : 4;
    } __attribute__((__packed__));
  } __attribute__((__packed__)) Byte1;
  union {
    uint8_t Byte2;
    struct {
      uint8_t Class_Route : 4;
      uint8_t Reserved1 : 3;
      uint8_t Interrupt : 1;
    } __attribute__((__packed__));
  } __attribute__((__packed__)) Byte2;
  union {
    uint8_t Byte3;
    struct {
      uint8_t Virtual_channel : 3;
      uint8_t Collective_Type : 2;
      uint8_t Reserved2 : 3;
    } __attribute__((__packed__));
  } __attribute__((__packed__)) Byte3;
  MUHWI_Destination_t Destination;
  union {
    uint8_t Byte8;
    struct {
      uint8_t Packet_Type : 2;
      uint8_t Reserved3 : 1;
      uint8_t Size : 5;
    } __attribute__((__packed__));
  } __attribute__((__packed__)) Byte8;
  union {
    uint8_t Injection_Info[3];
    struct {
      uint16_t Reserved4;
      uint8_t Skip;
    } __attribute__((__packed__));
  } __attribute__((__packed__)) Injection_Info;
} __attribute__((__packed__)) MUHWI_CollectiveNetworkHeader_t;

__END_DECLS

#endif
