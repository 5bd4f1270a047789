// SPDX-License-Identifier: Apache-2.0
/// The node's second core as a coprocessor: the pool of work units in the scratchpad, and the loop that runs them. For
/// the layer's own files.
///
/// Core 0 posts work units and joins them; core 1 takes them in their order and runs each to its end, and whenever none
/// waits it calls the permanent units one after the other. A core that waits polls the scratchpad's work quad.
#ifndef TOROID_FIRMWARE_MSGLAYER_COPROCESSOR_H
#define TOROID_FIRMWARE_MSGLAYER_COPROCESSOR_H

#include "drivers/bgl/cache.h"
#include "firmware/msglayer/msglayer.h"
#include "firmware/msglayer/scratchpad.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  bglml_co_function_t function;
  void* argument;
} bglml_work_unit_t;

/// What core 0 knows of the coprocessor.
typedef struct {
  bool running;
  uint32_t posted;     ///< transient units so far: the next one's handle
  uint32_t permanent;  ///< permanent units so far
} bglml_coprocessor_t;

/// What core 1 keeps for itself. Whole lines of the cache: core 0 touches none of them once core 1 runs.
typedef struct {
  uint32_t taken;      ///< transient units so far
  uint32_t permanent;  ///< permanent units that have been read from the scratchpad
  bglml_work_unit_t units[BGLML_PAD_PERMANENT_UNITS];
} __attribute__((aligned(BGL_CACHE_LINE_BYTES))) bglml_worker_t;

/// On core 0: start core 1 in its loop. The scratchpad is ready.
void bglml_coprocessor_start(bglml_coprocessor_t* coprocessor);

/// On core 1: one turn of its loop. A turn in which no unit waits and the permanent units store nothing changes no
/// memory but the stack.
void bglml_worker_turn(bglml_worker_t* worker);

#ifdef __cplusplus
}
#endif

#endif
