/* SPDX-License-Identifier: Apache-2.0 */
/*
 * OSPRI: one-sided communication for programs with a partitioned global address space. Puts, gets and accumulates of
 * contiguous, strided and listed memory, atomic operations, and the calls that order them.
 *
 * Names, argument lists and the order of enumerators are those of the published interface (jeffhammond/a1,
 * trunk/src/include/a1.h.in); where that leaves a meaning open, it is stated here.
 *
 * In general: calls return A1_SUCCESS, or A1_ERROR for bad arguments, in which case they have done nothing. Any process
 * may be named, oneself included; a process is named by its rank in the world, which is the only group there is.
 * Remote addresses are those of the target process. The memory they name need not be a segment on this machine, where
 * the network reaches all of a process's memory.
 *
 * A blocking call returns when it is locally complete: a source may be changed, a destination of a get has its data.
 * Remote completion is what A1_Flush and its relatives wait for. Operations with a handle are complete when
 * A1_Wait_handle says so; between them nothing is ordered. The order among blocking calls to one process is a setting
 * (docs/guide/ospri.md).
 */
#ifndef A1_H_INCLUDED
#define A1_H_INCLUDED

#ifdef __cplusplus
extern "C" {
#endif

#define A1_SUCCESS 0
#define A1_ERROR 1

typedef enum {
  A1_THREAD_SINGLE,
  A1_THREAD_FUNNELED,
  A1_THREAD_SERIALIZED,
  A1_THREAD_MULTIPLE /* any thread may call at any time */
} A1_thread_level;

typedef enum { A1_INT32, A1_INT64, A1_UINT32, A1_UINT64, A1_FLOAT, A1_DOUBLE } A1_datatype_t;

typedef enum { A1_TRUE = 1, A1_FALSE = 0 } A1_bool_t;

typedef enum { A1_NO_ERROR = 0, A1_MEMORY_ERROR, A1_NETWORK_ERROR, A1_UNKNOWN_ERROR } A1_result_t;

typedef enum {
  A1_SUM,
  A1_PROD,
  A1_MAX,
  A1_MIN,
  A1_MAXABS, /* the largest of the absolute values */
  A1_MINABS,
  A1_OR,   /* logical: 0 or 1 */
  A1_BXOR, /* bitwise, of integers */
  A1_SAME  /* 1 where all have the same, else 0 */
} A1_reduce_op_t;

typedef enum { A1_FETCH_AND_ADD, A1_SWAP } A1_atomic_op_t;

typedef struct A1_memregion {
  void* base_address;
  unsigned size;
  A1_datatype_t type;
  void* memregion_options;
} A1_memregion_t;

typedef unsigned int A1_offset_t;

typedef struct A1_group {
  int* rank_list;
} A1_group_t;

extern A1_group_t a1_group_world;
#define A1_GROUP_WORLD &a1_group_world

typedef unsigned int A1_endpoint_t;
typedef unsigned int A1_size_t;

typedef void* A1_handle_t;
typedef void* A1_counter_t;

/* A list of pieces of equal size. */
typedef struct A1_iov_t {
  void** source_ptr_ar;
  void** target_ptr_ar;
  int size;       /* bytes of a piece */
  int ptr_ar_len; /* pieces */
} A1_iov_t;

/* The runtime --------------------------------------------------------------------------------------------------- */

/* Collective. Reads the settings; a bad one ends the process with a message. May be called again, and then finalised
 * as often. */
int A1_Initialize(int A1_thread_level);
/* Collective. Completes everything that this process has started. */
int A1_Finalize(void);
/* Ends the whole job with a message. */
void A1_Abort(int error_code, char error_message[]);

int A1_Process_id(A1_group_t* group);    /* -1 of a group that there is not */
int A1_Process_total(A1_group_t* group); /* so, too, the next two */
int A1_Node_id(A1_group_t* group);
int A1_Node_total(A1_group_t* group);

unsigned long long A1_Time_cycles(void);
double A1_Time_seconds(void);

/* Memory -------------------------------------------------------------------------------------------------------- */

int A1_Alloc_segment(void** pointer, int bytes); /* aligned to 16 bytes */
int A1_Free_segment(void* pointer);
int A1_Register_segment(void** pointer, int bytes); /* memory that the program has allocated itself */
/* Collective: ptr[own rank] is given, all others are filled in. */
int A1_Exchange_segments(A1_group_t* group, void** ptr);
int A1_Release_segments(A1_group_t* group, void* ptr); /* collective; to be called before the segment is freed */

int A1_Allocate_memregion(A1_memregion_t* memregion, int bytes);
int A1_Free_memregion(A1_memregion_t* memregion);
int A1_Bind_memregion(A1_memregion_t* memregion, void** pointer, int bytes);
int A1_Exchange_memregions(A1_group_t* group, void** ptr);

/* Handles ------------------------------------------------------------------------------------------------------- */

/* One handle may stand for several operations. A1_ERROR: HANDLE_POOL_SIZE of them are in use. */
int A1_Allocate_handle(A1_handle_t* handle);
int A1_Release_handle(A1_handle_t handle); /* waits for its operations */
int A1_Wait_handle_all(void);
int A1_Wait_handle(A1_handle_t handle);
int A1_Wait_handle_list(int count, A1_handle_t* handles);
int A1_Test_handle(A1_handle_t handle, A1_bool_t* completed);
/* (*completed)[i] of handles[i]. */
int A1_Test_handle_list(int count, A1_handle_t* handles, A1_bool_t** completed);
/* Makes a handle fit for other operations; waits for those it has. */
int A1_Reset_handle(A1_handle_t* handle);
int A1_Reset_handle_list(int count, A1_handle_t* handle);

/* Put, get, accumulate ------------------------------------------------------------------------------------------ */

/* Strided: blocks of block_sizes[0] bytes, block_sizes[i] of them in level i; src_stride_ar[i - 1] and
 * trg_stride_ar[i - 1] are bytes from one to the next in level i. stride_levels: 0 (contiguous) to 8.
 * Multi: count operations at once. V: lists of pieces.
 * Accumulate: target = target + *scaling * source, element by element, each atomically with regard to other
 * accumulates and to A1_Rmw. *scaling is of the type of the elements. */

int A1_Put(int target, void* source_ptr, void* target_ptr, int bytes);
int A1_NbPut(int target, void* source_ptr, void* target_ptr, int bytes, A1_handle_t handle);
int A1_MultiPut(int count, int* targets, void** source_ptr, void** target_ptr, int* bytes);
int A1_NbMultiPut(int count, int* targets, void** source_ptr, void** target_ptr, int* bytes, A1_handle_t handle);

int A1_PutS(int target, int stride_levels, int* block_sizes, void* source_ptr, int* src_stride_ar, void* target_ptr,
            int* trg_stride_ar);
int A1_NbPutS(int target, int stride_levels, int* block_sizes, void* source_ptr, int* src_stride_ar, void* target_ptr,
              int* trg_stride_ar, A1_handle_t handle);
/* To each of the targets, from the same place to the same address, block_sizes[i] to targets[i]. */
int A1_MultiPutS(int count, int* targets, int stride_levels, int** block_sizes, void* source_ptr, int* src_stride_ar,
                 void* target_ptr, int* trg_stride_ar);
int A1_NbMultiPutS(int count, int* targets, int stride_levels, int** block_sizes, void* source_ptr, int* src_stride_ar,
                   void* target_ptr, int* trg_stride_ar, A1_handle_t handle);

int A1_PutV(int target, A1_iov_t* iov_ar, int ar_len);
int A1_NbPutV(int target, A1_iov_t* iov_ar, int ar_len, A1_handle_t handle);

int A1_PutAcc(int target, void* source_ptr, void* target_ptr, int bytes, A1_datatype_t a1_type, void* scaling);
int A1_NbPutAcc(int target, void* source_ptr, void* target_ptr, int bytes, A1_datatype_t a1_type, void* scaling,
                A1_handle_t handle);
int A1_MultiPutAcc(int count, int* targets, void** source_ptr, void** target_ptr, int* bytes, A1_datatype_t a1_type,
                   void* scaling);
int A1_NbMultiPutAcc(int count, int* targets, void** source_ptr, void** target_ptr, int* bytes, A1_datatype_t a1_type,
                     void* scaling, A1_handle_t handle);

int A1_PutAccS(int target, int stride_levels, int* block_sizes, void* source_ptr, int* src_stride_ar, void* target_ptr,
               int* trg_stride_ar, A1_datatype_t a1_type, void* scaling);
int A1_NbPutAccS(int target, int stride_levels, int* block_sizes, void* source_ptr, int* src_stride_ar,
                 void* target_ptr, int* trg_stride_ar, A1_datatype_t a1_type, void* scaling, A1_handle_t handle);
int A1_MultiPutAccS(int count, int* targets, int stride_levels, int** block_sizes, void* source_ptr, int* src_stride_ar,
                    void* target_ptr, int* trg_stride_ar, A1_datatype_t a1_type, void* scaling);
int A1_NbMultiPutAccS(int count, int* targets, int stride_levels, int** block_sizes, void* source_ptr,
                      int* src_stride_ar, void* target_ptr, int* trg_stride_ar, A1_datatype_t a1_type, void* scaling,
                      A1_handle_t handle);

int A1_PutAccV(int target, A1_iov_t* iov_ar, int ar_len, A1_datatype_t a1_type, void* scaling);
int A1_NbPutAccV(int target, A1_iov_t* iov_ar, int ar_len, A1_datatype_t a1_type, void* scaling, A1_handle_t handle);

/* target = target xor source, the one operation that there is: A1_BXOR of an integer type. */
int A1_PutModV(int target, A1_iov_t* iov_ar, int ar_len, A1_reduce_op_t a1_op, A1_datatype_t a1_type);

/* In gets, source_ptr is the remote address and target_ptr the own one. */
int A1_Get(int target, void* source_ptr, void* target_ptr, int bytes);
int A1_NbGet(int target, void* source_ptr, void* target_ptr, int bytes, A1_handle_t handle);
int A1_MultiGet(int count, int* target, void** source_ptr, void** target_ptr, int* bytes);
int A1_NbMultiGet(int count, int* target, void** source_ptr, void** target_ptr, int* bytes, A1_handle_t handle);

int A1_GetS(int target, int stride_levels, int* block_sizes, void* source_ptr, int* src_stride_ar, void* target_ptr,
            int* trg_stride_ar);
int A1_NbGetS(int target, int stride_levels, int* block_sizes, void* source_ptr, int* src_stride_ar, void* target_ptr,
              int* trg_stride_ar, A1_handle_t handle);
int A1_MultiGetS(int target_count, int* target, int stride_levels, int** count, void** source_ptr, int** src_stride_ar,
                 void** target_ptr, int** trg_stride_ar);
int A1_NbMultiGetS(int target_count, int* target, int stride_levels, int** count, void** source_ptr,
                   int** src_stride_ar, void** target_ptr, int** trg_stride_ar, A1_handle_t handle);

int A1_GetV(int target, A1_iov_t* iov_ar, int ar_len);
int A1_NbGetV(int target, A1_iov_t* iov_ar, int ar_len, A1_handle_t handle);

/* From `source`, which must be the caller, to `target`. */
int A1_Copy(int source, int target, void* source_ptr, void* target_ptr, int bytes);
int A1_CopyAcc(int source, int target, void* source_ptr, void* target_ptr, int bytes, A1_datatype_t a1_type,
               void* scaling);

/* Atomic operations --------------------------------------------------------------------------------------------- */

/* *source_ptr_out = *target_ptr; then target_ptr is added *source_ptr_in to, or set to it. bytes: elements of the type,
 * at most 64 bytes of them. */
int A1_Rmw(int target, void* source_ptr_in, void* source_ptr_out, void* target_ptr, int bytes, A1_atomic_op_t op,
           A1_datatype_t a1_type);
int A1_NbRmw(int target, void* source_ptr_in, void* source_ptr_out, void* target_ptr, int bytes, A1_atomic_op_t op,
             A1_datatype_t a1_type, A1_handle_t handle);

/* Counters that all processes share; creating and destroying is collective. */
int A1_Create_counter(A1_group_t* group, A1_counter_t* counter);
int A1_Destroy_counter(A1_group_t* group, A1_counter_t* counter);
int A1_Incr_counter(A1_counter_t counter, long increment, long* original);
int A1_NbIncr_counter(A1_counter_t counter, long* increment, long* original, A1_handle_t handle);

/* Collective: this process has mutex_count of them; mutex_count_ar[i] is what process i has, unless it is NULL. */
int A1_Create_mutexes(A1_group_t* group, int mutex_count, int* mutex_count_ar);
int A1_Destroy_mutexes(A1_group_t* group);
/* Mutex number `mutex` of `proc`. Those who wait get it in the order in which they asked. */
int A1_Lock_mutex(A1_group_t* group, int mutex, int proc);
int A1_Trylock_mutex(A1_group_t* group, int mutex, int proc, A1_bool_t* acquired);
int A1_Unlock_mutex(A1_group_t* group, int mutex, int proc);
/* One after the other. (*acquired)[i] of the i-th. */
int A1_Lock_mutexes(A1_group_t* group, unsigned count, int* mutexes, int* procs);
int A1_Trylock_mutexes(A1_group_t* group, unsigned count, int* mutexes, int* procs, A1_bool_t** acquired);
int A1_Unlock_mutexes(A1_group_t* group, unsigned count, int* mutexes, int* procs);

/* Remote completion --------------------------------------------------------------------------------------------- */

/* When these return, all puts and accumulates to the processes named are in their memory, those with handles included.
 */
int A1_Flush(int proc);
int A1_Flush_list(int count, int* proc_list);
int A1_Flush_group(A1_group_t* group);
/* The forms with a handle are complete when they return. */
int A1_NbFlush(int proc, A1_handle_t handle);
int A1_NbFlush_list(int count, int* proc_list, A1_handle_t handle);
int A1_NbFlush_group(A1_group_t* group, A1_handle_t handle);

/* Collective operations ----------------------------------------------------------------------------------------- */

int A1_Barrier_group(A1_group_t* group);
int A1_Sync_group(A1_group_t* group); /* A1_Flush_group, then a barrier */
/* Complete when they return, as all forms with a handle below. */
int A1_NbBarrier_group(A1_group_t* group, A1_handle_t handle);
int A1_NbSync_group(A1_group_t* group, A1_handle_t handle);

int A1_Bcast_group(A1_group_t* group, int root, int bytes, void* buffer);
int A1_NbBcast_group(A1_group_t* group, int root, int count, void* buffer, A1_handle_t a1_handle);
/* A broadcast of `count` elements. */
int A1_Multicast_group(A1_group_t* group, int root, int count, A1_datatype_t a1_type, void* buffer);
int A1_NbMulticast_group(A1_group_t* group, int root, int count, A1_datatype_t a1_type, void* buffer,
                         A1_handle_t a1_handle);
int A1_Reduce_group(A1_group_t* group, int root, int count, A1_reduce_op_t a1_op, A1_datatype_t a1_type, void* in,
                    void* out);
int A1_NbReduce_group(A1_group_t* group, int root, int count, A1_reduce_op_t a1_op, A1_datatype_t a1_type, void* in,
                      void* out, A1_handle_t a1_handle);
int A1_Allreduce_group(A1_group_t* group, int count, A1_reduce_op_t a1_op, A1_datatype_t a1_type, void* in, void* out);
int A1_NbAllreduce_group(A1_group_t* group, int count, A1_reduce_op_t a1_op, A1_datatype_t a1_type, void* in, void* out,
                         A1_handle_t a1_handle);
/* `count` elements to and from each process. */
int A1_Manytomany_group(A1_group_t* in_group, A1_group_t* out_group, int count, A1_datatype_t a1_type, void* in,
                        void* out);
int A1_NbManytomany_group(A1_group_t* in_group, A1_group_t* out_group, int count, A1_datatype_t a1_type, void* in,
                          void* out, A1_handle_t a1_handle);

#ifdef __cplusplus
}
#endif

#endif
