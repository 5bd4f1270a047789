// SPDX-License-Identifier: Apache-2.0
// An access of one process by itself. What lies in one piece in memory and in the file goes straight; the rest by way
// of a buffer, in as few calls as may be: pieces of the file that follow each other closely are read together with the
// gaps between them. They are never written so: another process may write to the gap meanwhile.
#include <stdlib.h>

#include "firmware/mpi/file.h"
#include "firmware/mpi/file_storage.h"
#include "firmware/mpi/win_layout.h"

/// Longest gap that is read rather than left out: a call more costs as much time as so many bytes.
enum { SHORT_GAP = 1024 };

typedef struct {
  const mpii_file_t* file;
  bool write;
  mpii_cursor_t cursor;
  mpii_walk_t walk;
  MPI_Offset most;  ///< bytes of a call that needs the buffer
  MPI_Offset gap;
  uint8_t* buffer;
  MPI_Offset room;
} state_t;

/// What one call transfers.
typedef struct {
  MPI_Offset place, end;  ///< in the file
  MPI_Offset wanted;      ///< bytes; the others are gaps
  uint8_t* at;            ///< in memory; NULL: in several pieces there, or here
} batch_t;

static batch_t plan(const state_t* state) {
  mpii_cursor_t ahead = state->cursor;
  batch_t batch = {0};
  MPI_Offset next, more;
  batch.wanted = mpii_cursor_next(&ahead, ahead.left, &batch.place);
  batch.end = batch.place + batch.wanted;
  while (batch.wanted < state->most && (more = mpii_cursor_next(&ahead, state->most, &next)) != 0) {
    if (next < batch.end || next - batch.end > state->gap || next + more - batch.place > state->most) break;
    batch.end = next + more;
    batch.wanted += more;
  }
  uint8_t* at;
  const MPI_Offset memory = mpii_walk_piece(&state->walk, &at);
  if (batch.end - batch.place == batch.wanted && (memory >= batch.wanted || memory >= state->most)) {
    batch.at = at;
    if (batch.wanted > memory) batch.wanted = memory;
  } else if (batch.wanted > state->most) {
    batch.wanted = state->most;
  } else {
    return batch;
  }
  batch.end = batch.place + batch.wanted;
  return batch;
}

static uint8_t* buffer_for(state_t* state, MPI_Offset bytes) {
  if (bytes <= state->room) return state->buffer;
  free(state->buffer);
  state->room = bytes;
  state->buffer = malloc((size_t)bytes);
  if (state->buffer == NULL) mpii_end("no memory for %lld bytes of a file", bytes);
  return state->buffer;
}

/// Bring what was read to memory, up to `end` in the file. Returns how many bytes that were.
static MPI_Offset hand_out(state_t* state, const batch_t* batch, MPI_Offset end) {
  MPI_Offset done = 0, place;
  while (done < batch->wanted) {
    MPI_Offset bytes = mpii_cursor_next(&state->cursor, batch->wanted - done, &place);
    if (place >= end) break;
    const bool last = place + bytes >= end;
    if (last) bytes = end - place;
    mpii_walk_scatter(&state->walk, state->buffer + (place - batch->place), (uint32_t)bytes);
    done += bytes;
    if (last) break;
  }
  return done;
}

static void go_on(mpii_cursor_t* cursor, MPI_Offset bytes) {
  MPI_Offset place;
  while (bytes > 0) bytes -= mpii_cursor_next(cursor, bytes, &place);
}

/// One call. *done: what was wanted and has been transferred.
static int transfer(state_t* state, const batch_t* batch, MPI_Offset* done) {
  const int descriptor = state->file->descriptor;
  const size_t bytes = (size_t)(batch->end - batch->place);
  size_t count;
  int error;
  uint8_t* at = batch->at != NULL ? batch->at : buffer_for(state, (MPI_Offset)bytes);
  if (state->write) {
    if (batch->at == NULL) mpii_walk_gather(&state->walk, at, (uint32_t)bytes);
    error = mpii_storage_write(descriptor, batch->place, at, bytes, &count);
  } else {
    error = mpii_storage_read(descriptor, batch->place, at, bytes, &count);
  }
  if (!state->write && batch->at == NULL) {
    *done = hand_out(state, batch, batch->place + (MPI_Offset)count);
    return error;
  }
  if (batch->at != NULL) mpii_walk_on(&state->walk, (uint32_t)bytes);
  go_on(&state->cursor, (MPI_Offset)bytes);
  *done = (MPI_Offset)count;
  return error;
}

static MPI_Offset longest_gap(const mpii_hints_t* hints, bool write) {
  if (write || hints->sieve_reads == MPII_DISABLE) return 0;
  return hints->sieve_reads == MPII_ENABLE ? (MPI_Offset)hints->read_buffer : SHORT_GAP;
}

int mpii_file_transfer(mpii_file_t* file, const mpii_access_range_t* range, uint32_t* done) {
  const mpii_hints_t* hints = &file->hints;
  state_t state = {
      .file = file,
      .write = range->write,
      .most = range->write ? hints->write_buffer : hints->read_buffer,
      .gap = longest_gap(hints, range->write),
  };
  mpii_cursor_begin(&state.cursor, &file->view, range->position, range->bytes);
  mpii_walk_begin(&state.walk, range->buffer, range->count, range->datatype);
  int error = 0;
  *done = 0;
  mpii_file_lock(file, range->write);
  while (state.cursor.left != 0 && error == 0) {
    MPI_Offset part;
    const batch_t batch = plan(&state);
    error = transfer(&state, &batch, &part);
    *done += (uint32_t)part;
    if (part < batch.wanted) break;  // the end of the file
  }
  mpii_file_unlock(file);
  free(state.buffer);
  return error;
}
