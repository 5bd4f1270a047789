/* SPDX-License-Identifier: Apache-2.0 */
/* Part of <pami.h>: active messages, puts, gets and atomic operations between two endpoints, and fences. */
#ifndef __pami_p2p_h__
#define __pami_p2p_h__

#include <pami_base.h>

/* Active messages --------------------------------------------------------------------------------------------------
 *
 * A message is a header and data. The target's advance calls the dispatch function of the message's number. It gets the
 * data at once (pipe_addr), or it says where they shall go (recv) and is told when they are there (local_fn). */

typedef struct {
  struct iovec header;
  struct iovec data;
  size_t dispatch;
  pami_send_hint_t hints;
  pami_endpoint_t dest;
} pami_send_immediate_t;

typedef struct {
  void* cookie;                  /* of both callbacks; either may be NULL */
  pami_event_function local_fn;  /* header and data may be changed */
  pami_event_function remote_fn; /* the target has all data */
} pami_send_event_t;

typedef struct {
  pami_send_immediate_t send;
  pami_send_event_t events;
} pami_send_t;

typedef struct {
  pami_send_immediate_t send;
  pami_send_event_t events;
  struct {
    pami_type_t type;
    size_t offset; /* bytes of the type's data that are left out */
    pami_data_function data_fn;
    void* data_cookie;
  } typed;
} pami_send_typed_t;

/* The structure may be changed when the call has returned; header and data not before local_fn.
 * PAMI_INVAL: a dispatch that is not set, an endpoint that there is not, a header too long for the dispatch. */
pami_result_t PAMI_Send(pami_context_t context, pami_send_t* parameters);

/* Header and data, together up to PAMI_DISPATCH_SEND_IMMEDIATE_MAX, may be changed when the call has returned.
 * PAMI_INVAL: also if they are longer. PAMI_EAGAIN: no room in the device, and the dispatch forbids to queue. */
pami_result_t PAMI_Send_immediate(pami_context_t context, pami_send_immediate_t* parameters);

/* As PAMI_Send(); data are those that the type says, from data.iov_base on; data.iov_len counts bytes of data. */
pami_result_t PAMI_Send_typed(pami_context_t context, pami_send_typed_t* parameters);

/* What a dispatch function states if it does not get the data at once. */
typedef struct {
  void* cookie;
  pami_event_function local_fn; /* the data are there */
  void* addr;
  pami_type_t type;
  size_t offset; /* bytes of the type's data that are left out */
  pami_data_function data_fn;
  void* data_cookie;
} pami_recv_t;

/* pipe_addr: the data, until the function returns, with recv NULL; or NULL, and recv is to be filled in. */
typedef void (*pami_dispatch_p2p_function)(pami_context_t context, void* cookie, const void* header_addr,
                                           size_t header_size, const void* pipe_addr, size_t data_size,
                                           pami_endpoint_t origin, pami_recv_t* recv);

/* Puts and gets ----------------------------------------------------------------------------------------------------
 *
 * 0 bytes are refused (PAMI_INVAL). done_fn: of a put, local memory may be changed; of a get, the data are there.
 * rdone_fn, of a put: the data are in the target's memory. Either may be NULL. */

typedef struct {
  pami_endpoint_t dest;
  pami_send_hint_t hints;
  size_t bytes;
  void* cookie;
  pami_event_function done_fn;
} pami_rma_t;

typedef struct {
  void* local;  /* an address of this process */
  void* remote; /* an address of the target */
} pami_rma_addr_t;

typedef struct {
  pami_type_t local;
  pami_type_t remote; /* a type of this process, which the target gets */
} pami_rma_typed_t;

typedef struct {
  pami_event_function rdone_fn;
} pami_rma_put_t;

typedef struct {
  pami_rma_t rma;
  pami_rma_addr_t addr;
  pami_rma_put_t put;
} pami_put_simple_t;

pami_result_t PAMI_Put(pami_context_t context, pami_put_simple_t* parameters);

typedef struct {
  pami_rma_t rma;
  pami_rma_addr_t addr;
  pami_rma_typed_t type;
  pami_rma_put_t put;
} pami_put_typed_t;

pami_result_t PAMI_Put_typed(pami_context_t context, pami_put_typed_t* parameters);

typedef struct {
  pami_rma_t rma;
  pami_rma_addr_t addr;
} pami_get_simple_t;

pami_result_t PAMI_Get(pami_context_t context, pami_get_simple_t* parameters);

typedef struct {
  pami_rma_t rma;
  pami_rma_addr_t addr;
  pami_rma_typed_t type;
} pami_get_typed_t;

pami_result_t PAMI_Get_typed(pami_context_t context, pami_get_typed_t* parameters);

/* Atomic operations on a remote word --------------------------------------------------------------------------------
 */

/* One of SET to XOR, with FETCH, COMPARE, both or neither. COMPARE: only if the word equals `test`. */
typedef enum {
  PAMI_ATOMIC_FETCH = (0x1 << 0),
  PAMI_ATOMIC_COMPARE = (0x1 << 1),
  PAMI_ATOMIC_SET = (0x1 << 2),
  PAMI_ATOMIC_ADD = (0x2 << 2),
  PAMI_ATOMIC_OR = (0x3 << 2),
  PAMI_ATOMIC_AND = (0x4 << 2),
  PAMI_ATOMIC_XOR = (0x5 << 2),
  PAMI_ATOMIC_FETCH_SET = (PAMI_ATOMIC_FETCH | PAMI_ATOMIC_SET),
  PAMI_ATOMIC_FETCH_ADD = (PAMI_ATOMIC_FETCH | PAMI_ATOMIC_ADD),
  PAMI_ATOMIC_FETCH_OR = (PAMI_ATOMIC_FETCH | PAMI_ATOMIC_OR),
  PAMI_ATOMIC_FETCH_AND = (PAMI_ATOMIC_FETCH | PAMI_ATOMIC_AND),
  PAMI_ATOMIC_FETCH_XOR = (PAMI_ATOMIC_FETCH | PAMI_ATOMIC_XOR),
  PAMI_ATOMIC_COMPARE_SET = (PAMI_ATOMIC_COMPARE | PAMI_ATOMIC_SET),
  PAMI_ATOMIC_COMPARE_ADD = (PAMI_ATOMIC_COMPARE | PAMI_ATOMIC_ADD),
  PAMI_ATOMIC_COMPARE_OR = (PAMI_ATOMIC_COMPARE | PAMI_ATOMIC_OR),
  PAMI_ATOMIC_COMPARE_AND = (PAMI_ATOMIC_COMPARE | PAMI_ATOMIC_AND),
  PAMI_ATOMIC_COMPARE_XOR = (PAMI_ATOMIC_COMPARE | PAMI_ATOMIC_XOR),
  PAMI_ATOMIC_FETCH_COMPARE_SET = (PAMI_ATOMIC_FETCH | PAMI_ATOMIC_COMPARE_SET),
  PAMI_ATOMIC_FETCH_COMPARE_ADD = (PAMI_ATOMIC_FETCH | PAMI_ATOMIC_COMPARE_ADD),
  PAMI_ATOMIC_FETCH_COMPARE_OR = (PAMI_ATOMIC_FETCH | PAMI_ATOMIC_COMPARE_OR),
  PAMI_ATOMIC_FETCH_COMPARE_AND = (PAMI_ATOMIC_FETCH | PAMI_ATOMIC_COMPARE_AND),
  PAMI_ATOMIC_FETCH_COMPARE_XOR = (PAMI_ATOMIC_FETCH | PAMI_ATOMIC_COMPARE_XOR)
} pami_atomic_t;

typedef struct {
  pami_endpoint_t dest;
  pami_send_hint_t hints;
  void* cookie;
  pami_event_function done_fn; /* the word has been fetched, or, without FETCH, changed; NULL: none */
  void* local;                 /* of FETCH: where the old value goes */
  void* remote;                /* the word, in the target's memory */
  void* value;                 /* the operand, read before the call returns */
  void* test;                  /* of COMPARE: likewise */
  pami_atomic_t operation;
  pami_type_t type; /* of the word: a predefined integer */
} pami_rmw_t;

pami_result_t PAMI_Rmw(pami_context_t context, pami_rmw_t* parameters);

/* Memory regions ---------------------------------------------------------------------------------------------------
 *
 * A region is memory that the device may read and write. Its handle may be copied to other tasks, which then put into
 * it and get from it without this task's software. */

typedef uintptr_t pami_memregion_t[PAMI_CLIENT_MEMREGION_SIZE_STATIC / sizeof(uintptr_t)];

/* bytes_out may be less than bytes_in. PAMI_INVAL: no bytes, or no memory of the process at the address. */
pami_result_t PAMI_Memregion_create(pami_context_t context, void* address, size_t bytes_in, size_t* bytes_out,
                                    pami_memregion_t* memregion);
pami_result_t PAMI_Memregion_destroy(pami_context_t context, pami_memregion_t* memregion);

typedef struct {
  pami_memregion_t* mr;
  size_t offset; /* bytes */
} pami_rma_mr_t;

typedef struct {
  pami_rma_mr_t local;
  pami_rma_mr_t remote;
} pami_rdma_t;

typedef struct {
  pami_rma_t rma;
  pami_rdma_t rdma;
  pami_rma_put_t put;
} pami_rput_simple_t;

typedef struct {
  pami_rma_t rma;
  pami_rdma_t rdma;
  pami_rma_typed_t type;
  pami_rma_put_t put;
} pami_rput_typed_t;

pami_result_t PAMI_Rput(pami_context_t context, pami_rput_simple_t* parameters);
pami_result_t PAMI_Rput_typed(pami_context_t context, pami_rput_typed_t* parameters);

typedef struct {
  pami_rma_t rma;
  pami_rdma_t rdma;
} pami_rget_simple_t;

pami_result_t PAMI_Rget(pami_context_t context, pami_rget_simple_t* parameters);

typedef struct {
  pami_rma_t rma;
  pami_rdma_t rdma;
  pami_rma_typed_t type;
} pami_rget_typed_t;

pami_result_t PAMI_Rget_typed(pami_context_t context, pami_rget_typed_t* parameters);

/* Endpoints that come and go, and fences --------------------------------------------------------------------------- */

/* The caller shall not communicate with these endpoints, or shall again. */
pami_result_t PAMI_Purge(pami_context_t context, pami_endpoint_t* dest, size_t count);
pami_result_t PAMI_Resume(pami_context_t context, pami_endpoint_t* dest, size_t count);

/* Fences are legal between begin and end, which do not nest. A fence ends when all that was started before it at the
 * context, to all endpoints or to one, has taken place in the targets' memory. */
pami_result_t PAMI_Fence_begin(pami_context_t context);
pami_result_t PAMI_Fence_end(pami_context_t context);
pami_result_t PAMI_Fence_all(pami_context_t context, pami_event_function done_fn, void* cookie);
pami_result_t PAMI_Fence_endpoint(pami_context_t context, pami_event_function done_fn, void* cookie,
                                  pami_endpoint_t target);

#endif
