// SPDX-License-Identifier: Apache-2.0
// Segments. The network reaches all of a process's memory, so a segment is memory whose address the others know.
#include <stdlib.h>

#include "firmware/ospri/core/call.h"

enum { ALIGNMENT = 16 };

int A1_Alloc_segment(void** pointer, int bytes) {
  if (!pointer || bytes < 0) return A1_ERROR;
  const size_t whole = ((size_t)bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  *pointer = aligned_alloc(ALIGNMENT, whole != 0 ? whole : ALIGNMENT);
  return *pointer ? A1_SUCCESS : A1_ERROR;
}

int A1_Free_segment(void* pointer) {
  free(pointer);
  return A1_SUCCESS;
}

int A1_Register_segment(void** pointer, int bytes) {
  return pointer && *pointer && bytes >= 0 ? A1_SUCCESS : A1_ERROR;
}

int A1_Exchange_segments(A1_group_t* group, void** ptr) {
  if (!is_world(group) || !ptr) return A1_ERROR;
  ospri_enter();
  void* const mine = ptr[ospri.rank];
  ospri_share(&mine, sizeof mine, ptr);
  ospri_exit();
  return A1_SUCCESS;
}

int A1_Release_segments(A1_group_t* group, void* ptr) {
  if (!is_world(group) || !ptr) return A1_ERROR;
  return A1_Sync_group(group);
}

int A1_Allocate_memregion(A1_memregion_t* memregion, int bytes) {
  if (!memregion) return A1_ERROR;
  void* memory;
  if (A1_Alloc_segment(&memory, bytes) != A1_SUCCESS) return A1_ERROR;
  return A1_Bind_memregion(memregion, &memory, bytes);
}

int A1_Free_memregion(A1_memregion_t* memregion) {
  if (!memregion) return A1_ERROR;
  free(memregion->base_address);
  memregion->base_address = NULL;
  memregion->size = 0;
  return A1_SUCCESS;
}

int A1_Bind_memregion(A1_memregion_t* memregion, void** pointer, int bytes) {
  if (!memregion || !pointer || bytes < 0) return A1_ERROR;
  *memregion = (A1_memregion_t){.base_address = *pointer, .size = (unsigned)bytes};
  return A1_SUCCESS;
}

int A1_Exchange_memregions(A1_group_t* group, void** ptr) {
  return A1_Exchange_segments(group, ptr);
}
