// SPDX-License-Identifier: Apache-2.0
// The job, its contexts and endpoints, the lock, and who advances.
//
// The lock is the one of the context that serves requests, so that PAMI's progress thread, which takes it, calls
// handlers with it held. With a second context the thread looks at that one alone: what the program waits for does not
// wake it.
#include <stdlib.h>
#include <string.h>

#include "firmware/armci/bgq/bgq.h"
#include "firmware/hot.h"

enum { NO_ENDPOINT = -1 };

pami_client_t armcib_client;
pami_context_t armcib_contexts[ARMCIB_CONTEXTS_MAX];
unsigned armcib_service;
int armcib_handling = -1;

static uint32_t rank, size;
static unsigned contexts;
/// Four bytes for each context of each process.
static pami_endpoint_t* endpoints;
static pami_algorithm_t barrier_algorithm;

HOT void armcib_check(pami_result_t result, const char* function) {
  if (result == PAMI_SUCCESS) return;
  char why[256] = "";
  PAMI_Error_text(why, sizeof why);
  armcii_fail("%s refuses a call of ARMCI, with result %d: %s", function, (int)result, why);
}

static uint32_t attribute(pami_attribute_name_t name) {
  pami_configuration_t configuration = {.name = name};
  armcib_check(PAMI_Client_query(armcib_client, &configuration, 1), "PAMI_Client_query");
  return (uint32_t)configuration.value.intval;
}

void armcib_set_dispatch(size_t number, pami_dispatch_p2p_function function) {
  const pami_dispatch_callback_function callback = {.p2p = function};
  const pami_dispatch_hint_t hints = {.consistency = PAMI_HINT_ENABLE, .recv_contiguous = PAMI_HINT_ENABLE};
  for (unsigned i = 0; i < contexts; ++i) {
    armcib_check(PAMI_Dispatch_set(armcib_contexts[i], number, callback, (void*)(uintptr_t)i, hints),
                 "PAMI_Dispatch_set");
  }
}

static void find_barrier(void) {
  pami_geometry_t world;
  size_t counts[2];
  armcib_check(PAMI_Geometry_world(armcib_client, &world), "PAMI_Geometry_world");
  armcib_check(PAMI_Geometry_algorithms_num(world, PAMI_XFER_BARRIER, counts), "PAMI_Geometry_algorithms_num");
  pami_metadata_t about;
  armcib_check(PAMI_Geometry_algorithms_query(world, PAMI_XFER_BARRIER, &barrier_algorithm, &about, 1, NULL, NULL, 0),
               "PAMI_Geometry_algorithms_query");
}

void armcib_init(void) {
  if (contexts != 0) return;
  contexts = armcii_setting("ARMCI_CONTEXTS", 1, 1, ARMCIB_CONTEXTS_MAX);
  armcib_service = contexts - 1;
  armcib_check(PAMI_Client_create("ARMCI", &armcib_client, NULL, 0), "PAMI_Client_create");
  armcib_check(PAMI_Context_createv(armcib_client, NULL, 0, armcib_contexts, contexts), "PAMI_Context_createv");
  rank = attribute(PAMI_CLIENT_TASK_ID);
  size = attribute(PAMI_CLIENT_NUM_TASKS);
  endpoints = malloc((size_t)size * contexts * sizeof *endpoints);
  if (endpoints == NULL) armcii_fail("there is no memory for endpoints of %u processes", size);
  memset(endpoints, NO_ENDPOINT, (size_t)size * contexts * sizeof *endpoints);
  armcib_enter();
  armcib_open_requests();
  armcib_open_regions();
  find_barrier();
  // Collective, as bottom.h says.
  armcib_barrier();
  armcib_exit();
}

/// The client stays for a later ARMCI_Init().
void armcib_finalize(void) {}

uint32_t armcib_rank(void) {
  return rank;
}

uint32_t armcib_size(void) {
  return size;
}

HOT double armcib_time(void) {
  return PAMI_Wtime(armcib_client);
}

HOT pami_endpoint_t armcib_endpoint(uint32_t target, unsigned offset) {
  pami_endpoint_t* const endpoint = &endpoints[(size_t)target * contexts + offset];
  if (*endpoint == (pami_endpoint_t)NO_ENDPOINT) {
    armcib_check(PAMI_Endpoint_create(armcib_client, target, offset, endpoint), "PAMI_Endpoint_create");
  }
  return *endpoint;
}

void armcib_set_flag(pami_context_t context, void* flag, pami_result_t result) {
  (void)context, (void)result;
  *(volatile bool*)flag = true;
}

bool armcib_barrier(void) {
  volatile bool met = false;
  pami_xfer_t barrier = {.cb_done = armcib_set_flag, .cookie = (void*)&met, .algorithm = barrier_algorithm};
  armcib_check(PAMI_Collective(armcib_contexts[ARMCIB_OWN], &barrier), "PAMI_Collective");
  while (!met) armcib_advance();
  return true;
}

// ---------------------------------------------------------------------------------------------------------------
// The lock

static uint32_t waiting;  ///< threads of the program that want the lock

HOT void armcib_enter(void) {
  pami_context_t const context = armcib_contexts[armcib_service];
  if (PAMI_Context_trylock(context) == PAMI_SUCCESS) return;
  __atomic_fetch_add(&waiting, 1, __ATOMIC_SEQ_CST);
  PAMI_Context_lock(context);
  __atomic_fetch_sub(&waiting, 1, __ATOMIC_SEQ_CST);
}

HOT void armcib_exit(void) {
  PAMI_Context_unlock(armcib_contexts[armcib_service]);
}

/// A turn that finds nothing changes no memory. The progress thread need not get the lock from a thread that advances.
HOT void armcib_advance(void) {
  PAMI_Context_advancev(armcib_contexts, contexts, 1);
  const uint32_t others = __atomic_load_n(&waiting, __ATOMIC_RELAXED);
  if (others == 0) return;
  enum { TURNS = 200 };
  armcib_exit();
  for (unsigned i = 0; i < TURNS && __atomic_load_n(&waiting, __ATOMIC_RELAXED) >= others; ++i) continue;
  armcib_enter();
}

// ---------------------------------------------------------------------------------------------------------------
// Progress: PAMI's thread, on a hardware thread that computes nothing

typedef void (*async_hook_t)(pami_context_t context, void* cookie);
typedef pami_result_t (*async_register_t)(pami_context_t context, async_hook_t progress, async_hook_t suspend,
                                          async_hook_t resume, void* cookie);
/// The second argument: which kind of progress; 0 is all.
typedef pami_result_t (*async_switch_t)(pami_context_t context, int kind);

static pami_extension_t extension;
static bool thread_runs;

static void* function(const char* name) {
  void* const found = PAMI_Extension_symbol(extension, name);
  if (found == NULL) armcii_fail("PAMI's progress thread has no function '%s'", name);
  return found;
}

armcib_progress_t armcib_progress(armcib_progress_t wanted) {
  pami_context_t const context = armcib_contexts[armcib_service];
  if (wanted == ARMCIB_POLLING) {
    if (thread_runs) armcib_check(((async_switch_t)function("disable"))(context, 0), "disable of EXT_async_progress");
    thread_runs = false;
    return ARMCIB_POLLING;
  }
  if (extension == NULL) {
    if (PAMI_Extension_open(armcib_client, "EXT_async_progress", &extension) != PAMI_SUCCESS) return ARMCIB_POLLING;
    armcib_check(((async_register_t)function("register"))(context, NULL, NULL, NULL, NULL),
                 "register of EXT_async_progress");
  }
  // A process may have no hardware thread left.
  thread_runs = ((async_switch_t)function("enable"))(context, 0) == PAMI_SUCCESS;
  return thread_runs ? ARMCIB_THREAD : ARMCIB_POLLING;
}
