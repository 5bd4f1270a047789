// SPDX-License-Identifier: Apache-2.0
#include "firmware/mpi/file_window.h"

#include <stdlib.h>
#include <string.h>

#include "firmware/mpi/file_storage.h"

/// Longest gap that is read with what is around it: a call more costs as much time as so many bytes.
enum { WORD = 32, SHORT_GAP = 1024 };

// ---------------------------------------------------------------------------------------------------------------
// Strips

/// Whether a piece is the next one of a strip.
static bool continues(mpii_file_strip_t* strip, MPI_Offset place, MPI_Offset bytes) {
  const MPI_Offset step = place - strip->place;
  if (bytes != strip->bytes || (strip->count > 1 && step != strip->stride * strip->count)) return false;
  if (strip->count == 1) strip->stride = step;
  strip->count += 1;
  return true;
}

mpii_file_strip_t* mpii_window_describe(const mpii_view_t* view, MPI_Offset position, MPI_Offset bytes,
                                        mpii_window_head_t* head) {
  mpii_file_strip_t *strips = head->few, *many = NULL;
  uint32_t count = 0, room = MPII_FEW_STRIPS;
  mpii_cursor_t cursor;
  MPI_Offset place, piece;
  mpii_cursor_begin(&cursor, view, position, bytes);
  while ((piece = mpii_cursor_next(&cursor, bytes, &place)) != 0) {
    mpii_file_strip_t* last = count == 0 ? NULL : &strips[count - 1];
    if (last != NULL && last->count == 1 && last->place + last->bytes == place) {
      last->bytes += (uint32_t)piece;
      continue;
    }
    if (last != NULL && continues(last, place, piece)) continue;
    if (count == room) {
      room *= 2;
      mpii_file_strip_t* more = realloc(many, room * sizeof *many);
      if (more == NULL) mpii_end("no memory for a view of %u pieces", room);
      if (many == NULL) memcpy(more, head->few, sizeof head->few);
      strips = many = more;
    }
    strips[count++] = (mpii_file_strip_t){place, 0, (uint32_t)piece, 1};
  }
  head->bytes = (uint32_t)bytes;
  head->strips = count;
  return many;
}

// ---------------------------------------------------------------------------------------------------------------
// The map

static void mark(mpii_window_t* window, MPI_Offset place, uint32_t bytes) {
  uint32_t bit = (uint32_t)(place - window->begin);
  const uint32_t end = bit + bytes;
  while (bit < end) {
    const uint32_t within = bit % WORD, room = WORD - within, part = end - bit < room ? end - bit : room;
    window->map[bit / WORD] |= (part == WORD ? ~0u : (1u << part) - 1) << within;
    bit += part;
  }
}

/// The first place from `place` on whose bit is `wanted`, or the window's end.
static MPI_Offset find(const mpii_window_t* window, MPI_Offset place, bool wanted) {
  const uint32_t end = (uint32_t)(window->end - window->begin), flip = wanted ? 0 : ~0u;
  uint32_t bit = (uint32_t)(place - window->begin);
  while (bit < end) {
    const uint32_t word = (window->map[bit / WORD] ^ flip) >> bit % WORD;
    if (word != 0) {
      bit += (uint32_t)__builtin_ctz(word);
      break;
    }
    bit += WORD - bit % WORD;
  }
  return window->begin + (bit < end ? bit : end);
}

static uint8_t* at(const mpii_window_t* window, MPI_Offset place) {
  return window->data + (place - window->begin);
}

void mpii_window_open(mpii_window_t* window, uint32_t bytes) {
  window->data = malloc(bytes);
  window->map = malloc((bytes / WORD + 1) * sizeof *window->map);
  if (window->data == NULL || window->map == NULL) mpii_end("no memory for %u bytes of a file", bytes);
}

void mpii_window_close(mpii_window_t* window) {
  free(window->map);
  free(window->data);
}

void mpii_window_clear(mpii_window_t* window, MPI_Offset begin, MPI_Offset end) {
  window->begin = begin;
  window->known = window->end = end;
  memset(window->map, 0, ((size_t)(end - begin) / WORD + 1) * sizeof *window->map);
}

// ---------------------------------------------------------------------------------------------------------------
// Writing

void mpii_window_put(mpii_window_t* window, const mpii_file_strip_t* strips, uint32_t count, const uint8_t* data) {
  for (const mpii_file_strip_t* strip = strips; strip < strips + count; ++strip) {
    MPI_Offset place = strip->place;
    for (uint32_t piece = 0; piece < strip->count; ++piece, place += strip->stride) {
      memcpy(at(window, place), data, strip->bytes);
      mark(window, place, strip->bytes);
      data += strip->bytes;
    }
  }
}

int mpii_window_write(const mpii_window_t* window, int descriptor) {
  int error = 0;
  for (MPI_Offset place = find(window, window->begin, true); place < window->end;) {
    const MPI_Offset end = find(window, place, false);
    size_t done;
    const int failed = mpii_storage_write(descriptor, place, at(window, place), (size_t)(end - place), &done);
    if (error == 0) error = failed;
    place = find(window, end, true);
  }
  return error;
}

// ---------------------------------------------------------------------------------------------------------------
// Reading

void mpii_window_want(mpii_window_t* window, const mpii_file_strip_t* strips, uint32_t count) {
  for (const mpii_file_strip_t* strip = strips; strip < strips + count; ++strip) {
    MPI_Offset place = strip->place;
    for (uint32_t piece = 0; piece < strip->count; ++piece, place += strip->stride) mark(window, place, strip->bytes);
  }
}

int mpii_window_read(mpii_window_t* window, int descriptor) {
  for (MPI_Offset place = find(window, window->begin, true); place < window->end;) {
    MPI_Offset end = find(window, place, false), next = find(window, end, true);
    while (next < window->end && next - end <= SHORT_GAP) {
      end = find(window, next, false);
      next = find(window, end, true);
    }
    size_t done;
    const int error = mpii_storage_read(descriptor, place, at(window, place), (size_t)(end - place), &done);
    if (error != 0 || place + (MPI_Offset)done < end) {
      window->known = place + (MPI_Offset)done;
      return error;
    }
    place = next;
  }
  return 0;
}

uint32_t mpii_window_get(const mpii_window_t* window, const mpii_file_strip_t* strips, uint32_t count, uint8_t* room,
                         const uint8_t** data) {
  uint8_t* to = room;
  *data = mpii_strips_are_one(strips, count) ? at(window, strips->place) : room;
  for (const mpii_file_strip_t* strip = strips; strip < strips + count; ++strip) {
    MPI_Offset place = strip->place;
    for (uint32_t piece = 0; piece < strip->count; ++piece, place += strip->stride) {
      const MPI_Offset left = window->known - place;
      if (left <= 0) return (uint32_t)(to - room);
      const uint32_t bytes = left < (MPI_Offset)strip->bytes ? (uint32_t)left : strip->bytes;
      if (room == NULL) return bytes;  // one piece, where it is
      memcpy(to, at(window, place), bytes);
      to += bytes;
    }
  }
  return (uint32_t)(to - room);
}
