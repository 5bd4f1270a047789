// SPDX-License-Identifier: Apache-2.0
// Files: opening, sizes, pointers, contiguous accesses, hints, and what is wrong.
#include <string.h>

#include "check.h"

static int rank, size;

static MPI_File opened(const char* name, int amode) {
  MPI_File file = MPI_FILE_NULL;
  CHECK_ERROR(MPI_SUCCESS, MPI_File_open(MPI_COMM_WORLD, name, amode, MPI_INFO_NULL, &file));
  CHECK(file != MPI_FILE_NULL, "%s has no handle", name);
  return file;
}

static int count_of(const MPI_Status* status) {
  int count;
  MPI_Get_count(status, MPI_BYTE, &count);
  return count;
}

static void modes(void) {
  MPI_File file;
  int amode;
  const char* name = "modes.dat";
  CHECK_ERROR(MPI_ERR_NO_SUCH_FILE, MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
  CHECK(file == MPI_FILE_NULL, "a file that is not there has a handle");
  static const int wrong[] = {0,
                              MPI_MODE_CREATE,
                              MPI_MODE_RDONLY | MPI_MODE_RDWR,
                              MPI_MODE_RDONLY | MPI_MODE_CREATE,
                              MPI_MODE_RDONLY | MPI_MODE_EXCL,
                              MPI_MODE_RDWR | MPI_MODE_SEQUENTIAL,
                              MPI_MODE_RDWR | 512};
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    CHECK_ERROR(MPI_ERR_AMODE, MPI_File_open(MPI_COMM_WORLD, name, wrong[i], MPI_INFO_NULL, &file));
  }
  CHECK_ERROR(MPI_ERR_COMM, MPI_File_open(MPI_COMM_NULL, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
  // One process is refused, and does it again rightly.
  if (rank == 0) CHECK_ERROR(MPI_ERR_AMODE, MPI_File_open(MPI_COMM_WORLD, name, 0, MPI_INFO_NULL, &file));
  amode = MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE;
  CHECK_ERROR(MPI_SUCCESS, MPI_File_open(MPI_COMM_WORLD, name, amode, MPI_INFO_NULL, &file));
  CHECK_ERROR(MPI_SUCCESS, MPI_File_close(&file));
  if (size > 1) {
    amode = MPI_MODE_CREATE | (rank == 0 ? MPI_MODE_WRONLY : MPI_MODE_RDWR);
    CHECK_ERROR(MPI_ERR_NOT_SAME, MPI_File_open(MPI_COMM_WORLD, name, amode, MPI_INFO_NULL, &file));
  }
  CHECK_ERROR(MPI_ERR_BAD_FILE,
              MPI_File_open(MPI_COMM_WORLD, "/", MPI_MODE_RDONLY | MPI_MODE_UNIQUE_OPEN, MPI_INFO_NULL, &file));
  CHECK_ERROR(MPI_ERR_ACCESS, MPI_File_open(MPI_COMM_WORLD, "../out", MPI_MODE_RDONLY, MPI_INFO_NULL, &file));

  file = opened(name, MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_WRONLY | MPI_MODE_UNIQUE_OPEN);
  MPI_File_get_amode(file, &amode);
  CHECK(amode == (MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_WRONLY | MPI_MODE_UNIQUE_OPEN), "the mode is %d", amode);
  char text[8] = "1234567";
  if (rank == 0) CHECK_ERROR(MPI_SUCCESS, MPI_File_write(file, text, 7, MPI_CHAR, MPI_STATUS_IGNORE));
  CHECK_ERROR(MPI_ERR_ACCESS, MPI_File_read(file, text, 1, MPI_CHAR, MPI_STATUS_IGNORE));
  CHECK_ERROR(MPI_SUCCESS, MPI_File_close(&file));
  CHECK(file == MPI_FILE_NULL, "a closed file has a handle");
  CHECK_ERROR(MPI_ERR_FILE_EXISTS, MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR,
                                                 MPI_INFO_NULL, &file));

  file = opened(name, MPI_MODE_RDONLY);
  CHECK_ERROR(MPI_ERR_READ_ONLY, MPI_File_write(file, text, 1, MPI_CHAR, MPI_STATUS_IGNORE));
  CHECK_ERROR(MPI_ERR_READ_ONLY, MPI_File_set_size(file, 3));
  CHECK_ERROR(MPI_ERR_READ_ONLY, MPI_File_preallocate(file, 30));
  MPI_File_close(&file);

  MPI_Offset place;
  file = opened(name, MPI_MODE_RDWR | MPI_MODE_APPEND);
  MPI_File_get_position(file, &place);
  CHECK(place == 7, "a file to append to begins at %lld", place);
  MPI_File_get_position_shared(file, &place);
  CHECK(place == 7, "the shared pointer of a file to append to begins at %lld", place);
  MPI_File_close(&file);

  file = opened(name, MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
  MPI_File_close(&file);
  CHECK_ERROR(MPI_ERR_NO_SUCH_FILE, MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &file));

  file = opened(name, MPI_MODE_CREATE | MPI_MODE_RDWR);
  MPI_File_close(&file);
  if (rank == 0) {
    CHECK_ERROR(MPI_SUCCESS, MPI_File_delete(name, MPI_INFO_NULL));
    CHECK_ERROR(MPI_ERR_NO_SUCH_FILE, MPI_File_delete(name, MPI_INFO_NULL));
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void sizes(void) {
  MPI_File file = opened("sizes.dat", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
  MPI_Offset bytes = -1;
  MPI_File_get_size(file, &bytes);
  CHECK(bytes == 0, "a new file has %lld bytes", bytes);
  CHECK_ERROR(MPI_SUCCESS, MPI_File_set_size(file, 1000));
  MPI_File_get_size(file, &bytes);
  CHECK(bytes == 1000, "the file has %lld bytes", bytes);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_ERROR(MPI_SUCCESS, MPI_File_preallocate(file, 500));
  MPI_File_get_size(file, &bytes);
  CHECK(bytes == 1000, "preallocated less, the file has %lld bytes", bytes);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_ERROR(MPI_SUCCESS, MPI_File_preallocate(file, 2000));
  MPI_File_get_size(file, &bytes);
  CHECK(bytes == 2000, "preallocated more, the file has %lld bytes", bytes);
  CHECK_ERROR(MPI_ERR_ARG, MPI_File_set_size(file, -1));
  if (size > 1) CHECK_ERROR(MPI_ERR_NOT_SAME, MPI_File_set_size(file, rank));
  MPI_Group group, world;
  int result;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_File_get_group(file, &group);
  MPI_Group_compare(group, world, &result);
  CHECK(result == MPI_IDENT, "the file's group is not the communicator's");
  MPI_Group_free(&group);
  MPI_Group_free(&world);
  MPI_File_close(&file);
}

/// Offsets that need more than 32 bits.
static void far_away(void) {
  MPI_File file = opened("far.dat", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
  const MPI_Offset base = 5000000000LL, mine = base + 100 * rank;
  char text[100], again[100];
  MPI_Status status;
  memset(text, 'a' + rank, sizeof text);
  CHECK_ERROR(MPI_SUCCESS, MPI_File_write_at(file, mine, text, 100, MPI_BYTE, &status));
  CHECK(count_of(&status) == 100, "%d bytes were written", count_of(&status));
  MPI_File_seek(file, mine, MPI_SEEK_SET);
  CHECK_ERROR(MPI_SUCCESS, MPI_File_read(file, again, 50, MPI_BYTE, &status));
  CHECK(count_of(&status) == 50 && memcmp(text, again, 50) == 0, "other bytes are read than were written");
  MPI_Offset place, bytes;
  MPI_File_get_position(file, &place);
  CHECK(place == mine + 50, "the pointer is at %lld", place);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_get_size(file, &bytes);
  CHECK(bytes == base + 100 * size, "the file has %lld bytes", bytes);
  CHECK_ERROR(MPI_SUCCESS, MPI_File_seek(file, -100 * size, MPI_SEEK_END));
  MPI_File_get_position(file, &place);
  CHECK(place == base, "before the end is %lld", place);
  CHECK_ERROR(MPI_ERR_ARG, MPI_File_seek(file, -base - 1, MPI_SEEK_CUR));
  CHECK_ERROR(MPI_ERR_ARG, MPI_File_seek(file, 0, 4711));
  MPI_File_get_byte_offset(file, base, &place);
  CHECK(place == base, "byte %lld of the view is byte %lld", base, place);
  // A read at the end is shorter, and nothing behind it.
  MPI_File_read_at(file, bytes - 30, again, 100, MPI_BYTE, &status);
  CHECK(count_of(&status) == 30, "%d bytes before the end", count_of(&status));
  MPI_File_read_at(file, bytes, again, 100, MPI_BYTE, &status);
  CHECK(count_of(&status) == 0, "%d bytes behind the end", count_of(&status));
  MPI_File_close(&file);
}

static void arguments(void) {
  MPI_File file = opened("arguments.dat", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
  int number = 0;
  MPI_Datatype loose;
  MPI_Type_contiguous(3, MPI_INT, &loose);
  CHECK_ERROR(MPI_ERR_COUNT, MPI_File_write(file, &number, -1, MPI_INT, MPI_STATUS_IGNORE));
  CHECK_ERROR(MPI_ERR_TYPE, MPI_File_write(file, &number, 1, MPI_DATATYPE_NULL, MPI_STATUS_IGNORE));
  CHECK_ERROR(MPI_ERR_TYPE, MPI_File_write(file, &number, 1, loose, MPI_STATUS_IGNORE));
  CHECK_ERROR(MPI_ERR_BUFFER, MPI_File_write(file, NULL, 1, MPI_INT, MPI_STATUS_IGNORE));
  CHECK_ERROR(MPI_ERR_ARG, MPI_File_write_at(file, -1, &number, 1, MPI_INT, MPI_STATUS_IGNORE));
  CHECK_ERROR(MPI_SUCCESS, MPI_File_write(file, NULL, 0, MPI_INT, MPI_STATUS_IGNORE));
  CHECK_ERROR(MPI_ERR_FILE, MPI_File_write(MPI_FILE_NULL, &number, 1, MPI_INT, MPI_STATUS_IGNORE));
  CHECK_ERROR(MPI_ERR_FILE, MPI_File_write((MPI_File)4711, &number, 1, MPI_INT, MPI_STATUS_IGNORE));
  MPI_File none = MPI_FILE_NULL;
  CHECK_ERROR(MPI_ERR_FILE, MPI_File_close(&none));
  CHECK_ERROR(MPI_ERR_UNSUPPORTED_DATAREP, MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "of nobody", MPI_INFO_NULL));
  CHECK_ERROR(MPI_ERR_ARG, MPI_File_set_view(file, -1, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
  CHECK_ERROR(MPI_ERR_ARG, MPI_File_set_view(file, 0, MPI_INT, MPI_SHORT, "native", MPI_INFO_NULL));
  CHECK_ERROR(MPI_ERR_TYPE, MPI_File_set_view(file, 0, MPI_INT, loose, "native", MPI_INFO_NULL));
  CHECK_ERROR(MPI_ERR_ARG,
              MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
  CHECK_ERROR(MPI_SUCCESS, MPI_File_set_view(file, 4, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
  char three[3] = {1, 2, 3};
  CHECK_ERROR(MPI_ERR_ARG, MPI_File_write(file, three, 3, MPI_BYTE, MPI_STATUS_IGNORE));
  MPI_Type_free(&loose);
  MPI_File_close(&file);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  CHECK_ERROR(MPI_ERR_COMM, MPI_File_open(MPI_COMM_NULL, "x", MPI_MODE_RDWR, MPI_INFO_NULL, &file));
}

static int told, told_code;
static MPI_File told_file;
static void tell(MPI_File* file, int* code, ...) {
  ++told;
  told_code = *code;
  told_file = *file;
}

static void handlers(void) {
  MPI_Errhandler mine, found;
  MPI_File file;
  MPI_File_get_errhandler(MPI_FILE_NULL, &found);
  CHECK(found == MPI_ERRORS_RETURN, "files do not begin with MPI_ERRORS_RETURN");
  CHECK_ERROR(MPI_SUCCESS, MPI_File_create_errhandler(tell, &mine));
  MPI_File_set_errhandler(MPI_FILE_NULL, mine);
  CHECK_ERROR(MPI_ERR_NO_SUCH_FILE, MPI_File_open(MPI_COMM_WORLD, "none", MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
  CHECK(told == 1 && told_code == MPI_ERR_NO_SUCH_FILE && told_file == MPI_FILE_NULL, "told %d times, of %d", told,
        told_code);
  file = opened("handlers.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE);
  MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
  MPI_File_get_errhandler(file, &found);
  CHECK(found == mine, "the file does not have the handler that it was opened with");
  MPI_Errhandler_free(&found);
  char byte;
  CHECK_ERROR(MPI_ERR_ACCESS, MPI_File_read_at(file, 0, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE));
  CHECK(told == 2 && told_code == MPI_ERR_ACCESS && told_file == file, "told %d times, of %d", told, told_code);
  CHECK_ERROR(MPI_SUCCESS, MPI_File_call_errhandler(file, MPI_ERR_QUOTA));
  CHECK(told == 3 && told_code == MPI_ERR_QUOTA, "told %d times, of %d", told, told_code);
  CHECK_ERROR(MPI_SUCCESS, MPI_File_set_errhandler(file, MPI_ERRORS_RETURN));
  CHECK_ERROR(MPI_ERR_ACCESS, MPI_File_read_at(file, 0, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE));
  CHECK(told == 3, "a handler that was replaced is told");
  MPI_Errhandler_free(&mine);
  MPI_File_close(&file);
}

static void says(MPI_File file, const char* key, const char* wanted) {
  MPI_Info info;
  char value[MPI_MAX_INFO_VAL];
  int flag;
  MPI_File_get_info(file, &info);
  MPI_Info_get(info, key, MPI_MAX_INFO_VAL - 1, value, &flag);
  CHECK(flag && strcmp(value, wanted) == 0, "%s is %s, not %s", key, flag ? value : "(nothing)", wanted);
  MPI_Info_free(&info);
}

static void hints(void) {
  MPI_File file;
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "cb_buffer_size", "65536");
  MPI_Info_set(info, "cb_nodes", "100000");
  MPI_Info_set(info, "romio_cb_write", "disable");
  MPI_Info_set(info, "romio_cb_read", "sometimes");
  MPI_Info_set(info, "nobody knows", "this");
  CHECK_ERROR(MPI_SUCCESS, MPI_File_open(MPI_COMM_WORLD, "hints.dat",
                                         MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, info, &file));
  char all[16];
  snprintf(all, sizeof all, "%d", size);
  says(file, "cb_buffer_size", "65536");
  says(file, "cb_nodes", all);
  says(file, "romio_cb_write", "disable");
  says(file, "romio_cb_read", "automatic");
  MPI_Info_set(info, "cb_nodes", "1");
  MPI_Info_set(info, "collective_buffering", "true");
  MPI_Info_delete(info, "romio_cb_write");
  CHECK_ERROR(MPI_SUCCESS, MPI_File_set_info(file, info));
  says(file, "cb_nodes", "1");
  says(file, "romio_cb_write", "enable");
  MPI_Info_free(&info);
  MPI_Info_create(&info);
  MPI_Info_set(info, "ind_rd_buffer_size", "2048");
  MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", info);
  says(file, "ind_rd_buffer_size", "2048");
  says(file, "cb_buffer_size", "65536");
  MPI_Info_free(&info);
  MPI_File_close(&file);
}

/// Each process a file of its own.
static void alone(void) {
  char name[32], text[16], again[16];
  MPI_File file;
  MPI_Offset place;
  snprintf(name, sizeof name, "alone.%d", rank);
  CHECK_ERROR(MPI_SUCCESS,
              MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                            MPI_INFO_NULL, &file));
  snprintf(text, sizeof text, "process %d", rank);
  MPI_File_write_shared(file, text, 16, MPI_CHAR, MPI_STATUS_IGNORE);
  MPI_File_write_ordered(file, text, 16, MPI_CHAR, MPI_STATUS_IGNORE);
  MPI_File_get_position_shared(file, &place);
  CHECK(place == 32, "the shared pointer is at %lld", place);
  MPI_File_seek(file, 16, MPI_SEEK_SET);
  MPI_File_read_all(file, again, 16, MPI_CHAR, MPI_STATUS_IGNORE);
  CHECK(strcmp(text, again) == 0, "'%s' is read", again);
  MPI_File_close(&file);
}

static int no_extent(MPI_Datatype datatype, MPI_Aint* extent, void* extra) {
  (void)datatype, (void)extent, (void)extra;
  return MPI_SUCCESS;
}
static int convert(void* buffer, MPI_Datatype datatype, int count, void* bytes, MPI_Offset position, void* extra) {
  (void)buffer, (void)datatype, (void)count, (void)bytes, (void)position, (void)extra;
  return MPI_SUCCESS;
}

static void representations(void) {
  MPI_File file = opened("datarep.dat", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
  CHECK_ERROR(MPI_SUCCESS,
              MPI_Register_datarep("plain", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, no_extent, NULL));
  CHECK_ERROR(MPI_ERR_DUP_DATAREP,
              MPI_Register_datarep("plain", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, no_extent, NULL));
  CHECK_ERROR(MPI_ERR_DUP_DATAREP,
              MPI_Register_datarep("native", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, no_extent, NULL));
  CHECK_ERROR(MPI_SUCCESS, MPI_Register_datarep("turned", convert, convert, no_extent, NULL));
  CHECK_ERROR(MPI_SUCCESS, MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "plain", MPI_INFO_NULL));
  CHECK_ERROR(MPI_ERR_CONVERSION, MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "turned", MPI_INFO_NULL));
  MPI_Offset displacement;
  MPI_Datatype etype, filetype;
  char name[MPI_MAX_DATAREP_STRING];
  MPI_File_get_view(file, &displacement, &etype, &filetype, name);
  CHECK(strcmp(name, "plain") == 0, "the representation is %s", name);
  // The bytes of external32 are those that MPI_Pack_external() makes.
  const struct {
    double number;
    long long whole;
    short small;
    char letter;
  } values = {1.5, -2, 258, 'x'};
  static const unsigned char wanted[] = {0x3F, 0xF8, 0,    0,    0,    0,    0, 0, 0xFF, 0xFF,
                                         0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE, 1, 2, 'x'};
  const int lengths[] = {1, 1, 1, 1};
  const MPI_Aint places[] = {0, 8, 16, 18};
  const MPI_Datatype types[] = {MPI_DOUBLE, MPI_LONG_LONG, MPI_SHORT, MPI_CHAR};
  MPI_Datatype structure;
  unsigned char found[sizeof wanted];
  MPI_Type_create_struct(4, lengths, places, types, &structure);
  MPI_Type_commit(&structure);
  CHECK_ERROR(MPI_SUCCESS, MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "external32", MPI_INFO_NULL));
  if (rank == 0) MPI_File_write_at(file, 0, &values, 1, structure, MPI_STATUS_IGNORE);
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_ERROR(MPI_SUCCESS, MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
  MPI_File_read_at(file, 0, found, sizeof found, MPI_BYTE, MPI_STATUS_IGNORE);
  CHECK(memcmp(found, wanted, sizeof wanted) == 0, "external32 has other bytes");
  MPI_Aint extent;
  MPI_File_get_type_extent(file, structure, &extent);
  CHECK(extent == 24, "the structure's extent in the file is %ld", (long)extent);
  MPI_Type_free(&structure);
  MPI_File_close(&file);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  modes();
  sizes();
  far_away();
  arguments();
  handlers();
  hints();
  alone();
  representations();
  return check_end();
}
