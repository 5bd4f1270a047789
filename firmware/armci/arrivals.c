// SPDX-License-Identifier: Apache-2.0
#include "firmware/armci/arrivals.h"

#include <string.h>

#include "firmware/hot.h"

struct armcii_arrival {
  armcii_arrival_t* next;
  armcii_arrivals_t* arrivals;
  armcii_arrival_handler_t handle;
  uint32_t source;
  uint16_t place;
  uint16_t header_bytes;
  bool is_whole;
  uint32_t bytes;
  uint8_t* payload;                                 ///< behind the header, or a buffer of its own
  uint8_t* buffer;                                  ///< that one, or NULL
  uint8_t contents[] __attribute__((aligned(16)));  ///< the header, and a short payload
};

static armcii_arrival_t* enqueue(armcii_arrivals_t* arrivals, armcii_arrival_handler_t handle, unsigned place,
                                 uint32_t source, const void* header, size_t header_bytes, size_t beside) {
  armcii_arrival_t* const arrival = armcii_buffer_for(sizeof *arrival + header_bytes + beside);
  *arrival = (armcii_arrival_t){.arrivals = arrivals,
                                .handle = handle,
                                .source = source,
                                .place = (uint16_t)place,
                                .header_bytes = (uint16_t)header_bytes};
  memcpy(arrival->contents, header, header_bytes);
  if (arrivals->first == NULL) {
    arrivals->first = arrival;
  } else {
    arrivals->last->next = arrival;
  }
  arrivals->last = arrival;
  return arrival;
}

HOT_OF_SENDS void armcii_arrives(armcii_arrivals_t* arrivals, armcii_arrival_handler_t handle, unsigned place,
                                 uint32_t source, const void* header, size_t header_bytes, const void* payload,
                                 size_t bytes) {
  if (arrivals->first == NULL) {
    handle(place, source, header, header_bytes, payload, bytes);
    return;
  }
  armcii_arrival_t* const arrival = enqueue(arrivals, handle, place, source, header, header_bytes, bytes);
  arrival->payload = arrival->contents + header_bytes;
  arrival->bytes = (uint32_t)bytes;
  arrival->is_whole = true;
  memcpy(arrival->payload, payload, bytes);
}

HOT_OF_SENDS void* armcii_arrival_begins(armcii_arrivals_t* arrivals, armcii_arrival_handler_t handle, unsigned place,
                                         uint32_t source, const void* header, size_t header_bytes, size_t bytes,
                                         armcii_arrival_t** arrival) {
  *arrival = enqueue(arrivals, handle, place, source, header, header_bytes, 0);
  (*arrival)->payload = (*arrival)->buffer = armcii_buffer_for(bytes);
  (*arrival)->bytes = (uint32_t)bytes;
  return (*arrival)->payload;
}

HOT_OF_SENDS void armcii_arrival_ends(armcii_arrival_t* arrival) {
  armcii_arrivals_t* const arrivals = arrival->arrivals;
  arrival->is_whole = true;
  while ((arrival = arrivals->first) != NULL && arrival->is_whole) {
    arrival->handle(arrival->place, arrival->source, arrival->contents, arrival->header_bytes, arrival->payload,
                    arrival->bytes);
    arrivals->first = arrival->next;
    if (arrival->buffer != NULL) armcii_buffer_free(arrival->buffer);
    armcii_buffer_free(arrival);
  }
}
