/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ARMCI: puts, gets and accumulates in the memory of other processes, contiguous, strided and by lists of addresses.
 *
 * Names, signatures, numbers and the size of objects are those of the published interface (armci.h of Global Arrays, as
 * of 2010, with what Global Arrays 5.8 calls besides). Meanings are stated here where a program has to rely on them;
 * docs/guide/armci.md is an introduction.
 *
 * In general:
 * - Processes are named by their ranks in the job, whatever group is the default.
 * - Remote memory is memory of ARMCI_Malloc(), ARMCI_Malloc_group() or ARMCI_Memget(); local memory is any memory.
 * - Sizes are in bytes. Strided operations: count[0] bytes in a segment, count[i] segments at level i, whose distance
 * is stride[i - 1] bytes; stride_levels is 0 to ARMCI_MAX_STRIDE_LEVEL.
 * - Functions that return int return 0, or one of the errors FAIL to FAIL8 for a bad argument, and then did nothing.
 * - A put or an accumulate is complete at its source when it returns, or when its handle has been waited for: the
 * source may be changed. It is complete at its target after a fence.
 * - Blocking operations of one process on the same remote memory take effect in their order, non-blocking ones in any.
 *   Accumulates, and read-modify-writes, are atomic against others of their kind.
 * - All functions may be called by several threads if the message layer runs with several (MPI_THREAD_MULTIPLE, or
 *   ARMCI's progress by interrupts or by a thread).
 */
#ifndef _ARMCI_H
#define _ARMCI_H

#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Errors. */
#define FAIL (-1)  /* a null pointer */
#define FAIL2 (-2) /* no such process, or no memory */
#define FAIL3 (-3) /* a negative size */
#define FAIL4 (-4) /* stride levels out of range */
#define FAIL5 (-5) /* a negative length of a list */
#define FAIL6 (-6) /* no such operation */
#define FAIL7 (-7) /* a null pointer in a list */
#define FAIL8 (-8) /* not allowed now */

/* Start and end ---------------------------------------------------------------------------------------------------- */

/* Collective. May be called several times; as many calls of ARMCI_Finalize() then end it. MPI may be initialised before
 * or after it, or not at all. */
extern int ARMCI_Init(void);
extern int ARMCI_Init_args(int* argc, char*** argv);
extern int ARMCI_Initialized(void);
extern void ARMCI_Finalize(void);
/* To be called before a process ends early: nothing is left behind on this machine. */
extern void ARMCI_Cleanup(void);
/* Print the text and end the job with the status `code`, or 1 if that is 0. */
extern void ARMCI_Error(char* text, int code);

/* Contiguous ------------------------------------------------------------------------------------------------------- */

extern int ARMCI_Put(void* src, void* dst, int bytes, int proc);
extern int ARMCI_Get(void* src, void* dst, int bytes, int proc);
/* Then, after the data, store `v` in the target's *f. */
extern int ARMCI_Put_flag(void* src, void* dst, int bytes, int* f, int v, int proc);
extern int ARMCI_Acc(int optype, void* scale, void* src, void* dst, int bytes, int proc);

extern int ARMCI_PutValueInt(int src, void* dst, int proc);
extern int ARMCI_PutValueLong(long src, void* dst, int proc);
extern int ARMCI_PutValueFloat(float src, void* dst, int proc);
extern int ARMCI_PutValueDouble(double src, void* dst, int proc);
extern int ARMCI_GetValueInt(void* src, int proc);
extern long ARMCI_GetValueLong(void* src, int proc);
extern float ARMCI_GetValueFloat(void* src, int proc);
extern double ARMCI_GetValueDouble(void* src, int proc);

/* Copy in the own memory. */
extern void ARMCI_Copy(void* src, void* dst, int n);
#define ARMCI_Put1(_s, _d, _b, _p) memcpy(_d, _s, _b), 0

/* Strided ---------------------------------------------------------------------------------------------------------- */

#define ARMCI_MAX_STRIDE_LEVEL 8

extern int ARMCI_PutS(void* src_ptr, int src_stride_arr[], void* dst_ptr, int dst_stride_arr[], int count[],
                      int stride_levels, int proc);
extern int ARMCI_GetS(void* src_ptr, int src_stride_arr[], void* dst_ptr, int dst_stride_arr[], int count[],
                      int stride_levels, int proc);
/* Then, after the data, store `val` in the target's *flag. Both do the same. */
extern int ARMCI_PutS_flag(void* src_ptr, int src_stride_arr[], void* dst_ptr, int dst_stride_arr[], int count[],
                           int stride_levels, int* flag, int val, int proc);
extern int ARMCI_PutS_flag_dir(void* src_ptr, int src_stride_arr[], void* dst_ptr, int dst_stride_arr[], int count[],
                               int stride_levels, int* flag, int val, int proc);

/* Accumulate: dst += *scale * src, element by element; *scale is of the elements' type. */
#define ARMCI_ACC_OFF 36
#define ARMCI_ACC_INT (ARMCI_ACC_OFF + 1) /* int */
#define ARMCI_ACC_DBL (ARMCI_ACC_OFF + 2) /* double */
#define ARMCI_ACC_FLT (ARMCI_ACC_OFF + 3) /* float */
#define ARMCI_ACC_CPL (ARMCI_ACC_OFF + 4) /* complex of two floats */
#define ARMCI_ACC_DCP (ARMCI_ACC_OFF + 5) /* complex of two doubles */
#define ARMCI_ACC_LNG (ARMCI_ACC_OFF + 6) /* long */

extern int ARMCI_AccS(int optype, void* scale, void* src_ptr, int src_stride_arr[], void* dst_ptr, int dst_stride_arr[],
                      int count[], int stride_levels, int proc);

/* Lists of addresses ----------------------------------------------------------------------------------------------- */

/* ptr_array_len segments of `bytes` each: from src_ptr_array[i] to dst_ptr_array[i]. */
typedef struct {
  void** src_ptr_array;
  void** dst_ptr_array;
  int ptr_array_len;
  int bytes;
} armci_giov_t;

extern int ARMCI_PutV(armci_giov_t darr[], int len, int proc);
extern int ARMCI_GetV(armci_giov_t darr[], int len, int proc);
extern int ARMCI_AccV(int op, void* scale, armci_giov_t darr[], int len, int proc);

/* Non-blocking ----------------------------------------------------------------------------------------------------- */

/* A handle; it may be used for several operations, whose completion is then waited for together. NULL in the place of a
 * handle: an implicit handle. Lists of addresses and strides may be changed when the call has returned, and a handle
 * may go out of scope without having been waited for. */
typedef struct {
  int data[4];
  double dummy[72];
} armci_hdl_t;
#define armci_req_t armci_hdl_t

#define ARMCI_INIT_HANDLE(hdl) \
  do {                         \
    (hdl)->data[0] = 0;        \
    (hdl)->data[1] = 0;        \
    (hdl)->data[2] = 0;        \
    (hdl)->data[3] = 0;        \
  } while (0)

extern int ARMCI_NbPut(void* src, void* dst, int bytes, int proc, armci_hdl_t* nb_handle);
extern int ARMCI_NbGet(void* src, void* dst, int bytes, int proc, armci_hdl_t* nb_handle);
extern int ARMCI_NbAcc(int optype, void* scale, void* src, void* dst, int bytes, int proc, armci_hdl_t* nb_handle);
extern int ARMCI_NbPutS(void* src_ptr, int src_stride_arr[], void* dst_ptr, int dst_stride_arr[], int count[],
                        int stride_levels, int proc, armci_hdl_t* nb_handle);
extern int ARMCI_NbGetS(void* src_ptr, int src_stride_arr[], void* dst_ptr, int dst_stride_arr[], int count[],
                        int stride_levels, int proc, armci_hdl_t* nb_handle);
extern int ARMCI_NbAccS(int optype, void* scale, void* src_ptr, int src_stride_arr[], void* dst_ptr,
                        int dst_stride_arr[], int count[], int stride_levels, int proc, armci_hdl_t* nb_handle);
extern int ARMCI_NbPutV(armci_giov_t darr[], int len, int proc, armci_hdl_t* nb_handle);
extern int ARMCI_NbGetV(armci_giov_t darr[], int len, int proc, armci_hdl_t* nb_handle);
extern int ARMCI_NbAccV(int op, void* scale, armci_giov_t darr[], int len, int proc, armci_hdl_t* nb_handle);
extern int ARMCI_NbPutValueInt(int src, void* dst, int proc, armci_hdl_t* nb_handle);
extern int ARMCI_NbPutValueLong(long src, void* dst, int proc, armci_hdl_t* nb_handle);
extern int ARMCI_NbPutValueFloat(float src, void* dst, int proc, armci_hdl_t* nb_handle);
extern int ARMCI_NbPutValueDouble(double src, void* dst, int proc, armci_hdl_t* nb_handle);

extern int ARMCI_Wait(armci_hdl_t* nb_handle);
/* 0: complete, 1: not yet. */
extern int ARMCI_Test(armci_hdl_t* nb_handle);
/* All non-blocking operations; those to one process. */
extern int ARMCI_WaitAll(void);
extern int ARMCI_WaitProc(int proc);

/* Operations of the handle until UNSET belong together. Here they start at once, as all operations do. */
extern void ARMCI_SET_AGGREGATE_HANDLE(armci_hdl_t* nb_handle);
extern void ARMCI_UNSET_AGGREGATE_HANDLE(armci_hdl_t* nb_handle);

/* Order ------------------------------------------------------------------------------------------------------------ */

/* Return when all earlier operations of this process on the memory of `proc`, of all processes, have taken effect. */
extern void ARMCI_Fence(int proc);
extern void ARMCI_AllFence(void);
/* Collective: ARMCI_AllFence() and a barrier. */
extern void ARMCI_Barrier(void);

/* Atomic: the old value of *prem to *ploc; then *prem += extra, or *prem = the value that *ploc had. */
#define ARMCI_SWAP 10
#define ARMCI_SWAP_LONG 11
#define ARMCI_FETCH_AND_ADD 12
#define ARMCI_FETCH_AND_ADD_LONG 13
extern int ARMCI_Rmw(int op, void* ploc, void* prem, int extra, int proc);

/* Collective: this process has mutexes 0 to num - 1. Numbers may differ from process to process. Only one set at a
 * time. */
extern int ARMCI_Create_mutexes(int num);
extern int ARMCI_Destroy_mutexes(void);
/* Mutex of process `proc`. Processes get it in the order of their requests' arrival. An unlock takes effect behind what
 * this process did earlier in the memory of `proc`; what it did elsewhere needs a fence. */
extern void ARMCI_Lock(int mutex, int proc);
extern void ARMCI_Unlock(int mutex, int proc);

/* The library's own lock of a process's memory, for parts of it; here it locks all. A process holds one at a time, and
 * does not own it against puts and gets of others. */
extern void armci_lockmem(void* begin, void* end, int proc);
extern void armci_unlockmem(void);

/* Signals: count a notification in `proc`, behind what this process put there earlier; return the count. Wait until
 * there have been as many notifications by `proc` as calls of the wait; store the count in *pval. */
extern int armci_notify(int proc);
extern int armci_notify_wait(int proc, int* pval);

/* Groups ----------------------------------------------------------------------------------------------------------- */

typedef struct {
  double dummy[8];
} ARMCI_Group;

/* To be called by all processes of the new group; pid_list has their ranks in the parent, which is the default group
 * unless it is named. Others may call it too and get a group that they are not in. */
extern void ARMCI_Group_create(int n, int* pid_list, ARMCI_Group* group_out);
extern void ARMCI_Group_create_child(int n, int* pid_list, ARMCI_Group* group_out, ARMCI_Group* group_parent);
extern void ARMCI_Group_free(ARMCI_Group* group);
/* The own rank in the group. If the process is not in it: -1, and the function returns FAIL2. */
extern int ARMCI_Group_rank(ARMCI_Group* group, int* rank);
extern void ARMCI_Group_size(ARMCI_Group* group, int* size);
extern void ARMCI_Group_set_default(ARMCI_Group* group);
extern void ARMCI_Group_get_default(ARMCI_Group* group_out);
extern void ARMCI_Group_get_world(ARMCI_Group* group_out);
/* The rank in the job of a rank in a group. */
extern int ARMCI_Absolute_id(ARMCI_Group* group, int group_rank);
/* ARMCI_Fence() of all processes of the group. */
extern void ARMCI_GroupFence(ARMCI_Group* group);

/* Memory ----------------------------------------------------------------------------------------------------------- */

typedef long armci_size_t;

/* Collective: ptr_arr[rank] is where each process has its memory, of so many bytes as it asked for. */
extern int ARMCI_Malloc(void* ptr_arr[], armci_size_t bytes);
extern int ARMCI_Free(void* ptr);
/* `device` names a kind of memory, of which this machine has one. */
extern int ARMCI_Malloc_memdev(void* ptr_arr[], armci_size_t bytes, const char* device);
extern int ARMCI_Free_memdev(void* ptr);
/* The same in a group. */
extern int ARMCI_Malloc_group(void* ptr_arr[], armci_size_t bytes, ARMCI_Group* group);
extern int ARMCI_Free_group(void* ptr, ARMCI_Group* group);
extern int ARMCI_Malloc_group_memdev(void* ptr_arr[], armci_size_t bytes, ARMCI_Group* group, const char* device);
/* Not collective: memory that may be faster as source or destination. */
extern void* ARMCI_Malloc_local(armci_size_t bytes);
extern int ARMCI_Free_local(void* ptr);
/* Does nothing: no memory is shared. */
extern void ARMCI_Set_shm_limit(unsigned long shmemlimit);

/* Not collective: memory that a process offers to others by sending them this. */
typedef struct armci_meminfo_ds {
  char* armci_addr; /* for operations on it */
  char* addr;       /* for its owner */
  size_t size;
  int cpid; /* its owner */
  long idlist[64];
} armci_meminfo_t;

extern void ARMCI_Memget(size_t bytes, armci_meminfo_t* meminfo, int memflg);
extern void* ARMCI_Memat(armci_meminfo_t* meminfo, long memflg);
extern void ARMCI_Memdt(armci_meminfo_t* meminfo, long memflg);
/* Frees it, if the process owns it. */
extern void ARMCI_Memctl(armci_meminfo_t* meminfo);

/* Places ----------------------------------------------------------------------------------------------------------- */

/* Whether processes access each other's memory by loads and stores: each process only its own. */
extern int ARMCI_Same_node(int proc);
extern int ARMCI_Uses_shm(void);
extern int ARMCI_Uses_shm_grp(ARMCI_Group* group);
extern int armci_sameclusnode(int proc);

/* Domains of processes that do, numbered from 0. */
typedef int armci_domain_t;
#define ARMCI_DOMAIN_SMP 0
extern int armci_domain_nprocs(armci_domain_t domain, int id);
extern int armci_domain_id(armci_domain_t domain, int glob_proc_id);
extern int armci_domain_glob_proc_id(armci_domain_t domain, int id, int loc_proc_id);
extern int armci_domain_my_id(armci_domain_t domain);
extern int armci_domain_count(armci_domain_t domain);
extern int armci_domain_same_id(armci_domain_t domain, int proc);

/* Utilities -------------------------------------------------------------------------------------------------------- */

/* Pack a strided segment list into a buffer, and back. */
extern void armci_write_strided(void* ptr, int stride_levels, int stride_arr[], int count[], char* buf);
extern void armci_read_strided(void* ptr, int stride_levels, int stride_arr[], int count[], char* buf);

/* End the job with a text. */
extern void armci_die(char* text, int code);
extern void armci_die2(char* text, int code1, int code2);
extern void derr_printf(const char* format, ...);
extern int dassertp_fail(const char* cond_string, const char* file, const char* func, unsigned int line);
#define dassertp(_enable, _cond, _plist)                   \
  do {                                                     \
    if ((_enable) && !(_cond)) {                           \
      derr_printf _plist;                                  \
      dassertp_fail(#_cond, __FILE__, __func__, __LINE__); \
    }                                                      \
  } while (0)
#define dassert(_enable, _cond) dassertp((_enable), (_cond), ("%s", ""))
#define dassert1(_enable, _cond, _ival) dassertp((_enable), (_cond), ("value %d: ", (int)(_ival)))

#ifdef __cplusplus
}
#endif

#endif
