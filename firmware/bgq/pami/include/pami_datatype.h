/* SPDX-License-Identifier: Apache-2.0 */
/* Part of <pami.h>: types, which say where data lie, and functions that copy or combine data. */
#ifndef __pami_datatype_h__
#define __pami_datatype_h__

#include <pami_base.h>

/* Contiguous elements. */
extern pami_type_t PAMI_TYPE_BYTE;
extern pami_type_t PAMI_TYPE_SIGNED_CHAR;
extern pami_type_t PAMI_TYPE_UNSIGNED_CHAR;
extern pami_type_t PAMI_TYPE_SIGNED_SHORT;
extern pami_type_t PAMI_TYPE_UNSIGNED_SHORT;
extern pami_type_t PAMI_TYPE_SIGNED_INT;
extern pami_type_t PAMI_TYPE_UNSIGNED_INT;
extern pami_type_t PAMI_TYPE_SIGNED_LONG;
extern pami_type_t PAMI_TYPE_UNSIGNED_LONG;
extern pami_type_t PAMI_TYPE_SIGNED_LONG_LONG;
extern pami_type_t PAMI_TYPE_UNSIGNED_LONG_LONG;
extern pami_type_t PAMI_TYPE_FLOAT;
extern pami_type_t PAMI_TYPE_DOUBLE;
extern pami_type_t PAMI_TYPE_LONG_DOUBLE;
/* Integers of 1, 2, 4, 8 bytes, true unless 0. */
extern pami_type_t PAMI_TYPE_LOGICAL1;
extern pami_type_t PAMI_TYPE_LOGICAL2;
extern pami_type_t PAMI_TYPE_LOGICAL4;
extern pami_type_t PAMI_TYPE_LOGICAL8;
extern pami_type_t PAMI_TYPE_SINGLE_COMPLEX;
extern pami_type_t PAMI_TYPE_DOUBLE_COMPLEX;
/* A value, then its place. */
extern pami_type_t PAMI_TYPE_LOC_2INT;
extern pami_type_t PAMI_TYPE_LOC_2FLOAT;
extern pami_type_t PAMI_TYPE_LOC_2DOUBLE;
extern pami_type_t PAMI_TYPE_LOC_SHORT_INT;
extern pami_type_t PAMI_TYPE_LOC_FLOAT_INT;
extern pami_type_t PAMI_TYPE_LOC_DOUBLE_INT;
extern pami_type_t PAMI_TYPE_LOC_LONG_INT;
extern pami_type_t PAMI_TYPE_LOC_LONGDOUBLE_INT;

/* What becomes of source and target, element by element; with the types above alone. */
extern pami_data_function PAMI_DATA_COPY; /* any type */
extern pami_data_function PAMI_DATA_NOOP; /* any type */
extern pami_data_function PAMI_DATA_MAX;  /* integers, floating point */
extern pami_data_function PAMI_DATA_MIN;
extern pami_data_function PAMI_DATA_SUM; /* also complex */
extern pami_data_function PAMI_DATA_PROD;
extern pami_data_function PAMI_DATA_LAND; /* integers, logicals */
extern pami_data_function PAMI_DATA_LOR;
extern pami_data_function PAMI_DATA_LXOR;
extern pami_data_function PAMI_DATA_BAND; /* integers */
extern pami_data_function PAMI_DATA_BOR;
extern pami_data_function PAMI_DATA_BXOR;
extern pami_data_function PAMI_DATA_MAXLOC; /* value and place */
extern pami_data_function PAMI_DATA_MINLOC;

/* A program's own types. A cursor starts at 0: it moves by `offset`, and by `stride` behind each of `count` pieces that
 * are added. Where it ends is the type's extent, from one element to the next. Differences may be negative, as size_t.
 * PAMI_INVAL: the type is complete already, a part is not, or an atom does not divide all pieces. */
pami_result_t PAMI_Type_create(pami_type_t* type);
pami_result_t PAMI_Type_add_simple(pami_type_t type, size_t bytes, size_t offset, size_t count, size_t stride);
pami_result_t PAMI_Type_add_typed(pami_type_t type, pami_type_t subtype, size_t offset, size_t count, size_t stride);
pami_result_t PAMI_Type_complete(pami_type_t type, size_t atom_size); /* from now on it can be used, not changed */
pami_result_t PAMI_Type_destroy(pami_type_t* type);

/* A complete type as bytes that can be sent; they belong to the type. */
pami_result_t PAMI_Type_serialize(pami_type_t type, void** address, size_t* size);
pami_result_t PAMI_Type_deserialize(pami_type_t* type, void* address, size_t size);
pami_result_t PAMI_Type_query(pami_type_t type, pami_configuration_t configuration[], size_t num_configs);

/* Moves `size` bytes of data between two buffers of this process; offsets count bytes of data. */
pami_result_t PAMI_Type_transform_data(void* src_addr, pami_type_t src_type, size_t src_offset, void* dst_addr,
                                       pami_type_t dst_type, size_t dst_offset, size_t size, pami_data_function data_fn,
                                       void* cookie);

#endif
