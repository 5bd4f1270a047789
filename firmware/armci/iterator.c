// SPDX-License-Identifier: Apache-2.0
// Walks over segments, for programs; and packing by them.
#include "firmware/armci/include/iterator.h"

#include <stdlib.h>
#include <string.h>

#include "firmware/armci/bottom.h"

void armci_stride_info_init(stride_info_t* walk, void* base, int levels, const int* strides, const int* count) {
  if (levels < 0 || levels > ARMCI_MAX_STRIDE_LEVEL) armcii_fail("a walk has %d stride levels", levels);
  memset(walk, 0, sizeof *walk);
  walk->base_ptr = base;
  walk->stride_levels = levels;
  walk->seg_count[0] = count[0];
  walk->size = 1;
  for (int i = 0; i < levels; ++i) {
    walk->stride_arr[i] = strides[i];
    walk->seg_count[i + 1] = count[i + 1];
    walk->size *= count[i + 1];
  }
}

void armci_stride_info_destroy(stride_info_t* walk) {
  (void)walk;
}

int armci_stride_info_size(stride_info_t* walk) {
  return walk->size;
}

int armci_stride_info_count(stride_info_t* walk) {
  return walk->size;
}

int armci_stride_info_pos(stride_info_t* walk) {
  return walk->pos;
}

int armci_stride_info_has_more(stride_info_t* walk) {
  return walk->pos < walk->size;
}

void armci_stride_info_next(stride_info_t* walk) {
  ++walk->pos;
  for (int i = 0; i < walk->stride_levels; ++i) {
    if (++walk->itr[i] < walk->seg_count[i + 1]) return;
    walk->itr[i] = 0;
  }
}

int armci_stride_info_seg_off(stride_info_t* walk) {
  int offset = 0;
  for (int i = 0; i < walk->stride_levels; ++i) offset += walk->itr[i] * walk->stride_arr[i];
  return offset;
}

void* armci_stride_info_seg_ptr(stride_info_t* walk) {
  return walk->base_ptr + armci_stride_info_seg_off(walk);
}

int armci_stride_info_seg_size(stride_info_t* walk) {
  return walk->seg_count[0];
}

// ---------------------------------------------------------------------------------------------------------------
// The other form

stride_itr_t armci_stride_itr_init(void* base, int levels, const int* strides, const int* count) {
  stride_info_t* const walk = malloc(sizeof *walk);
  if (walk == NULL) armcii_fail("armci_stride_itr_init: there is no memory");
  armci_stride_info_init(walk, base, levels, strides, count);
  return walk;
}

void armci_stride_itr_destroy(stride_itr_t* walk) {
  free(*walk);
  *walk = NULL;
}

int armci_stride_itr_size(stride_itr_t walk) {
  return armci_stride_info_size(walk);
}

int armci_stride_itr_count(stride_itr_t walk) {
  return armci_stride_info_count(walk);
}

int armci_stride_itr_pos(stride_itr_t walk) {
  return armci_stride_info_pos(walk);
}

int armci_stride_itr_has_more(stride_itr_t walk) {
  return armci_stride_info_has_more(walk);
}

void armci_stride_itr_next(stride_itr_t walk) {
  armci_stride_info_next(walk);
}

void* armci_stride_itr_seg_ptr(stride_itr_t walk) {
  return armci_stride_info_seg_ptr(walk);
}

int armci_stride_itr_seg_size(stride_itr_t walk) {
  return armci_stride_info_seg_size(walk);
}

int armci_stride_itr_seg_off(stride_itr_t walk) {
  return armci_stride_info_seg_off(walk);
}

// ---------------------------------------------------------------------------------------------------------------
// Packing

void armci_write_strided(void* from, int levels, int strides[], int count[], char* buffer) {
  stride_info_t walk;
  armci_stride_info_init(&walk, from, levels, strides, count);
  for (; armci_stride_info_has_more(&walk); armci_stride_info_next(&walk), buffer += count[0]) {
    memcpy(buffer, armci_stride_info_seg_ptr(&walk), (size_t)count[0]);
  }
}

void armci_read_strided(void* to, int levels, int strides[], int count[], char* buffer) {
  stride_info_t walk;
  armci_stride_info_init(&walk, to, levels, strides, count);
  for (; armci_stride_info_has_more(&walk); armci_stride_info_next(&walk), buffer += count[0]) {
    memcpy(armci_stride_info_seg_ptr(&walk), buffer, (size_t)count[0]);
  }
}
