// SPDX-License-Identifier: Apache-2.0
/// The bottom of Blue Gene/Q, over PAMI: what its files share. The design is that of A. Vishnu et al., "Building
/// Scalable PGAS Communication Subsystem on Blue Gene/Q" (2013): endpoints are created when they are first needed,
/// memory regions are exchanged with the memory and otherwise asked for, puts and gets between known regions go by
/// RDMA, and what the target's software has to do comes by active message.
#ifndef TOROID_FIRMWARE_ARMCI_BGQ_BGQ_H
#define TOROID_FIRMWARE_ARMCI_BGQ_BGQ_H

#include <pami.h>

#include "firmware/armci/bottom.h"

/// Numbers of the active messages.
enum { ARMCIB_REQUEST = 1, ARMCIB_ASK, ARMCIB_TELL };

enum {
  ARMCIB_OWN = 0,  ///< the context at which the program's operations begin and end, and to which answers go
  ARMCIB_CONTEXTS_MAX = 2
};

extern pami_client_t armcib_client;
extern pami_context_t armcib_contexts[ARMCIB_CONTEXTS_MAX];
/// Offset of the context to which go what the target has to serve: the only one, or the progress thread's.
extern unsigned armcib_service;

/// The endpoint of a context of a process, created when it is first asked for.
pami_endpoint_t armcib_endpoint(uint32_t target, unsigned offset);

/// An operation that PAMI has under way, and whom to tell at its end. It is PAMI's cookie.
typedef struct armcib_operation {
  struct armcib_operation* next_free;
  armcib_done_t done;
  void* context;
  uint64_t header[ARMCIB_HEADER_MAX / sizeof(uint64_t)];  ///< of a request, until it has been sent
} armcib_operation_t;

armcib_operation_t* armcib_operation_new(armcib_done_t done, void* context);
/// The callback at the end of all operations.
void armcib_operation_done(pami_context_t context, void* operation, pami_result_t result);

/// A callback that sets a bool.
void armcib_set_flag(pami_context_t context, void* flag, pami_result_t result);

/// The offset of the context whose handler is running; -1: the program has called. A handler may not wait.
extern int armcib_handling;

/// A place in memory that the Messaging Unit can reach, as PAMI takes it.
typedef struct {
  pami_memregion_t region;
  size_t offset;
} armcib_place_t;

/// The place of this process's memory, for which a region is made if there is none. False: PAMI makes none there.
bool armcib_local_place(const volatile void* at, size_t bytes, armcib_place_t* place);
/// That of any process's; its region is asked for if it is not known. May advance. False as above.
bool armcib_remote_place(uint32_t target, uintptr_t at, size_t bytes, armcib_place_t* place);
/// The begin of some known region of a process. False: none is known.
bool armcib_any_place(uint32_t target, armcib_place_t* place);

void armcib_open_regions(void);
void armcib_open_requests(void);
/// At all contexts.
void armcib_set_dispatch(size_t number, pami_dispatch_p2p_function function);

/// End the job if PAMI refuses a call.
void armcib_check(pami_result_t result, const char* function);

#endif
