// SPDX-License-Identifier: Apache-2.0
/// An access as the program's call describes it, at its origin. For the library's own files.
#ifndef TOROID_FIRMWARE_MPI_WIN_CALL_H
#define TOROID_FIRMWARE_MPI_WIN_CALL_H

#include "firmware/mpi/win_rma.h"

/// A buffer of a call.
typedef struct {
  const void* at;
  int count;
  MPI_Datatype handle;
  mpii_datatype_t* datatype;
} mpii_side_t;

typedef struct {
  mpii_rma_kind_t kind;
  MPI_Op op;
  mpii_side_t origin;  ///< not of MPI_Get()
  mpii_side_t result;  ///< where a reply goes
  int target;
  MPI_Aint displacement;
  mpii_side_t there;            ///< at the target
  MPI_Request* const* request;  ///< MPI_Rput() and its kin; NULL: a call without one
} mpii_rma_call_t;

static inline bool mpii_rma_has_origin(const mpii_rma_call_t* call) {
  return call->kind != MPII_RMA_GET && !(call->kind == MPII_RMA_FETCH && call->op == MPI_NO_OP);
}

static inline bool mpii_rma_has_result(const mpii_rma_call_t* call) {
  return call->kind == MPII_RMA_GET || call->kind == MPII_RMA_FETCH || call->kind == MPII_RMA_SWAP;
}

/// Count a piece as one of a request's; NULL: of no request.
void mpii_rma_add_piece(mpii_rma_t* rma, mpii_request_t* request);
/// What a piece waited for has come: release it.
void mpii_rma_replied(mpii_rma_t* rma);

/// If mpit_reaches(): have the network perform an access of `bytes` bytes. `compare`: what MPI_Compare_and_swap()
/// compares with. Returns false if the network does not perform it: then it goes by messages.
bool mpii_rma_by_network(mpii_win_t* win, const mpii_rma_call_t* call, size_t bytes, const void* compare,
                         mpii_request_t* request);

#endif
