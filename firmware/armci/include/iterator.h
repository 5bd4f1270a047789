/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A walk over the segments of a strided list, in the order of their levels. Both published forms: with the state in the
 * caller's structure (stride_info), and with a state that init allocates (stride_itr).
 */
#ifndef _STRIDE_INFO_H_
#define _STRIDE_INFO_H_

#include <armci.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  char* base_ptr;
  int stride_levels;
  int stride_arr[ARMCI_MAX_STRIDE_LEVEL];
  int seg_count[ARMCI_MAX_STRIDE_LEVEL + 1];
  int size, pos, itr[ARMCI_MAX_STRIDE_LEVEL];
} stride_info_t;

extern void armci_stride_info_init(stride_info_t* sinfo, void* base_ptr, int stride_levels, const int* stride_arr,
                                   const int* seg_count);
extern void armci_stride_info_destroy(stride_info_t* sinfo);
/* The number of segments, and how many of them are done. */
extern int armci_stride_info_size(stride_info_t* sinfo);
extern int armci_stride_info_count(stride_info_t* sinfo);
extern int armci_stride_info_pos(stride_info_t* sinfo);
extern int armci_stride_info_has_more(stride_info_t* sinfo);
extern void armci_stride_info_next(stride_info_t* sinfo);
/* The present segment. */
extern void* armci_stride_info_seg_ptr(stride_info_t* sinfo);
extern int armci_stride_info_seg_size(stride_info_t* sinfo);
extern int armci_stride_info_seg_off(stride_info_t* sinfo);

typedef void* stride_itr_t;

extern stride_itr_t armci_stride_itr_init(void* base_ptr, int stride_levels, const int* stride_arr,
                                          const int* seg_count);
extern void armci_stride_itr_destroy(stride_itr_t* psitr);
extern int armci_stride_itr_size(stride_itr_t sitr);
extern int armci_stride_itr_count(stride_itr_t sitr);
extern int armci_stride_itr_pos(stride_itr_t sitr);
extern int armci_stride_itr_has_more(stride_itr_t sitr);
extern void armci_stride_itr_next(stride_itr_t sitr);
extern void* armci_stride_itr_seg_ptr(stride_itr_t sitr);
extern int armci_stride_itr_seg_size(stride_itr_t sitr);
extern int armci_stride_itr_seg_off(stride_itr_t sitr);

#ifdef __cplusplus
}
#endif

#endif
