// SPDX-License-Identifier: Apache-2.0
// Views of files, by one process and by all: what lands where is compared with a picture of the file that is computed
// here byte by byte, from the datatypes' definition.
#include <stdbool.h>
#include <string.h>

#include "check.h"

enum { DATA = 300, SPREAD = 3 * DATA, MOST_RANKS = 64 };

static int rank, size;

/// The byte that a process writes as number `index` of its data.
static unsigned char byte_of(int of, int index) {
  return (unsigned char)(1 + (of * 37 + index * 11) % 250);
}

/// A filetype and, for the process `of`, where in the file byte `index` of what it shows lies.
typedef struct {
  const char* name;
  MPI_Datatype (*make)(int of);
  int (*place)(int of, int index);
  int etype;  ///< bytes
} view_t;

static MPI_Datatype committed(MPI_Datatype type) {
  MPI_Type_commit(&type);
  return type;
}

// Blocks of 5 ints, dealt out in turn: a vector.
static MPI_Datatype make_cyclic(int of) {
  MPI_Datatype vector, shifted, filetype;
  const int one = 1;
  const MPI_Aint start = of * 20;
  MPI_Type_contiguous(5, MPI_INT, &vector);
  MPI_Type_create_hindexed(1, &one, &start, vector, &shifted);
  MPI_Type_create_resized(shifted, 0, 20 * size, &filetype);
  MPI_Type_free(&vector);
  MPI_Type_free(&shifted);
  return committed(filetype);
}
static int place_cyclic(int of, int index) {
  return index / 20 * 20 * size + of * 20 + index % 20;
}

// Two pieces of 3 and 4 bytes in every 10, process by process: indexed, with holes that nobody writes.
static MPI_Datatype make_indexed(int of) {
  MPI_Datatype indexed, filetype;
  const int lengths[] = {3, 4}, places[] = {10 * of + 1, 10 * of + 5};
  MPI_Type_indexed(2, lengths, places, MPI_BYTE, &indexed);
  MPI_Type_create_resized(indexed, 0, 10 * size, &filetype);
  MPI_Type_free(&indexed);
  return committed(filetype);
}
static int place_indexed(int of, int index) {
  const int within = index % 7;
  return index / 7 * 10 * size + 10 * of + (within < 3 ? 1 + within : 2 + within);
}

// A column block of a matrix of 8 rows of `size` times 6 shorts: a subarray.
static MPI_Datatype make_subarray(int of) {
  MPI_Datatype filetype;
  const int sizes[] = {8, 6 * size}, subsizes[] = {8, 6}, starts[] = {0, 6 * of};
  MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_SHORT, &filetype);
  return committed(filetype);
}
static int place_subarray(int of, int index) {
  const int matrix = index / 96, row = index % 96 / 12, within = index % 12;
  return matrix * 96 * size + row * 12 * size + 12 * of + within;
}

// Rows of a matrix of 12 doubles, dealt out in turn, two at a time: a distributed array.
static MPI_Datatype make_darray(int of) {
  MPI_Datatype filetype;
  const int sizes[] = {4 * size, 3}, grid[] = {size, 1};
  const int distributions[] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE};
  const int arguments[] = {2, MPI_DISTRIBUTE_DFLT_DARG};
  MPI_Type_create_darray(size, of, 2, sizes, distributions, arguments, grid, MPI_ORDER_C, MPI_DOUBLE, &filetype);
  return committed(filetype);
}
static int place_darray(int of, int index) {
  const int array = index / 96, row = index % 96 / 24, within = index % 24;
  return array * 96 * size + (row / 2 * 2 * size + of * 2 + row % 2) * 24 + within;
}

// An int, a gap, and three bytes: a structure, padded to 16.
static MPI_Datatype make_struct(int of) {
  MPI_Datatype structure, filetype;
  const int lengths[] = {1, 3};
  const MPI_Aint places[] = {16 * of, 16 * of + 9};
  const MPI_Datatype types[] = {MPI_INT, MPI_BYTE};
  MPI_Type_create_struct(2, lengths, places, types, &structure);
  MPI_Type_create_resized(structure, 0, 16 * size, &filetype);
  MPI_Type_free(&structure);
  return committed(filetype);
}
static int place_struct(int of, int index) {
  const int within = index % 7;
  return index / 7 * 16 * size + 16 * of + (within < 4 ? within : 5 + within);
}

// One block a process.
static MPI_Datatype make_block(int of) {
  MPI_Datatype block, filetype;
  const int one = 1;
  const MPI_Aint start = of * DATA;
  MPI_Type_contiguous(DATA, MPI_BYTE, &block);
  MPI_Type_create_hindexed(1, &one, &start, block, &filetype);
  MPI_Type_free(&block);
  return committed(filetype);
}
static int place_block(int of, int index) {
  return of * DATA + index;
}

static const view_t views[] = {
    {"cyclic", make_cyclic, place_cyclic, 4},       {"indexed", make_indexed, place_indexed, 1},
    {"subarray", make_subarray, place_subarray, 2}, {"darray", make_darray, place_darray, 8},
    {"struct", make_struct, place_struct, 1},       {"block", make_block, place_block, 1},
};
enum { VIEWS = sizeof views / sizeof *views };

/// How many bytes a process writes: others more than others, and some nothing. Whole etypes of each view.
static int bytes_of(int of, const view_t* view) {
  const int bytes = of % 3 == 2 ? 0 : DATA - 50 * (of % 4);
  return bytes / view->etype * view->etype;
}

static unsigned char picture[MOST_RANKS * SPREAD];

static int paint(const view_t* view, int displacement) {
  int end = 0;
  memset(picture, 0, (size_t)(size * SPREAD));
  for (int of = 0; of < size; ++of) {
    for (int index = 0; index < bytes_of(of, view); ++index) {
      const int place = displacement + view->place(of, index);
      picture[place] = byte_of(of, index);
      if (place >= end) end = place + 1;
    }
  }
  return end;
}

typedef struct {
  bool together, explicit_offsets, gaps;
  const char* hints[5];
} way_t;

static MPI_Info info_of(const way_t* way) {
  MPI_Info info;
  MPI_Info_create(&info);
  for (int i = 0; i + 1 < 5 && way->hints[i] != NULL; i += 2) {
    MPI_Info_set(info, (char*)way->hints[i], (char*)way->hints[i + 1]);
  }
  return info;
}

/// Memory: as it is, or every byte followed by a gap.
static MPI_Datatype memory_type(const way_t* way) {
  MPI_Datatype type;
  if (way->gaps) {
    MPI_Type_create_resized(MPI_BYTE, 0, 2, &type);
  } else {
    MPI_Type_contiguous(1, MPI_BYTE, &type);
  }
  return committed(type);
}

static void access_file(MPI_File file, bool write, const way_t* way, void* buffer, int bytes, int begin_etype,
                        MPI_Datatype memory, MPI_Status* status) {
  if (way->explicit_offsets) {
    if (write) {
      CHECK_ERROR(MPI_SUCCESS, (way->together ? MPI_File_write_at_all : MPI_File_write_at)(file, begin_etype, buffer,
                                                                                           bytes, memory, status));
    } else {
      CHECK_ERROR(MPI_SUCCESS, (way->together ? MPI_File_read_at_all : MPI_File_read_at)(file, begin_etype, buffer,
                                                                                         bytes, memory, status));
    }
    return;
  }
  MPI_File_seek(file, begin_etype, MPI_SEEK_SET);
  if (write) {
    CHECK_ERROR(MPI_SUCCESS,
                (way->together ? MPI_File_write_all : MPI_File_write)(file, buffer, bytes, memory, status));
  } else {
    CHECK_ERROR(MPI_SUCCESS, (way->together ? MPI_File_read_all : MPI_File_read)(file, buffer, bytes, memory, status));
  }
}

static void try_view(const view_t* view, const way_t* way, const char* how) {
  static unsigned char buffer[2 * DATA + 2], found[MOST_RANKS * SPREAD];
  enum { DISPLACEMENT = 13 };
  const int step = way->gaps ? 2 : 1, bytes = bytes_of(rank, view);
  MPI_File file;
  MPI_Status status;
  MPI_Info info = info_of(way);
  MPI_Datatype filetype = view->make(rank), memory = memory_type(way), etype;
  int count;
  MPI_Type_contiguous(view->etype, MPI_BYTE, &etype);
  MPI_Type_commit(&etype);
  MPI_File_open(MPI_COMM_WORLD, "views.dat", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, info, &file);
  CHECK_ERROR(MPI_SUCCESS, MPI_File_set_view(file, DISPLACEMENT, etype, filetype, "native", MPI_INFO_NULL));

  // In two parts, the second first where offsets are explicit.
  const int half = bytes / 2 / view->etype * view->etype;
  for (int part = 0; part < 2; ++part) {
    const int first = (part == 0) == way->explicit_offsets ? half : 0, length = first == 0 ? half : bytes - half;
    memset(buffer, 0, sizeof buffer);
    for (int index = 0; index < length; ++index) buffer[step * index] = byte_of(rank, first + index);
    access_file(file, true, way, buffer, length, first / view->etype, memory, &status);
    MPI_Get_count(&status, MPI_BYTE, &count);
    CHECK(count == length, "%s, %s: %d bytes of %d were written", view->name, how, count, length);
  }
  MPI_Offset position, place;
  if (!way->explicit_offsets) {
    MPI_File_get_position(file, &position);
    CHECK(position == bytes / view->etype, "%s, %s: the pointer is at %lld", view->name, how, position);
  }
  if (bytes != 0) {
    MPI_File_get_byte_offset(file, (bytes - 1) / view->etype, &place);
    const int last = (bytes - 1) / view->etype * view->etype;
    CHECK(place == DISPLACEMENT + view->place(rank, last), "%s: etype %d is at %lld", view->name, last / view->etype,
          place);
  }
  MPI_Barrier(MPI_COMM_WORLD);

  const int end = paint(view, DISPLACEMENT);
  MPI_File plain;
  MPI_File_open(MPI_COMM_SELF, "views.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &plain);
  MPI_File_get_size(plain, &place);
  CHECK(place == end, "%s, %s: the file has %lld bytes, not %d", view->name, how, place, end);
  MPI_File_read_at(plain, 0, found, end, MPI_BYTE, MPI_STATUS_IGNORE);
  int wrong = 0;
  while (wrong < end && found[wrong] == picture[wrong]) ++wrong;
  CHECK(wrong == end, "%s, %s: byte %d of the file is %d, not %d", view->name, how, wrong, found[wrong],
        picture[wrong]);
  MPI_File_close(&plain);

  // Back again: more than there is, up to the end of the file; of what the process before has written, where views do
  // not lie behind each other.
  memset(buffer, 0, sizeof buffer);
  access_file(file, false, way, buffer, DATA / view->etype * view->etype, 0, memory, &status);
  MPI_Get_count(&status, MPI_BYTE, &count);
  int there = 0;
  while (there < DATA / view->etype * view->etype && DISPLACEMENT + view->place(rank, there) < end) ++there;
  CHECK(count == there, "%s, %s: %d bytes were read, not %d", view->name, how, count, there);
  for (wrong = 0; wrong < there; ++wrong) {
    if (buffer[step * wrong] != picture[DISPLACEMENT + view->place(rank, wrong)]) break;
    if (way->gaps && buffer[step * wrong + 1] != 0) break;
  }
  CHECK(wrong >= there, "%s, %s: byte %d that was read is wrong", view->name, how, wrong);
  MPI_Type_free(&filetype);
  MPI_Type_free(&memory);
  MPI_Type_free(&etype);
  MPI_Info_free(&info);
  MPI_File_close(&file);
}

static void handles(void) {
  MPI_File file;
  MPI_Datatype vector, etype, filetype;
  MPI_Offset displacement;
  char name[MPI_MAX_DATAREP_STRING];
  MPI_File_open(MPI_COMM_WORLD, "handles.dat", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                MPI_INFO_NULL, &file);
  MPI_File_get_view(file, &displacement, &etype, &filetype, name);
  CHECK(displacement == 0 && etype == MPI_BYTE && filetype == MPI_BYTE && strcmp(name, "native") == 0,
        "the first view is %lld, 0x%x, 0x%x, %s", displacement, etype, filetype, name);
  MPI_Type_vector(3, 1, 2, MPI_INT, &vector);
  MPI_Type_commit(&vector);
  MPI_File_set_view(file, 8, MPI_INT, vector, "internal", MPI_INFO_NULL);
  MPI_Type_free(&vector);  // the file keeps it
  MPI_File_get_view(file, &displacement, &etype, &filetype, name);
  int integers, addresses, datatypes, combiner;
  MPI_Type_get_envelope(filetype, &integers, &addresses, &datatypes, &combiner);
  CHECK(displacement == 8 && etype == MPI_INT && combiner == MPI_COMBINER_VECTOR && strcmp(name, "internal") == 0,
        "the view is %lld, 0x%x, combiner %d, %s", displacement, etype, combiner, name);
  MPI_Type_free(&filetype);
  MPI_Offset place;
  MPI_File_get_byte_offset(file, 4, &place);
  CHECK(place == 8 + 20 + 8, "etype 4 is at byte %lld", place);
  MPI_File_close(&file);
}

/// Processes whose views show nothing, and a view that shows places twice.
static void odd_views(void) {
  MPI_File file;
  MPI_Datatype nothing, eight, sliding;
  MPI_Status status;
  int numbers[3] = {3 * rank, 3 * rank + 1, 3 * rank + 2}, count;
  const bool blind = rank % 2 != 0;
  MPI_Type_contiguous(0, MPI_INT, &nothing);
  MPI_Type_commit(&nothing);
  MPI_File_open(MPI_COMM_WORLD, "odd.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  CHECK_ERROR(MPI_SUCCESS, MPI_File_set_view(file, 0, MPI_INT, blind ? nothing : MPI_INT, "native", MPI_INFO_NULL));
  CHECK_ERROR(MPI_SUCCESS, MPI_File_write_at_all(file, blind ? 0 : 3 * rank, numbers, blind ? 0 : 3, MPI_INT, &status));
  if (blind) CHECK_ERROR(MPI_ERR_ARG, MPI_File_write_at(file, 0, numbers, 1, MPI_INT, &status));
  MPI_File_close(&file);

  // Two numbers, of which the second is the next time's first.
  MPI_Type_contiguous(2, MPI_INT, &eight);
  MPI_Type_create_resized(eight, 0, 4, &sliding);
  MPI_Type_commit(&sliding);
  MPI_File_open(MPI_COMM_WORLD, "odd.dat", MPI_MODE_RDONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  CHECK_ERROR(MPI_SUCCESS, MPI_File_set_view(file, 0, MPI_INT, sliding, "native", MPI_INFO_NULL));
  int again[4] = {-1, -1, -1, -1};
  CHECK_ERROR(MPI_SUCCESS, MPI_File_read_all(file, again, 4, MPI_INT, &status));
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK(count == 4 && again[0] == 0 && again[1] == 1 && again[2] == 1 && again[3] == 2, "%d numbers: %d %d %d %d",
        count, again[0], again[1], again[2], again[3]);
  MPI_File_close(&file);
  MPI_Type_free(&nothing);
  MPI_Type_free(&eight);
  MPI_Type_free(&sliding);
}

int main(int argc, char** argv) {
  static const way_t ways[] = {
      {.together = false},
      {.together = false, .explicit_offsets = true, .gaps = true, .hints = {"ind_rd_buffer_size", "1024"}},
      {.together = true, .hints = {"romio_ds_read", "disable"}},
      {.together = true, .explicit_offsets = true, .gaps = true, .hints = {"collective_buffering", "true"}},
      {.together = true, .hints = {"cb_buffer_size", "1024", "cb_nodes", "2"}},
      {.together = true, .gaps = true, .hints = {"collective_buffering", "false", "romio_ds_read", "enable"}},
  };
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int view = 0; view < VIEWS; ++view) {
    for (unsigned way = 0; way < sizeof ways / sizeof *ways; ++way) {
      char how[32];
      snprintf(how, sizeof how, "way %u", way);
      try_view(&views[view], &ways[way], how);
    }
  }
  handles();
  odd_views();
  return check_end();
}
