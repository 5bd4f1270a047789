// SPDX-License-Identifier: Apache-2.0
// Puts, gets and accumulates of strided memory.
#include "firmware/ospri/core/call.h"

/// One of the operations.
typedef struct {
  ospri_task_kind_t kind;
  ospri_scaling_t scaling;  ///< of accumulates
} operation_t;

static const operation_t kPut = {.kind = OSPRI_TASK_PUT};
static const operation_t kGet = {.kind = OSPRI_TASK_GET};

static bool make_accumulate(operation_t* operation, A1_datatype_t type, const void* value) {
  operation->kind = OSPRI_TASK_ACCUMULATE;
  return ospri_make_scaling(&operation->scaling, type, value);
}

static void run(const operation_t* operation, unsigned target, const ospri_strided_t* strided, ospri_handle_t* handle) {
  switch (operation->kind) {
    case OSPRI_TASK_PUT:
      ospri_put_strided(target, strided, handle);
      break;
    case OSPRI_TASK_GET:
      ospri_get_strided(target, strided, handle);
      break;
    default:
      ospri_accumulate_strided(target, strided, &operation->scaling, handle);
  }
}

static void begin(const operation_t* operation, unsigned target, const ospri_strided_t* strided,
                  ospri_handle_t* handle) {
  if (ospri_hands_off(target)) {
    ospri_hand_off(operation->kind, target, strided, &operation->scaling, handle);
  } else {
    run(operation, target, strided, handle);
  }
}

static bool make(ospri_strided_t* strided, const operation_t* operation, int target, int levels, const int* blocks,
                 void* source, const int* source_strides, void* place, const int* target_strides) {
  if (!is_rank(target) || !ospri_strided(strided, levels, blocks, source, source_strides, place, target_strides)) {
    return false;
  }
  if (ospri_side_bytes(&strided->source) != 0 && (!source || !place)) return false;
  return operation->kind != OSPRI_TASK_ACCUMULATE ||
         strided->source.block % ospri_type_bytes((int)operation->scaling.type) == 0;
}

static int blocking(const operation_t* operation, int target, int levels, int* blocks, void* source,
                    int* source_strides, void* place, int* target_strides) {
  ospri_strided_t strided;
  if (!make(&strided, operation, target, levels, blocks, source, source_strides, place, target_strides)) {
    return A1_ERROR;
  }
  ospri_handle_t handle = ORDERED_HANDLE;
  ospri_enter();
  run(operation, (unsigned)target, &strided, &handle);
  return ospri_wait_and_exit(&handle);
}

static int with_handle(const operation_t* operation, int target, int levels, int* blocks, void* source,
                       int* source_strides, void* place, int* target_strides, A1_handle_t handle) {
  ospri_strided_t strided;
  if (!is_handle(handle) ||
      !make(&strided, operation, target, levels, blocks, source, source_strides, place, target_strides)) {
    return A1_ERROR;
  }
  ospri_enter();
  begin(operation, (unsigned)target, &strided, handle);
  ospri_exit();
  return A1_SUCCESS;
}

/// From one place to several processes.
static int to_many(const operation_t* operation, int count, int* targets, int levels, int** blocks, void* source,
                   int* source_strides, void* place, int* target_strides, ospri_handle_t* handle, bool wait) {
  ospri_strided_t strided;
  if (count < 0 || (count > 0 && (!targets || !blocks))) return A1_ERROR;
  for (int i = 0; i < count; ++i) {
    if (!make(&strided, operation, targets[i], levels, blocks[i], source, source_strides, place, target_strides)) {
      return A1_ERROR;
    }
  }
  ospri_enter();
  for (int i = 0; i < count; ++i) {
    make(&strided, operation, targets[i], levels, blocks[i], source, source_strides, place, target_strides);
    (wait ? run : begin)(operation, (unsigned)targets[i], &strided, handle);
  }
  if (wait) return ospri_wait_and_exit(handle);
  ospri_exit();
  return A1_SUCCESS;
}

int A1_PutS(int target, int stride_levels, int* block_sizes, void* source_ptr, int* src_stride_ar, void* target_ptr,
            int* trg_stride_ar) {
  return blocking(&kPut, target, stride_levels, block_sizes, source_ptr, src_stride_ar, target_ptr, trg_stride_ar);
}

int A1_NbPutS(int target, int stride_levels, int* block_sizes, void* source_ptr, int* src_stride_ar, void* target_ptr,
              int* trg_stride_ar, A1_handle_t handle) {
  return with_handle(&kPut, target, stride_levels, block_sizes, source_ptr, src_stride_ar, target_ptr, trg_stride_ar,
                     handle);
}

int A1_MultiPutS(int count, int* targets, int stride_levels, int** block_sizes, void* source_ptr, int* src_stride_ar,
                 void* target_ptr, int* trg_stride_ar) {
  ospri_handle_t handle = ORDERED_HANDLE;
  return to_many(&kPut, count, targets, stride_levels, block_sizes, source_ptr, src_stride_ar, target_ptr,
                 trg_stride_ar, &handle, true);
}

int A1_NbMultiPutS(int count, int* targets, int stride_levels, int** block_sizes, void* source_ptr, int* src_stride_ar,
                   void* target_ptr, int* trg_stride_ar, A1_handle_t handle) {
  if (!is_handle(handle)) return A1_ERROR;
  return to_many(&kPut, count, targets, stride_levels, block_sizes, source_ptr, src_stride_ar, target_ptr,
                 trg_stride_ar, handle, false);
}

int A1_GetS(int target, int stride_levels, int* block_sizes, void* source_ptr, int* src_stride_ar, void* target_ptr,
            int* trg_stride_ar) {
  return blocking(&kGet, target, stride_levels, block_sizes, source_ptr, src_stride_ar, target_ptr, trg_stride_ar);
}

int A1_NbGetS(int target, int stride_levels, int* block_sizes, void* source_ptr, int* src_stride_ar, void* target_ptr,
              int* trg_stride_ar, A1_handle_t handle) {
  return with_handle(&kGet, target, stride_levels, block_sizes, source_ptr, src_stride_ar, target_ptr, trg_stride_ar,
                     handle);
}

/// Gets have everything for each of the processes.
static int get_many(int count, int* targets, int levels, int** blocks, void** sources, int** source_strides,
                    void** places, int** target_strides, ospri_handle_t* handle, bool wait) {
  ospri_strided_t strided;
  if (count < 0) return A1_ERROR;
  if (count > 0 && (!targets || !blocks || !sources || !places)) return A1_ERROR;
  if (count > 0 && levels > 0 && (!source_strides || !target_strides)) return A1_ERROR;
#define MAKE(I)                                                                                                      \
  make(&strided, &kGet, targets[I], levels, blocks[I], sources[I], levels > 0 ? source_strides[I] : NULL, places[I], \
       levels > 0 ? target_strides[I] : NULL)
  for (int i = 0; i < count; ++i) {
    if (!MAKE(i)) return A1_ERROR;
  }
  ospri_enter();
  for (int i = 0; i < count; ++i) {
    MAKE(i);
    (wait ? run : begin)(&kGet, (unsigned)targets[i], &strided, handle);
  }
#undef MAKE
  if (wait) return ospri_wait_and_exit(handle);
  ospri_exit();
  return A1_SUCCESS;
}

int A1_MultiGetS(int target_count, int* target, int stride_levels, int** count, void** source_ptr, int** src_stride_ar,
                 void** target_ptr, int** trg_stride_ar) {
  ospri_handle_t handle = ORDERED_HANDLE;
  return get_many(target_count, target, stride_levels, count, source_ptr, src_stride_ar, target_ptr, trg_stride_ar,
                  &handle, true);
}

int A1_NbMultiGetS(int target_count, int* target, int stride_levels, int** count, void** source_ptr,
                   int** src_stride_ar, void** target_ptr, int** trg_stride_ar, A1_handle_t handle) {
  if (!is_handle(handle)) return A1_ERROR;
  return get_many(target_count, target, stride_levels, count, source_ptr, src_stride_ar, target_ptr, trg_stride_ar,
                  handle, false);
}

int A1_PutAccS(int target, int stride_levels, int* block_sizes, void* source_ptr, int* src_stride_ar, void* target_ptr,
               int* trg_stride_ar, A1_datatype_t a1_type, void* scaling) {
  operation_t operation;
  if (!make_accumulate(&operation, a1_type, scaling)) return A1_ERROR;
  return blocking(&operation, target, stride_levels, block_sizes, source_ptr, src_stride_ar, target_ptr, trg_stride_ar);
}

int A1_NbPutAccS(int target, int stride_levels, int* block_sizes, void* source_ptr, int* src_stride_ar,
                 void* target_ptr, int* trg_stride_ar, A1_datatype_t a1_type, void* scaling, A1_handle_t handle) {
  operation_t operation;
  if (!make_accumulate(&operation, a1_type, scaling)) return A1_ERROR;
  return with_handle(&operation, target, stride_levels, block_sizes, source_ptr, src_stride_ar, target_ptr,
                     trg_stride_ar, handle);
}

int A1_MultiPutAccS(int count, int* targets, int stride_levels, int** block_sizes, void* source_ptr, int* src_stride_ar,
                    void* target_ptr, int* trg_stride_ar, A1_datatype_t a1_type, void* scaling) {
  operation_t operation;
  ospri_handle_t handle = ORDERED_HANDLE;
  if (!make_accumulate(&operation, a1_type, scaling)) return A1_ERROR;
  return to_many(&operation, count, targets, stride_levels, block_sizes, source_ptr, src_stride_ar, target_ptr,
                 trg_stride_ar, &handle, true);
}

int A1_NbMultiPutAccS(int count, int* targets, int stride_levels, int** block_sizes, void* source_ptr,
                      int* src_stride_ar, void* target_ptr, int* trg_stride_ar, A1_datatype_t a1_type, void* scaling,
                      A1_handle_t handle) {
  operation_t operation;
  if (!is_handle(handle) || !make_accumulate(&operation, a1_type, scaling)) return A1_ERROR;
  return to_many(&operation, count, targets, stride_levels, block_sizes, source_ptr, src_stride_ar, target_ptr,
                 trg_stride_ar, handle, false);
}
