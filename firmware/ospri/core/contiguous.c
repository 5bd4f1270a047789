// SPDX-License-Identifier: Apache-2.0
// Puts, gets and accumulates of contiguous memory.
#include "firmware/ospri/core/call.h"

static bool bad_range(int target, const void* source, const void* place, int bytes) {
  return !is_rank(target) || bytes < 0 || (bytes > 0 && (!source || !place));
}

/// Whether `count` operations can be done.
static bool bad_ranges(int count, const int* targets, void* const* sources, void* const* places, const int* bytes) {
  if (count < 0) return true;
  if (count > 0 && (!targets || !sources || !places || !bytes)) return true;
  for (int i = 0; i < count; ++i) {
    if (bad_range(targets[i], sources[i], places[i], bytes[i])) return true;
  }
  return false;
}

typedef void (*transfer_t)(unsigned target, void* source, void* place, size_t bytes, ospri_handle_t* handle);

static int blocking(transfer_t transfer, int target, void* source, void* place, int bytes) {
  if (bad_range(target, source, place, bytes)) return A1_ERROR;
  ospri_handle_t handle = ORDERED_HANDLE;
  ospri_enter();
  transfer((unsigned)target, source, place, (size_t)bytes, &handle);
  return ospri_wait_and_exit(&handle);
}

static int with_handle(transfer_t transfer, int target, void* source, void* place, int bytes, A1_handle_t handle) {
  if (bad_range(target, source, place, bytes) || !is_handle(handle)) return A1_ERROR;
  ospri_enter();
  transfer((unsigned)target, source, place, (size_t)bytes, handle);
  ospri_exit();
  return A1_SUCCESS;
}

/// `count` operations, under one handle.
static int many(transfer_t transfer, int count, int* targets, void** sources, void** places, int* bytes,
                ospri_handle_t* handle, bool wait) {
  if (bad_ranges(count, targets, sources, places, bytes)) return A1_ERROR;
  ospri_enter();
  for (int i = 0; i < count; ++i) {
    transfer((unsigned)targets[i], sources[i], places[i], (size_t)bytes[i], handle);
  }
  if (wait) return ospri_wait_and_exit(handle);
  ospri_exit();
  return A1_SUCCESS;
}

int A1_Put(int target, void* source_ptr, void* target_ptr, int bytes) {
  return blocking(ospri_put, target, source_ptr, target_ptr, bytes);
}

int A1_NbPut(int target, void* source_ptr, void* target_ptr, int bytes, A1_handle_t handle) {
  return with_handle(ospri_put, target, source_ptr, target_ptr, bytes, handle);
}

int A1_MultiPut(int count, int* targets, void** source_ptr, void** target_ptr, int* bytes) {
  ospri_handle_t handle = ORDERED_HANDLE;
  return many(ospri_put, count, targets, source_ptr, target_ptr, bytes, &handle, true);
}

int A1_NbMultiPut(int count, int* targets, void** source_ptr, void** target_ptr, int* bytes, A1_handle_t handle) {
  if (!is_handle(handle)) return A1_ERROR;
  return many(ospri_put, count, targets, source_ptr, target_ptr, bytes, handle, false);
}

int A1_Get(int target, void* source_ptr, void* target_ptr, int bytes) {
  return blocking(ospri_get, target, source_ptr, target_ptr, bytes);
}

int A1_NbGet(int target, void* source_ptr, void* target_ptr, int bytes, A1_handle_t handle) {
  return with_handle(ospri_get, target, source_ptr, target_ptr, bytes, handle);
}

int A1_MultiGet(int count, int* target, void** source_ptr, void** target_ptr, int* bytes) {
  ospri_handle_t handle = ORDERED_HANDLE;
  return many(ospri_get, count, target, source_ptr, target_ptr, bytes, &handle, true);
}

int A1_NbMultiGet(int count, int* target, void** source_ptr, void** target_ptr, int* bytes, A1_handle_t handle) {
  if (!is_handle(handle)) return A1_ERROR;
  return many(ospri_get, count, target, source_ptr, target_ptr, bytes, handle, false);
}

/// Accumulates are of whole elements.
static bool bad_elements(ospri_scaling_t* scaling, A1_datatype_t type, const void* value, int count, const int* bytes) {
  if (!ospri_make_scaling(scaling, type, value)) return true;
  for (int i = 0; i < count; ++i) {
    if ((unsigned)bytes[i] % ospri_type_bytes((int)type) != 0) return true;
  }
  return false;
}

int A1_PutAcc(int target, void* source_ptr, void* target_ptr, int bytes, A1_datatype_t a1_type, void* scaling) {
  ospri_scaling_t scaled;
  if (bad_range(target, source_ptr, target_ptr, bytes) || bad_elements(&scaled, a1_type, scaling, 1, &bytes)) {
    return A1_ERROR;
  }
  ospri_handle_t handle = ORDERED_HANDLE;
  ospri_enter();
  ospri_accumulate((unsigned)target, source_ptr, target_ptr, (size_t)bytes, &scaled, &handle);
  return ospri_wait_and_exit(&handle);
}

int A1_NbPutAcc(int target, void* source_ptr, void* target_ptr, int bytes, A1_datatype_t a1_type, void* scaling,
                A1_handle_t handle) {
  return A1_NbPutAccS(target, 0, &bytes, source_ptr, NULL, target_ptr, NULL, a1_type, scaling, handle);
}

static int accumulate_many(int count, int* targets, void** sources, void** places, int* bytes, A1_datatype_t type,
                           void* value, ospri_handle_t* handle, bool wait) {
  ospri_scaling_t scaling;
  if (bad_ranges(count, targets, sources, places, bytes) || bad_elements(&scaling, type, value, count, bytes)) {
    return A1_ERROR;
  }
  ospri_enter();
  for (int i = 0; i < count; ++i) {
    ospri_accumulate((unsigned)targets[i], sources[i], places[i], (size_t)bytes[i], &scaling, handle);
  }
  if (wait) return ospri_wait_and_exit(handle);
  ospri_exit();
  return A1_SUCCESS;
}

int A1_MultiPutAcc(int count, int* targets, void** source_ptr, void** target_ptr, int* bytes, A1_datatype_t a1_type,
                   void* scaling) {
  ospri_handle_t handle = ORDERED_HANDLE;
  return accumulate_many(count, targets, source_ptr, target_ptr, bytes, a1_type, scaling, &handle, true);
}

int A1_NbMultiPutAcc(int count, int* targets, void** source_ptr, void** target_ptr, int* bytes, A1_datatype_t a1_type,
                     void* scaling, A1_handle_t handle) {
  if (!is_handle(handle)) return A1_ERROR;
  return accumulate_many(count, targets, source_ptr, target_ptr, bytes, a1_type, scaling, handle, false);
}

static bool bad_copy(int source) {
  return source < 0 || (unsigned)source != ospri.rank;
}

int A1_Copy(int source, int target, void* source_ptr, void* target_ptr, int bytes) {
  return bad_copy(source) ? A1_ERROR : A1_Put(target, source_ptr, target_ptr, bytes);
}

int A1_CopyAcc(int source, int target, void* source_ptr, void* target_ptr, int bytes, A1_datatype_t a1_type,
               void* scaling) {
  return bad_copy(source) ? A1_ERROR : A1_PutAcc(target, source_ptr, target_ptr, bytes, a1_type, scaling);
}
