// SPDX-License-Identifier: Apache-2.0
#include "firmware/mpi/collective.h"

/// By dissemination: in round k a process tells the one 2^k ranks above it the greatest number it has seen.
uint32_t bglmpi_agree_max(bglmpi_comm_t* comm, uint32_t number) {
  bglmpi_datatype_t* word = bglmpi_object(MPI_UINT32_T, BGLMPI_DATATYPE);
  for (int step = 1; step < comm->size; step *= 2) {
    const int to = (comm->rank + step) % comm->size, from = (comm->rank + comm->size - step) % comm->size;
    uint32_t other;
    bglmpi_request_t* receive = bglmpi_irecv(&other, 1, word, from, BGLMPI_TAG_AGREE, comm);
    bglmpi_request_t* send = bglmpi_isend(&number, 1, word, to, BGLMPI_TAG_AGREE, comm);
    bglmpi_finish(send, MPI_STATUS_IGNORE);
    bglmpi_finish(receive, MPI_STATUS_IGNORE);
    if (other > number) number = other;
  }
  return number;
}
