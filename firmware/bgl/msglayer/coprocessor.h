// SPDX-License-Identifier: Apache-2.0
/// The node's second core as a coprocessor: the pool of work units in the scratchpad, the loop that runs them, and the
/// reception of rendezvous data there. For the layer's own files.
///
/// Core 0 posts work units and joins them. Core 1 takes them in order and runs each to its end; if none waits, it calls
/// the permanent units one after the other. A waiting core polls the work quad in the scratchpad.
///
/// The first permanent unit is the layer's own: an advance loop over reception group 1, which only core 1 uses. The
/// data packets of messages that core 0 has assigned to core 1 (bglml_coprocessor_accept) go to that group. Core 1
/// starts no transient unit before all of these messages have arrived, and core 0 assigns none while a transient unit
/// waits or runs: so a long unit never blocks packets in the network.
#ifndef TOROID_FIRMWARE_MSGLAYER_COPROCESSOR_H
#define TOROID_FIRMWARE_MSGLAYER_COPROCESSOR_H

#include "drivers/bgl/cache.h"
#include "firmware/bgl/msglayer/msglayer.h"
#include "firmware/bgl/msglayer/rendezvous_data.h"
#include "firmware/bgl/msglayer/scratchpad.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  BGLML_CO_GROUP = 1,                          ///< the reception group of core 1
  BGLML_CO_STACK_BYTES = 256 * 1024,           ///< of core 1
  BGLML_CO_RECEPTIONS = BGLML_PAD_SLOT_COUNT,  ///< messages that core 1 receives at a time
};

typedef struct {
  bglml_co_function_t function;
  void* argument;
} bglml_work_unit_t;

/// Core 0's state for the coprocessor.
typedef struct {
  bool present;        ///< core 1 is the layer's
  bool running;        ///< it has been started
  uint8_t* stack;      ///< of core 1, BGLML_CO_STACK_BYTES long
  uint32_t posted;     ///< number of transient units: the handle of the next one
  uint32_t permanent;  ///< permanent units so far
  uint32_t given;      ///< messages assigned to core 1 so far
  uint32_t received;   ///< those of them that core 0 knows to have arrived
  uint32_t free;       ///< the first free slot; the others follow by `next`
  uint32_t next[BGLML_CO_RECEPTIONS];
  uint32_t ids[BGLML_CO_RECEPTIONS];
  bglml_rendezvous_receive_t* receives[BGLML_CO_RECEPTIONS];
} bglml_coprocessor_t;

/// Core 1's own state. It fills whole cache lines, which core 0 does not access while core 1 runs.
typedef struct {
  uint32_t taken;      ///< transient units so far
  uint32_t permanent;  ///< permanent units that have been read from the scratchpad
  uint32_t received;   ///< messages received so far
  bglml_work_unit_t units[BGLML_PAD_PERMANENT_UNITS];
  bglml_data_slot_t slots[BGLML_CO_RECEPTIONS];  ///< those whose data has begun to arrive
  uint32_t early[BGLML_CO_RECEPTIONS];           ///< packets that arrived before their predecessor
  uint32_t copied[BGLML_CO_RECEPTIONS];  ///< bytes that were not read directly from the FIFO to their destination
  char who[32];                          ///< "message layer: rank 5: "
} __attribute__((aligned(BGL_CACHE_LINE_BYTES))) bglml_worker_t;

/// On core 0: takes core 1 for the layer. The scratchpad must be ready.
void bglml_coprocessor_open(bglml_coprocessor_t* coprocessor);

/// On core 0, before core 1 gets work: starts its loop, the first time.
void bglml_coprocessor_start(bglml_coprocessor_t* coprocessor);

/// Whether this is core 1, by its stack.
static inline bool bglml_on_coprocessor(const bglml_coprocessor_t* coprocessor) {
  const uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  return coprocessor->running && frame - (uintptr_t)coprocessor->stack < BGLML_CO_STACK_BYTES;
}

/// On core 1: ends the process with one line that contains the rank, `what` and `why`.
void bglml_coprocessor_fail(const char* what, const char* why) __attribute__((noreturn));

/// On core 0: whether no transient unit waits or runs.
bool bglml_coprocessor_idle(const bglml_coprocessor_t* coprocessor);

/// On core 0: assigns a message to core 1 for reception. Returns false if that is not possible: the receive buffer does
/// not consist of whole lines, no slot is free, or core 1 has other work. Otherwise the caller sends the id and the
/// group BGLML_CO_GROUP to the sender, and the buffer belongs to core 1 until bglml_coprocessor_finish() has called
/// recvdone.
bool bglml_coprocessor_accept(bglml_coprocessor_t* coprocessor, bglml_rendezvous_receive_t* receive, uint32_t* id);

/// On core 0: number of messages assigned to core 1 that core 0 has not finished.
static inline uint32_t bglml_coprocessor_receiving(const bglml_coprocessor_t* coprocessor) {
  return coprocessor->given - coprocessor->received;
}

/// On core 0: finishes messages; `received`, from the reception quad, have arrived.
void bglml_coprocessor_finish(bglml_coprocessor_t* coprocessor, uint32_t received);

/// One iteration of core 1's loop. If no unit waits and the permanent units store nothing, it changes no memory except
/// the stack.
void bglml_worker_turn(bglml_worker_t* worker);

/// One iteration of core 1's advance loop over its reception group.
void bglml_worker_receive(void* worker);

#ifdef __cplusplus
}
#endif

#endif
