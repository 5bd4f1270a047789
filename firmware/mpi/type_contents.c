// SPDX-License-Identifier: Apache-2.0
// How a datatype was made, and its name.
#include <stdlib.h>
#include <string.h>

#include "firmware/mpi/type_builder.h"

int PMPI_Type_get_envelope(MPI_Datatype handle, int* integers, int* addresses, int* datatypes, int* combiner) {
  mpii_datatype_t* datatype;
  mpii_enter("MPI_Type_get_envelope");
  MPII_TRY(mpii_check_given(NULL, integers, "integers"));
  MPII_TRY(mpii_check_given(NULL, addresses, "addresses"));
  MPII_TRY(mpii_check_given(NULL, datatypes, "datatypes"));
  MPII_TRY(mpii_check_given(NULL, combiner, "combiner"));
  MPII_TRY(mpii_datatype_any(NULL, handle, &datatype));
  static const mpii_recipe_t named = {.combiner = MPI_COMBINER_NAMED};
  const mpii_recipe_t* recipe = datatype->recipe != NULL ? datatype->recipe : &named;
  *integers = (int)recipe->integers;
  *addresses = (int)recipe->addresses;
  *datatypes = (int)recipe->datatypes;
  *combiner = recipe->combiner;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Type_get_envelope);

int PMPI_Type_get_contents(MPI_Datatype handle, int max_integers, int max_addresses, int max_datatypes, int integers[],
                           MPI_Aint addresses[], MPI_Datatype datatypes[]) {
  mpii_datatype_t* datatype;
  mpii_enter("MPI_Type_get_contents");
  MPII_TRY(mpii_datatype_any(NULL, handle, &datatype));
  const mpii_recipe_t* recipe = datatype->recipe;
  if (recipe == NULL) return mpii_fail(NULL, MPI_ERR_TYPE, "%s is predefined: it has no contents", datatype->name);
  if (max_integers < (int)recipe->integers || max_addresses < (int)recipe->addresses ||
      max_datatypes < (int)recipe->datatypes) {
    return mpii_fail(NULL, MPI_ERR_ARG, "room for %d integers, %d addresses and %d datatypes; there are %u, %u and %u",
                     max_integers, max_addresses, max_datatypes, recipe->integers, recipe->addresses,
                     recipe->datatypes);
  }
  MPII_TRY(mpii_check_array(NULL, integers, (int)recipe->integers, "integers"));
  MPII_TRY(mpii_check_array(NULL, addresses, (int)recipe->addresses, "addresses"));
  MPII_TRY(mpii_check_array(NULL, datatypes, (int)recipe->datatypes, "datatypes"));
  memcpy(integers, recipe->integer, recipe->integers * sizeof *integers);
  memcpy(addresses, recipe->address, recipe->addresses * sizeof *addresses);
  for (uint32_t number = 0; number < recipe->datatypes; ++number) {
    datatypes[number] = mpii_datatype_open(recipe->datatype[number]);
  }
  return MPI_SUCCESS;
}
MPII_PUBLIC(Type_get_contents);

int PMPI_Type_set_name(MPI_Datatype handle, const char* name) {
  mpii_datatype_t* datatype;
  mpii_enter("MPI_Type_set_name");
  MPII_TRY(mpii_check_given(NULL, name, "name"));
  MPII_TRY(mpii_datatype_any(NULL, handle, &datatype));
  if (datatype->given_name == NULL) datatype->given_name = mpii_allocate(MPI_MAX_OBJECT_NAME);
  strncpy(datatype->given_name, name, MPI_MAX_OBJECT_NAME - 1);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Type_set_name);

int PMPI_Type_get_name(MPI_Datatype handle, char* name, int* length) {
  mpii_datatype_t* datatype;
  mpii_enter("MPI_Type_get_name");
  MPII_TRY(mpii_check_given(NULL, name, "name"));
  MPII_TRY(mpii_check_given(NULL, length, "length"));
  MPII_TRY(mpii_datatype_any(NULL, handle, &datatype));
  const char* known = datatype->given_name != NULL ? datatype->given_name : datatype->name;
  strcpy(name, known != NULL ? known : "");
  *length = (int)strlen(name);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Type_get_name);
