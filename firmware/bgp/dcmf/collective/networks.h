// SPDX-License-Identifier: Apache-2.0
/// The collective network and the global interrupts, for operations of all processes of the job. Both perform one
/// operation at a time; the others wait in the order in which they were started, which is the same at all processes.
/// advance() moves them; nothing here waits.
#ifndef TOROID_FIRMWARE_DCMF_NETWORKS_H
#define TOROID_FIRMWARE_DCMF_NETWORKS_H

#include "firmware/bgp/dcmf/collective/collective.h"
#include "firmware/bgp/dcmf/collective/node.h"
#include "firmware/tree/operation.h"
#include "nic/bgp/kernel_services.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  dcmf_collective_t* first;
  dcmf_collective_t* last;
} dcmf_queue_t;

/// The barrier by global interrupts (interrupt_barrier.c).
typedef struct {
  bool usable;
  dcmf_queue_t queue;
  enum { DCMF_BARRIER_NEXT, DCMF_BARRIER_MEETING, DCMF_BARRIER_SETTLING, DCMF_BARRIER_FIRED } stage;
  uint32_t round;    ///< barriers before this one
  uint32_t known;    ///< value of the lockbox counter that the process waits for
  uint64_t settled;  ///< the time from which the channel may be fired again
  uint32_t settle;   ///< cycles
} dcmf_interrupt_barrier_t;

/// The collective network (tree.c).
typedef struct {
  dcmf_queue_t queue;
  uint32_t room;   ///< packets that the network has room for, at least
  uint32_t ready;  ///< packets that can be read, at least
  // The operation under way.
  bool begun;
  bool streaming;  ///< `work` is a chunk that is in the network
  uint32_t operations;
  uint32_t tag;
  uint32_t packets;  ///< of it, in the chunks before
  uint32_t bytes;    ///< of a chunk; the last one has less
  uint32_t chunks;
  uint32_t given, run, taken;  ///< chunks of it: contributed, through the network, copied from there
  uint32_t sequence;           ///< of its first chunk
  tree_operation_t operation;
  tree_work_t work;
  const uint8_t* inputs[DCMF_NODE_PROCESSES];
  // Between the processes of a node.
  uint32_t expected[DCMF_NODE_PROCESSES];  ///< chunks contributed by each that have been used
  uint32_t known_given[DCMF_NODE_PROCESSES], known_taken[DCMF_NODE_PROCESSES], known_done;
} dcmf_tree_t;

/// Broadcasts along lines of the torus, in the order in which they were started (lines.c).
typedef struct dcmf_lines dcmf_lines_t;

struct dcmf_networks {
  dcmf_node_t node;
  dcmf_interrupt_barrier_t barrier;
  dcmf_tree_t tree;
  dcmf_lines_t* lines;
  uint32_t lines_function;  ///< Func_Id of their packets
};

/// When the ranks are known.
void dcmf_networks_initialize(void);
void dcmf_interrupt_barrier_initialize(dcmf_interrupt_barrier_t* barrier);
void dcmf_lines_initialize(void);

/// When the last user goes: ends the process if a packet has come that no operation took.
void dcmf_networks_finalize(void);
void dcmf_refuse_packet(const dcmf_tree_t* tree, uint32_t header) __attribute__((__noreturn__));

/// Moves what is under way. Returns how many steps it made.
unsigned dcmf_networks_settle(void);
unsigned dcmf_interrupt_barrier_settle(void);
unsigned dcmf_tree_settle(void);
unsigned dcmf_lines_settle(void);
/// Reads how many packets the network has room for, and how many have come.
void dcmf_tree_look(dcmf_tree_t* tree);

static inline void dcmf_queue_append(dcmf_queue_t* queue, dcmf_collective_t* collective) {
  collective->next = NULL;
  ++dcmf_instance->in_networks;
  if (queue->first) {
    queue->last->next = collective;
  } else {
    queue->first = collective;
  }
  queue->last = collective;
}

/// The first operation is complete.
static inline void dcmf_queue_finish(dcmf_queue_t* queue) {
  dcmf_collective_t* done = queue->first;
  queue->first = done->next;
  --dcmf_instance->in_networks;
  dcmf_collective_part_done(done);
}

#ifdef __cplusplus
}
#endif

#endif
