// SPDX-License-Identifier: Apache-2.0
// Extensions: tables of what they offer.
#define _POSIX_C_SOURCE 200809L  // posix_memalign, strcasecmp

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "firmware/bgq/pami/async.h"
#include "firmware/bgq/pami/job.h"
#include "firmware/bgq/pami/spi.h"

typedef void (*symbol_t)(void);

typedef struct entry {
  const char* name;
  symbol_t symbol;
} entry_t;

typedef struct extension {
  const char* name;
  const entry_t* entries;
  size_t count;
} extension_t;

// EXT_torus_network: coordinates A to E and T.
// -------------------------------------------------------------------------

typedef struct torus_information {
  size_t dimensions;
  size_t* coordinates;  // of this task
  size_t* size;
  size_t* torus;  // 1: a torus, 0: a mesh
} torus_information_t;

static const torus_information_t* information(void) {
  static size_t coordinates[PAMI_DIMENSIONS + 1], size[PAMI_DIMENSIONS + 1], torus[PAMI_DIMENSIONS + 1];
  static const torus_information_t made = {PAMI_DIMENSIONS + 1, coordinates, size, torus};
  pami_job_coordinates(pami_job.me, coordinates);
  for (unsigned d = 0; d < PAMI_DIMENSIONS; ++d) {
    size[d] = pami_job.size[d];
    torus[d] = pami_job.torus[d];
  }
  size[PAMI_DIMENSIONS] = pami_job.processes;
  torus[PAMI_DIMENSIONS] = 1;
  return &made;
}

static pami_result_t task2torus(pami_task_t task, size_t address[]) {
  if (task >= pami_job.tasks) return pami_error(PAMI_INVAL, "task2torus: there are %u tasks", pami_job.tasks);
  pami_job_coordinates(task, address);
  return PAMI_SUCCESS;
}

static pami_result_t torus2task(size_t address[], pami_task_t* task) {
  return pami_job_task_at(address, task) ? PAMI_SUCCESS : pami_error(PAMI_INVAL, "torus2task: there is no such task");
}

// EXT_bgq_l2atomic: memory on which the L2's atomic operations work.
// ---------------------------------------------------

enum { kLine = 128 };

static pami_result_t proc_memalign(void** memory, size_t alignment, size_t bytes, const char* key) {
  (void)key;
  if (alignment < kLine) alignment = kLine;
  if (posix_memalign(memory, alignment, bytes) != 0) return pami_error(PAMI_ENOMEM, "proc_memalign: %zu bytes", bytes);
  memset(*memory, 0, bytes);
  if (Kernel_L2AtomicsAllocate(*memory, bytes) != 0)
    return pami_error(PAMI_ERROR, "proc_memalign: the kernel gives no L2 alias");
  return PAMI_SUCCESS;
}

static void proc_free(void* memory) {
  free(memory);
}

// All tasks of the node call in the same order. What has been allocated stays.
static pami_result_t node_memalign(void** memory, size_t alignment, size_t bytes, const char* key) {
  (void)key;
  pami_job_start();
  *memory = pami_node_allocate(bytes + alignment);
  if (*memory == NULL) return pami_error(PAMI_ENOMEM, "node_memalign: %zu bytes", bytes);
  if (alignment > kLine) *memory = (void*)(((uint64_t)*memory + alignment - 1) / alignment * alignment);
  return PAMI_SUCCESS;
}

static void node_free(void* memory) {
  (void)memory;
}

// EXT_is_local_task: (base[task x stride] & bitmask) != 0 if the task is on this node.
// --------------------------------- The numbers are those that programs for the machine have built in.

enum { kLocalStride = 4, kLocalBit = 0x40 };

static uint8_t* local_table(void) {
  static uint8_t* table;
  if (table != NULL) return table;
  uint8_t* made = calloc(pami_job.tasks, kLocalStride);
  if (made == NULL) pami_fatal("there is no memory for a table of the node's tasks");
  for (uint32_t i = 0; i < pami_job.local_tasks; ++i) made[pami_job.local[i] * kLocalStride] = kLocalBit;
  return table = made;
}

// ---------------------------------------------------------------------------------------------------------------------

static const entry_t torus_network[] = {
    {"information", (symbol_t)information}, {"task2torus", (symbol_t)task2torus}, {"torus2task", (symbol_t)torus2task}};
static const entry_t l2_atomic[] = {{"proc_memalign", (symbol_t)proc_memalign},
                                    {"proc_free", (symbol_t)proc_free},
                                    {"node_memalign", (symbol_t)node_memalign},
                                    {"node_free", (symbol_t)node_free}};
static const entry_t async_progress[] = {{"register", (symbol_t)pami_async_register},
                                         {"enable", (symbol_t)pami_async_enable},
                                         {"disable", (symbol_t)pami_async_disable}};
static const char kIsLocalTask[] = "EXT_is_local_task";
static const extension_t extensions[] = {
    {"EXT_torus_network", torus_network, sizeof torus_network / sizeof *torus_network},
    {"EXT_bgq_l2atomic", l2_atomic, sizeof l2_atomic / sizeof *l2_atomic},
    {"EXT_async_progress", async_progress, sizeof async_progress / sizeof *async_progress},
    {kIsLocalTask, NULL, 0}};

pami_result_t PAMI_Extension_open(pami_client_t client, const char* name, pami_extension_t* extension) {
  (void)client;
  for (size_t i = 0; i < sizeof extensions / sizeof *extensions; ++i)
    if (strcasecmp(extensions[i].name, name) == 0) {
      *extension = (pami_extension_t)&extensions[i];
      return PAMI_SUCCESS;
    }
  return pami_error(PAMI_UNIMPL, "PAMI_Extension_open: there is no extension %s", name);
}

pami_result_t PAMI_Extension_close(pami_extension_t extension) {
  return extension != NULL ? PAMI_SUCCESS : pami_error(PAMI_INVAL, "PAMI_Extension_close: no extension");
}

void* PAMI_Extension_symbol(pami_extension_t extension, const char* name) {
  const extension_t* from = extension;
  if (from == NULL || name == NULL) return NULL;
  if (from->name == kIsLocalTask) {
    // Numbers in the place of addresses, as on the machine.
    if (strcasecmp(name, "base") == 0) return local_table();
    if (strcasecmp(name, "stride") == 0) return (void*)(uintptr_t)kLocalStride;
    if (strcasecmp(name, "bitmask") == 0) return (void*)(uintptr_t)kLocalBit;
    return NULL;
  }
  for (size_t i = 0; i < from->count; ++i)
    if (strcasecmp(from->entries[i].name, name) == 0) return (void*)from->entries[i].symbol;
  return NULL;
}
