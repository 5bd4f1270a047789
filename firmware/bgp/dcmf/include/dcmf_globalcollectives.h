/* SPDX-License-Identifier: Apache-2.0 */
/*
 * DCMF's collective operations of all processes of the job. Names and arguments are those that public programs use
 * (MPICH's device dcmfd, GASNet's conduit, jeffhammond/a1); the published sources lack this file. All processes call
 * these in the same order. Operations of this file share the networks with nothing else that is collective: one is
 * complete before the next begins.
 */
#ifndef __dcmf_globalcollectives_h__
#define __dcmf_globalcollectives_h__

#include <dcmf.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  DCMF_DEFAULT_GLOBALBARRIER_PROTOCOL,
  DCMF_GI_GLOBALBARRIER_PROTOCOL, /* by the global interrupts */
  DCMF_GLOBALBARRIER_PROTOCOL_COUNT
} DCMF_GlobalBarrier_Protocol;

typedef struct {
  DCMF_GlobalBarrier_Protocol protocol;
} DCMF_GlobalBarrier_Configuration_t;

DCMF_Result DCMF_GlobalBarrier_register(DCMF_Protocol_t* registration,
                                        DCMF_GlobalBarrier_Configuration_t* configuration);
/* DCMF_Restart() starts it again. */
DCMF_Result DCMF_GlobalBarrier(DCMF_Protocol_t* registration, DCMF_Request_t* request, DCMF_Callback_t cb_done);

typedef enum {
  DCMF_DEFAULT_GLOBALBCAST_PROTOCOL,
  DCMF_TREE_GLOBALBCAST_PROTOCOL,
  DCMF_INTRANODE_GLOBALBCAST_PROTOCOL, /* of a job that has one node */
  DCMF_GLOBALBCAST_PROTOCOL_COUNT
} DCMF_GlobalBcast_Protocol;

typedef struct {
  DCMF_GlobalBcast_Protocol protocol;
} DCMF_GlobalBcast_Configuration_t;

DCMF_Result DCMF_GlobalBcast_register(DCMF_Protocol_t* registration, DCMF_GlobalBcast_Configuration_t* configuration);
/* From the buffer of `root` into those of all others. */
DCMF_Result DCMF_GlobalBcast(DCMF_Protocol_t* registration, DCMF_Request_t* request, DCMF_Callback_t cb_done,
                             DCMF_Consistency consistency, size_t root, char* buffer, size_t bytes);

typedef enum {
  DCMF_DEFAULT_GLOBALALLREDUCE_PROTOCOL,
  DCMF_TREE_GLOBALALLREDUCE_PROTOCOL,
  DCMF_GLOBALALLREDUCE_PROTOCOL_COUNT
} DCMF_GlobalAllreduce_Protocol;

typedef struct {
  DCMF_GlobalAllreduce_Protocol protocol;
} DCMF_GlobalAllreduce_Configuration_t;

DCMF_Result DCMF_GlobalAllreduce_register(DCMF_Protocol_t* registration,
                                          DCMF_GlobalAllreduce_Configuration_t* configuration);
/* `count` elements; the result is in the receive buffer of `root`, or of all processes if root is -1. Both buffers may
 * be the same. */
DCMF_Result DCMF_GlobalAllreduce(DCMF_Protocol_t* registration, DCMF_Request_t* request, DCMF_Callback_t cb_done,
                                 DCMF_Consistency consistency, int root, char* sbuffer, char* rbuffer, unsigned count,
                                 DCMF_Dt dt, DCMF_Op op);

#ifdef __cplusplus
}
#endif

#endif
