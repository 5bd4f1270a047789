// SPDX-License-Identifier: Apache-2.0
// Puts, gets and accumulates of lists of pieces: an operation for each piece.
#include "firmware/ospri/core/call.h"

typedef enum { PUT, GET, ACCUMULATE, COMBINE } kind_t;

static bool bad_list(int target, const A1_iov_t* lists, int count, unsigned element) {
  if (!is_rank(target) || count < 0 || (count > 0 && !lists)) return true;
  for (int i = 0; i < count; ++i) {
    const A1_iov_t* const list = &lists[i];
    if (list->size < 0 || list->ptr_ar_len < 0 || (unsigned)list->size % element != 0) return true;
    if (list->ptr_ar_len > 0 && (!list->source_ptr_ar || !list->target_ptr_ar)) return true;
  }
  return false;
}

static void run(kind_t kind, unsigned target, const A1_iov_t* lists, int count, const ospri_scaling_t* scaling,
                ospri_handle_t* handle) {
  for (int i = 0; i < count; ++i) {
    const size_t bytes = (size_t)lists[i].size;
    for (int piece = 0; piece < lists[i].ptr_ar_len; ++piece) {
      void* const source = lists[i].source_ptr_ar[piece];
      void* const place = lists[i].target_ptr_ar[piece];
      switch (kind) {
        case PUT:
          ospri_put(target, source, place, bytes, handle);
          break;
        case GET:
          ospri_get(target, source, place, bytes, handle);
          break;
        case ACCUMULATE:
          ospri_accumulate(target, source, place, bytes, scaling, handle);
          break;
        default:
          ospri_combine(target, source, place, bytes, handle);
      }
    }
  }
}

static int blocking(kind_t kind, int target, const A1_iov_t* lists, int count, const ospri_scaling_t* scaling) {
  // The order among calls is kept by an empty operation; within the call, there is none.
  ospri_handle_t call = ORDERED_HANDLE, pieces = {.pending = 0};
  ospri_enter();
  const ospri_way_t way = (unsigned)target == ospri.rank ? OSPRI_HERE : kind == PUT ? OSPRI_DIRECT : OSPRI_BY_MESSAGE;
  ospri_keep_order((unsigned)target, &call, way);
  run(kind, (unsigned)target, lists, count, scaling, &pieces);
  return ospri_wait_and_exit(&pieces);
}

static int with_handle(kind_t kind, int target, const A1_iov_t* lists, int count, const ospri_scaling_t* scaling,
                       A1_handle_t handle) {
  if (!is_handle(handle)) return A1_ERROR;
  ospri_enter();
  run(kind, (unsigned)target, lists, count, scaling, handle);
  ospri_exit();
  return A1_SUCCESS;
}

int A1_PutV(int target, A1_iov_t* iov_ar, int ar_len) {
  if (bad_list(target, iov_ar, ar_len, 1)) return A1_ERROR;
  return blocking(PUT, target, iov_ar, ar_len, NULL);
}

int A1_NbPutV(int target, A1_iov_t* iov_ar, int ar_len, A1_handle_t handle) {
  if (bad_list(target, iov_ar, ar_len, 1)) return A1_ERROR;
  return with_handle(PUT, target, iov_ar, ar_len, NULL, handle);
}

int A1_GetV(int target, A1_iov_t* iov_ar, int ar_len) {
  if (bad_list(target, iov_ar, ar_len, 1)) return A1_ERROR;
  return blocking(GET, target, iov_ar, ar_len, NULL);
}

int A1_NbGetV(int target, A1_iov_t* iov_ar, int ar_len, A1_handle_t handle) {
  if (bad_list(target, iov_ar, ar_len, 1)) return A1_ERROR;
  return with_handle(GET, target, iov_ar, ar_len, NULL, handle);
}

int A1_PutAccV(int target, A1_iov_t* iov_ar, int ar_len, A1_datatype_t a1_type, void* scaling) {
  ospri_scaling_t scaled;
  if (!ospri_make_scaling(&scaled, a1_type, scaling)) return A1_ERROR;
  if (bad_list(target, iov_ar, ar_len, ospri_type_bytes((int)a1_type))) return A1_ERROR;
  return blocking(ACCUMULATE, target, iov_ar, ar_len, &scaled);
}

int A1_NbPutAccV(int target, A1_iov_t* iov_ar, int ar_len, A1_datatype_t a1_type, void* scaling, A1_handle_t handle) {
  ospri_scaling_t scaled;
  if (!ospri_make_scaling(&scaled, a1_type, scaling)) return A1_ERROR;
  if (bad_list(target, iov_ar, ar_len, ospri_type_bytes((int)a1_type))) return A1_ERROR;
  return with_handle(ACCUMULATE, target, iov_ar, ar_len, &scaled, handle);
}

int A1_PutModV(int target, A1_iov_t* iov_ar, int ar_len, A1_reduce_op_t a1_op, A1_datatype_t a1_type) {
  if (a1_op != A1_BXOR || ospri_type_bytes((int)a1_type) == 0 || a1_type >= A1_FLOAT) return A1_ERROR;
  if (bad_list(target, iov_ar, ar_len, ospri_type_bytes((int)a1_type))) return A1_ERROR;
  return blocking(COMBINE, target, iov_ar, ar_len, NULL);
}
