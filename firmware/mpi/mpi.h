/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MPI: what programs include.
 *
 * All of MPI-1.3, and of MPI-2 and MPI-3 what docs/reference/mpi.md lists; what is missing there is not declared here.
 * Names, arguments and meaning are the MPI standard's. Plain C99 and C++98: the C++ bindings, removed from the
 * standard, are not there; C++ programs use these.
 *
 * Handles are integers, so that Fortran's are the same: the kind of object in the upper byte, its number below. A
 * handle of the wrong kind or of a freed object is found and reported (MPI_ERR_COMM and so on).
 */
#ifndef TOROID_FIRMWARE_MPI_MPI_H
#define TOROID_FIRMWARE_MPI_MPI_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MPI_VERSION 3
#define MPI_SUBVERSION 0

typedef int MPI_Comm;
typedef int MPI_Group;
typedef int MPI_Datatype;
typedef int MPI_Op;
typedef int MPI_Request;
typedef int MPI_Errhandler;
typedef int MPI_Info;
typedef int MPI_Win;
typedef int MPI_Message;
typedef int MPI_File;
typedef int MPI_Fint; /* a Fortran INTEGER */
typedef long MPI_Aint;
typedef long long MPI_Offset;
typedef long long MPI_Count;

/* In Fortran an array of MPI_STATUS_SIZE INTEGERs with the same content. */
typedef struct MPI_Status {
  int MPI_SOURCE;
  int MPI_TAG;
  int MPI_ERROR;
  int bytes_;     /* received: MPI_Get_count() */
  int cancelled_; /* MPI_Test_cancelled() */
} MPI_Status;
#define MPI_STATUS_SIZE 5

/* Handles. */
#define MPI_COMM_NULL ((MPI_Comm)0x01000000)
#define MPI_COMM_WORLD ((MPI_Comm)0x01000001)
#define MPI_COMM_SELF ((MPI_Comm)0x01000002)
#define MPI_GROUP_NULL ((MPI_Group)0x02000000)
#define MPI_GROUP_EMPTY ((MPI_Group)0x02000001)
#define MPI_DATATYPE_NULL ((MPI_Datatype)0x03000000)
#define MPI_BYTE ((MPI_Datatype)0x03000001)
#define MPI_PACKED ((MPI_Datatype)0x03000002)
#define MPI_LB ((MPI_Datatype)0x03000003)
#define MPI_UB ((MPI_Datatype)0x03000004)
#define MPI_CHAR ((MPI_Datatype)0x03000005)
#define MPI_SIGNED_CHAR ((MPI_Datatype)0x03000006)
#define MPI_UNSIGNED_CHAR ((MPI_Datatype)0x03000007)
#define MPI_SHORT ((MPI_Datatype)0x03000008)
#define MPI_UNSIGNED_SHORT ((MPI_Datatype)0x03000009)
#define MPI_INT ((MPI_Datatype)0x0300000A)
#define MPI_UNSIGNED ((MPI_Datatype)0x0300000B)
#define MPI_LONG ((MPI_Datatype)0x0300000C)
#define MPI_UNSIGNED_LONG ((MPI_Datatype)0x0300000D)
#define MPI_LONG_LONG_INT ((MPI_Datatype)0x0300000E)
#define MPI_UNSIGNED_LONG_LONG ((MPI_Datatype)0x0300000F)
#define MPI_WCHAR ((MPI_Datatype)0x03000010)
#define MPI_FLOAT ((MPI_Datatype)0x03000011)
#define MPI_DOUBLE ((MPI_Datatype)0x03000012)
#define MPI_LONG_DOUBLE ((MPI_Datatype)0x03000013)
#define MPI_INT8_T ((MPI_Datatype)0x03000014)
#define MPI_INT16_T ((MPI_Datatype)0x03000015)
#define MPI_INT32_T ((MPI_Datatype)0x03000016)
#define MPI_INT64_T ((MPI_Datatype)0x03000017)
#define MPI_UINT8_T ((MPI_Datatype)0x03000018)
#define MPI_UINT16_T ((MPI_Datatype)0x03000019)
#define MPI_UINT32_T ((MPI_Datatype)0x0300001A)
#define MPI_UINT64_T ((MPI_Datatype)0x0300001B)
#define MPI_C_BOOL ((MPI_Datatype)0x0300001C)
#define MPI_C_FLOAT_COMPLEX ((MPI_Datatype)0x0300001D)
#define MPI_C_DOUBLE_COMPLEX ((MPI_Datatype)0x0300001E)
#define MPI_C_LONG_DOUBLE_COMPLEX ((MPI_Datatype)0x0300001F)
#define MPI_AINT ((MPI_Datatype)0x03000020)
#define MPI_OFFSET ((MPI_Datatype)0x03000021)
#define MPI_COUNT ((MPI_Datatype)0x03000022)
#define MPI_CXX_BOOL ((MPI_Datatype)0x03000023)
#define MPI_CXX_FLOAT_COMPLEX ((MPI_Datatype)0x03000024)
#define MPI_CXX_DOUBLE_COMPLEX ((MPI_Datatype)0x03000025)
#define MPI_CXX_LONG_DOUBLE_COMPLEX ((MPI_Datatype)0x03000026)
#define MPI_FLOAT_INT ((MPI_Datatype)0x03000027)
#define MPI_DOUBLE_INT ((MPI_Datatype)0x03000028)
#define MPI_LONG_INT ((MPI_Datatype)0x03000029)
#define MPI_2INT ((MPI_Datatype)0x0300002A)
#define MPI_SHORT_INT ((MPI_Datatype)0x0300002B)
#define MPI_LONG_DOUBLE_INT ((MPI_Datatype)0x0300002C)
#define MPI_CHARACTER ((MPI_Datatype)0x0300002D)
#define MPI_LOGICAL ((MPI_Datatype)0x0300002E)
#define MPI_INTEGER ((MPI_Datatype)0x0300002F)
#define MPI_REAL ((MPI_Datatype)0x03000030)
#define MPI_DOUBLE_PRECISION ((MPI_Datatype)0x03000031)
#define MPI_COMPLEX ((MPI_Datatype)0x03000032)
#define MPI_DOUBLE_COMPLEX ((MPI_Datatype)0x03000033)
#define MPI_INTEGER1 ((MPI_Datatype)0x03000034)
#define MPI_INTEGER2 ((MPI_Datatype)0x03000035)
#define MPI_INTEGER4 ((MPI_Datatype)0x03000036)
#define MPI_INTEGER8 ((MPI_Datatype)0x03000037)
#define MPI_REAL4 ((MPI_Datatype)0x03000038)
#define MPI_REAL8 ((MPI_Datatype)0x03000039)
#define MPI_REAL16 ((MPI_Datatype)0x0300003A)
#define MPI_COMPLEX8 ((MPI_Datatype)0x0300003B)
#define MPI_COMPLEX16 ((MPI_Datatype)0x0300003C)
#define MPI_COMPLEX32 ((MPI_Datatype)0x0300003D)
#define MPI_LOGICAL1 ((MPI_Datatype)0x0300003E)
#define MPI_LOGICAL2 ((MPI_Datatype)0x0300003F)
#define MPI_LOGICAL4 ((MPI_Datatype)0x03000040)
#define MPI_LOGICAL8 ((MPI_Datatype)0x03000041)
#define MPI_2INTEGER ((MPI_Datatype)0x03000042)
#define MPI_2REAL ((MPI_Datatype)0x03000043)
#define MPI_2DOUBLE_PRECISION ((MPI_Datatype)0x03000044)
#define MPI_OP_NULL ((MPI_Op)0x04000000)
#define MPI_MAX ((MPI_Op)0x04000001)
#define MPI_MIN ((MPI_Op)0x04000002)
#define MPI_SUM ((MPI_Op)0x04000003)
#define MPI_PROD ((MPI_Op)0x04000004)
#define MPI_LAND ((MPI_Op)0x04000005)
#define MPI_BAND ((MPI_Op)0x04000006)
#define MPI_LOR ((MPI_Op)0x04000007)
#define MPI_BOR ((MPI_Op)0x04000008)
#define MPI_LXOR ((MPI_Op)0x04000009)
#define MPI_BXOR ((MPI_Op)0x0400000A)
#define MPI_MAXLOC ((MPI_Op)0x0400000B)
#define MPI_MINLOC ((MPI_Op)0x0400000C)
#define MPI_REPLACE ((MPI_Op)0x0400000D)
#define MPI_NO_OP ((MPI_Op)0x0400000E)
#define MPI_REQUEST_NULL ((MPI_Request)0x05000000)
#define MPI_ERRHANDLER_NULL ((MPI_Errhandler)0x06000000)
#define MPI_ERRORS_ARE_FATAL ((MPI_Errhandler)0x06000001)
#define MPI_ERRORS_RETURN ((MPI_Errhandler)0x06000002)
#define MPI_INFO_NULL ((MPI_Info)0x07000000)
#define MPI_INFO_ENV ((MPI_Info)0x07000001)
#define MPI_WIN_NULL ((MPI_Win)0x08000000)
#define MPI_MESSAGE_NULL ((MPI_Message)0x09000000)
#define MPI_MESSAGE_NO_PROC ((MPI_Message)0x09000001)
#define MPI_FILE_NULL ((MPI_File)0x0B000000)
#define MPI_LONG_LONG MPI_LONG_LONG_INT
#define MPI_C_COMPLEX MPI_C_FLOAT_COMPLEX

/* Values with a meaning of their own. */
#define MPI_PROC_NULL (-1)
#define MPI_ANY_SOURCE (-2)
#define MPI_ROOT (-3)
#define MPI_ANY_TAG (-1)
#define MPI_UNDEFINED (-32766)
#define MPI_BSEND_OVERHEAD 512
#define MPI_TAG_UB_VALUE_ 0x7FFFFFFF
#define MPI_BOTTOM ((void*)0)
#define MPI_IN_PLACE ((void*)-1)
#define MPI_STATUS_IGNORE ((MPI_Status*)0)
#define MPI_STATUSES_IGNORE ((MPI_Status*)0)
#define MPI_ERRCODES_IGNORE ((int*)0)
#define MPI_ARGV_NULL ((char**)0)
#define MPI_ARGVS_NULL ((char***)0)
#define MPI_UNWEIGHTED ((int*)2)
#define MPI_WEIGHTS_EMPTY ((int*)1)

/* Lengths of texts, their final 0 included. */
#define MPI_MAX_PROCESSOR_NAME 64
#define MPI_MAX_ERROR_STRING 512
#define MPI_MAX_OBJECT_NAME 64
#define MPI_MAX_INFO_KEY 256
#define MPI_MAX_INFO_VAL 1024
#define MPI_MAX_LIBRARY_VERSION_STRING 128
#define MPI_MAX_PORT_NAME 64
#define MPI_MAX_DATAREP_STRING 64

/* What MPI_Comm_compare() and MPI_Group_compare() answer. */
#define MPI_IDENT 0
#define MPI_CONGRUENT 1
#define MPI_SIMILAR 2
#define MPI_UNEQUAL 3

/* What MPI_Topo_test() answers. */
#define MPI_GRAPH 1
#define MPI_CART 2
#define MPI_DIST_GRAPH 3

/* MPI_Comm_split_type(). */
#define MPI_COMM_TYPE_SHARED 1

#define MPI_THREAD_SINGLE 0
#define MPI_THREAD_FUNNELED 1
#define MPI_THREAD_SERIALIZED 2
#define MPI_THREAD_MULTIPLE 3

/* What MPI_Type_get_envelope() answers. */
#define MPI_COMBINER_NAMED 1
#define MPI_COMBINER_DUP 2
#define MPI_COMBINER_CONTIGUOUS 3
#define MPI_COMBINER_VECTOR 4
#define MPI_COMBINER_HVECTOR_INTEGER 5
#define MPI_COMBINER_HVECTOR 6
#define MPI_COMBINER_INDEXED 7
#define MPI_COMBINER_HINDEXED_INTEGER 8
#define MPI_COMBINER_HINDEXED 9
#define MPI_COMBINER_INDEXED_BLOCK 10
#define MPI_COMBINER_STRUCT_INTEGER 11
#define MPI_COMBINER_STRUCT 12
#define MPI_COMBINER_SUBARRAY 13
#define MPI_COMBINER_DARRAY 14
#define MPI_COMBINER_F90_REAL 15
#define MPI_COMBINER_F90_COMPLEX 16
#define MPI_COMBINER_F90_INTEGER 17
#define MPI_COMBINER_RESIZED 18
#define MPI_COMBINER_HINDEXED_BLOCK 19

#define MPI_ORDER_C 56
#define MPI_ORDER_FORTRAN 57
#define MPI_DISTRIBUTE_BLOCK 121
#define MPI_DISTRIBUTE_CYCLIC 122
#define MPI_DISTRIBUTE_NONE 123
#define MPI_DISTRIBUTE_DFLT_DARG (-49767)

#define MPI_TYPECLASS_REAL 1
#define MPI_TYPECLASS_INTEGER 2
#define MPI_TYPECLASS_COMPLEX 3

/* Keys of attributes that the library sets. Attribute values are pointers to ints. */
#define MPI_KEYVAL_INVALID 0
#define MPI_TAG_UB 1
#define MPI_HOST 2
#define MPI_IO 3
#define MPI_WTIME_IS_GLOBAL 4
#define MPI_UNIVERSE_SIZE 5
#define MPI_LASTUSEDCODE 6
#define MPI_APPNUM 7
#define MPI_WIN_BASE 8
#define MPI_WIN_SIZE 9
#define MPI_WIN_DISP_UNIT 10
#define MPI_WIN_CREATE_FLAVOR 11
#define MPI_WIN_MODEL 12

/* One-sided communication. */
#define MPI_MODE_NOCHECK 1
#define MPI_MODE_NOSTORE 2
#define MPI_MODE_NOPUT 4
#define MPI_MODE_NOPRECEDE 8
#define MPI_MODE_NOSUCCEED 16
#define MPI_LOCK_EXCLUSIVE 1
#define MPI_LOCK_SHARED 2
#define MPI_WIN_FLAVOR_CREATE 1
#define MPI_WIN_FLAVOR_ALLOCATE 2
#define MPI_WIN_FLAVOR_DYNAMIC 3
#define MPI_WIN_FLAVOR_SHARED 4
#define MPI_WIN_SEPARATE 1
#define MPI_WIN_UNIFIED 2

/* Files. */
#define MPI_MODE_CREATE 1
#define MPI_MODE_RDONLY 2
#define MPI_MODE_WRONLY 4
#define MPI_MODE_RDWR 8
#define MPI_MODE_DELETE_ON_CLOSE 16
#define MPI_MODE_UNIQUE_OPEN 32
#define MPI_MODE_EXCL 64
#define MPI_MODE_APPEND 128
#define MPI_MODE_SEQUENTIAL 256
#define MPI_SEEK_SET 600
#define MPI_SEEK_CUR 602
#define MPI_SEEK_END 604
#define MPI_DISPLACEMENT_CURRENT (-54278278)

/* Error classes; error codes are classes. */
#define MPI_SUCCESS 0
#define MPI_ERR_BUFFER 1
#define MPI_ERR_COUNT 2
#define MPI_ERR_TYPE 3
#define MPI_ERR_TAG 4
#define MPI_ERR_COMM 5
#define MPI_ERR_RANK 6
#define MPI_ERR_REQUEST 7
#define MPI_ERR_ROOT 8
#define MPI_ERR_GROUP 9
#define MPI_ERR_OP 10
#define MPI_ERR_TOPOLOGY 11
#define MPI_ERR_DIMS 12
#define MPI_ERR_ARG 13
#define MPI_ERR_UNKNOWN 14
#define MPI_ERR_TRUNCATE 15
#define MPI_ERR_OTHER 16
#define MPI_ERR_INTERN 17
#define MPI_ERR_PENDING 18
#define MPI_ERR_IN_STATUS 19
#define MPI_ERR_KEYVAL 20
#define MPI_ERR_NO_MEM 21
#define MPI_ERR_INFO 22
#define MPI_ERR_INFO_KEY 23
#define MPI_ERR_INFO_VALUE 24
#define MPI_ERR_INFO_NOKEY 25
#define MPI_ERR_WIN 26
#define MPI_ERR_BASE 27
#define MPI_ERR_SIZE 28
#define MPI_ERR_DISP 29
#define MPI_ERR_LOCKTYPE 30
#define MPI_ERR_ASSERT 31
#define MPI_ERR_RMA_CONFLICT 32
#define MPI_ERR_RMA_SYNC 33
#define MPI_ERR_RMA_RANGE 34
#define MPI_ERR_RMA_ATTACH 35
#define MPI_ERR_NAME 36
#define MPI_ERR_PORT 37
#define MPI_ERR_SERVICE 38
#define MPI_ERR_SPAWN 39
#define MPI_ERR_UNSUPPORTED_OPERATION 40
#define MPI_ERR_RMA_SHARED 41
#define MPI_ERR_RMA_FLAVOR 42
#define MPI_ERR_FILE 43
#define MPI_ERR_NOT_SAME 44
#define MPI_ERR_AMODE 45
#define MPI_ERR_UNSUPPORTED_DATAREP 46
#define MPI_ERR_NO_SUCH_FILE 47
#define MPI_ERR_FILE_EXISTS 48
#define MPI_ERR_BAD_FILE 49
#define MPI_ERR_ACCESS 50
#define MPI_ERR_NO_SPACE 51
#define MPI_ERR_QUOTA 52
#define MPI_ERR_READ_ONLY 53
#define MPI_ERR_FILE_IN_USE 54
#define MPI_ERR_DUP_DATAREP 55
#define MPI_ERR_CONVERSION 56
#define MPI_ERR_IO 57
#define MPI_ERR_LASTCODE 63

/* Functions of the user. */
typedef void MPI_User_function(void* in, void* inout, int* length, MPI_Datatype* datatype);
typedef void MPI_Comm_errhandler_function(MPI_Comm* comm, int* code, ...);
typedef void MPI_Win_errhandler_function(MPI_Win* win, int* code, ...);
typedef void MPI_File_errhandler_function(MPI_File* file, int* code, ...);
typedef MPI_Comm_errhandler_function MPI_Handler_function;
typedef MPI_Comm_errhandler_function MPI_Comm_errhandler_fn;
typedef MPI_Win_errhandler_function MPI_Win_errhandler_fn;
typedef MPI_File_errhandler_function MPI_File_errhandler_fn;
typedef int MPI_Comm_copy_attr_function(MPI_Comm comm, int key, void* extra, void* in, void* out, int* flag);
typedef int MPI_Comm_delete_attr_function(MPI_Comm comm, int key, void* value, void* extra);
typedef int MPI_Type_copy_attr_function(MPI_Datatype type, int key, void* extra, void* in, void* out, int* flag);
typedef int MPI_Type_delete_attr_function(MPI_Datatype type, int key, void* value, void* extra);
typedef int MPI_Win_copy_attr_function(MPI_Win win, int key, void* extra, void* in, void* out, int* flag);
typedef int MPI_Win_delete_attr_function(MPI_Win win, int key, void* value, void* extra);
typedef MPI_Comm_copy_attr_function MPI_Copy_function;
typedef MPI_Comm_delete_attr_function MPI_Delete_function;
typedef int MPI_Grequest_query_function(void* extra, MPI_Status* status);
typedef int MPI_Grequest_free_function(void* extra);
typedef int MPI_Grequest_cancel_function(void* extra, int complete);
typedef int MPI_Datarep_conversion_function(void* buffer, MPI_Datatype datatype, int count, void* file_buffer,
                                            MPI_Offset position, void* extra);
typedef int MPI_Datarep_extent_function(MPI_Datatype datatype, MPI_Aint* extent, void* extra);

int MPI_DUP_FN(int object, int key, void* extra, void* in, void* out, int* flag);
#define MPI_COMM_DUP_FN MPI_DUP_FN
#define MPI_TYPE_DUP_FN MPI_DUP_FN
#define MPI_WIN_DUP_FN MPI_DUP_FN
#define MPI_NULL_COPY_FN ((MPI_Copy_function*)0)
#define MPI_NULL_DELETE_FN ((MPI_Delete_function*)0)
#define MPI_COMM_NULL_COPY_FN ((MPI_Comm_copy_attr_function*)0)
#define MPI_COMM_NULL_DELETE_FN ((MPI_Comm_delete_attr_function*)0)
#define MPI_TYPE_NULL_COPY_FN ((MPI_Type_copy_attr_function*)0)
#define MPI_TYPE_NULL_DELETE_FN ((MPI_Type_delete_attr_function*)0)
#define MPI_WIN_NULL_COPY_FN ((MPI_Win_copy_attr_function*)0)
#define MPI_WIN_NULL_DELETE_FN ((MPI_Win_delete_attr_function*)0)
#define MPI_CONVERSION_FN_NULL ((MPI_Datarep_conversion_function*)0)

/* Start and end. */
int MPI_Init(int* argc, char*** argv);
int MPI_Init_thread(int* argc, char*** argv, int required, int* provided);
int MPI_Initialized(int* flag);
int MPI_Finalize(void);
int MPI_Finalized(int* flag);
int MPI_Abort(MPI_Comm comm, int code);
int MPI_Query_thread(int* provided);
int MPI_Is_thread_main(int* flag);
int MPI_Get_version(int* version, int* subversion);
int MPI_Get_library_version(char* version, int* length);
int MPI_Get_processor_name(char* name, int* length);
int MPI_Pcontrol(const int level, ...);
double MPI_Wtime(void);
double MPI_Wtick(void);
int MPI_Alloc_mem(MPI_Aint size, MPI_Info info, void* base);
int MPI_Free_mem(void* base);
int MPI_Get_address(const void* location, MPI_Aint* address);
int MPI_Address(void* location, MPI_Aint* address);
MPI_Aint MPI_Aint_add(MPI_Aint base, MPI_Aint displacement);
MPI_Aint MPI_Aint_diff(MPI_Aint first, MPI_Aint second);

/* Messages between two processes. */
int MPI_Send(const void* buffer, int count, MPI_Datatype datatype, int destination, int tag, MPI_Comm comm);
int MPI_Bsend(const void* buffer, int count, MPI_Datatype datatype, int destination, int tag, MPI_Comm comm);
int MPI_Ssend(const void* buffer, int count, MPI_Datatype datatype, int destination, int tag, MPI_Comm comm);
int MPI_Rsend(const void* buffer, int count, MPI_Datatype datatype, int destination, int tag, MPI_Comm comm);
int MPI_Recv(void* buffer, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status* status);
int MPI_Isend(const void* buffer, int count, MPI_Datatype datatype, int destination, int tag, MPI_Comm comm,
              MPI_Request* request);
int MPI_Ibsend(const void* buffer, int count, MPI_Datatype datatype, int destination, int tag, MPI_Comm comm,
               MPI_Request* request);
int MPI_Issend(const void* buffer, int count, MPI_Datatype datatype, int destination, int tag, MPI_Comm comm,
               MPI_Request* request);
int MPI_Irsend(const void* buffer, int count, MPI_Datatype datatype, int destination, int tag, MPI_Comm comm,
               MPI_Request* request);
int MPI_Irecv(void* buffer, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request* request);
int MPI_Send_init(const void* buffer, int count, MPI_Datatype datatype, int destination, int tag, MPI_Comm comm,
                  MPI_Request* request);
int MPI_Bsend_init(const void* buffer, int count, MPI_Datatype datatype, int destination, int tag, MPI_Comm comm,
                   MPI_Request* request);
int MPI_Ssend_init(const void* buffer, int count, MPI_Datatype datatype, int destination, int tag, MPI_Comm comm,
                   MPI_Request* request);
int MPI_Rsend_init(const void* buffer, int count, MPI_Datatype datatype, int destination, int tag, MPI_Comm comm,
                   MPI_Request* request);
int MPI_Recv_init(void* buffer, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                  MPI_Request* request);
int MPI_Start(MPI_Request* request);
int MPI_Startall(int count, MPI_Request requests[]);
int MPI_Sendrecv(const void* send, int send_count, MPI_Datatype send_type, int destination, int send_tag, void* receive,
                 int receive_count, MPI_Datatype receive_type, int source, int receive_tag, MPI_Comm comm,
                 MPI_Status* status);
int MPI_Sendrecv_replace(void* buffer, int count, MPI_Datatype datatype, int destination, int send_tag, int source,
                         int receive_tag, MPI_Comm comm, MPI_Status* status);
int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status* status);
int MPI_Iprobe(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status);
int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status);
int MPI_Improbe(int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status);
int MPI_Mrecv(void* buffer, int count, MPI_Datatype datatype, MPI_Message* message, MPI_Status* status);
int MPI_Imrecv(void* buffer, int count, MPI_Datatype datatype, MPI_Message* message, MPI_Request* request);
int MPI_Buffer_attach(void* buffer, int size);
int MPI_Buffer_detach(void* buffer, int* size);

/* Requests. */
int MPI_Wait(MPI_Request* request, MPI_Status* status);
int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status);
int MPI_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status);
int MPI_Testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status);
int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]);
int MPI_Testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]);
int MPI_Waitsome(int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]);
int MPI_Testsome(int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]);
int MPI_Request_free(MPI_Request* request);
int MPI_Request_get_status(MPI_Request request, int* flag, MPI_Status* status);
int MPI_Cancel(MPI_Request* request);
int MPI_Test_cancelled(const MPI_Status* status, int* flag);
int MPI_Status_set_cancelled(MPI_Status* status, int flag);
int MPI_Status_set_elements(MPI_Status* status, MPI_Datatype datatype, int count);
int MPI_Status_set_elements_x(MPI_Status* status, MPI_Datatype datatype, MPI_Count count);
int MPI_Grequest_start(MPI_Grequest_query_function* query, MPI_Grequest_free_function* free,
                       MPI_Grequest_cancel_function* cancel, void* extra, MPI_Request* request);
int MPI_Grequest_complete(MPI_Request request);
int MPI_Get_count(const MPI_Status* status, MPI_Datatype datatype, int* count);
int MPI_Get_elements(const MPI_Status* status, MPI_Datatype datatype, int* count);
int MPI_Get_elements_x(const MPI_Status* status, MPI_Datatype datatype, MPI_Count* count);

/* Datatypes. */
int MPI_Type_contiguous(int count, MPI_Datatype old, MPI_Datatype* made);
int MPI_Type_vector(int count, int length, int stride, MPI_Datatype old, MPI_Datatype* made);
int MPI_Type_create_hvector(int count, int length, MPI_Aint stride, MPI_Datatype old, MPI_Datatype* made);
int MPI_Type_hvector(int count, int length, MPI_Aint stride, MPI_Datatype old, MPI_Datatype* made);
int MPI_Type_indexed(int count, const int lengths[], const int displacements[], MPI_Datatype old, MPI_Datatype* made);
int MPI_Type_create_hindexed(int count, const int lengths[], const MPI_Aint displacements[], MPI_Datatype old,
                             MPI_Datatype* made);
int MPI_Type_hindexed(int count, int lengths[], MPI_Aint displacements[], MPI_Datatype old, MPI_Datatype* made);
int MPI_Type_create_indexed_block(int count, int length, const int displacements[], MPI_Datatype old,
                                  MPI_Datatype* made);
int MPI_Type_create_hindexed_block(int count, int length, const MPI_Aint displacements[], MPI_Datatype old,
                                   MPI_Datatype* made);
int MPI_Type_create_struct(int count, const int lengths[], const MPI_Aint displacements[], const MPI_Datatype types[],
                           MPI_Datatype* made);
int MPI_Type_struct(int count, int lengths[], MPI_Aint displacements[], MPI_Datatype types[], MPI_Datatype* made);
int MPI_Type_create_subarray(int dimensions, const int sizes[], const int subsizes[], const int starts[], int order,
                             MPI_Datatype old, MPI_Datatype* made);
int MPI_Type_create_darray(int size, int rank, int dimensions, const int sizes[], const int distributions[],
                           const int arguments[], const int processes[], int order, MPI_Datatype old,
                           MPI_Datatype* made);
int MPI_Type_create_resized(MPI_Datatype old, MPI_Aint lb, MPI_Aint extent, MPI_Datatype* made);
int MPI_Type_dup(MPI_Datatype old, MPI_Datatype* made);
int MPI_Type_commit(MPI_Datatype* datatype);
int MPI_Type_free(MPI_Datatype* datatype);
int MPI_Type_size(MPI_Datatype datatype, int* size);
int MPI_Type_size_x(MPI_Datatype datatype, MPI_Count* size);
int MPI_Type_extent(MPI_Datatype datatype, MPI_Aint* extent);
int MPI_Type_lb(MPI_Datatype datatype, MPI_Aint* lb);
int MPI_Type_ub(MPI_Datatype datatype, MPI_Aint* ub);
int MPI_Type_get_extent(MPI_Datatype datatype, MPI_Aint* lb, MPI_Aint* extent);
int MPI_Type_get_true_extent(MPI_Datatype datatype, MPI_Aint* lb, MPI_Aint* extent);
int MPI_Type_get_extent_x(MPI_Datatype datatype, MPI_Count* lb, MPI_Count* extent);
int MPI_Type_get_true_extent_x(MPI_Datatype datatype, MPI_Count* lb, MPI_Count* extent);
int MPI_Type_get_envelope(MPI_Datatype datatype, int* integers, int* addresses, int* datatypes, int* combiner);
int MPI_Type_get_contents(MPI_Datatype datatype, int max_integers, int max_addresses, int max_datatypes, int integers[],
                          MPI_Aint addresses[], MPI_Datatype datatypes[]);
int MPI_Type_set_name(MPI_Datatype datatype, const char* name);
int MPI_Type_get_name(MPI_Datatype datatype, char* name, int* length);
int MPI_Type_create_keyval(MPI_Type_copy_attr_function* copy, MPI_Type_delete_attr_function* del, int* key,
                           void* extra);
int MPI_Type_free_keyval(int* key);
int MPI_Type_set_attr(MPI_Datatype datatype, int key, void* value);
int MPI_Type_get_attr(MPI_Datatype datatype, int key, void* value, int* flag);
int MPI_Type_delete_attr(MPI_Datatype datatype, int key);
int MPI_Type_match_size(int type_class, int size, MPI_Datatype* datatype);
int MPI_Type_create_f90_integer(int range, MPI_Datatype* made);
int MPI_Type_create_f90_real(int precision, int range, MPI_Datatype* made);
int MPI_Type_create_f90_complex(int precision, int range, MPI_Datatype* made);
int MPI_Pack(const void* in, int count, MPI_Datatype datatype, void* out, int size, int* position, MPI_Comm comm);
int MPI_Unpack(const void* in, int size, int* position, void* out, int count, MPI_Datatype datatype, MPI_Comm comm);
int MPI_Pack_size(int count, MPI_Datatype datatype, MPI_Comm comm, int* size);
int MPI_Pack_external(const char* datarep, const void* in, int count, MPI_Datatype datatype, void* out, MPI_Aint size,
                      MPI_Aint* position);
int MPI_Unpack_external(const char* datarep, const void* in, MPI_Aint size, MPI_Aint* position, void* out, int count,
                        MPI_Datatype datatype);
int MPI_Pack_external_size(const char* datarep, int count, MPI_Datatype datatype, MPI_Aint* size);

/* Groups. */
int MPI_Group_size(MPI_Group group, int* size);
int MPI_Group_rank(MPI_Group group, int* rank);
int MPI_Group_translate_ranks(MPI_Group group, int count, const int ranks[], MPI_Group other, int others[]);
int MPI_Group_compare(MPI_Group first, MPI_Group second, int* result);
int MPI_Group_union(MPI_Group first, MPI_Group second, MPI_Group* made);
int MPI_Group_intersection(MPI_Group first, MPI_Group second, MPI_Group* made);
int MPI_Group_difference(MPI_Group first, MPI_Group second, MPI_Group* made);
int MPI_Group_incl(MPI_Group group, int count, const int ranks[], MPI_Group* made);
int MPI_Group_excl(MPI_Group group, int count, const int ranks[], MPI_Group* made);
int MPI_Group_range_incl(MPI_Group group, int count, int ranges[][3], MPI_Group* made);
int MPI_Group_range_excl(MPI_Group group, int count, int ranges[][3], MPI_Group* made);
int MPI_Group_free(MPI_Group* group);

/* Communicators. */
int MPI_Comm_size(MPI_Comm comm, int* size);
int MPI_Comm_rank(MPI_Comm comm, int* rank);
int MPI_Comm_compare(MPI_Comm first, MPI_Comm second, int* result);
int MPI_Comm_group(MPI_Comm comm, MPI_Group* group);
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* made);
int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* made);
int MPI_Comm_idup(MPI_Comm comm, MPI_Comm* made, MPI_Request* request);
int MPI_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* made, MPI_Request* request);
int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* made);
int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made);
int MPI_Comm_split(MPI_Comm comm, int colour, int key, MPI_Comm* made);
int MPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* made);
int MPI_Comm_free(MPI_Comm* comm);
int MPI_Comm_disconnect(MPI_Comm* comm);
int MPI_Comm_test_inter(MPI_Comm comm, int* flag);
int MPI_Comm_remote_size(MPI_Comm comm, int* size);
int MPI_Comm_remote_group(MPI_Comm comm, MPI_Group* group);
int MPI_Intercomm_create(MPI_Comm local, int leader, MPI_Comm peer, int remote_leader, int tag, MPI_Comm* made);
int MPI_Intercomm_merge(MPI_Comm comm, int high, MPI_Comm* made);
int MPI_Comm_set_name(MPI_Comm comm, const char* name);
int MPI_Comm_get_name(MPI_Comm comm, char* name, int* length);
int MPI_Comm_set_info(MPI_Comm comm, MPI_Info info);
int MPI_Comm_get_info(MPI_Comm comm, MPI_Info* info);
int MPI_Comm_get_parent(MPI_Comm* parent);

/* Attributes. */
int MPI_Comm_create_keyval(MPI_Comm_copy_attr_function* copy, MPI_Comm_delete_attr_function* del, int* key,
                           void* extra);
int MPI_Comm_free_keyval(int* key);
int MPI_Comm_set_attr(MPI_Comm comm, int key, void* value);
int MPI_Comm_get_attr(MPI_Comm comm, int key, void* value, int* flag);
int MPI_Comm_delete_attr(MPI_Comm comm, int key);
int MPI_Keyval_create(MPI_Copy_function* copy, MPI_Delete_function* del, int* key, void* extra);
int MPI_Keyval_free(int* key);
int MPI_Attr_put(MPI_Comm comm, int key, void* value);
int MPI_Attr_get(MPI_Comm comm, int key, void* value, int* flag);
int MPI_Attr_delete(MPI_Comm comm, int key);

/* Errors. */
int MPI_Comm_create_errhandler(MPI_Comm_errhandler_function* function, MPI_Errhandler* handler);
int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler);
int MPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler* handler);
int MPI_Comm_call_errhandler(MPI_Comm comm, int code);
int MPI_Errhandler_create(MPI_Handler_function* function, MPI_Errhandler* handler);
int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler handler);
int MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler* handler);
int MPI_Errhandler_free(MPI_Errhandler* handler);
int MPI_Error_string(int code, char* text, int* length);
int MPI_Error_class(int code, int* error_class);
int MPI_Add_error_class(int* error_class);
int MPI_Add_error_code(int error_class, int* code);
int MPI_Add_error_string(int code, const char* text);

/* Topologies. */
int MPI_Cart_create(MPI_Comm comm, int dimensions, const int sizes[], const int periods[], int reorder, MPI_Comm* made);
int MPI_Dims_create(int nodes, int dimensions, int sizes[]);
int MPI_Cartdim_get(MPI_Comm comm, int* dimensions);
int MPI_Cart_get(MPI_Comm comm, int dimensions, int sizes[], int periods[], int coordinates[]);
int MPI_Cart_rank(MPI_Comm comm, const int coordinates[], int* rank);
int MPI_Cart_coords(MPI_Comm comm, int rank, int dimensions, int coordinates[]);
int MPI_Cart_shift(MPI_Comm comm, int direction, int displacement, int* source, int* destination);
int MPI_Cart_sub(MPI_Comm comm, const int remain[], MPI_Comm* made);
int MPI_Cart_map(MPI_Comm comm, int dimensions, const int sizes[], const int periods[], int* rank);
int MPI_Graph_create(MPI_Comm comm, int nodes, const int index[], const int edges[], int reorder, MPI_Comm* made);
int MPI_Graphdims_get(MPI_Comm comm, int* nodes, int* edges);
int MPI_Graph_get(MPI_Comm comm, int max_index, int max_edges, int index[], int edges[]);
int MPI_Graph_neighbors_count(MPI_Comm comm, int rank, int* count);
int MPI_Graph_neighbors(MPI_Comm comm, int rank, int max, int neighbours[]);
int MPI_Graph_map(MPI_Comm comm, int nodes, const int index[], const int edges[], int* rank);
int MPI_Topo_test(MPI_Comm comm, int* topology);
int MPI_Dist_graph_create(MPI_Comm comm, int nodes, const int sources[], const int degrees[], const int destinations[],
                          const int weights[], MPI_Info info, int reorder, MPI_Comm* made);
int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int in, const int sources[], const int source_weights[], int out,
                                   const int destinations[], const int destination_weights[], MPI_Info info,
                                   int reorder, MPI_Comm* made);
int MPI_Dist_graph_neighbors_count(MPI_Comm comm, int* in, int* out, int* weighted);
int MPI_Dist_graph_neighbors(MPI_Comm comm, int max_in, int sources[], int source_weights[], int max_out,
                             int destinations[], int destination_weights[]);

/* Collective operations. */
int MPI_Barrier(MPI_Comm comm);
int MPI_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm);
int MPI_Gather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
               MPI_Datatype receive_type, int root, MPI_Comm comm);
int MPI_Gatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive, const int receive_counts[],
                const int displacements[], MPI_Datatype receive_type, int root, MPI_Comm comm);
int MPI_Scatter(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                MPI_Datatype receive_type, int root, MPI_Comm comm);
int MPI_Scatterv(const void* send, const int send_counts[], const int displacements[], MPI_Datatype send_type,
                 void* receive, int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm);
int MPI_Allgather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                  MPI_Datatype receive_type, MPI_Comm comm);
int MPI_Allgatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive, const int receive_counts[],
                   const int displacements[], MPI_Datatype receive_type, MPI_Comm comm);
int MPI_Alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                 MPI_Datatype receive_type, MPI_Comm comm);
int MPI_Alltoallv(const void* send, const int send_counts[], const int send_displacements[], MPI_Datatype send_type,
                  void* receive, const int receive_counts[], const int receive_displacements[],
                  MPI_Datatype receive_type, MPI_Comm comm);
int MPI_Alltoallw(const void* send, const int send_counts[], const int send_displacements[],
                  const MPI_Datatype send_types[], void* receive, const int receive_counts[],
                  const int receive_displacements[], const MPI_Datatype receive_types[], MPI_Comm comm);
int MPI_Reduce(const void* send, void* receive, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm);
int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
int MPI_Reduce_scatter(const void* send, void* receive, const int receive_counts[], MPI_Datatype datatype, MPI_Op op,
                       MPI_Comm comm);
int MPI_Reduce_scatter_block(const void* send, void* receive, int receive_count, MPI_Datatype datatype, MPI_Op op,
                             MPI_Comm comm);
int MPI_Scan(const void* send, void* receive, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
int MPI_Exscan(const void* send, void* receive, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
int MPI_Reduce_local(const void* in, void* inout, int count, MPI_Datatype datatype, MPI_Op op);
int MPI_Op_create(MPI_User_function* function, int commutes, MPI_Op* op);
int MPI_Op_free(MPI_Op* op);
int MPI_Op_commutative(MPI_Op op, int* commutes);

/* Collective operations that do not block. */
int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request);
int MPI_Ibcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request* request);
int MPI_Igather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Request* request);
int MPI_Igatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive, const int receive_counts[],
                 const int displacements[], MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Request* request);
int MPI_Iscatter(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                 MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Request* request);
int MPI_Iscatterv(const void* send, const int send_counts[], const int displacements[], MPI_Datatype send_type,
                  void* receive, int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm,
                  MPI_Request* request);
int MPI_Iallgather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                   MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request);
int MPI_Iallgatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive, const int receive_counts[],
                    const int displacements[], MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request);
int MPI_Ialltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                  MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request);
int MPI_Ialltoallv(const void* send, const int send_counts[], const int send_displacements[], MPI_Datatype send_type,
                   void* receive, const int receive_counts[], const int receive_displacements[],
                   MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request);
int MPI_Ialltoallw(const void* send, const int send_counts[], const int send_displacements[],
                   const MPI_Datatype send_types[], void* receive, const int receive_counts[],
                   const int receive_displacements[], const MPI_Datatype receive_types[], MPI_Comm comm,
                   MPI_Request* request);
int MPI_Ireduce(const void* send, void* receive, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm,
                MPI_Request* request);
int MPI_Iallreduce(const void* send, void* receive, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                   MPI_Request* request);
int MPI_Ireduce_scatter(const void* send, void* receive, const int receive_counts[], MPI_Datatype datatype, MPI_Op op,
                        MPI_Comm comm, MPI_Request* request);
int MPI_Ireduce_scatter_block(const void* send, void* receive, int receive_count, MPI_Datatype datatype, MPI_Op op,
                              MPI_Comm comm, MPI_Request* request);
int MPI_Iscan(const void* send, void* receive, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
              MPI_Request* request);
int MPI_Iexscan(const void* send, void* receive, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                MPI_Request* request);

/* Among the neighbours of a topology. */
int MPI_Neighbor_allgather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                           MPI_Datatype receive_type, MPI_Comm comm);
int MPI_Neighbor_allgatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                            const int receive_counts[], const int displacements[], MPI_Datatype receive_type,
                            MPI_Comm comm);
int MPI_Neighbor_alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                          MPI_Datatype receive_type, MPI_Comm comm);
int MPI_Neighbor_alltoallv(const void* send, const int send_counts[], const int send_displacements[],
                           MPI_Datatype send_type, void* receive, const int receive_counts[],
                           const int receive_displacements[], MPI_Datatype receive_type, MPI_Comm comm);
int MPI_Neighbor_alltoallw(const void* send, const int send_counts[], const MPI_Aint send_displacements[],
                           const MPI_Datatype send_types[], void* receive, const int receive_counts[],
                           const MPI_Aint receive_displacements[], const MPI_Datatype receive_types[], MPI_Comm comm);
int MPI_Ineighbor_allgather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                            MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request);
int MPI_Ineighbor_allgatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                             const int receive_counts[], const int displacements[], MPI_Datatype receive_type,
                             MPI_Comm comm, MPI_Request* request);
int MPI_Ineighbor_alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                           MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request);
int MPI_Ineighbor_alltoallv(const void* send, const int send_counts[], const int send_displacements[],
                            MPI_Datatype send_type, void* receive, const int receive_counts[],
                            const int receive_displacements[], MPI_Datatype receive_type, MPI_Comm comm,
                            MPI_Request* request);
int MPI_Ineighbor_alltoallw(const void* send, const int send_counts[], const MPI_Aint send_displacements[],
                            const MPI_Datatype send_types[], void* receive, const int receive_counts[],
                            const MPI_Aint receive_displacements[], const MPI_Datatype receive_types[], MPI_Comm comm,
                            MPI_Request* request);

/* One-sided communication: windows. */
int MPI_Win_create(void* base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win* win);
int MPI_Win_allocate(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* win);
int MPI_Win_allocate_shared(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* win);
int MPI_Win_shared_query(MPI_Win win, int rank, MPI_Aint* size, int* unit, void* base);
int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win* win);
int MPI_Win_attach(MPI_Win win, void* base, MPI_Aint size);
int MPI_Win_detach(MPI_Win win, const void* base);
int MPI_Win_free(MPI_Win* win);
int MPI_Win_get_group(MPI_Win win, MPI_Group* group);
int MPI_Win_set_name(MPI_Win win, const char* name);
int MPI_Win_get_name(MPI_Win win, char* name, int* length);
int MPI_Win_set_info(MPI_Win win, MPI_Info info);
int MPI_Win_get_info(MPI_Win win, MPI_Info* info);
int MPI_Win_create_errhandler(MPI_Win_errhandler_function* function, MPI_Errhandler* handler);
int MPI_Win_set_errhandler(MPI_Win win, MPI_Errhandler handler);
int MPI_Win_get_errhandler(MPI_Win win, MPI_Errhandler* handler);
int MPI_Win_call_errhandler(MPI_Win win, int code);
int MPI_Win_create_keyval(MPI_Win_copy_attr_function* copy, MPI_Win_delete_attr_function* del, int* key, void* extra);
int MPI_Win_free_keyval(int* key);
int MPI_Win_set_attr(MPI_Win win, int key, void* value);
int MPI_Win_get_attr(MPI_Win win, int key, void* value, int* flag);
int MPI_Win_delete_attr(MPI_Win win, int key);

/* One-sided communication: accesses. */
int MPI_Put(const void* origin, int origin_count, MPI_Datatype origin_type, int target, MPI_Aint target_displacement,
            int target_count, MPI_Datatype target_type, MPI_Win win);
int MPI_Get(void* origin, int origin_count, MPI_Datatype origin_type, int target, MPI_Aint target_displacement,
            int target_count, MPI_Datatype target_type, MPI_Win win);
int MPI_Accumulate(const void* origin, int origin_count, MPI_Datatype origin_type, int target,
                   MPI_Aint target_displacement, int target_count, MPI_Datatype target_type, MPI_Op op, MPI_Win win);
int MPI_Get_accumulate(const void* origin, int origin_count, MPI_Datatype origin_type, void* result_address,
                       int result_count, MPI_Datatype result_type, int target, MPI_Aint target_displacement,
                       int target_count, MPI_Datatype target_type, MPI_Op op, MPI_Win win);
int MPI_Fetch_and_op(const void* origin, void* result_address, MPI_Datatype datatype, int target,
                     MPI_Aint target_displacement, MPI_Op op, MPI_Win win);
int MPI_Compare_and_swap(const void* origin, const void* compare, void* result_address, MPI_Datatype datatype,
                         int target, MPI_Aint target_displacement, MPI_Win win);
int MPI_Rput(const void* origin, int origin_count, MPI_Datatype origin_type, int target, MPI_Aint target_displacement,
             int target_count, MPI_Datatype target_type, MPI_Win win, MPI_Request* request);
int MPI_Rget(void* origin, int origin_count, MPI_Datatype origin_type, int target, MPI_Aint target_displacement,
             int target_count, MPI_Datatype target_type, MPI_Win win, MPI_Request* request);
int MPI_Raccumulate(const void* origin, int origin_count, MPI_Datatype origin_type, int target,
                    MPI_Aint target_displacement, int target_count, MPI_Datatype target_type, MPI_Op op, MPI_Win win,
                    MPI_Request* request);
int MPI_Rget_accumulate(const void* origin, int origin_count, MPI_Datatype origin_type, void* result_address,
                        int result_count, MPI_Datatype result_type, int target, MPI_Aint target_displacement,
                        int target_count, MPI_Datatype target_type, MPI_Op op, MPI_Win win, MPI_Request* request);

/* One-sided communication: epochs. */
int MPI_Win_fence(int assertion, MPI_Win win);
int MPI_Win_post(MPI_Group group, int assertion, MPI_Win win);
int MPI_Win_start(MPI_Group group, int assertion, MPI_Win win);
int MPI_Win_complete(MPI_Win win);
int MPI_Win_wait(MPI_Win win);
int MPI_Win_test(MPI_Win win, int* flag);
int MPI_Win_lock(int lock_type, int rank, int assertion, MPI_Win win);
int MPI_Win_unlock(int rank, MPI_Win win);
int MPI_Win_lock_all(int assertion, MPI_Win win);
int MPI_Win_unlock_all(MPI_Win win);
int MPI_Win_flush(int rank, MPI_Win win);
int MPI_Win_flush_all(MPI_Win win);
int MPI_Win_flush_local(int rank, MPI_Win win);
int MPI_Win_flush_local_all(MPI_Win win);
int MPI_Win_sync(MPI_Win win);

/* Files: the whole. */
int MPI_File_open(MPI_Comm comm, const char* filename, int amode, MPI_Info info, MPI_File* file);
int MPI_File_close(MPI_File* file);
int MPI_File_delete(const char* filename, MPI_Info info);
int MPI_File_set_size(MPI_File file, MPI_Offset size);
int MPI_File_preallocate(MPI_File file, MPI_Offset size);
int MPI_File_get_size(MPI_File file, MPI_Offset* size);
int MPI_File_get_group(MPI_File file, MPI_Group* group);
int MPI_File_get_amode(MPI_File file, int* amode);
int MPI_File_set_info(MPI_File file, MPI_Info info);
int MPI_File_get_info(MPI_File file, MPI_Info* info);
int MPI_File_set_view(MPI_File file, MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype,
                      const char* datarep, MPI_Info info);
int MPI_File_get_view(MPI_File file, MPI_Offset* displacement, MPI_Datatype* etype, MPI_Datatype* filetype,
                      char* datarep);
int MPI_File_get_type_extent(MPI_File file, MPI_Datatype datatype, MPI_Aint* extent);
int MPI_File_set_atomicity(MPI_File file, int flag);
int MPI_File_get_atomicity(MPI_File file, int* flag);
int MPI_File_sync(MPI_File file);
int MPI_Register_datarep(const char* datarep, MPI_Datarep_conversion_function* read_conversion,
                         MPI_Datarep_conversion_function* write_conversion, MPI_Datarep_extent_function* file_extent,
                         void* extra);
int MPI_File_create_errhandler(MPI_File_errhandler_function* function, MPI_Errhandler* handler);
int MPI_File_set_errhandler(MPI_File file, MPI_Errhandler handler);
int MPI_File_get_errhandler(MPI_File file, MPI_Errhandler* handler);
int MPI_File_call_errhandler(MPI_File file, int code);

/* Files: pointers. */
int MPI_File_seek(MPI_File file, MPI_Offset offset, int whence);
int MPI_File_get_position(MPI_File file, MPI_Offset* offset);
int MPI_File_get_byte_offset(MPI_File file, MPI_Offset offset, MPI_Offset* byte);
int MPI_File_seek_shared(MPI_File file, MPI_Offset offset, int whence);
int MPI_File_get_position_shared(MPI_File file, MPI_Offset* offset);

/* Files: explicit offsets. */
int MPI_File_read_at(MPI_File file, MPI_Offset offset, void* buffer, int count, MPI_Datatype datatype,
                     MPI_Status* status);
int MPI_File_read_at_all(MPI_File file, MPI_Offset offset, void* buffer, int count, MPI_Datatype datatype,
                         MPI_Status* status);
int MPI_File_iread_at(MPI_File file, MPI_Offset offset, void* buffer, int count, MPI_Datatype datatype,
                      MPI_Request* request);
int MPI_File_iread_at_all(MPI_File file, MPI_Offset offset, void* buffer, int count, MPI_Datatype datatype,
                          MPI_Request* request);
int MPI_File_read_at_all_begin(MPI_File file, MPI_Offset offset, void* buffer, int count, MPI_Datatype datatype);
int MPI_File_read_at_all_end(MPI_File file, void* buffer, MPI_Status* status);
int MPI_File_write_at(MPI_File file, MPI_Offset offset, const void* buffer, int count, MPI_Datatype datatype,
                      MPI_Status* status);
int MPI_File_write_at_all(MPI_File file, MPI_Offset offset, const void* buffer, int count, MPI_Datatype datatype,
                          MPI_Status* status);
int MPI_File_iwrite_at(MPI_File file, MPI_Offset offset, const void* buffer, int count, MPI_Datatype datatype,
                       MPI_Request* request);
int MPI_File_iwrite_at_all(MPI_File file, MPI_Offset offset, const void* buffer, int count, MPI_Datatype datatype,
                           MPI_Request* request);
int MPI_File_write_at_all_begin(MPI_File file, MPI_Offset offset, const void* buffer, int count, MPI_Datatype datatype);
int MPI_File_write_at_all_end(MPI_File file, const void* buffer, MPI_Status* status);

/* Files: each process's own pointer. */
int MPI_File_read(MPI_File file, void* buffer, int count, MPI_Datatype datatype, MPI_Status* status);
int MPI_File_read_all(MPI_File file, void* buffer, int count, MPI_Datatype datatype, MPI_Status* status);
int MPI_File_iread(MPI_File file, void* buffer, int count, MPI_Datatype datatype, MPI_Request* request);
int MPI_File_iread_all(MPI_File file, void* buffer, int count, MPI_Datatype datatype, MPI_Request* request);
int MPI_File_read_all_begin(MPI_File file, void* buffer, int count, MPI_Datatype datatype);
int MPI_File_read_all_end(MPI_File file, void* buffer, MPI_Status* status);
int MPI_File_write(MPI_File file, const void* buffer, int count, MPI_Datatype datatype, MPI_Status* status);
int MPI_File_write_all(MPI_File file, const void* buffer, int count, MPI_Datatype datatype, MPI_Status* status);
int MPI_File_iwrite(MPI_File file, const void* buffer, int count, MPI_Datatype datatype, MPI_Request* request);
int MPI_File_iwrite_all(MPI_File file, const void* buffer, int count, MPI_Datatype datatype, MPI_Request* request);
int MPI_File_write_all_begin(MPI_File file, const void* buffer, int count, MPI_Datatype datatype);
int MPI_File_write_all_end(MPI_File file, const void* buffer, MPI_Status* status);

/* Files: the shared pointer. */
int MPI_File_read_shared(MPI_File file, void* buffer, int count, MPI_Datatype datatype, MPI_Status* status);
int MPI_File_iread_shared(MPI_File file, void* buffer, int count, MPI_Datatype datatype, MPI_Request* request);
int MPI_File_read_ordered(MPI_File file, void* buffer, int count, MPI_Datatype datatype, MPI_Status* status);
int MPI_File_read_ordered_begin(MPI_File file, void* buffer, int count, MPI_Datatype datatype);
int MPI_File_read_ordered_end(MPI_File file, void* buffer, MPI_Status* status);
int MPI_File_write_shared(MPI_File file, const void* buffer, int count, MPI_Datatype datatype, MPI_Status* status);
int MPI_File_iwrite_shared(MPI_File file, const void* buffer, int count, MPI_Datatype datatype, MPI_Request* request);
int MPI_File_write_ordered(MPI_File file, const void* buffer, int count, MPI_Datatype datatype, MPI_Status* status);
int MPI_File_write_ordered_begin(MPI_File file, const void* buffer, int count, MPI_Datatype datatype);
int MPI_File_write_ordered_end(MPI_File file, const void* buffer, MPI_Status* status);

/* Info objects. */
int MPI_Info_create(MPI_Info* info);
int MPI_Info_dup(MPI_Info info, MPI_Info* made);
int MPI_Info_free(MPI_Info* info);
int MPI_Info_set(MPI_Info info, const char* key, const char* value);
int MPI_Info_get(MPI_Info info, const char* key, int length, char* value, int* flag);
int MPI_Info_get_valuelen(MPI_Info info, const char* key, int* length, int* flag);
int MPI_Info_get_nkeys(MPI_Info info, int* count);
int MPI_Info_get_nthkey(MPI_Info info, int n, char* key);
int MPI_Info_delete(MPI_Info info, const char* key);

/* Handles in C and Fortran are the same integers. */
int MPI_Status_c2f(const MPI_Status* status, MPI_Fint* fortran);
int MPI_Status_f2c(const MPI_Fint* fortran, MPI_Status* status);
#define MPI_Comm_c2f(comm) (comm)
#define MPI_Comm_f2c(comm) (comm)
#define MPI_Group_c2f(group) (group)
#define MPI_Group_f2c(group) (group)
#define MPI_Type_c2f(datatype) (datatype)
#define MPI_Type_f2c(datatype) (datatype)
#define MPI_Op_c2f(op) (op)
#define MPI_Op_f2c(op) (op)
#define MPI_Request_c2f(request) (request)
#define MPI_Request_f2c(request) (request)
#define MPI_Errhandler_c2f(handler) (handler)
#define MPI_Errhandler_f2c(handler) (handler)
#define MPI_Info_c2f(info) (info)
#define MPI_Info_f2c(info) (info)
#define MPI_Win_c2f(win) (win)
#define MPI_Win_f2c(win) (win)
#define MPI_Message_c2f(message) (message)
#define MPI_Message_f2c(message) (message)
#define MPI_File_c2f(file) (file)
#define MPI_File_f2c(file) (file)
#define PMPI_Comm_c2f(comm) (comm)
#define PMPI_Comm_f2c(comm) (comm)
#define PMPI_Group_c2f(group) (group)
#define PMPI_Group_f2c(group) (group)
#define PMPI_Type_c2f(datatype) (datatype)
#define PMPI_Type_f2c(datatype) (datatype)
#define PMPI_Op_c2f(op) (op)
#define PMPI_Op_f2c(op) (op)
#define PMPI_Request_c2f(request) (request)
#define PMPI_Request_f2c(request) (request)
#define PMPI_Errhandler_c2f(handler) (handler)
#define PMPI_Errhandler_f2c(handler) (handler)
#define PMPI_Info_c2f(info) (info)
#define PMPI_Info_f2c(info) (info)
#define PMPI_Win_c2f(win) (win)
#define PMPI_Win_f2c(win) (win)
#define PMPI_Message_c2f(message) (message)
#define PMPI_Message_f2c(message) (message)
#define PMPI_File_c2f(file) (file)
#define PMPI_File_f2c(file) (file)
/* mpif.h's MPI_STATUS_IGNORE and MPI_STATUSES_IGNORE. */
extern MPI_Fint *MPI_F_STATUS_IGNORE, *MPI_F_STATUSES_IGNORE;

#include "mpi_profiling.h" /* the same functions as PMPI_ */

#ifdef __cplusplus
}
#endif

#endif
