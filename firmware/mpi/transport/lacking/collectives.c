// SPDX-License-Identifier: Apache-2.0
// For machines without networks for collective operations: not by me.
#include "firmware/mpi/transport.h"

bool mpit_broadcasts(const mpit_part_t* of, size_t bytes) {
  (void)of, (void)bytes;
  return false;
}

void mpit_broadcast(const mpit_part_t* of, void* data, size_t bytes, uint32_t root) {
  (void)of, (void)data, (void)bytes, (void)root;
}

bool mpit_reduces(const mpit_part_t* of, size_t count, mpii_basic_t element, MPI_Op op) {
  (void)of, (void)count, (void)element, (void)op;
  return false;
}

bool mpit_reduce(const mpit_part_t* of, const void* in, void* out, size_t count, mpii_basic_t element, MPI_Op op,
                 int64_t root) {
  (void)of, (void)in, (void)out, (void)count, (void)element, (void)op, (void)root;
  return false;
}

bool mpit_allgathers(const mpit_part_t* of, size_t bytes, bool in_order) {
  (void)of, (void)bytes, (void)in_order;
  return false;
}

void mpit_allgather(const mpit_part_t* of, void* blocks, const uint32_t* sizes, size_t bytes) {
  (void)of, (void)blocks, (void)sizes, (void)bytes;
}

bool mpit_alltoalls(size_t bytes) {
  (void)bytes;
  return false;
}

void mpit_alltoall(const void* send, void* receive, size_t bytes) {
  (void)send, (void)receive, (void)bytes;
}
