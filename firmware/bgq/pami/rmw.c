// SPDX-License-Identifier: Apache-2.0
// Atomic operations on a remote word: a message, which the target's advance performs and answers.
#include <string.h>

#include "firmware/bgq/pami/operation.h"
#include "firmware/bgq/pami/rma.h"
#include "firmware/bgq/pami/send.h"
#include "firmware/bgq/pami/types/layout.h"

typedef struct rmw_request {
  uint64_t at;  // an address of the target
  uint64_t value;
  uint64_t test;
  uint64_t operation;  // the origin's
  uint32_t what;       // pami_atomic_t
  uint32_t bytes;
} rmw_request_t;

typedef struct rmw_reply {
  uint64_t old;
  uint64_t operation;
} rmw_reply_t;

// Bits that are no operator.
enum { kFlags = PAMI_ATOMIC_FETCH | PAMI_ATOMIC_COMPARE };

static uint64_t read_word(const void* at, unsigned bytes) {
  switch (bytes) {
    case 1:
      return *(const uint8_t*)at;
    case 2:
      return *(const uint16_t*)at;
    case 4:
      return *(const uint32_t*)at;
    default:
      return *(const uint64_t*)at;
  }
}

static void write_word(void* at, unsigned bytes, uint64_t value) {
  switch (bytes) {
    case 1:
      *(uint8_t*)at = (uint8_t)value;
      break;
    case 2:
      *(uint16_t*)at = (uint16_t)value;
      break;
    case 4:
      *(uint32_t*)at = (uint32_t)value;
      break;
    default:
      *(uint64_t*)at = value;
      break;
  }
}

static bool exchange(void* at, unsigned bytes, uint64_t old, uint64_t value) {
  uint8_t old1 = (uint8_t)old;
  uint16_t old2 = (uint16_t)old;
  uint32_t old4 = (uint32_t)old;
  enum { kOrder = __ATOMIC_SEQ_CST };
  switch (bytes) {
    case 1:
      return __atomic_compare_exchange_n((uint8_t*)at, &old1, (uint8_t)value, false, kOrder, kOrder);
    case 2:
      return __atomic_compare_exchange_n((uint16_t*)at, &old2, (uint16_t)value, false, kOrder, kOrder);
    case 4:
      return __atomic_compare_exchange_n((uint32_t*)at, &old4, (uint32_t)value, false, kOrder, kOrder);
    default:
      return __atomic_compare_exchange_n((uint64_t*)at, &old, value, false, kOrder, kOrder);
  }
}

static uint64_t result_of(unsigned what, uint64_t old, uint64_t value) {
  switch (what & ~(unsigned)kFlags) {
    case PAMI_ATOMIC_SET:
      return value;
    case PAMI_ATOMIC_ADD:
      return old + value;
    case PAMI_ATOMIC_OR:
      return old | value;
    case PAMI_ATOMIC_AND:
      return old & value;
    default:  // PAMI_ATOMIC_XOR
      return old ^ value;
  }
}

// Other threads of the process may change the word at the same time.
static uint64_t perform(const rmw_request_t* request) {
  void* at = (void*)request->at;
  for (;;) {
    const uint64_t old = read_word(at, request->bytes);
    if ((request->what & PAMI_ATOMIC_COMPARE) && old != request->test) return old;
    if (exchange(at, request->bytes, old, result_of(request->what, old, request->value))) return old;
  }
}

static void request_arrives(pami_context_t context, void* cookie, const void* header, size_t header_bytes,
                            const void* data, size_t bytes, pami_endpoint_t origin, pami_recv_t* receiver) {
  (void)cookie, (void)header_bytes, (void)data, (void)bytes, (void)receiver;
  const rmw_request_t* request = header;
  const pami_place_t place = {.address = request->at};
  pami_place_here(&place, origin);
  const rmw_reply_t reply = {.old = perform(request), .operation = request->operation};
  pami_internal_send(context, origin, PAMI_DISPATCH_RMW_REPLY, &reply, sizeof reply, NULL, 0, NULL, NULL, NULL);
}

static void reply_arrives(pami_context_t context, void* cookie, const void* header, size_t header_bytes,
                          const void* data, size_t bytes, pami_endpoint_t origin, pami_recv_t* receiver) {
  (void)cookie, (void)header_bytes, (void)data, (void)bytes, (void)origin, (void)receiver;
  const rmw_reply_t* reply = header;
  pami_operation_t* operation = (pami_operation_t*)reply->operation;
  if (operation->more != NULL) write_word(operation->more, (unsigned)operation->arrival, reply->old);
  pami_operation_tell(context, operation);
}

pami_result_t PAMI_Rmw(pami_context_t context, pami_rmw_t* parameters) {
  const pami_result_t result = pami_check_endpoint(parameters->dest, "PAMI_Rmw");
  if (result != PAMI_SUCCESS) return result;
  const pami_layout_t* layout = pami_layout(parameters->type);
  const size_t bytes = layout == NULL ? 0 : layout->header.size;
  if (layout == NULL || layout->header.element < PAMI_ELEMENT_SIGNED_CHAR ||
      layout->header.element > PAMI_ELEMENT_UNSIGNED_LONG)
    return pami_error(PAMI_INVAL, "PAMI_Rmw: the type is no predefined integer");
  const unsigned what = parameters->operation, action = what & ~(unsigned)kFlags;
  if (action < PAMI_ATOMIC_SET || action > PAMI_ATOMIC_XOR)
    return pami_error(PAMI_INVAL, "PAMI_Rmw: operation %#x", what);
  if ((uint64_t)parameters->remote % bytes != 0)
    return pami_error(PAMI_INVAL, "PAMI_Rmw: a word of %zu bytes at %p", bytes, parameters->remote);
  pami_operation_t* operation = pami_operation_begin(context, parameters->dest);
  operation->local_fn = parameters->done_fn;
  operation->cookie = parameters->cookie;
  operation->more = what & PAMI_ATOMIC_FETCH ? parameters->local : NULL;
  operation->arrival = bytes;
  const rmw_request_t request = {.at = (uint64_t)parameters->remote,
                                 .value = read_word(parameters->value, (unsigned)bytes),
                                 .test = what & PAMI_ATOMIC_COMPARE ? read_word(parameters->test, (unsigned)bytes) : 0,
                                 .operation = (uint64_t)operation,
                                 .what = what,
                                 .bytes = (uint32_t)bytes};
  return pami_internal_send(context, parameters->dest, PAMI_DISPATCH_RMW, &request, sizeof request, NULL, 0, NULL, NULL,
                            NULL);
}

void pami_rmw_open(pami_context_impl_t* context) {
  pami_internal_dispatch(context, PAMI_DISPATCH_RMW, request_arrives, NULL);
  pami_internal_dispatch(context, PAMI_DISPATCH_RMW_REPLY, reply_arrives, NULL);
}
