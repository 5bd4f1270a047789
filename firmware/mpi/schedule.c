// SPDX-License-Identifier: Apache-2.0
#include "firmware/mpi/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "firmware/mpi/interrupted.h"

typedef enum { SEND, RECEIVE, COPY, PACK, UNPACK, REDUCE, ROUND } kind_t;

typedef struct {
  kind_t kind;
  int peer;
  const void* from;
  void* to;
  uint32_t count, to_count;
  mpii_datatype_t* type;
  mpii_datatype_t* to_type;  ///< of a copy; else NULL
  mpii_basic_t basic;        ///< of a message
  mpii_comm_t* comm;         ///< of a message
  mpii_op_t* op;             ///< of a reduction
  bool pending;              ///< a message that is not complete
} step_t;

/// Memory of a schedule; its bytes follow.
typedef struct piece {
  struct piece* next;
} __attribute__((aligned(32))) piece_t;  // what follows is aligned as networks want it

struct mpii_schedule {
  mpii_request_t* request;
  int tag;
  step_t* steps;
  uint32_t count, room;
  uint32_t at;       ///< the step that is due
  uint32_t round;    ///< the first step of the round that runs
  uint32_t pending;  ///< messages of this round that are not complete
  bool stepping;     ///< its steps are being begun: what completes meanwhile needs no other call
  piece_t* memory;
  struct mpii_schedule* next;  ///< of those to be used again
};

static mpii_schedule_t* spare;
static mpii_datatype_t* byte;

mpii_schedule_t* mpii_schedule_new(mpii_comm_t* comm, int tag) {
  if (byte == NULL) byte = mpii_object(MPI_BYTE, MPII_DATATYPE);
  mpii_schedule_t* schedule = spare;
  if (schedule != NULL) {
    spare = schedule->next;
  } else {
    schedule = mpii_allocate(sizeof *schedule);
  }
  schedule->tag = tag;
  schedule->count = schedule->at = schedule->round = schedule->pending = 0;
  schedule->stepping = false;
  schedule->memory = NULL;
  schedule->request = mpii_request_new(MPII_SCHEDULE);
  schedule->request->comm = mpii_retain(comm);
  schedule->request->schedule = schedule;
  return schedule;
}

void* mpii_schedule_bytes(mpii_schedule_t* schedule, size_t bytes) {
  const size_t whole = (sizeof(piece_t) + bytes + 31) / 32 * 32;
  piece_t* piece = aligned_alloc(32, whole);
  if (piece == NULL) mpii_end("no memory for %lu bytes", (unsigned long)whole);
  piece->next = schedule->memory;
  schedule->memory = piece;
  return piece + 1;
}

void* mpii_schedule_elements(mpii_schedule_t* schedule, uint32_t count, const mpii_datatype_t* datatype) {
  if (count == 0 || datatype->size == 0) return mpii_schedule_bytes(schedule, 0);
  const MPI_Aint extent = datatype->extent;
  const MPI_Aint others = (MPI_Aint)(count - 1) * extent;
  uint8_t* memory = mpii_schedule_bytes(schedule, (size_t)(datatype->true_extent + (others < 0 ? -others : others)));
  return memory - datatype->true_lb - (others < 0 ? others : 0);
}

static step_t* add(mpii_schedule_t* schedule, kind_t kind) {
  if (schedule->count == schedule->room) {
    schedule->room = schedule->room == 0 ? 64 : 2 * schedule->room;
    schedule->steps = realloc(schedule->steps, schedule->room * sizeof *schedule->steps);
    if (schedule->steps == NULL) mpii_end("no memory for %u steps of a collective operation", schedule->room);
  }
  step_t* step = &schedule->steps[schedule->count++];
  memset(step, 0, sizeof *step);
  step->kind = kind;
  return step;
}

static void message(mpii_schedule_t* schedule, kind_t kind, mpii_comm_t* comm, const void* buffer, uint32_t count,
                    mpii_datatype_t* datatype, mpii_basic_t basic, int peer) {
  step_t* step = add(schedule, kind);
  step->comm = comm;
  step->to = (void*)(uintptr_t)buffer;
  step->count = count;
  step->type = mpii_retain(datatype);
  step->basic = basic;
  step->peer = peer;
}

void mpii_plan_send(mpii_schedule_t* schedule, mpii_comm_t* comm, const void* buffer, uint32_t count,
                    mpii_datatype_t* datatype, int peer) {
  message(schedule, SEND, comm, buffer, count, datatype, datatype->basic, peer);
}

void mpii_plan_receive(mpii_schedule_t* schedule, mpii_comm_t* comm, void* buffer, uint32_t count,
                       mpii_datatype_t* datatype, int peer) {
  message(schedule, RECEIVE, comm, buffer, count, datatype, datatype->basic, peer);
}

void mpii_plan_send_packed(mpii_schedule_t* schedule, mpii_comm_t* comm, const void* buffer, uint32_t bytes,
                           mpii_basic_t basic, int peer) {
  message(schedule, SEND, comm, buffer, bytes, byte, basic, peer);
}

void mpii_plan_receive_packed(mpii_schedule_t* schedule, mpii_comm_t* comm, void* buffer, uint32_t bytes,
                              mpii_basic_t basic, int peer) {
  message(schedule, RECEIVE, comm, buffer, bytes, byte, basic, peer);
}

void mpii_plan_copy(mpii_schedule_t* schedule, const void* from, uint32_t from_count, mpii_datatype_t* from_type,
                    void* to, uint32_t to_count, mpii_datatype_t* to_type) {
  if (from == to || from_count == 0 || from_type->size == 0) return;
  step_t* step = add(schedule, COPY);
  step->from = from;
  step->count = from_count;
  step->type = mpii_retain(from_type);
  step->to = to;
  step->to_count = to_count;
  step->to_type = mpii_retain(to_type);
}

void mpii_plan_pack(mpii_schedule_t* schedule, const void* from, uint32_t count, mpii_datatype_t* datatype,
                    void* packed) {
  if (count == 0 || datatype->size == 0) return;
  step_t* step = add(schedule, PACK);
  step->from = from;
  step->count = count;
  step->type = mpii_retain(datatype);
  step->to = packed;
}

void mpii_plan_unpack(mpii_schedule_t* schedule, const void* packed, void* to, uint32_t count,
                      mpii_datatype_t* datatype) {
  if (count == 0 || datatype->size == 0) return;
  step_t* step = add(schedule, UNPACK);
  step->from = packed;
  step->count = count;
  step->type = mpii_retain(datatype);
  step->to = to;
}

void mpii_plan_reduce(mpii_schedule_t* schedule, const void* in, void* inout, uint32_t count, mpii_datatype_t* datatype,
                      mpii_op_t* op) {
  if (count == 0) return;
  step_t* step = add(schedule, REDUCE);
  step->from = in;
  step->to = inout;
  step->count = count;
  step->type = mpii_retain(datatype);
  step->op = mpii_retain(op);
}

void mpii_plan_round(mpii_schedule_t* schedule) {
  if (schedule->count != 0 && schedule->steps[schedule->count - 1].kind != ROUND) add(schedule, ROUND);
}

// ---------------------------------------------------------------------------------------------------------------
// Running

// What a process waits for, in the machine's report of a job that does not end: the first message of the round that is
// not complete.

static const mpii_schedule_t* described;  ///< the one that is waited for
static const step_t* described_step;
static const char *described_call, *described_comm;

static void describe(void) {
  for (uint32_t i = described->round; i < described->at; ++i) {
    described_step = &described->steps[i];
    if (!described_step->pending) continue;
    mpit_start_waiting(
        described_step->kind == SEND ? "%s on %s, sending to rank %d" : "%s on %s, receiving from rank %d",
        (uintptr_t)described_call, (uintptr_t)described_comm, (uint32_t)described_step->peer, 0);
    return;
  }
}

void mpii_schedule_describe(const mpii_schedule_t* schedule, const char* call, const char* comm) {
  described = schedule;
  described_call = call;
  described_comm = comm;
  describe();
}

static void start_message(mpii_schedule_t* schedule, step_t* step) {
  mpii_request_t* request = mpii_request_internal(step->kind == SEND ? MPII_SEND : MPII_RECEIVE, step->to, step->count,
                                                  step->type, step->peer, schedule->tag, step->comm);
  request->basic = step->basic;
  request->schedule = schedule;
  request->step = (uint32_t)(step - schedule->steps);
  step->pending = true;
  schedule->pending += 1;
  mpii_start(request);
  mpii_request_release(request);
}

/// From one datatype to another, by way of memory without gaps where both have some.
static void copy(const step_t* step) {
  const mpii_datatype_t *from = step->type, *to = step->to_type;
  const uint32_t bytes = step->count * from->size;
  const uint32_t room = step->to_count * to->size;
  if (from->dense) {
    mpii_unpack((const uint8_t*)step->from + from->blocks[0].offset, bytes < room ? bytes : room, step->to,
                step->to_count, to);
  } else if (to->dense && bytes <= room) {
    mpii_pack(step->from, step->count, from, (uint8_t*)step->to + to->blocks[0].offset);
  } else {
    void* packed = mpii_allocate_aligned(bytes);
    mpii_pack(step->from, step->count, from, packed);
    mpii_unpack(packed, bytes < room ? bytes : room, step->to, step->to_count, to);
    free(packed);
  }
}

static void begin(mpii_schedule_t* schedule, step_t* step) {
  switch (step->kind) {
    case SEND:
    case RECEIVE:
      start_message(schedule, step);
      break;
    case COPY:
      copy(step);
      break;
    case PACK:
      mpii_pack(step->from, step->count, step->type, step->to);
      break;
    case UNPACK:
      mpii_unpack(step->from, step->count * step->type->size, step->to, step->count, step->type);
      break;
    case REDUCE:
      mpii_op_apply(step->op, step->from, step->to, step->count, step->type);
      break;
    case ROUND:
      break;
  }
}

static void end(mpii_schedule_t* schedule) {
  for (uint32_t i = 0; i < schedule->count; ++i) {
    const step_t* step = &schedule->steps[i];
    if (step->type != NULL) mpii_datatype_release(step->type);
    if (step->to_type != NULL) mpii_datatype_release(step->to_type);
    if (step->op != NULL) mpii_op_release(step->op);
  }
  while (schedule->memory != NULL) {
    piece_t* piece = schedule->memory;
    schedule->memory = piece->next;
    free(piece);
  }
  if (described == schedule) described = NULL;
  mpii_request_t* request = schedule->request;
  schedule->next = spare;
  spare = schedule;
  request->schedule = NULL;
  mpii_set_complete(request);
  mpii_request_release(request);
}

/// Begin rounds until one has to wait for its messages.
static void step_on(mpii_schedule_t* schedule) {
  schedule->stepping = true;
  while (schedule->pending == 0 && schedule->at < schedule->count) {
    schedule->round = schedule->at;
    step_t* step;
    do {
      step = &schedule->steps[schedule->at++];
      begin(schedule, step);
    } while (step->kind != ROUND && schedule->at < schedule->count);
  }
  schedule->stepping = false;
  if (schedule->pending == 0) {
    end(schedule);
  } else if (schedule == described) {
    describe();
  }
}

static void go_on(void* schedule) {
  step_on(schedule);
}

void mpii_schedule_progress(mpii_schedule_t* schedule, const mpii_request_t* done) {
  mpii_request_t* whole = schedule->request;
  int error = done->status.MPI_ERROR;
  if (error == MPI_SUCCESS && done->kind == MPII_RECEIVE && (uint32_t)done->status.bytes_ != done->bytes) {
    error = MPI_ERR_COUNT;
  }
  if (error != MPI_SUCCESS && whole->status.MPI_ERROR == MPI_SUCCESS) {  // the first is reported, in the end
    whole->status.MPI_ERROR = error;
    whole->status.MPI_SOURCE = done->status.MPI_SOURCE;
    whole->status.bytes_ = done->status.bytes_;
    whole->bytes = done->bytes;
  }
  step_t* step = &schedule->steps[done->step];
  step->pending = false;
  schedule->pending -= 1;
  if (schedule->pending == 0 && !schedule->stepping) {
    // The next round may call the program's functions.
    if (mpii_interrupted) {
      mpii_later(go_on, schedule);
    } else {
      step_on(schedule);
    }
  } else if (schedule == described && step == described_step) {
    describe();
  }
}

int mpii_schedule_run(mpii_schedule_t* schedule, MPI_Request* handle) {
  mpii_request_t* request = schedule->request;
  request->status = (MPI_Status){.MPI_SOURCE = MPI_ANY_SOURCE, .MPI_TAG = MPI_ANY_TAG};
  mpii_retain(request);  // for the waiting call; the first reference is the schedule's
  if (handle != NULL) *handle = mpii_object_open(request, MPII_REQUEST);
  step_on(schedule);
  return handle != NULL ? MPI_SUCCESS : mpii_finish(request, MPI_STATUS_IGNORE);
}
