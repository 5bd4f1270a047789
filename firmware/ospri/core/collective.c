// SPDX-License-Identifier: Apache-2.0
// Broadcasts, reductions and the exchange of all with all.
#include <stdlib.h>
#include <string.h>

#include "firmware/ospri/core/call.h"

static size_t type_bytes(A1_datatype_t type) {
  return ospri_type_bytes((int)type);
}

int A1_Bcast_group(A1_group_t* group, int root, int bytes, void* buffer) {
  if (!is_world(group) || !is_rank(root) || bytes < 0 || (bytes > 0 && !buffer)) return A1_ERROR;
  ospri_enter();
  const bool done = ospri_broadcast((unsigned)root, buffer, (size_t)bytes);
  ospri_exit();
  return done ? A1_SUCCESS : A1_ERROR;
}

int A1_Multicast_group(A1_group_t* group, int root, int count, A1_datatype_t a1_type, void* buffer) {
  if (type_bytes(a1_type) == 0 || count < 0) return A1_ERROR;
  return A1_Bcast_group(group, root, (int)(type_bytes(a1_type) * (unsigned)count), buffer);
}

static DCMF_Dt dcmf_type(A1_datatype_t type) {
  static const DCMF_Dt kTypes[] = {
      [A1_INT32] = DCMF_SIGNED_INT,    [A1_INT64] = DCMF_SIGNED_LONG_LONG,
      [A1_UINT32] = DCMF_UNSIGNED_INT, [A1_UINT64] = DCMF_UNSIGNED_LONG_LONG,
      [A1_FLOAT] = DCMF_FLOAT,         [A1_DOUBLE] = DCMF_DOUBLE,
  };
  return kTypes[type];
}

static DCMF_Op dcmf_operation(A1_reduce_op_t operation, A1_datatype_t type) {
  switch (operation) {
    case A1_SUM:
      return DCMF_SUM;
    case A1_PROD:
      return DCMF_PROD;
    case A1_MAX:
    case A1_MAXABS:
      return DCMF_MAX;
    case A1_MIN:
    case A1_MINABS:
    case A1_SAME:
      return DCMF_MIN;
    case A1_OR:
      return type < A1_FLOAT ? DCMF_LOR : DCMF_UNDEFINED_OP;
    case A1_BXOR:
      return type < A1_FLOAT ? DCMF_BXOR : DCMF_UNDEFINED_OP;
    default:
      return DCMF_UNDEFINED_OP;
  }
}

#define ABSOLUTE(TYPE)                           \
  do {                                           \
    TYPE* const values = buffer;                 \
    for (int i = 0; i < count; ++i) {            \
      if (values[i] < 0) values[i] = -values[i]; \
    }                                            \
  } while (0)

static void take_absolute(void* buffer, int count, A1_datatype_t type) {
  switch (type) {
    case A1_INT32:
      ABSOLUTE(int32_t);
      break;
    case A1_INT64:
      ABSOLUTE(int64_t);
      break;
    case A1_FLOAT:
      ABSOLUTE(float);
      break;
    case A1_DOUBLE:
      ABSOLUTE(double);
      break;
    default:
      break;
  }
}

#define COMPARE(TYPE)                                                 \
  do {                                                                \
    const TYPE *a = least, *b = most;                                 \
    TYPE* const result = out;                                         \
    for (int i = 0; i < count; ++i) result[i] = (TYPE)(a[i] == b[i]); \
  } while (0)

static void compare(const void* least, const void* most, void* out, int count, A1_datatype_t type) {
  switch (type) {
    case A1_INT32:
    case A1_UINT32:
      COMPARE(uint32_t);
      break;
    case A1_INT64:
    case A1_UINT64:
      COMPARE(uint64_t);
      break;
    case A1_FLOAT:
      COMPARE(float);
      break;
    default:
      COMPARE(double);
  }
}

/// With the lock. `copy` has a copy of the operands.
static bool reduce(int root, int count, A1_reduce_op_t op, A1_datatype_t type, void* in, void* out, void* copy) {
  const DCMF_Op operation = dcmf_operation(op, type);
  if (op == A1_MAXABS || op == A1_MINABS) take_absolute(copy, count, type);
  if (op != A1_SAME) return ospri_reduce(root, copy, out ? out : copy, (unsigned)count, dcmf_type(type), operation);
  void* const most = malloc((size_t)count * type_bytes(type));
  if (!most) return false;
  const bool done = ospri_reduce(-1, in, copy, (unsigned)count, dcmf_type(type), DCMF_MIN) &&
                    ospri_reduce(-1, in, most, (unsigned)count, dcmf_type(type), DCMF_MAX);
  if (done && out) compare(copy, most, out, count, type);
  free(most);
  return done;
}

/// root -1: all get the result.
static int checked_reduce(A1_group_t* group, int root, int count, A1_reduce_op_t op, A1_datatype_t type, void* in,
                          void* out) {
  const bool wants = root < 0 || (unsigned)root == ospri.rank;
  if (!is_world(group) || count < 0 || type_bytes(type) == 0) return A1_ERROR;
  if (dcmf_operation(op, type) == DCMF_UNDEFINED_OP) return A1_ERROR;
  if (count == 0) return A1_SUCCESS;
  if (!in || (wants && !out)) return A1_ERROR;
  const size_t bytes = (size_t)count * type_bytes(type);
  void* const copy = malloc(bytes);
  if (!copy) return A1_ERROR;
  memcpy(copy, in, bytes);
  ospri_enter();
  const bool done = reduce(root, count, op, type, in, wants ? out : NULL, copy);
  ospri_exit();
  free(copy);
  return done ? A1_SUCCESS : A1_ERROR;
}

int A1_Reduce_group(A1_group_t* group, int root, int count, A1_reduce_op_t a1_op, A1_datatype_t a1_type, void* in,
                    void* out) {
  return is_rank(root) ? checked_reduce(group, root, count, a1_op, a1_type, in, out) : A1_ERROR;
}

int A1_Allreduce_group(A1_group_t* group, int count, A1_reduce_op_t a1_op, A1_datatype_t a1_type, void* in, void* out) {
  return checked_reduce(group, -1, count, a1_op, a1_type, in, out);
}

int A1_Manytomany_group(A1_group_t* in_group, A1_group_t* out_group, int count, A1_datatype_t a1_type, void* in,
                        void* out) {
  const size_t bytes = type_bytes(a1_type) * (size_t)(count > 0 ? count : 0);
  if (!is_world(in_group) || !is_world(out_group) || count < 0 || type_bytes(a1_type) == 0) return A1_ERROR;
  if (bytes != 0 && (!in || !out)) return A1_ERROR;
  void** const places = calloc(ospri.size, sizeof *places);
  if (!places) return A1_ERROR;
  ospri_enter();
  ospri_share(&out, sizeof out, places);
  ospri_handle_t handle = {.pending = 0};
  for (unsigned i = 0, target = ospri.rank; i < ospri.size; ++i) {
    if (++target == ospri.size) target = 0;
    ospri_put(target, (char*)in + target * bytes, (char*)places[target] + ospri.rank * bytes, bytes, &handle);
  }
  ospri_wait(&handle);
  ospri_flush_all();
  ospri_barrier();
  ospri_exit();
  free(places);
  return A1_SUCCESS;
}

// The collective operations block in any case.

int A1_NbBcast_group(A1_group_t* group, int root, int count, void* buffer, A1_handle_t a1_handle) {
  return is_handle(a1_handle) ? A1_Bcast_group(group, root, count, buffer) : A1_ERROR;
}

int A1_NbMulticast_group(A1_group_t* group, int root, int count, A1_datatype_t a1_type, void* buffer,
                         A1_handle_t a1_handle) {
  return is_handle(a1_handle) ? A1_Multicast_group(group, root, count, a1_type, buffer) : A1_ERROR;
}

int A1_NbReduce_group(A1_group_t* group, int root, int count, A1_reduce_op_t a1_op, A1_datatype_t a1_type, void* in,
                      void* out, A1_handle_t a1_handle) {
  return is_handle(a1_handle) ? A1_Reduce_group(group, root, count, a1_op, a1_type, in, out) : A1_ERROR;
}

int A1_NbAllreduce_group(A1_group_t* group, int count, A1_reduce_op_t a1_op, A1_datatype_t a1_type, void* in, void* out,
                         A1_handle_t a1_handle) {
  return is_handle(a1_handle) ? A1_Allreduce_group(group, count, a1_op, a1_type, in, out) : A1_ERROR;
}

int A1_NbManytomany_group(A1_group_t* in_group, A1_group_t* out_group, int count, A1_datatype_t a1_type, void* in,
                          void* out, A1_handle_t a1_handle) {
  return is_handle(a1_handle) ? A1_Manytomany_group(in_group, out_group, count, a1_type, in, out) : A1_ERROR;
}
