// SPDX-License-Identifier: Apache-2.0
// The arithmetic of reductions: every type with every operation that has a meaning for it.
#include "firmware/bgp/dcmf/collective/collective.h"
#include "firmware/reduction/kernels.h"

typedef struct {
  uint32_t bytes;
  combine_t combine[DCMF_OP_COUNT];
} type_t;

#define REDUCTION(operation) DCMF_##operation

static const type_t kTypes[DCMF_DT_COUNT] = {
    [DCMF_SIGNED_CHAR] = {sizeof(signed char), {OF_INTEGER(sc)}},
    [DCMF_UNSIGNED_CHAR] = {sizeof(unsigned char), {OF_INTEGER(uc)}},
    [DCMF_SIGNED_SHORT] = {sizeof(short), {OF_INTEGER(ss)}},
    [DCMF_UNSIGNED_SHORT] = {sizeof(unsigned short), {OF_INTEGER(us)}},
    [DCMF_SIGNED_INT] = {sizeof(int), {OF_INTEGER(si)}},
    [DCMF_UNSIGNED_INT] = {sizeof(unsigned), {OF_INTEGER(ui)}},
    [DCMF_SIGNED_LONG_LONG] = {sizeof(long long), {OF_INTEGER(sl)}},
    [DCMF_UNSIGNED_LONG_LONG] = {sizeof(unsigned long long), {OF_INTEGER(ul)}},
    [DCMF_FLOAT] = {sizeof(float), {OF_ARITHMETIC(f)}},
    [DCMF_DOUBLE] = {sizeof(double), {OF_ARITHMETIC(d)}},
    [DCMF_LONG_DOUBLE] = {sizeof(long double), {OF_ARITHMETIC(ld)}},
    [DCMF_LOGICAL] = {sizeof(int), {OF_LOGICAL(si)}},
    [DCMF_SINGLE_COMPLEX] = {sizeof(single_complex), {OF_COMPLEX(sx)}},
    [DCMF_DOUBLE_COMPLEX] = {sizeof(double_complex), {OF_COMPLEX(dx)}},
    [DCMF_LOC_2INT] = {sizeof(loc_2i), {OF_LOC(2i)}},
    [DCMF_LOC_SHORT_INT] = {sizeof(loc_si), {OF_LOC(si)}},
    [DCMF_LOC_FLOAT_INT] = {sizeof(loc_fi), {OF_LOC(fi)}},
    [DCMF_LOC_DOUBLE_INT] = {sizeof(loc_di), {OF_LOC(di)}},
    [DCMF_LOC_2FLOAT] = {sizeof(loc_2f), {OF_LOC(2f)}},
    [DCMF_LOC_2DOUBLE] = {sizeof(loc_2d), {OF_LOC(2d)}},
};

uint32_t dcmf_reduction_bytes(DCMF_Dt dt, DCMF_Op op, uint32_t count) {
  if ((unsigned)dt >= DCMF_DT_COUNT || (unsigned)op >= DCMF_OP_COUNT || kTypes[dt].combine[op] == NULL) return 0;
  return kTypes[dt].bytes * count;
}

void dcmf_reduce(void* to, const void* from, uint32_t count, DCMF_Dt dt, DCMF_Op op) {
  kTypes[dt].combine[op](to, from, count);
}
