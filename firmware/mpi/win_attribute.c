// SPDX-License-Identifier: Apache-2.0
// What windows have beside their memory: attributes, names, hints, groups, error handlers.
#include <string.h>

#include "firmware/mpi/attribute.h"
#include "firmware/mpi/errhandler.h"
#include "firmware/mpi/win.h"

int PMPI_Win_create_keyval(MPI_Win_copy_attr_function* copy, MPI_Win_delete_attr_function* del, int* key, void* extra) {
  mpii_enter("MPI_Win_create_keyval");
  MPII_TRY(mpii_check_given(NULL, key, "key"));
  *key = mpii_keyval_new(MPII_WIN, copy, del, extra);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Win_create_keyval);

int PMPI_Win_free_keyval(int* key) {
  mpii_enter("MPI_Win_free_keyval");
  MPII_TRY(mpii_check_given(NULL, key, "key"));
  return mpii_keyval_free(NULL, MPII_WIN, key);
}
MPII_PUBLIC(Win_free_keyval);

int PMPI_Win_set_attr(MPI_Win handle, int key, void* value) {
  mpii_win_t* win;
  MPII_TRY(mpii_enter_win("MPI_Win_set_attr", handle, &win));
  return mpii_attribute_set(win->comm, handle, &win->attributes, key, value);
}
MPII_PUBLIC(Win_set_attr);

/// The value of a key that is the library's own: the base itself, pointers to the others.
static void* own_value(mpii_win_t* win, int key) {
  static const int model = MPI_WIN_UNIFIED;
  switch (key) {
    case MPI_WIN_BASE:
      return win->base;
    case MPI_WIN_SIZE:
      return &win->size;
    case MPI_WIN_DISP_UNIT:
      return &win->unit;
    case MPI_WIN_CREATE_FLAVOR:
      return &win->flavor;
    default:
      return (void*)(uintptr_t)&model;
  }
}

int PMPI_Win_get_attr(MPI_Win handle, int key, void* value, int* flag) {
  mpii_win_t* win;
  MPII_TRY(mpii_enter_win("MPI_Win_get_attr", handle, &win));
  MPII_TRY(mpii_check_given(win->comm, value, "value"));
  MPII_TRY(mpii_check_given(win->comm, flag, "flag"));
  if (key < MPI_WIN_BASE || key > MPI_WIN_MODEL) {
    return mpii_attribute_get(win->comm, handle, win->attributes, key, value, flag);
  }
  *(void**)value = own_value(win, key);
  *flag = 1;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Win_get_attr);

int PMPI_Win_delete_attr(MPI_Win handle, int key) {
  mpii_win_t* win;
  MPII_TRY(mpii_enter_win("MPI_Win_delete_attr", handle, &win));
  return mpii_attribute_delete(win->comm, handle, &win->attributes, key);
}
MPII_PUBLIC(Win_delete_attr);

int PMPI_Win_get_group(MPI_Win handle, MPI_Group* group) {
  mpii_win_t* win;
  MPII_TRY(mpii_enter_win("MPI_Win_get_group", handle, &win));
  MPII_TRY(mpii_check_given(win->comm, group, "group"));
  *group = mpii_group_open(win->comm->group);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Win_get_group);

int PMPI_Win_set_name(MPI_Win handle, const char* name) {
  mpii_win_t* win;
  MPII_TRY(mpii_enter_win("MPI_Win_set_name", handle, &win));
  MPII_TRY(mpii_check_given(win->comm, name, "name"));
  memset(win->comm->name, 0, sizeof win->comm->name);
  strncpy(win->comm->name, name, sizeof win->comm->name - 1);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Win_set_name);

int PMPI_Win_get_name(MPI_Win handle, char* name, int* length) {
  mpii_win_t* win;
  MPII_TRY(mpii_enter_win("MPI_Win_get_name", handle, &win));
  MPII_TRY(mpii_check_given(win->comm, name, "name"));
  MPII_TRY(mpii_check_given(win->comm, length, "length"));
  *length = (int)strlen(win->comm->name);
  memcpy(name, win->comm->name, (size_t)*length + 1);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Win_get_name);

int PMPI_Win_set_info(MPI_Win handle, MPI_Info info_handle) {
  mpii_win_t* win;
  struct mpii_info* info;
  MPII_TRY(mpii_enter_win("MPI_Win_set_info", handle, &win));
  MPII_TRY(mpii_info(win->comm, info_handle, &info));
  struct mpii_info* copy = mpii_info_copy(info);
  mpii_info_free(win->comm->info);
  win->comm->info = copy;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Win_set_info);

int PMPI_Win_get_info(MPI_Win handle, MPI_Info* info) {
  mpii_win_t* win;
  MPII_TRY(mpii_enter_win("MPI_Win_get_info", handle, &win));
  MPII_TRY(mpii_check_given(win->comm, info, "info"));
  *info = mpii_info_open(mpii_info_copy(win->comm->info));
  return MPI_SUCCESS;
}
MPII_PUBLIC(Win_get_info);

int PMPI_Win_create_errhandler(MPI_Win_errhandler_function* function, MPI_Errhandler* handler) {
  mpii_enter("MPI_Win_create_errhandler");
  MPII_TRY(mpii_check_given(NULL, handler, "handler"));
  if (function == NULL) return mpii_fail(NULL, MPI_ERR_ARG, "the function is a null pointer");
  *handler = mpii_errhandler_new(function);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Win_create_errhandler);

int PMPI_Win_set_errhandler(MPI_Win handle, MPI_Errhandler handler_handle) {
  mpii_win_t* win;
  mpii_errhandler_t* handler;
  MPII_TRY(mpii_enter_win("MPI_Win_set_errhandler", handle, &win));
  MPII_TRY(mpii_errhandler(win->comm, handler_handle, &handler));
  mpii_errhandler_t* old = win->comm->errhandler;
  win->comm->errhandler = mpii_retain(handler);
  mpii_errhandler_release(old);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Win_set_errhandler);

int PMPI_Win_get_errhandler(MPI_Win handle, MPI_Errhandler* handler) {
  mpii_win_t* win;
  MPII_TRY(mpii_enter_win("MPI_Win_get_errhandler", handle, &win));
  MPII_TRY(mpii_check_given(win->comm, handler, "handler"));
  *handler = mpii_errhandler_open(win->comm->errhandler);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Win_get_errhandler);

int PMPI_Win_call_errhandler(MPI_Win handle, int code) {
  mpii_win_t* win;
  MPII_TRY(mpii_enter_win("MPI_Win_call_errhandler", handle, &win));
  mpii_fail_class(win->comm, code);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Win_call_errhandler);
