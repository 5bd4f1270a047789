// SPDX-License-Identifier: Apache-2.0
#include "firmware/mpi/matching.h"

#include <stddef.h>

static mpii_request_t* posted;
static mpii_request_t** posted_end = &posted;
static mpii_unexpected_t* unexpected;
static mpii_unexpected_t** unexpected_end = &unexpected;

static inline bool fits(uint32_t context, int source, int tag, const mpit_envelope_t* envelope) {
  return envelope->context == context && (source == MPI_ANY_SOURCE || envelope->source == (uint32_t)source) &&
         (tag == MPI_ANY_TAG || envelope->tag == tag);
}

mpii_request_t* mpii_match_posted(const mpit_envelope_t* envelope) {
  for (mpii_request_t** place = &posted; *place != NULL; place = &(*place)->next) {
    mpii_request_t* request = *place;
    if (!fits(request->context, request->peer, request->tag, envelope)) continue;
    *place = request->next;
    if (posted_end == &request->next) posted_end = place;
    return request;
  }
  return NULL;
}

void mpii_post(mpii_request_t* request) {
  request->next = NULL;
  *posted_end = request;
  posted_end = &request->next;
}

bool mpii_unpost(mpii_request_t* request) {
  for (mpii_request_t** place = &posted; *place != NULL; place = &(*place)->next) {
    if (*place != request) continue;
    *place = request->next;
    if (posted_end == &request->next) posted_end = place;
    return true;
  }
  return false;
}

mpii_unexpected_t* mpii_match_unexpected(const mpii_request_t* request) {
  for (mpii_unexpected_t* message = unexpected; message != NULL; message = message->next) {
    if (!fits(request->context, request->peer, request->tag, &message->envelope)) continue;
    mpii_unexpected_take(message);
    return message;
  }
  return NULL;
}

mpii_unexpected_t* mpii_unexpected_find(const mpii_comm_t* comm, int source, int tag) {
  for (mpii_unexpected_t* message = unexpected; message != NULL; message = message->next) {
    if (fits(comm->context, source, tag, &message->envelope)) return message;
  }
  return NULL;
}

void mpii_unexpected_take(mpii_unexpected_t* message) {
  mpii_unexpected_t** place = &unexpected;
  while (*place != message) place = &(*place)->next;
  *place = message->next;
  if (unexpected_end == &message->next) unexpected_end = place;
}

void mpii_unexpected_add(mpii_unexpected_t* message) {
  message->next = NULL;
  *unexpected_end = message;
  unexpected_end = &message->next;
}

/// Contexts with odd numbers are those of collective operations.
static bool is_the_programs(uint32_t context) {
  return (context & 1u) == 0;
}

void mpii_matching_finish(void) {
  const mpii_unexpected_t* first_message = NULL;
  const mpii_request_t* first_receive = NULL;
  unsigned messages = 0, receives = 0;
  for (const mpii_unexpected_t* message = unexpected; message != NULL; message = message->next) {
    if (!is_the_programs(message->envelope.context)) continue;
    if (messages++ == 0) first_message = message;
  }
  for (const mpii_request_t* receive = posted; receive != NULL; receive = receive->next) {
    if (!is_the_programs(receive->context)) continue;
    if (receives++ == 0) first_receive = receive;
  }
  if (messages != 0) {
    mpii_warn("messages that were not received: %u, the first from rank %u with tag %d", messages,
              first_message->envelope.source, first_message->envelope.tag);
  }
  if (receives != 0) {
    mpii_warn("receives that no message came for: %u, the first from rank %d with tag %d", receives,
              first_receive->peer, first_receive->tag);
  }
}

/// Kinds that may stand for each other: signed and unsigned integers of a size, characters and logicals with them.
static int family(mpii_basic_t basic) {
  switch (basic) {
    case MPII_CHARACTER:
    case MPII_INT8:
    case MPII_UINT8:
    case MPII_LOGICAL8:
      return MPII_INT8;
    case MPII_INT16:
    case MPII_UINT16:
    case MPII_LOGICAL16:
      return MPII_INT16;
    case MPII_INT32:
    case MPII_UINT32:
    case MPII_LOGICAL32:
      return MPII_INT32;
    case MPII_INT64:
    case MPII_UINT64:
    case MPII_LOGICAL64:
      return MPII_INT64;
    case MPII_LONG_INT:
      return sizeof(long) == sizeof(int) ? MPII_2INT : basic;
    default:
      return basic;
  }
}

bool mpii_basics_match(mpii_basic_t sent, mpii_basic_t received) {
  if (sent == received || sent <= MPII_RAW || received <= MPII_RAW) return true;
  return family(sent) == family(received);
}
