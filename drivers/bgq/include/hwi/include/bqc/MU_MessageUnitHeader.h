/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes 12 to 31 of a packet, for the Messaging Unit of its destination; nic/bgq/mu_packet.h says what it does. */
#ifndef _MUHWI_MESSAGE_UNIT_HEADER_H_
#define _MUHWI_MESSAGE_UNIT_HEADER_H_

#include <hwi/include/common/compiler_support.h>

__BEGIN_DECLS

#define MUHWI_PACKET_DIRECT_PUT_IS_NOT_PACED 0
#define MUHWI_PACKET_DIRECT_PUT_IS_PACED 1

typedef struct MUHWI_MessageUnitHeader {
  union {
    struct {
      struct {
        uint16_t Reserved1 : 1;
        uint16_t Rec_FIFO_Id : 9;
        uint16_t Unused1 : 1; /* software's */
        uint16_t Put_Offset_MSB : 5;
      } __attribute__((__packed__));
      uint32_t Put_Offset_LSB;
      uint8_t Unused2[14]; /* software's */
    } __attribute__((__packed__)) Memory_FIFO;
    struct {
      struct {
        uint16_t Rec_Payload_Base_Address_Id : 10;
        uint16_t Pacing : 1;
        uint16_t Put_Offset_MSB : 5;
      } __attribute__((__packed__));
      uint32_t Put_Offset_LSB;
      struct {
        uint16_t Unused1 : 6;
        uint16_t Rec_Counter_Base_Address_Id : 10;
      } __attribute__((__packed__));
      uint16_t Valid_Bytes_In_Payload; /* the hardware's */
      uint16_t Unused2;
      uint64_t Counter_Offset;
    } __attribute__((__packed__)) Direct_Put;
    struct {
      struct {
        uint16_t Rget_Inj_FIFO_Id : 10;
        uint16_t Unused1 : 6;
      } __attribute__((__packed__));
      uint8_t Unused2[18];
    } __attribute__((__packed__)) Remote_Get;
  } __attribute__((__packed__)) Packet_Types;
} __attribute__((__packed__)) MUHWI_MessageUnitHeader_t;

__END_DECLS

#endif
