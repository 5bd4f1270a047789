/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages and collective operations of ARMCI. They need no MPI, and do not disturb it. Names, signatures and numbers
 * are those of the published interface (message.h of Global Arrays).
 *
 * Operations: "+", "*", "max", "min", "absmax", "absmin", "or" (bitwise; integers only), and for integers "&&" or
 * "land", "||" or "lor", "&" or "band", "|" or "bor". All processes get the same bits.
 */
#ifndef _MESSAGE_H_
#define _MESSAGE_H_

#include <armci.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Types of elements. */
#define ARMCI_INT (-99)
#define ARMCI_LONG (-101)
#define ARMCI_LONG_LONG (-102)
#define ARMCI_FLOAT (-306)
#define ARMCI_DOUBLE (-307)

/* All processes; those of the own domain (armci_domain_my_id()); the first of each domain. */
#define SCOPE_ALL 333
#define SCOPE_NODE 337
#define SCOPE_MASTERS 339

extern void armci_msg_init(int* argc, char*** argv);
extern void armci_msg_finalize(void);
extern int armci_msg_me(void);
extern int armci_msg_nproc(void);
extern void armci_msg_abort(int code);
/* Seconds since some time in the past. */
extern double armci_timer(void);

/* Messages are received in the order in which they were sent, if their tags match. A send of more than some KB returns
 * when its receiver has it. *msglen: the message's size, unless it is NULL; a message that is larger than the buffer
 * ends the job. rcvany returns the sender. */
extern void armci_msg_snd(int tag, void* buffer, int len, int to);
extern void armci_msg_rcv(int tag, void* buffer, int buflen, int* msglen, int from);
extern int armci_msg_rcvany(int tag, void* buffer, int buflen, int* msglen);

/* Collective operations of all processes. */
extern void armci_msg_barrier(void);
extern void armci_msg_bcast(void* buffer, int len, int root);
extern void armci_msg_brdcst(void* buffer, int len, int root);
extern void armci_msg_igop(int* x, int n, char* op);
extern void armci_msg_lgop(long* x, int n, char* op);
extern void armci_msg_llgop(long long* x, int n, char* op);
extern void armci_msg_fgop(float* x, int n, char* op);
extern void armci_msg_dgop(double* x, int n, char* op);
/* The result is in process 0; what the others then have in x is not stated. */
extern void armci_msg_reduce(void* x, int n, char* op, int type);
/* Fill a list of addresses to which each process has contributed its own, the others being NULL. */
extern void armci_exchange_address(void* ptr_ar[], int n);

/* Those of a scope. */
extern void armci_msg_bcast_scope(int scope, void* buffer, int len, int root);
extern void armci_msg_gop_scope(int scope, void* x, int n, char* op, int type);
extern void armci_msg_reduce_scope(int scope, void* x, int n, char* op, int type);
/* Of the n bytes that processes with `contribute` have, those with the largest ("max") or smallest ("min") first
 * element of the type, for all. Among equals, those of the lowest rank. */
extern void armci_msg_sel_scope(int scope, void* x, int n, char* op, int type, int contribute);
#define armci_msg_sel(x, n, op, type, contribute) armci_msg_sel_scope(SCOPE_ALL, (x), (n), (op), (type), (contribute))
/* The binary tree of a scope: its root, and this process's parent and children; -1: none. */
extern void armci_msg_bintree(int scope, int* root, int* up, int* left, int* right);

/* Those of the own domain. */
extern void armci_msg_clus_brdcst(void* buf, int len);
extern void armci_msg_clus_igop(int* x, int n, char* op);
extern void armci_msg_clus_lgop(long* x, int n, char* op);
extern void armci_msg_clus_llgop(long long* x, int n, char* op);
extern void armci_msg_clus_fgop(float* x, int n, char* op);
extern void armci_msg_clus_dgop(double* x, int n, char* op);

/* Those of a group. The root of a broadcast is a rank of the job. */
extern void armci_msg_group_barrier(ARMCI_Group* group);
extern void armci_msg_group_bcast_scope(int scope, void* buf, int len, int root, ARMCI_Group* group);
extern void armci_msg_group_gop_scope(int scope, void* x, int n, char* op, int type, ARMCI_Group* group);
extern void armci_msg_group_igop(int* x, int n, char* op, ARMCI_Group* group);
extern void armci_msg_group_lgop(long* x, int n, char* op, ARMCI_Group* group);
extern void armci_msg_group_llgop(long long* x, int n, char* op, ARMCI_Group* group);
extern void armci_msg_group_fgop(float* x, int n, char* op, ARMCI_Group* group);
extern void armci_msg_group_dgop(double* x, int n, char* op, ARMCI_Group* group);
extern void armci_exchange_address_grp(void* ptr_arr[], int n, ARMCI_Group* group);

#ifdef __cplusplus
}
#endif

#endif
