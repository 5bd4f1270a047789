// SPDX-License-Identifier: Apache-2.0
/// The node's second core as a coprocessor: the pool of work units in the scratchpad, the loop that runs them, and the
/// reception of rendezvous data there. For the layer's own files.
///
/// Core 0 posts work units and joins them; core 1 takes them in their order and runs each to its end, and whenever none
/// waits it calls the permanent units one after the other. A core that waits polls the scratchpad's work quad.
///
/// The first permanent unit is the layer's own: an advance loop over reception group 1, which is core 1's alone. To
/// that group go the data packets of those messages that core 0 has given to core 1 (bglml_coprocessor_accept). Core 1
/// takes no transient unit before all of these have come in, and core 0 gives none while a transient unit waits or
/// runs: a unit that takes long never leaves packets standing in the network.
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

/// What core 0 knows of the coprocessor.
typedef struct {
  bool present;        ///< core 1 is the layer's
  bool running;        ///< it has been started
  uint8_t* stack;      ///< core 1's, BGLML_CO_STACK_BYTES long
  uint32_t posted;     ///< transient units so far: the next one's handle
  uint32_t permanent;  ///< permanent units so far
  uint32_t given;      ///< messages given to core 1 so far
  uint32_t received;   ///< those of them that have come in, as far as core 0 has seen
  uint32_t free;       ///< the first free slot; the others follow by `next`
  uint32_t next[BGLML_CO_RECEPTIONS];
  uint32_t ids[BGLML_CO_RECEPTIONS];
  bglml_rendezvous_receive_t* receives[BGLML_CO_RECEPTIONS];
} bglml_coprocessor_t;

/// What core 1 keeps for itself. Whole lines of the cache: core 0 touches none of them once core 1 runs.
typedef struct {
  uint32_t taken;      ///< transient units so far
  uint32_t permanent;  ///< permanent units that have been read from the scratchpad
  uint32_t received;   ///< messages received so far
  bglml_work_unit_t units[BGLML_PAD_PERMANENT_UNITS];
  bglml_data_slot_t slots[BGLML_CO_RECEPTIONS];  ///< those whose data has begun to come in
  uint32_t early[BGLML_CO_RECEPTIONS];           ///< packets that came before their predecessor
  uint32_t copied[BGLML_CO_RECEPTIONS];          ///< bytes that did not go straight from the FIFO to their places
  char who[32];                                  ///< "message layer: rank 5: "
} __attribute__((aligned(BGL_CACHE_LINE_BYTES))) bglml_worker_t;

/// On core 0: core 1 is the layer's from here on. The scratchpad is ready.
void bglml_coprocessor_open(bglml_coprocessor_t* coprocessor);

/// On core 0, before work is given to core 1: start it in its loop, the first time.
void bglml_coprocessor_start(bglml_coprocessor_t* coprocessor);

/// Whether this is core 1, by its stack.
static inline bool bglml_on_coprocessor(const bglml_coprocessor_t* coprocessor) {
  const uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  return coprocessor->running && frame - (uintptr_t)coprocessor->stack < BGLML_CO_STACK_BYTES;
}

/// On core 1: end the process, with one line that says the rank, `what` and `why`.
void bglml_coprocessor_fail(const char* what, const char* why) __attribute__((noreturn));

/// On core 0: whether no transient unit waits or runs.
bool bglml_coprocessor_idle(const bglml_coprocessor_t* coprocessor);

/// On core 0: give a message to core 1 to receive. False where it cannot: the receive is no whole lines, no slot is
/// free, or core 1 has other work. Otherwise the sender may be told the id and the group BGLML_CO_GROUP, and the buffer
/// is core 1's until bglml_coprocessor_finish() has said recvdone.
bool bglml_coprocessor_accept(bglml_coprocessor_t* coprocessor, bglml_rendezvous_receive_t* receive, uint32_t* id);

/// On core 0: messages that core 1 has been given and that have not ended here.
static inline uint32_t bglml_coprocessor_receiving(const bglml_coprocessor_t* coprocessor) {
  return coprocessor->given - coprocessor->received;
}

/// On core 0: `received` messages have come in, says the reception quad.
void bglml_coprocessor_finish(bglml_coprocessor_t* coprocessor, uint32_t received);

/// Core 1's loop, one turn. A turn in which no unit waits and the permanent units store nothing changes no memory but
/// the stack.
void bglml_worker_turn(bglml_worker_t* worker);

/// Core 1's advance loop over its reception group, one turn.
void bglml_worker_receive(void* worker);

#ifdef __cplusplus
}
#endif

#endif
