// SPDX-License-Identifier: Apache-2.0
// Memory and barriers of the node's tasks.
#define _POSIX_C_SOURCE 200809L  // ftruncate

#include "firmware/bgq/pami/node.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "firmware/bgq/pami/spi.h"

enum { kLine = 128, kDefaultBytes = 4 << 20 };

// Begins the memory.
typedef struct node_memory {
  uint64_t arrived;  // at barriers, since the start
} node_memory_t;

static struct {
  node_memory_t* memory;
  uint64_t bytes;
  uint64_t used;
} node;

void pami_node_start(void) {
  node.bytes = pami_bytes_of_environment("PAMI_GLOBAL_SHMEMSIZE", kDefaultBytes, 1 << 16, 4096);
  const int file = shm_open("/pami-node", O_CREAT | O_RDWR, 0600);
  if (file < 0 || ftruncate(file, (off_t)node.bytes) != 0)
    pami_fatal("shared memory of the node: %s; PAMI_GLOBAL_SHMEMSIZE asks for %llu bytes", strerror(errno),
               (unsigned long long)node.bytes);
  node.memory = mmap(NULL, node.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (node.memory == MAP_FAILED)
    pami_fatal("shared memory of the node: %s; PAMI_GLOBAL_SHMEMSIZE asks for %llu bytes, BG_SHAREDMEMSIZE has MB",
               strerror(errno), (unsigned long long)node.bytes);
  close(file);
  node.used = kLine;
  if (Kernel_L2AtomicsAllocate(node.memory, node.bytes) != 0) pami_fatal("no L2 alias of the node's shared memory");
}

void* pami_node_allocate(size_t bytes) {
  bytes = (bytes + kLine - 1) & ~(size_t)(kLine - 1);
  if (bytes > node.bytes - node.used) return NULL;
  void* at = (uint8_t*)node.memory + node.used;
  node.used += bytes;
  return at;
}

void pami_node_barrier(void) {
  const uint64_t tasks = pami_job.local_tasks;
  if (tasks == 1) return;
  const uint64_t before = __atomic_fetch_add(&node.memory->arrived, 1, __ATOMIC_SEQ_CST);
  const uint64_t all = (before / tasks + 1) * tasks;
  while (__atomic_load_n(&node.memory->arrived, __ATOMIC_ACQUIRE) < all) continue;
}

void pami_job_barrier(void) {
  pami_node_barrier();
  if (pami_job.tasks == pami_job.local_tasks) return;
  if (pami_job.local_place == 0) {
    // Class 0 holds all nodes; its state is in the control register.
    MUSPI_GIBarrier_t barrier;
    uint32_t class_route = 0;
    Kernel_GetGlobalBarrierUserClassRouteId(&class_route);
    MUSPI_GIBarrierInit(&barrier, class_route);
    MUSPI_GIBarrierEnterAndWait(&barrier);
  }
  pami_node_barrier();
}
