/* SPDX-License-Identifier: Apache-2.0 */
/* What the headers of both kinds of packets have in common. */
#ifndef _MUHWI_PACKET_COMMON_H_
#define _MUHWI_PACKET_COMMON_H_

#include <hwi/include/common/compiler_support.h>

__BEGIN_DECLS

#define MUHWI_PACKET_HEADER_SIZE_IN_BYTES 32
#define MUHWI_PACKET_MAX_PAYLOAD_SIZE_IN_BYTES 512

/* Byte 2: interrupt on arrival. */
#define MUHWI_PACKET_INTERRUPT_ON_PACKET_ARRIVAL (0x01)
#define MUHWI_PACKET_DO_NOT_INTERRUPT_ON_PACKET_ARRIVAL (0x00)

/* Byte 3: virtual channel; whether a packet that escaped to the bubble channel stays there. */
#define MUHWI_PACKET_VIRTUAL_CHANNEL_DYNAMIC (0x00)
#define MUHWI_PACKET_VIRTUAL_CHANNEL_DETERMINISTIC (0x20)
#define MUHWI_PACKET_VIRTUAL_CHANNEL_HIGH_PRIORITY (0x40)
#define MUHWI_PACKET_VIRTUAL_CHANNEL_SYSTEM (0x60)
#define MUHWI_PACKET_VIRTUAL_CHANNEL_USER_COMM_WORLD (0x80)
#define MUHWI_PACKET_VIRTUAL_CHANNEL_USER_SUB_COMM (0xa0)
#define MUHWI_PACKET_VIRTUAL_CHANNEL_SYSTEM_COLLECTIVE (0xc0)
#define MUHWI_PACKET_STAY_ON_BUBBLE (0x04)
#define MUHWI_PACKET_DO_NOT_STAY_ON_BUBBLE (0x00)

/* Byte 8: what the Messaging Unit does with the packet. */
#define MUHWI_PACKET_TYPE_FIFO (0x00)
#define MUHWI_PACKET_TYPE_PUT (0x40)
#define MUHWI_PACKET_TYPE_GET (0x80)
#define MUHWI_PACKET_TYPE_PACED_GET (0xc0)

/* Bytes 4 to 7: coordinates. */
typedef struct MUHWI_Destination {
  union {
    uint32_t Destination;
    struct {
      uint32_t Reserved2 : 2;
      uint32_t A_Destination : 6;
      uint32_t B_Destination : 6;
      uint32_t C_Destination : 6;
      uint32_t D_Destination : 6;
      uint32_t E_Destination : 6;
    } __attribute__((__packed__));
  } __attribute__((__packed__)) Destination;
} __attribute__((__packed__)) MUHWI_Destination_t;

__END_DECLS

#endif
