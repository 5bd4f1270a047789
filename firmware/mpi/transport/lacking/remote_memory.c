// SPDX-License-Identifier: Apache-2.0
// For machines that do not access the memory of other processes: not by me.
#include "firmware/mpi/transport.h"

bool mpit_put(void* state, uint32_t peer, uintptr_t to, const mpit_place_t* from, mpit_done_t done, void* context) {
  (void)state, (void)peer, (void)to, (void)from, (void)done, (void)context;
  return false;
}

bool mpit_get(void* state, uint32_t peer, uintptr_t from, const mpit_place_t* to, mpit_done_t done, void* context) {
  (void)state, (void)peer, (void)from, (void)to, (void)done, (void)context;
  return false;
}

bool mpit_atomic(void* state, uint32_t peer, uintptr_t at, mpii_basic_t element, MPI_Op op, const void* operand,
                 const void* compare, void* before, mpit_done_t done, void* context) {
  (void)state, (void)peer, (void)at, (void)element, (void)op, (void)operand;
  (void)compare, (void)before, (void)done, (void)context;
  return false;
}
