// SPDX-License-Identifier: Apache-2.0
// Error codes: their classes and texts, the library's and the program's own.
#include <stdlib.h>
#include <string.h>

#include "firmware/mpi/errhandler.h"

/// A code that the program has added; a class is a code of its own class.
typedef struct {
  int class;
  char* text;  ///< NULL: none
} added_t;

static added_t* added;
static int added_count;

/// The program's codes come behind the library's.
static added_t* find(int code) {
  const int number = code - MPI_ERR_LASTCODE - 1;
  return number < 0 || number >= added_count ? NULL : &added[number];
}

int mpii_last_code(void) {
  return MPI_ERR_LASTCODE + added_count;
}

const char* mpii_code_text(int code) {
  const added_t* own = find(code);
  if (own != NULL) return own->text != NULL ? own->text : "";
  if (code < 0 || code > MPI_ERR_LASTCODE) return NULL;
  const char* text = mpii_class_text(code);
  return text != NULL ? text : "unknown error";  // a number that no error has yet
}

static int add(int class) {
  added_t* more = realloc(added, ((size_t)added_count + 1) * sizeof *more);
  if (more == NULL) mpii_end("no memory for an error code");
  added = more;
  added[added_count++] = (added_t){class, NULL};
  return mpii_last_code();
}

int PMPI_Add_error_class(int* error_class) {
  mpii_enter("MPI_Add_error_class");
  MPII_TRY(mpii_check_given(NULL, error_class, "error_class"));
  *error_class = add(mpii_last_code() + 1);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Add_error_class);

int PMPI_Add_error_code(int error_class, int* code) {
  mpii_enter("MPI_Add_error_code");
  MPII_TRY(mpii_check_given(NULL, code, "code"));
  const added_t* own = find(error_class);
  if (mpii_code_text(error_class) == NULL || (own != NULL && own->class != error_class)) {
    return mpii_fail(NULL, MPI_ERR_ARG, "%d is no error class", error_class);
  }
  *code = add(error_class);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Add_error_code);

int PMPI_Add_error_string(int code, const char* text) {
  mpii_enter("MPI_Add_error_string");
  MPII_TRY(mpii_check_given(NULL, text, "text"));
  added_t* own = find(code);
  if (own == NULL) return mpii_fail(NULL, MPI_ERR_ARG, "%d is no error code that the program has added", code);
  if (strlen(text) >= MPI_MAX_ERROR_STRING) {
    return mpii_fail(NULL, MPI_ERR_ARG, "the text has %lu characters; at most %d are possible",
                     (unsigned long)strlen(text), MPI_MAX_ERROR_STRING - 1);
  }
  free(own->text);
  own->text = strcpy(mpii_allocate(strlen(text) + 1), text);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Add_error_string);

int PMPI_Error_class(int code, int* error_class) {
  mpii_enter("MPI_Error_class");
  MPII_TRY(mpii_check_given(NULL, error_class, "error_class"));
  const added_t* own = find(code);
  if (mpii_code_text(code) == NULL) return mpii_fail(NULL, MPI_ERR_ARG, "%d is no error code", code);
  *error_class = own != NULL ? own->class : code;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Error_class);

int PMPI_Error_string(int code, char* text, int* length) {
  mpii_enter("MPI_Error_string");
  MPII_TRY(mpii_check_given(NULL, text, "text"));
  MPII_TRY(mpii_check_given(NULL, length, "length"));
  const char* known = mpii_code_text(code);
  if (known == NULL) return mpii_fail(NULL, MPI_ERR_ARG, "%d is no error code", code);
  strcpy(text, known);
  *length = (int)strlen(text);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Error_string);
