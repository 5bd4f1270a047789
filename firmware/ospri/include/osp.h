/* SPDX-License-Identifier: Apache-2.0 */
/*
 * OSPRI under its later names: OSP_ for A1_, and osp_ for types. Functions and arguments are those of a1.h, as they
 * were when the names changed; the window interface that was drafted after that (jeffhammond/ospri,
 * trunk/src/include/osp.h.in) was never finished, and is not here.
 */
#ifndef OSP_H_INCLUDED
#define OSP_H_INCLUDED

#include <a1.h>

typedef A1_thread_level osp_thread_level;
typedef A1_datatype_t osp_datatype_t;
typedef A1_bool_t osp_bool_t;
typedef A1_result_t osp_result_t;
typedef A1_reduce_op_t osp_reduce_op_t;
typedef A1_atomic_op_t osp_atomic_op_t;
typedef A1_memregion_t osp_memregion_t;
typedef A1_offset_t osp_offset_t;
typedef A1_group_t osp_group_t;
typedef A1_endpoint_t osp_endpoint_t;
typedef A1_size_t osp_size_t;
typedef A1_handle_t osp_handle_t;
typedef A1_counter_t osp_counter_t;
typedef A1_iov_t osp_iov_t;

#define osp_group_world a1_group_world

#define OSP_SUCCESS A1_SUCCESS
#define OSP_ERROR A1_ERROR
#define OSP_THREAD_SINGLE A1_THREAD_SINGLE
#define OSP_THREAD_FUNNELED A1_THREAD_FUNNELED
#define OSP_THREAD_SERIALIZED A1_THREAD_SERIALIZED
#define OSP_THREAD_MULTIPLE A1_THREAD_MULTIPLE
#define OSP_INT32 A1_INT32
#define OSP_INT64 A1_INT64
#define OSP_UINT32 A1_UINT32
#define OSP_UINT64 A1_UINT64
#define OSP_FLOAT A1_FLOAT
#define OSP_DOUBLE A1_DOUBLE
#define OSP_TRUE A1_TRUE
#define OSP_FALSE A1_FALSE
#define OSP_NO_ERROR A1_NO_ERROR
#define OSP_MEMORY_ERROR A1_MEMORY_ERROR
#define OSP_NETWORK_ERROR A1_NETWORK_ERROR
#define OSP_UNKNOWN_ERROR A1_UNKNOWN_ERROR
#define OSP_SUM A1_SUM
#define OSP_PROD A1_PROD
#define OSP_MAX A1_MAX
#define OSP_MIN A1_MIN
#define OSP_MAXABS A1_MAXABS
#define OSP_MINABS A1_MINABS
#define OSP_OR A1_OR
#define OSP_BXOR A1_BXOR
#define OSP_SAME A1_SAME
#define OSP_FETCH_AND_ADD A1_FETCH_AND_ADD
#define OSP_SWAP A1_SWAP
#define OSP_GROUP_WORLD A1_GROUP_WORLD
#define OSP_Flush A1_Flush
#define OSP_Wait_handle A1_Wait_handle
#define OSP_memregion A1_memregion
#define OSP_group A1_group
#define OSP_Initialize A1_Initialize
#define OSP_Finalize A1_Finalize
#define OSP_Abort A1_Abort
#define OSP_Process_id A1_Process_id
#define OSP_Process_total A1_Process_total
#define OSP_Node_id A1_Node_id
#define OSP_Node_total A1_Node_total
#define OSP_Time_cycles A1_Time_cycles
#define OSP_Time_seconds A1_Time_seconds
#define OSP_Alloc_segment A1_Alloc_segment
#define OSP_Free_segment A1_Free_segment
#define OSP_Register_segment A1_Register_segment
#define OSP_Exchange_segments A1_Exchange_segments
#define OSP_Release_segments A1_Release_segments
#define OSP_Allocate_memregion A1_Allocate_memregion
#define OSP_Free_memregion A1_Free_memregion
#define OSP_Bind_memregion A1_Bind_memregion
#define OSP_Exchange_memregions A1_Exchange_memregions
#define OSP_Allocate_handle A1_Allocate_handle
#define OSP_Release_handle A1_Release_handle
#define OSP_Wait_handle_all A1_Wait_handle_all
#define OSP_Wait_handle_list A1_Wait_handle_list
#define OSP_Test_handle A1_Test_handle
#define OSP_Test_handle_list A1_Test_handle_list
#define OSP_Reset_handle A1_Reset_handle
#define OSP_Reset_handle_list A1_Reset_handle_list
#define OSP_Rmw A1_Rmw
#define OSP_Put A1_Put
#define OSP_NbPut A1_NbPut
#define OSP_MultiPut A1_MultiPut
#define OSP_NbMultiPut A1_NbMultiPut
#define OSP_PutS A1_PutS
#define OSP_NbPutS A1_NbPutS
#define OSP_MultiPutS A1_MultiPutS
#define OSP_NbMultiPutS A1_NbMultiPutS
#define OSP_PutV A1_PutV
#define OSP_NbPutV A1_NbPutV
#define OSP_PutAcc A1_PutAcc
#define OSP_NbPutAcc A1_NbPutAcc
#define OSP_MultiPutAcc A1_MultiPutAcc
#define OSP_NbMultiPutAcc A1_NbMultiPutAcc
#define OSP_PutAccS A1_PutAccS
#define OSP_NbPutAccS A1_NbPutAccS
#define OSP_MultiPutAccS A1_MultiPutAccS
#define OSP_NbMultiPutAccS A1_NbMultiPutAccS
#define OSP_PutAccV A1_PutAccV
#define OSP_NbPutAccV A1_NbPutAccV
#define OSP_PutModV A1_PutModV
#define OSP_Get A1_Get
#define OSP_NbGet A1_NbGet
#define OSP_MultiGet A1_MultiGet
#define OSP_NbMultiGet A1_NbMultiGet
#define OSP_GetS A1_GetS
#define OSP_NbGetS A1_NbGetS
#define OSP_MultiGetS A1_MultiGetS
#define OSP_NbMultiGetS A1_NbMultiGetS
#define OSP_GetV A1_GetV
#define OSP_NbGetV A1_NbGetV
#define OSP_Copy A1_Copy
#define OSP_CopyAcc A1_CopyAcc
#define OSP_NbRmw A1_NbRmw
#define OSP_Create_counter A1_Create_counter
#define OSP_Destroy_counter A1_Destroy_counter
#define OSP_Incr_counter A1_Incr_counter
#define OSP_NbIncr_counter A1_NbIncr_counter
#define OSP_Create_mutexes A1_Create_mutexes
#define OSP_Destroy_mutexes A1_Destroy_mutexes
#define OSP_Lock_mutex A1_Lock_mutex
#define OSP_Trylock_mutex A1_Trylock_mutex
#define OSP_Unlock_mutex A1_Unlock_mutex
#define OSP_Lock_mutexes A1_Lock_mutexes
#define OSP_Trylock_mutexes A1_Trylock_mutexes
#define OSP_Unlock_mutexes A1_Unlock_mutexes
#define OSP_Flush_list A1_Flush_list
#define OSP_Flush_group A1_Flush_group
#define OSP_NbFlush A1_NbFlush
#define OSP_NbFlush_list A1_NbFlush_list
#define OSP_NbFlush_group A1_NbFlush_group
#define OSP_Barrier_group A1_Barrier_group
#define OSP_Sync_group A1_Sync_group
#define OSP_NbBarrier_group A1_NbBarrier_group
#define OSP_NbSync_group A1_NbSync_group
#define OSP_Bcast_group A1_Bcast_group
#define OSP_NbBcast_group A1_NbBcast_group
#define OSP_Multicast_group A1_Multicast_group
#define OSP_NbMulticast_group A1_NbMulticast_group
#define OSP_Reduce_group A1_Reduce_group
#define OSP_NbReduce_group A1_NbReduce_group
#define OSP_Allreduce_group A1_Allreduce_group
#define OSP_NbAllreduce_group A1_NbAllreduce_group
#define OSP_Manytomany_group A1_Manytomany_group
#define OSP_NbManytomany_group A1_NbManytomany_group

#endif
