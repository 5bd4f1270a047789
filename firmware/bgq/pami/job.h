/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What all clients of a process share: its place in the job, where the others are, memory that the node's processes
 * share, and physical addresses.
 */
#ifndef TOROID_FIRMWARE_BGQ_PAMI_JOB_H
#define TOROID_FIRMWARE_BGQ_PAMI_JOB_H

#include <pami.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  PAMI_DIMENSIONS = 5,
  PAMI_E = PAMI_DIMENSIONS - 1,
  PAMI_DIRECTIONS = 2 * PAMI_DIMENSIONS,
  PAMI_LOCAL_DIRECTION = PAMI_DIRECTIONS, /* to a process of this node */
  PAMI_PAYLOAD_MAX = 512                  /* of a packet */
};

/* How messages get to a task. Known once pami_peer() has returned it. */
typedef struct pami_peer {
  uint32_t destination; /* of headers: the node's coordinates */
  uint32_t node;        /* number of its node, in order of coordinates, among those of the machine */
  uint16_t fifo_map;    /* the one network FIFO that keeps messages to the node in order */
  uint16_t back_map;    /* the same for messages from there to here */
  uint16_t back_ways;   /* all network FIFOs that bring messages nearer on their way from there to here */
  uint16_t flexibility; /* thousandths: sum over A to D of hops / size */
  uint8_t direction;    /* first link of the way there: 2 x dimension, + 1 for minus; PAMI_LOCAL_DIRECTION */
  uint8_t back;         /* first link of the way from there to here */
  uint8_t process;      /* of its node: T */
  uint8_t hops;
  uint8_t dimensions; /* in which it differs from this node */
  uint8_t known;
} pami_peer_t;

typedef struct pami_job {
  uint32_t tasks;
  pami_task_t me;
  uint32_t nodes;
  uint32_t process;     /* T of this task */
  uint32_t processes;   /* of a node, as the mode has them */
  uint32_t local_tasks; /* of this node, in order of T */
  size_t* local;        /* their ranks */
  uint32_t local_place; /* of this task among these; the first one serves the node */
  uint8_t size[PAMI_DIMENSIONS];
  uint8_t here[PAMI_DIMENSIONS]; /* coordinates of the node */
  uint8_t torus[PAMI_DIMENSIONS];
  uint32_t mhz;
  uint32_t megabytes;  /* of the node's memory */
  const uint32_t* map; /* coordinates of ranks, as the kernel gives them (nic/bgq/kernel_services.h) */
  pami_peer_t* peers;
  uint32_t* gets;    /* remote gets of this process that each node has not served yet; atomic */
  uint32_t gets_max; /* the most of them */
} pami_job_t;

extern pami_job_t pami_job;

/* Map of the network FIFO of a direction. */
static inline uint16_t pami_direction_map(unsigned direction) {
  return (uint16_t)((direction % 2 ? 0x8000u : 0x4000u) >> direction / 2 * 2);
}

/* Looks up all of the above, once. */
void pami_job_start(void);

void pami_job_find(pami_task_t task, pami_peer_t* peer);

static inline const pami_peer_t* pami_peer(pami_task_t task) {
  pami_peer_t* const peer = &pami_job.peers[task];
  if (!peer->known) pami_job_find(task, peer);
  return peer;
}

/* Coordinates A to E and T of a task, and the task at such; false: there is none. */
void pami_job_coordinates(pami_task_t task, size_t coordinates[PAMI_DIMENSIONS + 1]);
bool pami_job_task_at(const size_t coordinates[PAMI_DIMENSIONS + 1], pami_task_t* task);

/* Waits for all tasks of the node, or of the job. Nothing of PAMI advances meanwhile. */
void pami_node_barrier(void);
void pami_job_barrier(void);

/* Memory that all tasks of the node have at the same address: zeros, whole lines of the L2, with an L2 alias for atomic
 * operations. All of them call in the same order with the same sizes. NULL: PAMI_GLOBAL_SHMEMSIZE is used up. */
void* pami_node_allocate(size_t bytes);

/* Physical address of memory of this process; it never changes. Ends the program with a line that names `who` if there
 * is no memory at the address. */
uint64_t pami_physical(const volatile void* at, const char* who);
/* Likewise, but gives how many bytes follow in the same segment; 0: there is no memory at the address. */
uint64_t pami_physical_bytes(const volatile void* at, uint64_t* pa);
/* The address in this process of physical memory that pami_physical() has given before; NULL: it has not. */
void* pami_virtual(uint64_t pa);

/* Bytes that an environment variable says, with k or m behind them; `otherwise` if it is not set. A bad value ends the
 * program with a line that says so. */
uint64_t pami_bytes_of_environment(const char* name, uint64_t otherwise, uint64_t least, uint64_t multiple_of);

/* Writes a line with the task's number to stderr and ends the program. */
_Noreturn void pami_fatal(const char* form, ...) __attribute__((cold, format(printf, 1, 2)));

/* Notes why the call fails, for PAMI_Error_text(), and returns `result`. */
pami_result_t pami_error(pami_result_t result, const char* form, ...) __attribute__((cold, format(printf, 2, 3)));

#endif
