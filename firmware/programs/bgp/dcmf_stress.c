// SPDX-License-Identifier: Apache-2.0
// Stress of DCMF's point-to-point operations: each rank starts operations with random ranks, itself among them: puts,
// gets, sends and control messages of random size, alignment, protocol and consistency, several at a time, in callbacks
// as well.
//   dcmf_stress [--operations 100] [--seed 1] [--most 1048576] [--shared 0]
// `--operations` a rank; `--most` is the size of the largest; with `--shared 1` the data arrive in memory that the
// processes of a node share, of which BG_SHAREDMEMPOOLSIZE has to give enough. What has arrived is compared byte by
// byte, with 64 bytes on each side. Rank 0 prints what all ranks have counted:
//   dcmf_stress ranks=8 put=139 put_told=133 put_ordered=128 get=131 send=140 control=129 bytes=40861324 wrong=0
// All data is cut out of one array of random bytes, which is the same on all ranks.
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <spi/kernel_interface.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "firmware/programs/bgp/dcmf_program.h"
#include "firmware/programs/contents.h"

/// Ways to move data, and so kinds of operations.
typedef enum {
  PUT,          ///< acknowledged
  PUT_TOLD,     ///< with both callbacks
  PUT_ORDERED,  ///< without any: a message behind it says that it is there
  GET,
  SEND,
  CONTROL,
  KINDS
} kind_t;
static const char* const kNames[KINDS] = {"put", "put_told", "put_ordered", "get", "send", "control"};

enum { LANES = 2, GUARD = 64, ALIGNMENTS = 64, SLACK = 1 << 16, MOST_TOLD = 5, SENDS = 3 };
enum { CHECK, CONTROLLED, DONE, REPORT };  // what control messages are for

/// What of the common array has gone where: the first quad of messages.
typedef struct {
  uint32_t lane;
  uint32_t from;  ///< in the common array
  uint32_t bytes;
  uint32_t align;
} piece_t;
typedef struct {
  uint32_t what;
  uint32_t kind;
  piece_t piece;
  uint32_t rest[(sizeof(DCMF_Control_t) - 2 * sizeof(uint32_t) - sizeof(piece_t)) / sizeof(uint32_t)];
} note_t;
_Static_assert(sizeof(note_t) == sizeof(DCMF_Control_t), "a note is a control message");

/// An operation with a peer, which has LANES of them at a time; and a message that is being received from it.
typedef struct {
  DCMF_Request_t request, notice, receiving;
  piece_t piece, incoming;
  uint32_t peer;
  unsigned due;  ///< callbacks
  kind_t kind;
  bool busy;
  DCQuad info[7];
} lane_t;

static unsigned rank, size, operations, most, under_way, reports;
static uint32_t seed, stride;
static unsigned nodes;  // ranks are numbered by node first, then by process of the node
static size_t part;     // of shared memory, of one process; else 0
static uint8_t *common, *places, *fetched;
static lane_t* lanes;
static DCMF_Protocol_t put, get, control, notice, sends[SENDS];
static uint32_t counted[KINDS], wrong;
static uint64_t moved;

static uint32_t common_bytes(void) {
  return most + SLACK;
}

// Where a peer's data arrive in the memory of `owner`.
static uint8_t* place(unsigned owner, unsigned peer, const piece_t* piece) {
  return places + (size_t)(owner / nodes) * part + (size_t)(peer * LANES + piece->lane) * stride + GUARD + piece->align;
}

static lane_t* lane_of(size_t peer, uint32_t lane) {
  return &lanes[peer * LANES + lane];
}

// Compares what has arrived at `at`, and clears it.
static void compare(uint8_t* at, const piece_t* piece, size_t peer, const char* what) {
  static const uint8_t kZero[GUARD];
  if (memcmp(at, common + piece->from, piece->bytes) != 0 || memcmp(at - GUARD, kZero, GUARD) != 0 ||
      memcmp(at + piece->bytes, kZero, GUARD) != 0) {
    if (++wrong <= MOST_TOLD) {
      printf("rank %u: %s of %u bytes with rank %u (at %u of the array, alignment %u) is wrong\n", rank, what,
             piece->bytes, (unsigned)peer, piece->from, piece->align);
    }
  }
  memset(at - GUARD, 0, piece->bytes + 2 * GUARD);
}

static void tell(size_t peer, note_t* note) {
  DCMF_Control_t info;
  for (unsigned i = 0; i < sizeof note->rest / sizeof note->rest[0]; ++i) {
    if (note->what != REPORT) note->rest[i] = program_hash(note->piece.from, i);
  }
  memcpy(info, note, sizeof info);
  if (DCMF_Control(&control, DCMF_SEQUENTIAL_CONSISTENCY, peer, &info) != DCMF_SUCCESS) abort();
}

static void tell_about(uint32_t what, size_t peer, kind_t kind, const piece_t* piece) {
  note_t note = {what, kind, *piece, {0}};
  tell(peer, &note);
}

static void end(lane_t* lane) {
  ++counted[lane->kind];
  moved += lane->piece.bytes;
  lane->busy = false;
  --under_way;
}

// Notes and messages ------------------------------------------------------------------------------------------------

static void take_report(const note_t* note) {
  ++reports;
  wrong += note->piece.lane;
  moved += (uint64_t)note->rest[0] << 32 | note->rest[1];
  for (unsigned kind = 0; kind < KINDS; ++kind) counted[kind] += note->rest[2 + kind];
}

static void receive_note(void* clientdata, const DCMF_Control_t* info, size_t peer) {
  (void)clientdata;
  note_t note;
  memcpy(&note, info, sizeof note);
  if (note.what == REPORT) {
    take_report(&note);
    return;
  }
  for (unsigned i = 0; i < sizeof note.rest / sizeof note.rest[0]; ++i) {
    if (note.rest[i] != program_hash(note.piece.from, i) && ++wrong <= MOST_TOLD)
      printf("rank %u: a control message of rank %u is wrong\n", rank, (unsigned)peer);
  }
  if (note.what == DONE) {
    end(lane_of(peer, note.piece.lane));
    return;
  }
  if (note.what == CHECK) compare(place(rank, (unsigned)peer, &note.piece), &note.piece, peer, kNames[note.kind]);
  tell_about(DONE, peer, note.kind, &note.piece);
}

static void receive_notice(void* clientdata, const DCQuad* info, unsigned count, size_t peer, const char* source,
                           size_t bytes) {
  (void)clientdata, (void)count, (void)source, (void)bytes;
  piece_t piece;
  memcpy(&piece, info, sizeof piece);
  compare(place(rank, (unsigned)peer, &piece), &piece, peer, kNames[PUT_ORDERED]);
  tell_about(DONE, peer, PUT_ORDERED, &piece);
}

// The first quad is followed by some that can be computed from it.
static void check_info(const DCQuad* info, unsigned count, const piece_t* piece, size_t peer) {
  for (unsigned i = 1; i < count; ++i) {
    if (info[i].w0 != program_hash(piece->from, i) && ++wrong <= MOST_TOLD)
      printf("rank %u: msginfo of rank %u is wrong\n", rank, (unsigned)peer);
  }
}

static void receive_short(void* clientdata, const DCQuad* info, unsigned count, size_t peer, const char* source,
                          size_t bytes) {
  (void)clientdata;
  piece_t piece;
  memcpy(&piece, info, sizeof piece);
  check_info(info, count, &piece, peer);
  if ((bytes != piece.bytes || memcmp(source, common + piece.from, bytes) != 0) && ++wrong <= MOST_TOLD)
    printf("rank %u: a short message of %u bytes of rank %u is wrong\n", rank, (unsigned)bytes, (unsigned)peer);
  tell_about(DONE, peer, SEND, &piece);
}

static void received(void* clientdata, DCMF_Error_t* error) {
  (void)error;
  lane_t* const lane = clientdata;
  compare(place(rank, lane->peer, &lane->incoming), &lane->incoming, lane->peer, kNames[SEND]);
  tell_about(DONE, lane->peer, SEND, &lane->incoming);
}

static DCMF_Request_t* receive_long(void* clientdata, const DCQuad* info, unsigned count, size_t peer, size_t sndlen,
                                    size_t* rcvlen, char** rcvbuf, DCMF_Callback_t* cb_done) {
  (void)clientdata;
  piece_t piece;
  memcpy(&piece, info, sizeof piece);
  check_info(info, count, &piece, peer);
  lane_t* const lane = lane_of(peer, piece.lane);
  lane->incoming = piece;
  *rcvlen = sndlen;
  *rcvbuf = (char*)place(rank, (unsigned)peer, &piece);
  *cb_done = (DCMF_Callback_t){received, lane};
  return &lane->receiving;
}

// Operations --------------------------------------------------------------------------------------------------------

// The data of a put are there: the target is to look.
static void put_done(void* clientdata, DCMF_Error_t* error) {
  (void)error;
  lane_t* const lane = clientdata;
  if (--lane->due == 0) tell_about(CHECK, lane->peer, lane->kind, &lane->piece);
}

static void get_done(void* clientdata, DCMF_Error_t* error) {
  (void)error;
  lane_t* const lane = clientdata;
  compare(fetched + (size_t)(lane->peer * LANES + lane->piece.lane) * stride + GUARD + lane->piece.align, &lane->piece,
          lane->peer, kNames[GET]);
  end(lane);
}

static DCMF_Result start_put(lane_t* lane, DCMF_Consistency consistency) {
  const piece_t* piece = &lane->piece;
  const DCMF_Callback_t none = {NULL, NULL}, told = {put_done, lane};
  const bool ordered = lane->kind == PUT_ORDERED;
  lane->due = lane->kind == PUT_TOLD ? 2 : 1;
  const DCMF_Result result = DCMF_Put(&put, &lane->request, lane->kind == PUT_TOLD ? told : none,
                                      ordered ? DCMF_SEQUENTIAL_CONSISTENCY : consistency, lane->peer, piece->bytes,
                                      program_region(rank), program_region(lane->peer), (size_t)(common + piece->from),
                                      (size_t)place(lane->peer, rank, piece), ordered ? none : told);
  if (!ordered || result != DCMF_SUCCESS) return result;
  return DCMF_Send(&notice, &lane->notice, none, DCMF_SEQUENTIAL_CONSISTENCY, lane->peer, 0, NULL, lane->info, 1);
}

static DCMF_Result start_operation(lane_t* lane, uint32_t draw) {
  static const DCMF_Consistency kAll[] = {DCMF_MATCH_CONSISTENCY, DCMF_RELAXED_CONSISTENCY,
                                          DCMF_SEQUENTIAL_CONSISTENCY};
  const DCMF_Consistency consistency = kAll[draw % 3];
  const DCMF_Callback_t none = {NULL, NULL}, fetch_done = {get_done, lane};
  const piece_t* piece = &lane->piece;
  memcpy(&lane->info[0], piece, sizeof *piece);
  for (unsigned i = 1; i < 7; ++i) lane->info[i].w0 = program_hash(piece->from, i);
  switch (lane->kind) {
    case GET:
      return DCMF_Get(&get, &lane->request, fetch_done, consistency, lane->peer, piece->bytes,
                      program_region(lane->peer), program_region(rank), (size_t)(common + piece->from),
                      (size_t)(fetched + (size_t)(lane->peer * LANES + piece->lane) * stride + GUARD + piece->align));
    case SEND:
      return DCMF_Send(&sends[draw / 3 % SENDS], &lane->request, none, consistency, lane->peer, piece->bytes,
                       (char*)common + piece->from, lane->info, 1 + draw / 9 % 7);
    case CONTROL:
      tell_about(CONTROLLED, lane->peer, CONTROL, piece);
      return DCMF_SUCCESS;
    default:
      return start_put(lane, consistency);
  }
}

// Starts operation `number`; false if its peer has enough to do.
static bool start(unsigned number) {
  uint32_t state = program_hash(seed ^ rank << 24, number);
  const uint32_t peer = (state = program_hash(state, 1)) % size;
  lane_t* lane = lane_of(peer, 0);
  while (lane < lane_of(peer, LANES) && lane->busy) ++lane;
  if (lane == lane_of(peer, LANES)) return false;
  const uint32_t bits = (state = program_hash(state, 2)) % 21;
  uint32_t bytes = (state = program_hash(state, 3)) % ((1u << bits) + 1);
  if (bytes > most) bytes = most;
  lane->kind = (kind_t)((state = program_hash(state, 4)) % KINDS);
  lane->busy = true;
  lane->piece.bytes = lane->kind == CONTROL ? 0 : bytes;
  lane->piece.from = (state = program_hash(state, 5)) % (common_bytes() - bytes + 1);
  lane->piece.align = (state = program_hash(state, 6)) % ALIGNMENTS;
  ++under_way;
  if (start_operation(lane, program_hash(state, 7)) != DCMF_SUCCESS) abort();
  return true;
}

// Start and end -----------------------------------------------------------------------------------------------------

static unsigned argument(int argc, char** argv, const char* name, unsigned least, unsigned greatest,
                         unsigned otherwise) {
  for (int i = 1; i + 1 < argc; i += 2) {
    if (strcmp(argv[i], name) != 0) continue;
    char* rest;
    const unsigned long value = strtoul(argv[i + 1], &rest, 0);
    if (*rest == 0 && rest != argv[i + 1] && value >= least && value <= greatest) return (unsigned)value;
    fprintf(stderr, "dcmf_stress: %s is a number from %u to %u, not '%s'\n", name, least, greatest, argv[i + 1]);
    exit(EXIT_FAILURE);
  }
  return otherwise;
}

static void register_all(void) {
  static const DCMF_Send_Protocol kProtocols[SENDS] = {DCMF_DEFAULT_SEND_PROTOCOL, DCMF_EAGER_SEND_PROTOCOL,
                                                       DCMF_RZV_SEND_PROTOCOL};
  DCMF_Put_Configuration_t of_puts = {DCMF_DEFAULT_PUT_PROTOCOL, DCMF_DEFAULT_NETWORK};
  DCMF_Get_Configuration_t of_gets = {DCMF_DEFAULT_GET_PROTOCOL, DCMF_DEFAULT_NETWORK};
  DCMF_Control_Configuration_t of_control = {DCMF_DEFAULT_CONTROL_PROTOCOL, DCMF_DEFAULT_NETWORK, receive_note, NULL};
  DCMF_Send_Configuration_t of_sends = {
      DCMF_DEFAULT_SEND_PROTOCOL, DCMF_DEFAULT_NETWORK, receive_notice, NULL, receive_long, NULL};
  bool good = DCMF_Put_register(&put, &of_puts) == DCMF_SUCCESS && DCMF_Get_register(&get, &of_gets) == DCMF_SUCCESS &&
              DCMF_Control_register(&control, &of_control) == DCMF_SUCCESS &&
              DCMF_Send_register(&notice, &of_sends) == DCMF_SUCCESS;
  of_sends.cb_recv_short = receive_short;
  for (unsigned i = 0; i < SENDS; ++i) {
    of_sends.protocol = kProtocols[i];
    good = good && DCMF_Send_register(&sends[i], &of_sends) == DCMF_SUCCESS;
  }
  if (!good) abort();
}

// Memory for what arrives, zero: of this process, or a part of what those of the node share.
static uint8_t* make_places(size_t bytes, bool shared) {
  if (!shared) return calloc(1, bytes);
  part = bytes;
  const size_t all = bytes * (size_t)Kernel_ProcessCount();
  const int object = shm_open("/dcmf_stress", O_CREAT | O_RDWR, 0600);
  void* memory = MAP_FAILED;
  if (object >= 0 && ftruncate(object, (off_t)all) == 0)
    memory = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_SHARED, object, 0);
  if (memory == MAP_FAILED) {
    fprintf(stderr, "dcmf_stress: the processes of a node cannot share %u bytes; see BG_SHAREDMEMPOOLSIZE\n",
            (unsigned)all);
    exit(EXIT_FAILURE);
  }
  return memory;
}

static void make_memory(bool shared) {
  nodes = size / (unsigned)Kernel_ProcessCount();
  stride = (most + 2 * GUARD + ALIGNMENTS + 63) / 64 * 64;
  const size_t bytes = (size_t)size * LANES * stride;
  common = malloc(common_bytes());
  places = make_places(bytes, shared);
  fetched = calloc(1, bytes);
  lanes = aligned_alloc(16, sizeof *lanes * size * LANES);
  if (common == NULL || places == NULL || fetched == NULL || lanes == NULL) {
    fprintf(stderr, "dcmf_stress: no memory for the data of %u ranks\n", size);
    exit(EXIT_FAILURE);
  }
  memset(lanes, 0, sizeof *lanes * size * LANES);
  for (unsigned i = 0; i < size * LANES; ++i) {
    lanes[i].peer = i / LANES;
    lanes[i].piece.lane = i % LANES;
  }
  program_fill(common, common_bytes(), seed);
  // At the same addresses on all ranks, as the program is the same.
  if (program_address(common, (rank + 1) % size) != common || program_address(places, (rank + 1) % size) != places)
    abort();
}

static void report(void) {
  if (rank != 0) {
    note_t note = {REPORT, 0, {wrong, 0, 0, 0}, {(uint32_t)(moved >> 32), (uint32_t)moved}};
    for (unsigned kind = 0; kind < KINDS; ++kind) note.rest[2 + kind] = counted[kind];
    tell(0, &note);
    return;
  }
  while (reports < size - 1) DCMF_Messager_advance();
  printf("dcmf_stress ranks=%u", size);
  for (unsigned kind = 0; kind < KINDS; ++kind) printf(" %s=%u", kNames[kind], counted[kind]);
  printf(" bytes=%llu wrong=%u\n", (unsigned long long)moved, wrong);
}

int main(int argc, char** argv) {
  operations = argument(argc, argv, "--operations", 0, 10000000, 100);
  seed = argument(argc, argv, "--seed", 0, 0xFFFFFF, 1);
  most = argument(argc, argv, "--most", 0, 1 << 20, 1 << 20);
  const bool shared = argument(argc, argv, "--shared", 0, 1, 0) == 1;
  program_start();
  rank = (unsigned)DCMF_Messager_rank();
  size = (unsigned)DCMF_Messager_size();
  register_all();
  make_memory(shared);
  program_barrier();
  for (unsigned started = 0; started < operations || under_way != 0;) {
    if (started < operations && start(started)) {
      ++started;
    } else {
      DCMF_Messager_advance();
    }
  }
  program_barrier();
  report();
  return program_end(wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
}
