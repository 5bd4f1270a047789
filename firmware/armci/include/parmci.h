/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The names under which profiling libraries call ARMCI: PARMCI_x() is what ARMCI_x() is without such a library.
 */
#ifndef PARMCI_H_
#define PARMCI_H_

#include <armci.h>

#ifdef __cplusplus
extern "C" {
#endif

extern __typeof__(ARMCI_Absolute_id) PARMCI_Absolute_id;
extern __typeof__(ARMCI_Acc) PARMCI_Acc;
extern __typeof__(ARMCI_AccS) PARMCI_AccS;
extern __typeof__(ARMCI_AccV) PARMCI_AccV;
extern __typeof__(ARMCI_AllFence) PARMCI_AllFence;
extern __typeof__(ARMCI_Barrier) PARMCI_Barrier;
extern __typeof__(ARMCI_Copy) PARMCI_Copy;
extern __typeof__(ARMCI_Create_mutexes) PARMCI_Create_mutexes;
extern __typeof__(ARMCI_Destroy_mutexes) PARMCI_Destroy_mutexes;
extern __typeof__(ARMCI_Fence) PARMCI_Fence;
extern __typeof__(ARMCI_Finalize) PARMCI_Finalize;
extern __typeof__(ARMCI_Free) PARMCI_Free;
extern __typeof__(ARMCI_Free_group) PARMCI_Free_group;
extern __typeof__(ARMCI_Free_local) PARMCI_Free_local;
extern __typeof__(ARMCI_Free_memdev) PARMCI_Free_memdev;
extern __typeof__(ARMCI_Get) PARMCI_Get;
extern __typeof__(ARMCI_GetS) PARMCI_GetS;
extern __typeof__(ARMCI_GetV) PARMCI_GetV;
extern __typeof__(ARMCI_GetValueDouble) PARMCI_GetValueDouble;
extern __typeof__(ARMCI_GetValueFloat) PARMCI_GetValueFloat;
extern __typeof__(ARMCI_GetValueInt) PARMCI_GetValueInt;
extern __typeof__(ARMCI_GetValueLong) PARMCI_GetValueLong;
extern __typeof__(ARMCI_GroupFence) PARMCI_GroupFence;
extern __typeof__(ARMCI_Group_create) PARMCI_Group_create;
extern __typeof__(ARMCI_Group_create_child) PARMCI_Group_create_child;
extern __typeof__(ARMCI_Group_free) PARMCI_Group_free;
extern __typeof__(ARMCI_Group_get_default) PARMCI_Group_get_default;
extern __typeof__(ARMCI_Group_get_world) PARMCI_Group_get_world;
extern __typeof__(ARMCI_Group_rank) PARMCI_Group_rank;
extern __typeof__(ARMCI_Group_set_default) PARMCI_Group_set_default;
extern __typeof__(ARMCI_Group_size) PARMCI_Group_size;
extern __typeof__(ARMCI_Init) PARMCI_Init;
extern __typeof__(ARMCI_Init_args) PARMCI_Init_args;
extern __typeof__(ARMCI_Initialized) PARMCI_Initialized;
extern __typeof__(ARMCI_Lock) PARMCI_Lock;
extern __typeof__(ARMCI_Malloc) PARMCI_Malloc;
extern __typeof__(ARMCI_Malloc_group) PARMCI_Malloc_group;
extern __typeof__(ARMCI_Malloc_local) PARMCI_Malloc_local;
extern __typeof__(ARMCI_Malloc_memdev) PARMCI_Malloc_memdev;
extern __typeof__(ARMCI_Memat) PARMCI_Memat;
extern __typeof__(ARMCI_Memget) PARMCI_Memget;
extern __typeof__(ARMCI_NbAcc) PARMCI_NbAcc;
extern __typeof__(ARMCI_NbAccS) PARMCI_NbAccS;
extern __typeof__(ARMCI_NbAccV) PARMCI_NbAccV;
extern __typeof__(ARMCI_NbGet) PARMCI_NbGet;
extern __typeof__(ARMCI_NbGetS) PARMCI_NbGetS;
extern __typeof__(ARMCI_NbGetV) PARMCI_NbGetV;
extern __typeof__(ARMCI_NbPut) PARMCI_NbPut;
extern __typeof__(ARMCI_NbPutS) PARMCI_NbPutS;
extern __typeof__(ARMCI_NbPutV) PARMCI_NbPutV;
extern __typeof__(ARMCI_NbPutValueDouble) PARMCI_NbPutValueDouble;
extern __typeof__(ARMCI_NbPutValueFloat) PARMCI_NbPutValueFloat;
extern __typeof__(ARMCI_NbPutValueInt) PARMCI_NbPutValueInt;
extern __typeof__(ARMCI_NbPutValueLong) PARMCI_NbPutValueLong;
extern __typeof__(ARMCI_Put) PARMCI_Put;
extern __typeof__(ARMCI_PutS) PARMCI_PutS;
extern __typeof__(ARMCI_PutS_flag) PARMCI_PutS_flag;
extern __typeof__(ARMCI_PutS_flag_dir) PARMCI_PutS_flag_dir;
extern __typeof__(ARMCI_PutV) PARMCI_PutV;
extern __typeof__(ARMCI_PutValueDouble) PARMCI_PutValueDouble;
extern __typeof__(ARMCI_PutValueFloat) PARMCI_PutValueFloat;
extern __typeof__(ARMCI_PutValueInt) PARMCI_PutValueInt;
extern __typeof__(ARMCI_PutValueLong) PARMCI_PutValueLong;
extern __typeof__(ARMCI_Put_flag) PARMCI_Put_flag;
extern __typeof__(ARMCI_Rmw) PARMCI_Rmw;
extern __typeof__(ARMCI_Same_node) PARMCI_Same_node;
extern __typeof__(ARMCI_Test) PARMCI_Test;
extern __typeof__(ARMCI_Unlock) PARMCI_Unlock;
extern __typeof__(ARMCI_Wait) PARMCI_Wait;
extern __typeof__(ARMCI_WaitAll) PARMCI_WaitAll;
extern __typeof__(ARMCI_WaitProc) PARMCI_WaitProc;
extern __typeof__(armci_notify) parmci_notify;
extern __typeof__(armci_notify_wait) parmci_notify_wait;

#ifdef __cplusplus
}
#endif

#endif
