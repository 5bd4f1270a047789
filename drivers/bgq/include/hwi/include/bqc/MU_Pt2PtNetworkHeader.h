/* SPDX-License-Identifier: Apache-2.0 */
/* The first 12 bytes of a packet from one node to another. */
#ifndef _MUHWI_PT2PT_NETWORK_HEADER_H_
#define _MUHWI_PT2PT_NETWORK_HEADER_H_

#include <hwi/include/bqc/MU_PacketCommon.h>
#include <hwi/include/common/compiler_support.h>

__BEGIN_DECLS

/* Byte 0. */
#define MUHWI_PT2PT_DATA_PACKET_TYPE 0x55

/* Byte 1: hints of A to D; byte 2: of E. Without any, the hardware computes the shortest way. */
#define MUHWI_PACKET_HINT_A_NONE (0x00)
#define MUHWI_PACKET_HINT_AM (0x80)
#define MUHWI_PACKET_HINT_AP (0x40)
#define MUHWI_PACKET_HINT_B_NONE (0x00)
#define MUHWI_PACKET_HINT_BM (0x20)
#define MUHWI_PACKET_HINT_BP (0x10)
#define MUHWI_PACKET_HINT_C_NONE (0x00)
#define MUHWI_PACKET_HINT_CM (0x08)
#define MUHWI_PACKET_HINT_CP (0x04)
#define MUHWI_PACKET_HINT_D_NONE (0x00)
#define MUHWI_PACKET_HINT_DM (0x02)
#define MUHWI_PACKET_HINT_DP (0x01)
#define MUHWI_PACKET_HINT_E_NONE (0x00)
#define MUHWI_PACKET_HINT_EM (0x80)
#define MUHWI_PACKET_HINT_EP (0x40)

/* Byte 2. */
#define MUHWI_PACKET_ROUTE_TO_IO_NODE (0x20)
#define MUHWI_PACKET_DO_NOT_ROUTE_TO_IO_NODE (0x00)
#define MUHWI_PACKET_RETURN_FROM_IO_NODE_USING_TORUS_PORT_6 (0x08)
#define MUHWI_PACKET_RETURN_FROM_IO_NODE_USING_TORUS_PORT_7 (0x10)
#define MUHWI_PACKET_RETURN_FROM_IO_NODE_USING_IO_PORT (0x18)
#define MUHWI_PACKET_USE_DYNAMIC_ROUTING (0x04)
#define MUHWI_PACKET_USE_DETERMINISTIC_ROUTING (0x00)
#define MUHWI_PACKET_DEPOSIT (0x02)
#define MUHWI_PACKET_DO_NOT_DEPOSIT (0x00)

/* Byte 3. */
#define MUHWI_PACKET_ZONE_ROUTING_0 (0x00)
#define MUHWI_PACKET_ZONE_ROUTING_1 (0x08)
#define MUHWI_PACKET_ZONE_ROUTING_2 (0x10)
#define MUHWI_PACKET_ZONE_ROUTING_3 (0x18)

/* The fields of E's hints have their names the other way round than the constants above, as on the machine: use those.
 * Size: of the payload in chunks of 32 bytes. Skip: words of 4 bytes that the injection checksum leaves out. */
typedef struct MUHWI_Pt2PtNetworkHeader {
  uint8_t Data_Packet_Type;
  uint8_t Hints;
  union {
    uint8_t Byte2;
    struct {
      uint8_t Hint_E_plus : 1;
      uint8_t Hint_E_minus : 1;
      uint8_t Route_To_IO_Node : 1;
      uint8_t Return_From_IO_Node : 2;
      uint8_t Dynamic : 1;
      uint8_t Deposit : 1;
      uint8_t Interrupt : 1;
    } __attribute__((__packed__));
  } __attribute__((__packed__)) Byte2;
  union {
    uint8_t Byte3;
    struct {
      uint8_t Virtual_channel : 3;
      uint8_t Zone_Routing_Id : 2;
      uint8_t Stay_On_Bubble : 1;
      uint8_t Reserved1 : 2;
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
} __attribute__((__packed__)) MUHWI_Pt2PtNetworkHeader_t;

__END_DECLS

#endif
