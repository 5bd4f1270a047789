// SPDX-License-Identifier: Apache-2.0
#include "firmware/mpi/matching.h"

#include <stddef.h>

static bglmpi_request_t* posted;
static bglmpi_request_t** posted_end = &posted;
static bglmpi_unexpected_t* unexpected;
static bglmpi_unexpected_t** unexpected_end = &unexpected;

static inline bool fits(uint32_t context, int source, int tag, const bglmpi_envelope_t* envelope) {
  return envelope->context == context && (source == MPI_ANY_SOURCE || envelope->source == (uint32_t)source) &&
         (tag == MPI_ANY_TAG || envelope->tag == tag);
}

bglmpi_request_t* bglmpi_match_posted(const bglmpi_envelope_t* envelope) {
  for (bglmpi_request_t** place = &posted; *place != NULL; place = &(*place)->next) {
    bglmpi_request_t* request = *place;
    if (!fits(request->context, request->peer, request->tag, envelope)) continue;
    *place = request->next;
    if (posted_end == &request->next) posted_end = place;
    return request;
  }
  return NULL;
}

void bglmpi_post(bglmpi_request_t* request) {
  request->next = NULL;
  *posted_end = request;
  posted_end = &request->next;
}

bool bglmpi_receive_withdraw(bglmpi_request_t* request) {
  for (bglmpi_request_t** place = &posted; *place != NULL; place = &(*place)->next) {
    if (*place != request) continue;
    *place = request->next;
    if (posted_end == &request->next) posted_end = place;
    return true;
  }
  return false;
}

bglmpi_unexpected_t* bglmpi_match_unexpected(const bglmpi_request_t* request) {
  for (bglmpi_unexpected_t* message = unexpected; message != NULL; message = message->next) {
    if (!fits(request->context, request->peer, request->tag, &message->envelope)) continue;
    bglmpi_unexpected_take(message);
    return message;
  }
  return NULL;
}

bglmpi_unexpected_t* bglmpi_unexpected_find(const bglmpi_comm_t* comm, int source, int tag) {
  for (bglmpi_unexpected_t* message = unexpected; message != NULL; message = message->next) {
    if (fits(comm->context, source, tag, &message->envelope)) return message;
  }
  return NULL;
}

void bglmpi_unexpected_take(bglmpi_unexpected_t* message) {
  bglmpi_unexpected_t** place = &unexpected;
  while (*place != message) place = &(*place)->next;
  *place = message->next;
  if (unexpected_end == &message->next) unexpected_end = place;
}

void bglmpi_unexpected_add(bglmpi_unexpected_t* message) {
  message->next = NULL;
  *unexpected_end = message;
  unexpected_end = &message->next;
}

/// Contexts with odd numbers are those of collective operations.
static bool is_the_programs(uint32_t context) {
  return (context & 1u) == 0;
}

void bglmpi_matching_finish(void) {
  const bglmpi_unexpected_t* first_message = NULL;
  const bglmpi_request_t* first_receive = NULL;
  unsigned messages = 0, receives = 0;
  for (const bglmpi_unexpected_t* message = unexpected; message != NULL; message = message->next) {
    if (!is_the_programs(message->envelope.context)) continue;
    if (messages++ == 0) first_message = message;
  }
  for (const bglmpi_request_t* receive = posted; receive != NULL; receive = receive->next) {
    if (!is_the_programs(receive->context)) continue;
    if (receives++ == 0) first_receive = receive;
  }
  if (messages != 0) {
    bglmpi_warn("messages that were not received: %u, the first from rank %u with tag %d", messages,
                first_message->envelope.source, first_message->envelope.tag);
  }
  if (receives != 0) {
    bglmpi_warn("receives that no message came for: %u, the first from rank %d with tag %d", receives,
                first_receive->peer, first_receive->tag);
  }
}

/// Kinds that may stand for each other: signed and unsigned integers of a size, characters and logicals with them.
static int family(bglmpi_basic_t basic) {
  switch (basic) {
    case BGLMPI_CHARACTER:
    case BGLMPI_INT8:
    case BGLMPI_UINT8:
    case BGLMPI_LOGICAL8:
      return BGLMPI_INT8;
    case BGLMPI_INT16:
    case BGLMPI_UINT16:
    case BGLMPI_LOGICAL16:
      return BGLMPI_INT16;
    case BGLMPI_INT32:
    case BGLMPI_UINT32:
    case BGLMPI_LOGICAL32:
      return BGLMPI_INT32;
    case BGLMPI_INT64:
    case BGLMPI_UINT64:
    case BGLMPI_LOGICAL64:
      return BGLMPI_INT64;
    case BGLMPI_LONG_INT:
    case BGLMPI_2INT:  // long is int's size
      return BGLMPI_2INT;
    default:
      return basic;
  }
}

bool bglmpi_basics_match(bglmpi_basic_t sent, bglmpi_basic_t received) {
  if (sent == received || sent <= BGLMPI_RAW || received <= BGLMPI_RAW) return true;
  return family(sent) == family(received);
}
