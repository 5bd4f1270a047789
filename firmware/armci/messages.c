// SPDX-License-Identifier: Apache-2.0
// Messages: short ones travel with their envelope, long ones are fetched by their receiver. All wait in one list until
// they are received.
#include "firmware/armci/messages.h"

#include <string.h>

#include "firmware/armci/completion.h"
#include "firmware/armci/include/message.h"
#include "firmware/armci/requests.h"
#include "firmware/armci/transfer.h"

typedef struct arrival {
  struct arrival* next;
  uint32_t source;
  armcii_message_t message;
  uint8_t data[] __attribute__((aligned(8)));
} arrival_t;

enum { EAGER_MAX = 4096 };
_Static_assert(EAGER_MAX + sizeof(arrival_t) <= ARMCIB_PAYLOAD_MAX, "waits in a buffer");

static arrival_t *first_arrival, **last_arrival = &first_arrival;

void armcii_handle_message(uint32_t source, const armcii_message_t* message, const void* payload) {
  const size_t bytes = message->kind == ARMCII_MESSAGE ? message->bytes : 0;
  arrival_t* const arrival = armcii_buffer_for(sizeof *arrival + bytes);
  arrival->next = NULL;
  arrival->source = source;
  arrival->message = *message;
  if (bytes != 0) memcpy(arrival->data, payload, bytes);
  *last_arrival = arrival;
  last_arrival = &arrival->next;
}

void armcii_handle_taken(const armcii_word_t* word) {
  armcii_piece_done((armcii_completion_t*)(uintptr_t)word->cookie);
}

void armcii_send(armcii_channel_t channel, int tag, const void* buffer, size_t bytes, uint32_t to) {
  armcii_completion_t sent = {.pending = 1};
  armcii_message_t message = {.kind = ARMCII_MESSAGE, .channel = (uint8_t)channel, .tag = tag, .bytes = bytes};
  if (bytes == 0 && channel == ARMCII_COLLECTIVE) {
    // Of a barrier: nothing of it may come behind the last one.
    armcib_request(to, &message, sizeof message, NULL, 0, NULL, NULL);
    return;
  }
  // Other messages take part in the flow control of requests that change memory.
  if (bytes <= EAGER_MAX) {
    armcii_send_change(to, &message, sizeof message, buffer, bytes, armcii_piece_done, &sent);
  } else {
    message.kind = ARMCII_OFFER;
    message.address = (uintptr_t)buffer;
    message.cookie = (uintptr_t)&sent;
    armcii_send_change(to, &message, sizeof message, NULL, 0, NULL, NULL);
  }
  armcii_wait_for(&sent);
}

/// The link to the first message that matches; NULL: there is none.
static arrival_t** find(armcii_channel_t channel, int tag, int64_t from) {
  for (arrival_t** link = &first_arrival; *link != NULL; link = &(*link)->next) {
    const arrival_t* const arrival = *link;
    if (arrival->message.channel != channel || arrival->message.tag != tag) continue;
    if (from == ARMCII_ANY || from == arrival->source) return link;
  }
  return NULL;
}

size_t armcii_receive(armcii_channel_t channel, int tag, void* buffer, size_t bytes, int64_t from, uint32_t* sender) {
  arrival_t** link;
  while ((link = find(channel, tag, from)) == NULL) armcib_advance();
  arrival_t* const arrival = *link;
  *link = arrival->next;
  if (last_arrival == &arrival->next) last_arrival = link;
  const armcii_message_t* const message = &arrival->message;
  const size_t length = message->bytes;
  if (length > bytes) {
    armcii_fail("a message of process %u with tag %d has %zu bytes; the buffer has %zu", arrival->source, tag, length,
                bytes);
  }
  if (message->kind == ARMCII_MESSAGE) {
    if (length != 0) memcpy(buffer, arrival->data, length);
  } else if (arrival->source == armcii_self) {
    armcii_fail("a message of process %u to itself has %zu bytes; at most %d can be sent", armcii_self, length,
                EAGER_MAX);
  } else {
    armcii_completion_t fetched = {.pending = 0};
    armcii_get_piece(arrival->source, buffer, (uintptr_t)message->address, length, &fetched);
    armcii_wait_for(&fetched);
    const armcii_word_t word = {.kind = ARMCII_TAKEN, .cookie = message->cookie};
    armcib_request(arrival->source, &word, sizeof word, NULL, 0, NULL, NULL);
  }
  if (sender != NULL) *sender = arrival->source;
  armcii_buffer_free(arrival);
  return length;
}

// ---------------------------------------------------------------------------------------------------------------
// Public

static size_t checked_length(int length, const char* function) {
  if (length < 0) armcii_fail("%s: the length is %d; it must be 0 or more", function, length);
  return (size_t)length;
}

void armci_msg_snd(int tag, void* buffer, int length, int to) {
  armcii_enter("armci_msg_snd");
  const uint32_t target = armcii_checked(to, "armci_msg_snd");
  armcii_send(ARMCII_PROGRAM, tag, buffer, checked_length(length, "armci_msg_snd"), target);
  armcib_exit();
}

void armci_msg_rcv(int tag, void* buffer, int length, int* received, int from) {
  armcii_enter("armci_msg_rcv");
  const uint32_t source = armcii_checked(from, "armci_msg_rcv");
  const size_t bytes =
      armcii_receive(ARMCII_PROGRAM, tag, buffer, checked_length(length, "armci_msg_rcv"), source, NULL);
  armcib_exit();
  if (received != NULL) *received = (int)bytes;
}

int armci_msg_rcvany(int tag, void* buffer, int length, int* received) {
  armcii_enter("armci_msg_rcvany");
  uint32_t sender;
  const size_t bytes =
      armcii_receive(ARMCII_PROGRAM, tag, buffer, checked_length(length, "armci_msg_rcvany"), ARMCII_ANY, &sender);
  armcib_exit();
  if (received != NULL) *received = (int)bytes;
  return (int)sender;
}
