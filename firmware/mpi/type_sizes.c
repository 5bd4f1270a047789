// SPDX-License-Identifier: Apache-2.0
// Datatypes by the values that they are to hold: MPI_Type_match_size() and Fortran's selected kinds.
#include <float.h>

#include "firmware/mpi/type_builder.h"

/// What Fortran's kinds hold: those that are C's types.
typedef struct {
  MPI_Datatype real, complex;
  int size;       ///< bytes of the real one
  int precision;  ///< decimal digits
  int range;      ///< decimal exponent
} real_kind_t;

static const real_kind_t real_kinds[] = {
    {MPI_REAL4, MPI_COMPLEX8, 4, FLT_DIG, -FLT_MIN_10_EXP},
    {MPI_REAL8, MPI_COMPLEX16, 8, DBL_DIG, -DBL_MIN_10_EXP},
    {MPI_REAL16, MPI_COMPLEX32, 16, LDBL_DIG, -LDBL_MIN_10_EXP},
};
enum { REAL_KINDS = sizeof real_kinds / sizeof *real_kinds };

typedef struct {
  MPI_Datatype integer;
  int size;
  int range;
} integer_kind_t;

static const integer_kind_t integer_kinds[] = {
    {MPI_INTEGER1, 1, 2},
    {MPI_INTEGER2, 2, 4},
    {MPI_INTEGER4, 4, 9},
    {MPI_INTEGER8, 8, 18},
};
enum { INTEGER_KINDS = sizeof integer_kinds / sizeof *integer_kinds };

int PMPI_Type_match_size(int type_class, int size, MPI_Datatype* datatype) {
  mpii_enter("MPI_Type_match_size");
  MPII_TRY(mpii_check_given(NULL, datatype, "datatype"));
  *datatype = MPI_DATATYPE_NULL;
  for (unsigned kind = 0; kind < REAL_KINDS; ++kind) {
    if (type_class == MPI_TYPECLASS_REAL && real_kinds[kind].size == size) *datatype = real_kinds[kind].real;
    if (type_class == MPI_TYPECLASS_COMPLEX && 2 * real_kinds[kind].size == size) *datatype = real_kinds[kind].complex;
  }
  for (unsigned kind = 0; kind < INTEGER_KINDS; ++kind) {
    if (type_class == MPI_TYPECLASS_INTEGER && integer_kinds[kind].size == size) {
      *datatype = integer_kinds[kind].integer;
    }
  }
  if (*datatype != MPI_DATATYPE_NULL) return MPI_SUCCESS;
  return mpii_fail(NULL, MPI_ERR_ARG, "no datatype of class %d has %d bytes", type_class, size);
}
MPII_PUBLIC(Type_match_size);

/// A datatype of the user's range, which knows how it was made and cannot be freed.
static MPI_Datatype selected(int combiner, MPI_Datatype handle, const int* arguments, unsigned count) {
  mpii_datatype_t* old = mpii_object(handle, MPII_DATATYPE);
  mpii_builder_t builder;
  mpii_build(&builder, combiner, count, 0, 0);
  for (unsigned i = 0; i < count; ++i) mpii_build_integer(&builder, arguments[i]);
  mpii_build_add(&builder, old, 1, 0);
  const MPI_Datatype made = mpii_build_complete(&builder, false);
  builder.datatype->committed = builder.datatype->predefined = true;
  builder.datatype->name = old->name;
  return made;
}

static int selected_real(const char* function, int combiner, int precision, int range, MPI_Datatype* made) {
  mpii_enter(function);
  MPII_TRY(mpii_check_given(NULL, made, "made"));
  const int arguments[] = {precision, range};
  for (unsigned kind = 0; kind < REAL_KINDS; ++kind) {
    const real_kind_t* real = &real_kinds[kind];
    if ((precision != MPI_UNDEFINED && precision > real->precision) ||
        (range != MPI_UNDEFINED && range > real->range)) {
      continue;
    }
    *made = selected(combiner, combiner == MPI_COMBINER_F90_REAL ? real->real : real->complex, arguments, 2);
    return MPI_SUCCESS;
  }
  return mpii_fail(NULL, MPI_ERR_ARG, "no real kind has %d digits and exponents to %d", precision, range);
}

int PMPI_Type_create_f90_real(int precision, int range, MPI_Datatype* made) {
  return selected_real("MPI_Type_create_f90_real", MPI_COMBINER_F90_REAL, precision, range, made);
}
MPII_PUBLIC(Type_create_f90_real);

int PMPI_Type_create_f90_complex(int precision, int range, MPI_Datatype* made) {
  return selected_real("MPI_Type_create_f90_complex", MPI_COMBINER_F90_COMPLEX, precision, range, made);
}
MPII_PUBLIC(Type_create_f90_complex);

int PMPI_Type_create_f90_integer(int range, MPI_Datatype* made) {
  mpii_enter("MPI_Type_create_f90_integer");
  MPII_TRY(mpii_check_given(NULL, made, "made"));
  for (unsigned kind = 0; kind < INTEGER_KINDS; ++kind) {
    if (range > integer_kinds[kind].range) continue;
    *made = selected(MPI_COMBINER_F90_INTEGER, integer_kinds[kind].integer, &range, 1);
    return MPI_SUCCESS;
  }
  return mpii_fail(NULL, MPI_ERR_ARG, "no integer kind reaches 10^%d", range);
}
MPII_PUBLIC(Type_create_f90_integer);
