// SPDX-License-Identifier: Apache-2.0
#include "firmware/bgq/pami/types/operations.h"

#include <string.h>

#include "firmware/hot.h"
#include "firmware/reduction/kernels.h"

LOC(li, long, int)
LOC(ldi, long double, int)
LOGICAL(f, float)
LOGICAL(d, double)

// More than pami.h promises: bits of raw bytes and of logicals, and truth of floating point.
#define REDUCTION(operation) PAMI_OPERATION_##operation

typedef struct {
  size_t bytes;
  combine_t combine[PAMI_OPERATION_COUNT];
} kind_t;

static const kind_t kKinds[PAMI_ELEMENT_COUNT] = {
    [PAMI_ELEMENT_RAW] = {1, {OF_BITS(uc)}},
    [PAMI_ELEMENT_SIGNED_CHAR] = {sizeof(signed char), {OF_INTEGER(sc)}},
    [PAMI_ELEMENT_UNSIGNED_CHAR] = {sizeof(unsigned char), {OF_INTEGER(uc)}},
    [PAMI_ELEMENT_SIGNED_SHORT] = {sizeof(short), {OF_INTEGER(ss)}},
    [PAMI_ELEMENT_UNSIGNED_SHORT] = {sizeof(unsigned short), {OF_INTEGER(us)}},
    [PAMI_ELEMENT_SIGNED_INT] = {sizeof(int), {OF_INTEGER(si)}},
    [PAMI_ELEMENT_UNSIGNED_INT] = {sizeof(unsigned), {OF_INTEGER(ui)}},
    [PAMI_ELEMENT_SIGNED_LONG] = {sizeof(long long), {OF_INTEGER(sl)}},
    [PAMI_ELEMENT_UNSIGNED_LONG] = {sizeof(unsigned long long), {OF_INTEGER(ul)}},
    [PAMI_ELEMENT_FLOAT] = {sizeof(float), {OF_ARITHMETIC(f), OF_LOGICAL(f)}},
    [PAMI_ELEMENT_DOUBLE] = {sizeof(double), {OF_ARITHMETIC(d), OF_LOGICAL(d)}},
    [PAMI_ELEMENT_LONG_DOUBLE] = {sizeof(long double), {OF_ARITHMETIC(ld)}},
    [PAMI_ELEMENT_LOGICAL1] = {1, {OF_LOGICAL(uc), OF_BITS(uc)}},
    [PAMI_ELEMENT_LOGICAL2] = {2, {OF_LOGICAL(us), OF_BITS(us)}},
    [PAMI_ELEMENT_LOGICAL4] = {4, {OF_LOGICAL(ui), OF_BITS(ui)}},
    [PAMI_ELEMENT_LOGICAL8] = {8, {OF_LOGICAL(ul), OF_BITS(ul)}},
    [PAMI_ELEMENT_SINGLE_COMPLEX] = {sizeof(single_complex), {OF_COMPLEX(sx)}},
    [PAMI_ELEMENT_DOUBLE_COMPLEX] = {sizeof(double_complex), {OF_COMPLEX(dx)}},
    [PAMI_ELEMENT_LOC_2INT] = {sizeof(loc_2i), {OF_LOC(2i)}},
    [PAMI_ELEMENT_LOC_2FLOAT] = {sizeof(loc_2f), {OF_LOC(2f)}},
    [PAMI_ELEMENT_LOC_2DOUBLE] = {sizeof(loc_2d), {OF_LOC(2d)}},
    [PAMI_ELEMENT_LOC_SHORT_INT] = {sizeof(loc_si), {OF_LOC(si)}},
    [PAMI_ELEMENT_LOC_FLOAT_INT] = {sizeof(loc_fi), {OF_LOC(fi)}},
    [PAMI_ELEMENT_LOC_DOUBLE_INT] = {sizeof(loc_di), {OF_LOC(di)}},
    [PAMI_ELEMENT_LOC_LONG_INT] = {sizeof(loc_li), {OF_LOC(li)}},
    [PAMI_ELEMENT_LOC_LONGDOUBLE_INT] = {sizeof(loc_ldi), {OF_LOC(ldi)}},
};

#define PREDEFINED(operation) pami_data_function PAMI_DATA_##operation = (pami_data_function)PAMI_OPERATION_##operation
PREDEFINED(COPY);
PREDEFINED(NOOP);
PREDEFINED(MAX);
PREDEFINED(MIN);
PREDEFINED(SUM);
PREDEFINED(PROD);
PREDEFINED(LAND);
PREDEFINED(LOR);
PREDEFINED(LXOR);
PREDEFINED(BAND);
PREDEFINED(BOR);
PREDEFINED(BXOR);
PREDEFINED(MAXLOC);
PREDEFINED(MINLOC);

pami_operation_t pami_operation(pami_data_function function) {
  const uintptr_t number = (uintptr_t)function;
  return number < PAMI_OPERATION_COUNT ? (pami_operation_t)number : PAMI_OPERATION_COUNT;
}

size_t pami_element_bytes(pami_element_t element) {
  return kKinds[element].bytes;
}

HOT_OF_COLLECTIVES bool pami_can_combine(pami_data_function function, pami_type_t type) {
  const pami_operation_t operation = pami_operation(function);
  if (operation == PAMI_OPERATION_NONE) return false;
  if (operation == PAMI_OPERATION_COUNT || operation <= PAMI_OPERATION_NOOP) return true;
  return kKinds[pami_type_element(type)].combine[operation] != NULL;
}

void pami_combine(void* target, const void* source, size_t bytes, pami_type_t type, pami_data_function function,
                  void* cookie) {
  const pami_operation_t operation = pami_operation(function);
  if (operation == PAMI_OPERATION_COUNT) {
    function(target, (void*)source, bytes, cookie);
  } else if (operation == PAMI_OPERATION_COPY) {
    memcpy(target, source, bytes);
  } else if (operation != PAMI_OPERATION_NOOP) {
    const kind_t* kind = &kKinds[pami_type_element(type)];
    kind->combine[operation](target, source, bytes / kind->bytes);
  }
}
