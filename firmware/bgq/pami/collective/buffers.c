/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/bgq/pami/collective/methods.h"
#include "firmware/bgq/pami/types/layout.h"
#include "firmware/bgq/pami/types/operations.h"

bool pami_bytes(pami_type_t type, size_t count, size_t* bytes) {
  *bytes = 0;
  if (count == 0) return true;
  if (pami_layout(type) == NULL) return false;
  *bytes = count * pami_type_size(type);
  return true;
}

void* pami_outgoing(pami_schedule_t* schedule, const void* base, pami_type_t type, size_t bytes) {
  if (bytes == 0 || pami_type_contiguous(type)) return (void*)base;
  void* memory = pami_temporary(schedule, bytes);
  if (memory) pami_pack_step(schedule, memory, base, type, 0, bytes);
  return memory;
}

void* pami_incoming(pami_schedule_t* schedule, void* base, pami_type_t type, size_t bytes) {
  if (bytes == 0 || pami_type_contiguous(type)) return base;
  return pami_temporary(schedule, bytes);
}

void pami_deliver(pami_schedule_t* schedule, void* base, pami_type_t type, const void* place, size_t bytes) {
  if (bytes == 0) return;
  if (pami_type_contiguous(type)) {
    pami_copy_step(schedule, base, place, bytes);
  } else {
    pami_unpack_step(schedule, base, type, 0, place, bytes);
  }
}

uint32_t pami_root(const pami_schedule_t* schedule, pami_endpoint_t root) {
  return pami_rank(schedule->geometry, root);
}

pami_result_t pami_reduction(pami_schedule_t* schedule, pami_reduction_t* reduction, pami_type_t stype, size_t count,
                             pami_type_t rtype, pami_data_function op, void* cookie, int commutative) {
  if (!pami_bytes(stype, count, &reduction->bytes)) return PAMI_INVAL;
  schedule->function = op;
  schedule->function_cookie = cookie;
  reduction->commutative = pami_operation(op) < PAMI_OPERATION_COUNT || commutative;
  reduction->type = stype;
  reduction->grain = 1;
  if (reduction->bytes == 0) return PAMI_SUCCESS;
  /* Elements are those of the type that says what they are; where both do, the source's. */
  if (pami_type_element(stype) == PAMI_ELEMENT_RAW && pami_layout(rtype) &&
      pami_type_element(rtype) != PAMI_ELEMENT_RAW) {
    reduction->type = rtype;
  }
  if (!pami_can_combine(op, reduction->type)) {
    return pami_error(PAMI_INVAL, "the operation has no meaning for the type of a reduction");
  }
  const bool predefined = pami_operation(op) < PAMI_OPERATION_COUNT;
  reduction->grain = predefined ? pami_element_bytes(pami_type_element(reduction->type)) : pami_type_size(stype);
  return PAMI_SUCCESS;
}
