// SPDX-License-Identifier: Apache-2.0
/// The processes of a node, which share one port to the collective network and to the global interrupts: the first of
/// them leads, and drives the networks for all. Data goes through memory that they share, what they tell each other
/// through counters of the lockbox, which only ever count up (modulo 2^32).
#ifndef TOROID_FIRMWARE_DCMF_NODE_H
#define TOROID_FIRMWARE_DCMF_NODE_H

#include "firmware/bgp/dcmf/state.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  DCMF_NODE_PROCESSES = 4,
  DCMF_NODE_SLOTS = 2,        ///< chunks under way: one is combined while others are copied
  DCMF_NODE_CHUNK = 4096,     ///< bytes
  DCMF_NODE_FIRST_LOCK = 900  ///< of the counters; programs take the first ones, as DCMF's interrupts do
};

enum {
  DCMF_LOCK_ARRIVED,   ///< at a barrier: by all processes
  DCMF_LOCK_RELEASED,  ///< barriers that are complete: by who leads, as the next
  DCMF_LOCK_DONE,      ///< chunks that are complete, with the result in memory
  DCMF_LOCK_GIVEN,     ///< from here on by each process: chunks that it has contributed
  DCMF_LOCK_TAKEN = DCMF_LOCK_GIVEN + DCMF_NODE_PROCESSES,  ///< by each process: results that it has copied
  DCMF_LOCKS = DCMF_LOCK_TAKEN + DCMF_NODE_PROCESSES
};

/// A chunk of each process, and the result.
typedef struct {
  uint8_t given[DCMF_NODE_PROCESSES][DCMF_NODE_CHUNK] __attribute__((aligned(16)));
  uint8_t result[DCMF_NODE_CHUNK] __attribute__((aligned(16)));
} dcmf_slot_t;

typedef struct {
  bool complete;       ///< all places of the job's nodes are there, and what their processes share
  uint32_t processes;  ///< of this node
  uint32_t self;       ///< place among them; 0 leads
  LockBox_Counter_t locks[DCMF_LOCKS];
  dcmf_slot_t* slots;  ///< DCMF_NODE_SLOTS; NULL if the process is alone
} dcmf_node_t;

void dcmf_node_initialize(dcmf_node_t* node);

/// The place of a rank among the processes of this node, or `processes` if it is on another one.
uint32_t dcmf_node_place(const dcmf_node_t* node, uint32_t rank);

/// Counts one on. What has been written to shared memory before is there for who then sees the count.
static inline void dcmf_node_count(const dcmf_node_t* node, unsigned lock) {
  _bgp_msync();
  (void)LockBox_FetchAndInc(node->locks[lock]);
}

/// Whether a counter has reached `target`. *known: a value that it has had.
static inline bool dcmf_node_reached(const dcmf_node_t* node, unsigned lock, uint32_t* known, uint32_t target) {
  if ((int32_t)(*known - target) >= 0) return true;
  *known = LockBox_Query(node->locks[lock]);
  return (int32_t)(*known - target) >= 0;
}

/// Zeroed memory that the processes of this node share, the same for all; NULL if there is none (memory.c).
void* dcmf_node_memory(size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
