// SPDX-License-Identifier: Apache-2.0
// Accesses of all processes together, in two phases: some of the processes, the aggregators, access the file for the
// others. The part of the file that is accessed is cut into as many domains as there are aggregators, and each of these
// goes through its domain window by window. To write, a process sends the aggregator what it has for the window, which
// writes it in as few calls as there are pieces without gaps. To read, it asks for what it wants, and gets it.
//
// Where processes access long pieces, each does so by itself.
#include <stdlib.h>
#include <string.h>

#include "firmware/mpi/agree.h"
#include "firmware/mpi/collective.h"
#include "firmware/mpi/file.h"
#include "firmware/mpi/file_storage.h"
#include "firmware/mpi/file_window.h"
#include "firmware/mpi/win_layout.h"

enum {
  TAG_HEAD = MPII_TAGS,  ///< of messages: what a process has for, or wants of, a window
  TAG_STRIPS,            ///< where it lies, if the head has no room for that
  TAG_DATA,
};

/// Pieces as long as this are not worth gathering: an I/O node that several processes call is at work all the time.
enum { LONG = 2048 };

/// What a process says of its access.
typedef struct {
  MPI_Offset begin, end;  ///< in the file; the same where there is nothing
  uint32_t bytes;
  uint32_t pieces;  ///< at most, that they are in the file; 0: its view does not go from front to back
} part_t;

typedef struct {
  mpii_file_t* file;
  const mpii_access_range_t* range;
  part_t* parts;  ///< by rank
  MPI_Offset begin, end;
  MPI_Offset domain;  ///< bytes of an aggregator's
  MPI_Offset window;  ///< bytes of a window
  int error;          ///< the first errno of this process's
  uint32_t done;
} gathering_t;

static mpii_datatype_t* byte(void) {
  return mpii_object(MPI_BYTE, MPII_DATATYPE);
}

static MPI_Offset least(MPI_Offset first, MPI_Offset second) {
  return first < second ? first : second;
}

static MPI_Offset most(MPI_Offset first, MPI_Offset second) {
  return first > second ? first : second;
}

// ---------------------------------------------------------------------------------------------------------------
// Together or each by itself

static uint32_t pieces_of(const mpii_view_t* view, uint32_t bytes) {
  const mpii_datatype_t* filetype = view->filetype;
  if (!view->rising) return 0;
  if (filetype->dense) return 1;
  return (uint32_t)(((uint64_t)bytes * filetype->block_count + filetype->size - 1) / filetype->size);
}

static void exchange_parts(gathering_t* all) {
  const mpii_file_t* file = all->file;
  const mpii_access_range_t* range = all->range;
  part_t mine = {.bytes = range->bytes};
  if (range->bytes != 0) {
    mine.pieces = pieces_of(&file->view, range->bytes);
    mine.begin = mpii_view_place(&file->view, range->position);
    mine.end = mpii_view_place(&file->view, range->position + range->bytes - 1) + 1;
  }
  all->parts = mpii_allocate((size_t)file->comm->size * sizeof *all->parts);
  mpii_collect(file->comm, &mine, sizeof mine, all->parts);
}

/// The same at all processes.
static bool is_worth_it(gathering_t* all) {
  const mpii_file_t* file = all->file;
  const mpii_switch_t said = all->range->write ? file->hints.gather_writes : file->hints.gather_reads;
  bool any = false;
  MPI_Offset bytes = 0, pieces = 0;
  for (int rank = 0; rank < file->comm->size; ++rank) {
    const part_t* part = &all->parts[rank];
    if (part->bytes == 0) continue;
    if (part->pieces == 0) return false;
    bytes += part->bytes;
    // One that has all in one piece would need one call only.
    if (part->end - part->begin != (MPI_Offset)part->bytes) pieces += part->pieces;
    all->begin = any ? least(all->begin, part->begin) : part->begin;
    all->end = any ? most(all->end, part->end) : part->end;
    any = true;
  }
  if (!any || said == MPII_DISABLE) return false;
  return said == MPII_ENABLE || bytes < pieces * LONG;
}

// ---------------------------------------------------------------------------------------------------------------
// Windows

static MPI_Offset domain_begin(const gathering_t* all, int aggregator) {
  return least(all->begin + aggregator * all->domain, all->end);
}

/// The part of an aggregator's domain that is dealt with in a round.
static void window_of(const gathering_t* all, int aggregator, MPI_Offset round, MPI_Offset* begin, MPI_Offset* end) {
  *begin = least(domain_begin(all, aggregator) + round * all->window, domain_begin(all, aggregator + 1));
  *end = least(*begin + all->window, domain_begin(all, aggregator + 1));
}

/// Whether a process may have something in a part of the file; both sides find the same.
static bool takes_part(const part_t* part, MPI_Offset begin, MPI_Offset end) {
  return part->bytes != 0 && part->begin < end && begin < part->end;
}

/// What this process has there: from which byte of its data on, and how many.
static MPI_Offset share_of(const gathering_t* all, MPI_Offset begin, MPI_Offset end, MPI_Offset* bytes) {
  const mpii_view_t* view = &all->file->view;
  const MPI_Offset start = all->range->position, stop = start + all->range->bytes;
  const MPI_Offset first = most(mpii_view_position(view, begin), start);
  *bytes = most(least(mpii_view_position(view, end), stop) - first, 0);
  return first - start;
}

/// A walk through this process's buffer from a byte of its data on.
static void walk_from(const mpii_access_range_t* range, MPI_Offset from, mpii_walk_t* walk) {
  const uint32_t size = range->datatype->size, element = size == 0 ? 0 : (uint32_t)(from / size);
  mpii_walk_begin(walk, mpii_element(range->buffer, element, range->datatype), range->count - element, range->datatype);
  if (size != 0) mpii_walk_skip(walk, (uint32_t)(from % size));
}

// ---------------------------------------------------------------------------------------------------------------
// A process with an aggregator

typedef struct {
  mpii_window_head_t head;
  mpii_file_strip_t* strips;  ///< NULL: all are in the head
  uint8_t* packed;            ///< NULL: the data lies in one piece
  mpii_walk_t walk;
  mpii_request_t* requests[3];
  int sent;
} dealing_t;

/// Say what it has for the aggregator's window, and give or get the data.
static void begin_dealing(const gathering_t* all, int aggregator, MPI_Offset round, dealing_t* dealing) {
  const mpii_file_t* file = all->file;
  const int peer = file->aggregators[aggregator];
  MPI_Offset begin, end, bytes;
  memset(dealing, 0, sizeof *dealing);
  window_of(all, aggregator, round, &begin, &end);
  if (!takes_part(&all->parts[file->comm->rank], begin, end)) return;
  const MPI_Offset from = share_of(all, begin, end, &bytes);
  dealing->strips = mpii_window_describe(&file->view, all->range->position + from, bytes, &dealing->head);
  dealing->requests[dealing->sent++] =
      mpii_isend(&dealing->head, mpii_window_head_bytes(&dealing->head), byte(), peer, TAG_HEAD, file->comm);
  if (bytes == 0) return;
  if (dealing->strips != NULL) {
    dealing->requests[dealing->sent++] =
        mpii_isend(dealing->strips, dealing->head.strips * (uint32_t)sizeof *dealing->strips, byte(), peer, TAG_STRIPS,
                   file->comm);
  }
  uint8_t* at;
  walk_from(all->range, from, &dealing->walk);
  if (mpii_walk_piece(&dealing->walk, &at) < (uint32_t)bytes)
    at = dealing->packed = mpii_allocate_aligned((size_t)bytes);
  if (!all->range->write) {
    dealing->requests[dealing->sent++] = mpii_irecv(at, (uint32_t)bytes, byte(), peer, TAG_DATA, file->comm);
    return;
  }
  if (dealing->packed != NULL) mpii_walk_gather(&dealing->walk, dealing->packed, (uint32_t)bytes);
  dealing->requests[dealing->sent++] = mpii_isend(at, (uint32_t)bytes, byte(), peer, TAG_DATA, file->comm);
}

static void end_dealing(gathering_t* all, dealing_t* dealing) {
  MPI_Status status = {0};
  for (int i = 0; i < dealing->sent; ++i) mpii_finish(dealing->requests[i], &status);
  if (dealing->head.bytes == 0) return;
  if (all->range->write) {
    all->done += dealing->head.bytes;
  } else {
    const uint32_t got = (uint32_t)status.bytes_;
    if (dealing->packed != NULL) mpii_walk_scatter(&dealing->walk, dealing->packed, got);
    all->done += got;
  }
  mpii_free(dealing->packed);
  free(dealing->strips);
}

// ---------------------------------------------------------------------------------------------------------------
// An aggregator with all processes

/// What a process has for this window.
typedef struct {
  int rank;
  mpii_window_head_t head;
  mpii_file_strip_t* strips;
  uint8_t* data;
  mpii_request_t* request;
} client_t;

static int receive_heads(const gathering_t* all, MPI_Offset begin, MPI_Offset end, client_t* clients) {
  mpii_comm_t* comm = all->file->comm;
  int count = 0;
  for (int rank = 0; rank < comm->size; ++rank) {
    if (!takes_part(&all->parts[rank], begin, end)) continue;
    client_t* client = &clients[count++];
    memset(client, 0, sizeof *client);
    client->rank = rank;
    client->request = mpii_irecv(&client->head, sizeof client->head, byte(), rank, TAG_HEAD, comm);
  }
  for (int i = 0; i < count; ++i) {
    client_t* client = &clients[i];
    mpii_finish(client->request, MPI_STATUS_IGNORE);
    client->strips = client->head.few;
    if (client->head.strips <= MPII_FEW_STRIPS) continue;
    const uint32_t bytes = client->head.strips * (uint32_t)sizeof *client->strips;
    client->strips = mpii_allocate(bytes);
    mpii_finish(mpii_irecv(client->strips, bytes, byte(), client->rank, TAG_STRIPS, comm), MPI_STATUS_IGNORE);
  }
  return count;
}

/// The clients from `first` on whose data has room in memory at a time. Returns the one behind them.
static int some_clients(const gathering_t* all, const client_t* clients, int count, int first) {
  MPI_Offset bytes = clients[first].head.bytes;
  int next = first + 1;
  while (next < count && bytes + clients[next].head.bytes <= all->window) bytes += clients[next++].head.bytes;
  return next;
}

/// Receive all data and put it into the window; of what overlaps, the greatest rank's stays.
static void take_in(const gathering_t* all, mpii_window_t* window, client_t* clients, int count) {
  mpii_comm_t* comm = all->file->comm;
  for (int first = 0, end; first < count; first = end) {
    end = some_clients(all, clients, count, first);
    for (client_t* client = &clients[first]; client < &clients[end]; ++client) {
      if (client->head.bytes == 0) continue;
      client->data = mpii_allocate_aligned(client->head.bytes);
      client->request = mpii_irecv(client->data, client->head.bytes, byte(), client->rank, TAG_DATA, comm);
    }
    for (client_t* client = &clients[first]; client < &clients[end]; ++client) {
      if (client->head.bytes == 0) continue;
      mpii_finish(client->request, MPI_STATUS_IGNORE);
      mpii_window_put(window, client->strips, client->head.strips, client->data);
      mpii_free(client->data);
    }
  }
}

/// Send each process the bytes that it requested, up to the end of the file.
static void give_out(const gathering_t* all, const mpii_window_t* window, client_t* clients, int count) {
  mpii_comm_t* comm = all->file->comm;
  for (int first = 0, end; first < count; first = end) {
    end = some_clients(all, clients, count, first);
    for (client_t* client = &clients[first]; client < &clients[end]; ++client) {
      const uint32_t strips = client->head.strips;
      const uint8_t* data;
      if (client->head.bytes == 0) continue;
      if (!mpii_strips_are_one(client->strips, strips)) client->data = mpii_allocate_aligned(client->head.bytes);
      const uint32_t bytes = mpii_window_get(window, client->strips, strips, client->data, &data);
      client->request = mpii_isend(data, bytes, byte(), client->rank, TAG_DATA, comm);
    }
    for (client_t* client = &clients[first]; client < &clients[end]; ++client) {
      if (client->head.bytes == 0) continue;
      mpii_finish(client->request, MPI_STATUS_IGNORE);
      mpii_free(client->data);
    }
  }
}

static void aggregate(gathering_t* all, int aggregator, MPI_Offset round, client_t* clients, mpii_window_t* window) {
  const bool write = all->range->write;
  MPI_Offset begin, end;
  window_of(all, aggregator, round, &begin, &end);
  const int count = receive_heads(all, begin, end, clients);
  if (count == 0) return;
  mpii_window_clear(window, begin, end);
  int error;
  if (write) {
    take_in(all, window, clients, count);
    error = mpii_window_write(window, all->file->descriptor);
  } else {
    for (int i = 0; i < count; ++i) mpii_window_want(window, clients[i].strips, clients[i].head.strips);
    error = mpii_window_read(window, all->file->descriptor);
    give_out(all, window, clients, count);
  }
  if (all->error == 0) all->error = error;
  for (int i = 0; i < count; ++i) {
    if (clients[i].strips != clients[i].head.few) free(clients[i].strips);
  }
}

// ---------------------------------------------------------------------------------------------------------------

static int aggregator_of(const mpii_file_t* file) {
  for (uint32_t number = 0; number < file->hints.aggregators; ++number) {
    if (file->aggregators[number] == file->comm->rank) return (int)number;
  }
  return -1;
}

static void gather(gathering_t* all) {
  const mpii_file_t* file = all->file;
  const int aggregators = (int)file->hints.aggregators, mine = aggregator_of(file);
  all->domain = (all->end - all->begin + aggregators - 1) / aggregators;
  all->window = least(file->hints.buffer, all->domain);
  const MPI_Offset rounds = (all->domain + all->window - 1) / all->window;
  dealing_t* dealings = mpii_allocate((size_t)aggregators * sizeof *dealings);
  client_t* clients = mine < 0 ? NULL : mpii_allocate((size_t)file->comm->size * sizeof *clients);
  mpii_window_t window;
  if (mine >= 0) mpii_window_open(&window, (uint32_t)all->window);
  for (MPI_Offset round = 0; round < rounds; ++round) {
    for (int number = 0; number < aggregators; ++number) begin_dealing(all, number, round, &dealings[number]);
    if (mine >= 0) aggregate(all, mine, round, clients, &window);
    for (int number = 0; number < aggregators; ++number) end_dealing(all, &dealings[number]);
  }
  if (mine >= 0) mpii_window_close(&window);
  free(clients);
  free(dealings);
}

int mpii_file_transfer_all(mpii_file_t* file, const mpii_access_range_t* range, uint32_t* done) {
  gathering_t all = {.file = file, .range = range};
  if (file->comm->size == 1) return mpii_file_transfer(file, range, done);
  exchange_parts(&all);
  if (is_worth_it(&all)) {
    gather(&all);
    *done = all.done;
    free(all.parts);
    // All are here until all is done: no process accesses what others are writing for it, or for whom the file is
    // atomic.
    return mpii_file_agree(file, all.error);
  }
  free(all.parts);
  return mpii_file_transfer(file, range, done);
}
