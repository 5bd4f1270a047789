// SPDX-License-Identifier: Apache-2.0
/// Registrations, and what packets of messages look like.
#ifndef TOROID_FIRMWARE_DCMF_PROTOCOL_H
#define TOROID_FIRMWARE_DCMF_PROTOCOL_H

#include "firmware/bgp/dcmf/operation.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  DCMF_PACKET_PAYLOAD = 240,
  DCMF_HEADER_BYTES = 16,
  /// Data and msginfo that fit into one packet, beside the header.
  DCMF_SHORT_BYTES = DCMF_PACKET_PAYLOAD - DCMF_HEADER_BYTES,
  DCMF_EAGER_BYTES = 1200,  ///< default of the largest message that is sent without being asked for
  DCMF_MOST_PROTOCOLS = 1024,
};

/// Begins every packet but those of an eager message's data and acknowledgements. The rank that sent it is in the
/// packet's SW_Arg.
typedef struct {
  uint16_t protocol;  ///< number of the registration, the same on all ranks
  uint8_t count;      ///< quads that follow
  uint8_t consistency;
  uint32_t bytes;    ///< of the message
  uint32_t word[2];  ///< for the protocol
} dcmf_header_t;

/// What follows msginfo in a request to send.
typedef struct {
  uint32_t physical;  ///< of the data
  uint32_t answer;    ///< 1: tell the sender when the data has been fetched
  uintptr_t cookie;   ///< for that
} dcmf_rendezvous_t;

/// Kinds of packets: each has its function at the receiver.
typedef enum {
  DCMF_PACKET_SHORT,    ///< a whole message: header, msginfo, data
  DCMF_PACKET_EAGER,    ///< header, msginfo; packets of data follow
  DCMF_PACKET_DATA,     ///< of the message before
  DCMF_PACKET_REQUEST,  ///< header, msginfo, then dcmf_rendezvous_t: the receiver fetches the data
  DCMF_PACKET_FETCHED,  ///< header: data of a rendezvous has been fetched
  DCMF_PACKET_CONTROL,  ///< header, control message
  /// Nothing: the target's DMA sends it, and the number of the put is in the packet's SW_Arg.
  DCMF_PACKET_ACKNOWLEDGED,
  DCMF_PACKETS
} dcmf_packet_t;

/// A message that is being received.
typedef struct dcmf_reception dcmf_reception_t;
struct dcmf_reception {
  dcmf_reception_t* next;  ///< of the pool
  char* buffer;
  uint32_t length;    ///< bytes that are stored
  uint32_t bytes;     ///< of the message
  uint32_t received;  ///< bytes so far
  uint32_t source;    ///< rank
  uint32_t pipe;      ///< cb_done is called each time so many bytes have come; 0: at the end only
  DCMF_Callback_t cb_done;
  /// Instead of cb_done, if it is not NULL: all is there.
  void (*finish)(dcmf_reception_t* reception);
  void* owner;  ///< for the protocol
  uint32_t index;
  // Rendezvous.
  uintptr_t cookie;  ///< of the sender
  uint32_t remote;   ///< physical address of the data at the sender
  bool answer;       ///< the sender wants to know
  uint8_t consistency;
};

/// What a registration object begins with.
typedef struct dcmf_protocol dcmf_protocol_t;
struct dcmf_protocol {
  uint32_t number;
  /// Takes a message of one packet.
  void (*take)(dcmf_protocol_t* protocol, const dcmf_header_t* header, const DCQuad* info, const char* data,
               uint32_t source);
  /// Says where a longer message is to go: buffer, length and what happens at the end. False: drop it. A message whose
  /// data will be fetched may be accepted later, if the protocol keeps *reception and calls dcmf_fetch(): DCMF_LATER.
  int (*accept)(dcmf_protocol_t* protocol, const dcmf_header_t* header, const DCQuad* info,
                dcmf_reception_t* reception);
};
enum { DCMF_DROP, DCMF_ACCEPT, DCMF_LATER };

/// Makes the registration that stands for those that have not been made; before all others.
void dcmf_register_none(void);
/// Gives a registration its number; DCMF_EAGAIN if there are too many.
DCMF_Result dcmf_register(dcmf_protocol_t* protocol);

/// Tells the protocol or the program that a message is there.
void dcmf_received(dcmf_reception_t* reception);

/// Sends a message of a protocol. *operation holds rank, bytes, data, consistency, request, words and msginfo. How it
/// is sent is chosen by its size and `most`, the size up to which it goes without being asked for.
DCMF_Result dcmf_send(dcmf_operation_t* operation, const dcmf_protocol_t* protocol, uint32_t most);

/// Fetches the data of a rendezvous into reception->buffer.
void dcmf_fetch(dcmf_reception_t* reception);

/// The start() of packets that hold a header and `count` quads of info.
bool dcmf_start_control(dcmf_operation_t* operation);

/// Functions that receive packets of a rank; `payload` is the packet's.
void dcmf_take_short(uint32_t source, char* payload);
void dcmf_take_eager(uint32_t source, char* payload);
void dcmf_take_data(uint32_t source, char* payload);
void dcmf_take_request(uint32_t source, char* payload);
void dcmf_take_fetched(uint32_t source, char* payload);
/// The same of an acknowledgement, which brings the put's number in place of the rank.
void dcmf_take_acknowledged(uint32_t number, char* payload);
/// The registration that a header names.
dcmf_protocol_t* dcmf_protocol_of(const dcmf_header_t* header, uint32_t source);

#ifdef __cplusplus
}
#endif

#endif
