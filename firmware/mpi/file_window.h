// SPDX-License-Identifier: Apache-2.0
/// A part of a file in the memory of the process that accesses it for others, and the descriptions of their accesses.
/// For the library's own files.
#ifndef TOROID_FIRMWARE_MPI_FILE_WINDOW_H
#define TOROID_FIRMWARE_MPI_FILE_WINDOW_H

#include "firmware/mpi/file_view.h"
#include "firmware/mpi/request.h"

/// Pieces of one size at even distances.
typedef struct {
  MPI_Offset place;  ///< of the first, in the file
  MPI_Offset stride;
  uint32_t bytes;  ///< of each
  uint32_t count;
} mpii_file_strip_t;

/// The description of an access, in a short message.
enum { MPII_FEW_STRIPS = (MPIT_SHORT_LEAST - MPIT_HEAD_BYTES - 2 * sizeof(uint32_t)) / sizeof(mpii_file_strip_t) };

typedef struct {
  uint32_t bytes;  ///< of data
  uint32_t strips;
  mpii_file_strip_t few[MPII_FEW_STRIPS];  ///< all strips, if these are enough
} mpii_window_head_t;

static inline uint32_t mpii_window_head_bytes(const mpii_window_head_t* head) {
  const uint32_t few = head->strips <= MPII_FEW_STRIPS ? head->strips : 0;
  return (uint32_t)(offsetof(mpii_window_head_t, few) + few * sizeof *head->few);
}

/// Describe `bytes` bytes of a view from a position on. Returns the strips if the head has no room for them, to be
/// freed; otherwise NULL.
mpii_file_strip_t* mpii_window_describe(const mpii_view_t* view, MPI_Offset position, MPI_Offset bytes,
                                        mpii_window_head_t* head);

typedef struct {
  MPI_Offset begin, end;
  MPI_Offset known;  ///< what was read ends here: the end of the window or of the file
  uint8_t* data;
  uint32_t* map;  ///< a bit for each byte: it is wanted, or has been put here
} mpii_window_t;

/// Allocate memory for windows of this size.
void mpii_window_open(mpii_window_t* window, uint32_t bytes);
void mpii_window_close(mpii_window_t* window);

/// Begin a part of the file, with no bytes in it.
void mpii_window_clear(mpii_window_t* window, MPI_Offset begin, MPI_Offset end);

/// Put the contiguous bytes at `data` there.
void mpii_window_put(mpii_window_t* window, const mpii_file_strip_t* strips, uint32_t count, const uint8_t* data);
/// Write what has been put there to the file. Returns an errno.
int mpii_window_write(const mpii_window_t* window, int descriptor);

/// Announce what is to be read, read it (returns an errno), and fetch it.
void mpii_window_want(mpii_window_t* window, const mpii_file_strip_t* strips, uint32_t count);
int mpii_window_read(mpii_window_t* window, int descriptor);
/// The bytes that were read, which end with the file: *data points to them, in the window if they are contiguous, or
/// else to `room`. Returns how many.
uint32_t mpii_window_get(const mpii_window_t* window, const mpii_file_strip_t* strips, uint32_t count, uint8_t* room,
                         const uint8_t** data);

/// Whether strips are one piece.
static inline bool mpii_strips_are_one(const mpii_file_strip_t* strips, uint32_t count) {
  return count == 1 && strips->count == 1;
}

#endif
