/* SPDX-License-Identifier: Apache-2.0 */
/* What the programs on PAMI have in common: a client with its contexts, and this task's place in the job. */
#ifndef TOROID_FIRMWARE_PROGRAMS_BGQ_PAMI_PROGRAM_H
#define TOROID_FIRMWARE_PROGRAMS_BGQ_PAMI_PROGRAM_H

#include <pami.h>

enum { PAMI_PROGRAM_CONTEXTS = 16 };

typedef struct {
  pami_client_t client;
  pami_context_t context[PAMI_PROGRAM_CONTEXTS];
  size_t contexts;
  pami_task_t me, tasks;
} pami_program_t;

/* An attribute that is a number. */
size_t pami_program_attribute(pami_client_t client, pami_attribute_name_t name);
/* Creates a client and up to PAMI_PROGRAM_CONTEXTS contexts; ends the program with the reason if that fails. Returns
 * when all tasks have done so. */
pami_program_t pami_program_start(const char* name, size_t contexts);
/* Destroys both, when all tasks do. */
void pami_program_end(pami_program_t* program);

/* A dispatch without hints of the first context. */
void pami_program_set(const pami_program_t* program, size_t dispatch, pami_dispatch_p2p_function function);
/* A context of a task. */
pami_endpoint_t pami_program_endpoint(const pami_program_t* program, pami_task_t task, size_t offset);
/* Ends the program with the reason unless the call has succeeded. */
void pami_program_expect(pami_result_t result, const char* call);

#endif
