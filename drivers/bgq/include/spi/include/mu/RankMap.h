/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Places of ranks, from the order or the file that the user has named. An order has each of the letters A to E and T
 * once; the last one counts fastest. A file has a line "a b c d e t" for each rank; what follows a # does not count,
 * but for a line "#mapping ORDER", from which on ranks have that order, and "#mpmd", by which the file assigns
 * programs.
 */
#ifndef _MU_RANKMAP_H_
#define _MU_RANKMAP_H_

#include <ctype.h>
#include <fcntl.h>
#include <spi/include/kernel/location.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NUMDIMENSION 6

__BEGIN_DECLS

/* By how many ranks a step along each dimension goes on, of an order. -1: it is none. */
__INLINE__ int MUSPI_PreCalculateMapOffsets(const char* order, const uint32_t* sizes, uint32_t* offsets) {
  static const char letters[] = "ABCDET";
  uint32_t offset = 1;
  unsigned seen = 0;
  if (memchr(order, 0, NUMDIMENSION) != NULL) return -1;
  if (order[NUMDIMENSION] != 0 && !isspace((unsigned char)order[NUMDIMENSION])) return -1;
  for (int i = NUMDIMENSION - 1; i >= 0; --i) {
    const char* const letter = strchr(letters, order[i]);
    if (letter == NULL || (seen >> (letter - letters) & 1) != 0) return -1;
    seen |= 1u << (letter - letters);
    offsets[letter - letters] = offset;
    offset *= sizes[letter - letters];
  }
  return 0;
}

/* A text file, a line at a time, in a buffer of the caller's. */
typedef struct {
  int file;
  char* buffer;
  size_t room, filled, at;
} bgq_lines_t;

/* The next line, without its end; NULL behind the last one, or if one is longer than the buffer. */
__INLINE__ char* bgq_next_line(bgq_lines_t* lines) {
  for (;;) {
    char* const line = lines->buffer + lines->at;
    char* const end = (char*)memchr(line, '\n', lines->filled - lines->at);
    if (end != NULL) {
      *end = 0;
      lines->at = (size_t)(end - lines->buffer) + 1;
      return line;
    }
    memmove(lines->buffer, line, lines->filled - lines->at);
    lines->filled -= lines->at;
    lines->at = 0;
    if (lines->filled + 1 >= lines->room) return NULL;
    const ssize_t got = read(lines->file, lines->buffer + lines->filled, lines->room - 1 - lines->filled);
    if (got > 0) {
      lines->filled += (size_t)got;
      continue;
    }
    if (lines->filled == 0) return NULL;
    lines->buffer[lines->filled] = 0; /* the last line has no end */
    lines->at = lines->filled;
    return lines->buffer;
  }
}

/* What a line of a map says: 1 coordinates, 2 an order, 0 nothing, -1 it cannot be read. */
__INLINE__ int bgq_read_place(char* line, const uint32_t* sizes, uint32_t* at, uint32_t* offsets, uint32_t* mpmd) {
  char* const comment = strchr(line, '#');
  if (comment != NULL && mpmd != NULL && strncmp(comment, "#mpmd", 5) == 0) *mpmd = 1;
  if (comment != NULL && strncmp(comment, "#mapping", 8) == 0) {
    const char* order = comment + 8;
    while (isspace((unsigned char)*order)) ++order;
    return MUSPI_PreCalculateMapOffsets(order, sizes, offsets) == 0 ? 2 : -1;
  }
  if (comment != NULL) *comment = 0;
  if (line[strspn(line, " \t\r")] == 0) return 0;
  for (unsigned d = 0; d < NUMDIMENSION; ++d) {
    char* end;
    at[d] = (uint32_t)strtoul(line, &end, 10);
    if (end == line) return -1;
    line = end;
  }
  return 1;
}

/*
 * The places of ranks 0 to np - 1 go to `map`, and to `*myRank` the rank of `mycoord`; either may be NULL. Coordinates
 * are relative to the job's corner. `numProcesses` are those of a node, `mapName` the order or the file, for whose
 * lines `storage` has room, and `*mpmdFound`, or NULL, tells whether it assigns programs. 0, or -1: something of this
 * is missing or wrong, or a rank has a place outside the job.
 */
__INLINE__ int MUSPI_GenerateCoordinates(const char* mapName, const BG_JobCoords_t* job,
                                         BG_CoordinateMapping_t* mycoord, uint32_t numProcesses, uint32_t np,
                                         size_t storageSize, void* storage, BG_CoordinateMapping_t map[],
                                         uint32_t* myRank, uint32_t* mpmdFound) {
  uint32_t offsets[NUMDIMENSION], at[NUMDIMENSION] = {0, 0, 0, 0, 0, 0};
  if (mpmdFound != NULL) *mpmdFound = 0;
  if (mapName == NULL || job == NULL || (myRank != NULL && mycoord == NULL)) return -1;
  const uint32_t sizes[NUMDIMENSION] = {job->shape.a, job->shape.b, job->shape.c,
                                        job->shape.d, job->shape.e, numProcesses};
  int ordered = MUSPI_PreCalculateMapOffsets(mapName, sizes, offsets) == 0, result = 0;
  bgq_lines_t lines = {-1, (char*)storage, storageSize, 0, 0};
  if (!ordered) {
    if (storage == NULL) return -1;
    lines.file = open(mapName, O_RDONLY);
    if (lines.file < 0) return -1;
  }
  for (uint32_t rank = 0; rank < np && result == 0; ++rank) {
    int said = 0;
    while (!ordered && said == 0) {
      char* const line = bgq_next_line(&lines);
      said = line == NULL ? -1 : bgq_read_place(line, sizes, at, offsets, mpmdFound);
      if (said == 2) ordered = 1;
    }
    for (unsigned d = 0; d < NUMDIMENSION; ++d) {
      if (ordered) at[d] = rank / offsets[d] % sizes[d];
      if (said < 0 || at[d] >= sizes[d]) result = -1;
    }
    if (result != 0) break;
    if (map != NULL) {
      map[rank].a = at[0], map[rank].b = at[1], map[rank].c = at[2], map[rank].d = at[3], map[rank].e = at[4] & 1;
      map[rank].t = at[5], map[rank].reserved = 0;
    }
    if (myRank != NULL && at[0] == mycoord->a && at[1] == mycoord->b && at[2] == mycoord->c && at[3] == mycoord->d &&
        at[4] == mycoord->e && at[5] == mycoord->t) {
      *myRank = rank;
      if (map == NULL) break;
    }
  }
  if (lines.file >= 0) close(lines.file);
  return result;
}

__END_DECLS

#endif
