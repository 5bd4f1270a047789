// SPDX-License-Identifier: Apache-2.0
#include "firmware/ospri/dcmf/receive.h"

#include <string.h>

#include "firmware/ospri/dcmf/fatal.h"
#include "firmware/ospri/dcmf/memory.h"
#include "firmware/ospri/dcmf/scaling.h"
#include "firmware/ospri/dcmf/send.h"
#include "firmware/ospri/dcmf/strided.h"

/// A message of more than a packet, while it arrives.
typedef struct ospri_receive {
  DCMF_Request_t dcmf;
  ospri_head_t head;
  struct ospri_receive* next;
  unsigned peer;
  uint32_t number;  ///< in the order of arrival
  size_t bytes, room;
  char* data;  ///< owned; NULL: the message goes where it belongs
} receive_t;

static unsigned largest(void) {
  const unsigned put = ospri.put_pool.bytes, get = ospri.get_pool.bytes, accumulate = ospri.accumulate_pool.bytes;
  const unsigned larger = put > get ? put : get;
  return larger > accumulate ? larger : accumulate;
}

/// Receptions of packed blocks are used again and again; longer ones are made for the occasion.
static receive_t* take_receive(size_t bytes) {
  receive_t* receive = ospri.spare_receives;
  if (bytes <= largest() && receive) {
    ospri.spare_receives = receive->next;
  } else {
    receive = ospri_take_memory(sizeof *receive);
    receive->room = bytes <= largest() ? largest() : bytes;
    receive->data = ospri_take_memory(receive->room);
  }
  receive->bytes = bytes;
  receive->next = ospri.receives;
  ospri.receives = receive;
  return receive;
}

static void give_receive(receive_t* receive) {
  receive_t** link = &ospri.receives;
  while (*link != receive) link = &(*link)->next;
  *link = receive->next;
  if (receive->room == largest()) {
    receive->next = ospri.spare_receives;
    ospri.spare_receives = receive;
  } else {
    ospri_give_memory(receive->data);
    ospri_give_memory(receive);
  }
}

void ospri_free_receives(void) {
  while (ospri.spare_receives) {
    receive_t* const receive = ospri.spare_receives;
    ospri.spare_receives = receive->next;
    ospri_give_memory(receive->data);
    ospri_give_memory(receive);
  }
}

bool ospri_receives_from(unsigned peer, uint32_t before) {
  for (const receive_t* receive = ospri.receives; receive; receive = receive->next) {
    if (receive->peer == peer && (int32_t)(receive->number - before) < 0) return true;
  }
  return false;
}

static void receive_blocks(const char* message, bool add) {
  const ospri_blocks_t* const header = (const void*)message;
  ospri_side_t side = {.base = header->place, .block = header->block, .levels = header->levels};
  memcpy(side.level, header + 1, header->levels * sizeof *side.level);
  const char* data = message + (sizeof *header + header->levels * sizeof *side.level + 15) / 16 * 16;
  if (!add) {
    ospri_unpack(&side, header->first, header->blocks, data);
    return;
  }
  ospri_walk_t walk;
  ospri_walk_begin(&walk, &side, header->first);
  for (unsigned i = 0; i < header->blocks; ++i, data += header->block) {
    ospri_add_scaled(walk.at, data, header->block, header->type, header->scaling);
    ospri_walk_next(&walk);
  }
}

/// A message that is here as a whole; `number` is that of the next message after it.
static void handle(const ospri_head_t* head, unsigned peer, uint32_t number, const char* data, size_t bytes) {
  switch (head->kind) {
    case OSPRI_PUT:
      if (data != head->place) memcpy(head->place, data, bytes);
      break;
    case OSPRI_ACCUMULATE:
      ospri_add_scaled(head->place, data, bytes, head->type, head->value);
      break;
    case OSPRI_COMBINE:
      ospri_xor(head->place, data, bytes);
      break;
    case OSPRI_PUT_BLOCKS:
    case OSPRI_ADD_BLOCKS:
      receive_blocks(data, head->kind == OSPRI_ADD_BLOCKS);
      break;
    case OSPRI_FETCH:
      ospri_receive_fetch(peer, data);
      break;
    case OSPRI_FETCHED_BLOCKS:
      ospri_receive_fetched(data);
      break;
    case OSPRI_RMW:
      ospri_receive_rmw(peer, head);
      break;
    case OSPRI_RMW_RESULT:
      ospri_receive_rmw_result(head);
      break;
    case OSPRI_FLUSH:
      ospri_receive_flush(peer, head);
      break;
    case OSPRI_REQUEST:
      ospri_receive_request(peer, number, head, data, bytes);
      break;
    case OSPRI_LOCK:
    case OSPRI_TRY_LOCK:
      ospri_receive_lock(peer, head);
      break;
    case OSPRI_UNLOCK:
      ospri_receive_unlock(head);
      break;
    default:
      ospri_fatal("a message of kind %u came from rank %u", head->kind, peer);
  }
  if (head->acknowledge) ospri_send_control(peer, OSPRI_ACKNOWLEDGED, 0, NULL);
}

static void receive_short(void* clientdata, const DCQuad* info, unsigned count, size_t peer, const char* data,
                          size_t bytes) {
  (void)clientdata, (void)count;
  handle((const ospri_head_t*)(const void*)info, (unsigned)peer, ospri.receive_number, data, bytes);
}

static void received(void* clientdata, DCMF_Error_t* error) {
  (void)error;
  receive_t* const receive = clientdata;
  const unsigned peer = receive->peer;
  handle(&receive->head, peer, receive->number, receive->head.kind == OSPRI_PUT ? receive->head.place : receive->data,
         receive->bytes);
  give_receive(receive);
  if (ospri.late_flushes) ospri_go_on_flushing(peer);
  if (ospri.late_requests) ospri_go_on_with_requests(peer);
}

static DCMF_Request_t* receive_long(void* clientdata, const DCQuad* info, unsigned count, size_t peer, size_t bytes,
                                    size_t* room, char** place, DCMF_Callback_t* done) {
  (void)clientdata;
  const ospri_head_t* const head = (const ospri_head_t*)(const void*)info;
  receive_t* const receive = take_receive(head->kind == OSPRI_PUT ? 0 : bytes);
  memcpy(&receive->head, info, count * sizeof *info);
  receive->peer = (unsigned)peer;
  receive->number = ospri.receive_number++;
  *room = bytes;
  *place = head->kind == OSPRI_PUT ? head->place : receive->data;
  *done = (DCMF_Callback_t){received, receive};
  return &receive->dcmf;
}

static void receive_control(void* clientdata, const DCMF_Control_t* info, size_t peer) {
  (void)clientdata;
  const ospri_head_t* const head = (const ospri_head_t*)(const void*)info;
  switch (head->kind) {
    case OSPRI_FLUSHED:
      ospri_receive_flushed(head);
      break;
    case OSPRI_ACKNOWLEDGED:
      ospri.targets[peer].sends -= 1;
      break;
    case OSPRI_LOCKED:
      ospri_receive_locked(head);
      break;
    case OSPRI_SHARED:
      ospri_receive_shared((unsigned)peer, head);
      break;
    default:
      ospri_fatal("a control message of kind %u came from rank %u", head->kind, (unsigned)peer);
  }
}

static void expect(DCMF_Result result, const char* call) {
  if (result != DCMF_SUCCESS) ospri_fatal("%s failed with %d", call, (int)result);
}

void ospri_register_protocols(void) {
  DCMF_Send_Configuration_t send = {
      DCMF_DEFAULT_SEND_PROTOCOL, DCMF_DEFAULT_NETWORK, receive_short, NULL, receive_long, NULL};
  DCMF_Send_Configuration_t packets = send;
  packets.protocol = DCMF_EAGER_SEND_PROTOCOL;  // a rendezvous costs more than the data of a packet
  DCMF_Control_Configuration_t control = {DCMF_DEFAULT_CONTROL_PROTOCOL, DCMF_DEFAULT_NETWORK, receive_control, NULL};
  DCMF_Put_Configuration_t put = {DCMF_DEFAULT_PUT_PROTOCOL, DCMF_DEFAULT_NETWORK};
  DCMF_Get_Configuration_t get = {DCMF_DEFAULT_GET_PROTOCOL, DCMF_DEFAULT_NETWORK};
  expect(DCMF_Send_register(&ospri.send, &send), "DCMF_Send_register");
  expect(DCMF_Send_register(&ospri.packet_send, &packets), "DCMF_Send_register (eager)");
  expect(DCMF_Control_register(&ospri.control, &control), "DCMF_Control_register");
  expect(DCMF_Put_register(&ospri.put, &put), "DCMF_Put_register");
  expect(DCMF_Get_register(&ospri.get, &get), "DCMF_Get_register");
}
