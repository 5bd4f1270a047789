// SPDX-License-Identifier: Apache-2.0
/// What programs start: operations, the requests that they live in, and how they wait.
///
/// An operation is started where it is called if the ring that it needs has room and nothing else waits there.
/// Otherwise it is copied into the ring's queue, and advance() starts it. So an operation never fails for want of a
/// resource, and operations to one rank keep their order.
#ifndef TOROID_FIRMWARE_DCMF_OPERATION_H
#define TOROID_FIRMWARE_DCMF_OPERATION_H

#include <dcmf.h>
#include <dcmf_collectives.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dcmf_ring;
typedef struct dcmf_request dcmf_request_t;
typedef struct dcmf_operation dcmf_operation_t;

enum { DCMF_MOST_MSGINFO = 7 };

struct dcmf_operation {
  /// Starts the operation; false, without any effect, if it has to wait.
  bool (*start)(dcmf_operation_t* operation);
  dcmf_request_t* request;  ///< NULL if no callback is due: the request may not be touched
  struct dcmf_ring* ring;
  const char* data;    ///< what is sent, if the core copies it
  void (*hit)(void*);  ///< of a fetch: called with the owner when the data is there
  void* owner;
  uintptr_t cookie;  ///< of a rendezvous: what the sender's answer names
  uint32_t rank;     ///< of the other process
  uint32_t bytes;    ///< of the message
  uint32_t source;   ///< physical addresses
  uint32_t destination;
  uint32_t word[2];     ///< carried in the message's header
  uint16_t protocol;    ///< number of the registration
  uint8_t count;        ///< quads of info
  uint8_t consistency;  ///< DCMF_Consistency
  uint8_t counter;      ///< reception counter of the target, and its group
  uint8_t group;
  uint8_t kind;  ///< dcmf_packet_t
  DCQuad info[DCMF_CONTROL_NQUADS];
};

/// What is in a DCMF_Request_t.
struct dcmf_request {
  dcmf_operation_t operation;  ///< for DCMF_Restart()
  dcmf_request_t* next;        ///< in the list of those that are complete
  DCMF_Callback_t cb_done;
  DCMF_Callback_t cb_ack;
  struct dcmf_ring* ring;  ///< that has a descriptor whose end completes the request, or NULL
  uint32_t slot;           ///< of that descriptor
  uint32_t due;            ///< parts that are not complete
  uint32_t parts;          ///< of the operation: 1 unless it sends several messages
  /// Starts the request once more, if that is not to start `operation`.
  void (*restart)(dcmf_request_t* request);
};

static inline dcmf_request_t* dcmf_request_in(DCMF_Request_t* request) {
  return (dcmf_request_t*)(void*)request;
}

/// Starts *operation now or, in its turn, later.
void dcmf_begin(dcmf_operation_t* operation);
/// Starts what waits and can start. Returns how many operations it started.
unsigned dcmf_begin_waiting(void);

/// Calls the callback, unless it has no function.
static inline void dcmf_call(const DCMF_Callback_t* callback) {
  if (callback->function) {
    DCMF_Error_t error = {DCMF_SUCCESS};
    callback->function(callback->clientdata, &error);
  }
}

/// Prepares a request of one part, whose operation the caller then fills in.
dcmf_operation_t* dcmf_prepare(DCMF_Request_t* request, DCMF_Callback_t cb_done, uint32_t rank, size_t bytes,
                               DCMF_Consistency consistency);
/// A part of the request is complete: has advance() call cb_done if it was the last one.
void dcmf_complete(dcmf_request_t* request);
/// The same from advance(): calls cb_done.
void dcmf_part_done(dcmf_request_t* request);
unsigned dcmf_call_completed(void);

/// Copies what a caller sends beside the data, word by word: callers give structures of their own, aligned as these
/// are.
static inline void dcmf_copy_msginfo(DCQuad* to, const DCQuad* msginfo, unsigned quads) {
  uint32_t* words = &to->w0;
  const uint32_t* from = (const uint32_t*)(const void*)msginfo;
  for (unsigned i = 0; i < 4 * quads; ++i) words[i] = from[i];
}

#ifdef __cplusplus
}
#endif

#endif
