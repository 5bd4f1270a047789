/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PAMI, the message layer of Blue Gene/Q: active messages between the processes of a job, puts into and gets from their
 * memory, collective operations, and control of the layer itself.
 *
 * Names, signatures, numbers and the order of fields are those of the published interface (sys/pami.h of IBM's PAMI,
 * V1R2M0, as jedbrown/pami keeps it). Meanings are stated here where a program has to rely on them; what a call costs
 * is in firmware/bgq/pami/README.md.
 *
 * In general: a call starts an operation and returns. Callbacks are called by an advance of the operation's context.
 * They may start operations at that context and shall not advance it; to reach another one, they lock it or post work
 * to it. A context is driven by one thread at a time: the program sees to it, with PAMI_Context_lock() or by its own
 * means. Only PAMI_Context_post() may be called by any thread at any time. All contexts have to be advanced.
 */
#ifndef __pami_h__
#define __pami_h__

#include <pami_sys.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/uio.h>

#ifdef __cplusplus
extern "C" {
#endif

#include <pami_base.h>
#include <pami_collective.h>
#include <pami_datatype.h>
#include <pami_p2p.h>

/* Dispatch functions ----------------------------------------------------------------------------------------------- */

typedef union {
  pami_dispatch_p2p_function p2p;
  pami_dispatch_ambroadcast_function ambroadcast;
  pami_dispatch_amscatter_function amscatter;
  pami_dispatch_amgather_function amgather;
  pami_dispatch_amreduce_function amreduce;
} pami_dispatch_callback_function;

/* Sender and receiver set a dispatch, with the same hints, before a message takes its number. It is local.
 * PAMI_INVAL: a number beyond PAMI_CONTEXT_DISPATCH_ID_MAX, or hints that cannot be kept. */
pami_result_t PAMI_Dispatch_set(pami_context_t context, size_t dispatch, pami_dispatch_callback_function fn,
                                void* cookie, pami_dispatch_hint_t options);
pami_result_t PAMI_AMCollective_dispatch_set(pami_context_t context, pami_algorithm_t algorithm, size_t dispatch,
                                             pami_dispatch_callback_function fn, void* cookie,
                                             pami_collective_hint_t options);

/* Attributes. PAMI_INVAL: one that the object has not, or that cannot be changed. */
pami_result_t PAMI_Dispatch_query(pami_context_t context, size_t dispatch, pami_configuration_t configuration[],
                                  size_t num_configs);
pami_result_t PAMI_Dispatch_update(pami_context_t context, size_t dispatch, pami_configuration_t configuration[],
                                   size_t num_configs);
pami_result_t PAMI_Client_query(pami_client_t client, pami_configuration_t configuration[], size_t num_configs);
pami_result_t PAMI_Client_update(pami_client_t client, pami_configuration_t configuration[], size_t num_configs);
pami_result_t PAMI_Context_query(pami_context_t context, pami_configuration_t configuration[], size_t num_configs);
pami_result_t PAMI_Context_update(pami_context_t context, pami_configuration_t configuration[], size_t num_configs);

/* Why this thread's last call failed; returns the number of characters written. */
size_t PAMI_Error_text(char* string, size_t length);

/* Seconds, or cycles of the time base, since a time in the past. */
double PAMI_Wtime(pami_client_t client);
unsigned long long PAMI_Wtimebase(pami_client_t client);

/* Clients, endpoints, contexts ------------------------------------------------------------------------------------- */

/* All tasks create the same clients, in the same order. PAMI_ERROR: there are as many as PAMI_CLIENTS allows. */
pami_result_t PAMI_Client_create(const char* name, pami_client_t* client, pami_configuration_t configuration[],
                                 size_t num_configs);
pami_result_t PAMI_Client_destroy(pami_client_t* client);

/* On this machine, macros of <pami_sys.h> do the same. */
pami_result_t PAMI_Endpoint_create(pami_client_t client, pami_task_t task, size_t offset, pami_endpoint_t* endpoint);
pami_result_t PAMI_Endpoint_query(pami_endpoint_t endpoint, pami_task_t* task, size_t* offset);

/* A client creates its contexts by one call; offsets of endpoints count in `context`. It is local.
 * PAMI_INVAL: more than PAMI_CLIENT_NUM_CONTEXTS, or contexts exist already. */
pami_result_t PAMI_Context_createv(pami_client_t client, pami_configuration_t configuration[], size_t num_configs,
                                   pami_context_t context[], size_t ncontexts);
pami_result_t PAMI_Context_destroyv(pami_context_t* contexts, size_t ncontexts);

/* Queues work for the context's next advance. */
pami_result_t PAMI_Context_post(pami_context_t context, pami_work_t* work, pami_work_function fn, void* cookie);

/* Polls until something has happened (PAMI_SUCCESS), `maximum` times at most (PAMI_EAGAIN). */
pami_result_t PAMI_Context_advance(pami_context_t context, size_t maximum);
pami_result_t PAMI_Context_advancev(pami_context_t context[], size_t count, size_t maximum);
/* Leaves out contexts that are locked, and locks each while it advances it. */
pami_result_t PAMI_Context_trylock_advancev(pami_context_t context[], size_t count, size_t maximum);

/* Locks of contexts; they do not nest. PAMI_EAGAIN, of trylock: another one has it. */
pami_result_t PAMI_Context_lock(pami_context_t context);
pami_result_t PAMI_Context_trylock(pami_context_t context);
pami_result_t PAMI_Context_unlock(pami_context_t context);

/* Extensions ------------------------------------------------------------------------------------------------------- */

typedef void* pami_extension_t;

/* PAMI_UNIMPL: there is none of this name. */
pami_result_t PAMI_Extension_open(pami_client_t client, const char* name, pami_extension_t* extension);
pami_result_t PAMI_Extension_close(pami_extension_t extension);
/* A function or an object of the extension; NULL: there is none of this name. */
void* PAMI_Extension_symbol(pami_extension_t extension, const char* name);

#ifdef __cplusplus
}
#endif

#include <pami_sys.h>

#endif
