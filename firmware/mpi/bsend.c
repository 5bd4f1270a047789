// SPDX-License-Identifier: Apache-2.0
// Buffered sends: messages are copied into the buffer that the user has attached and leave it when the network takes
// them. The buffer is a list of pieces, one behind the other, each used by a message or free.
#include "firmware/mpi/bsend.h"

/// A piece begins with this; its bytes follow. MPI_BSEND_OVERHEAD leaves room for it and its alignment.
typedef struct piece {
  struct piece* next;    ///< the one behind it; NULL: the last
  uint32_t room;         ///< bytes behind this head
  mpii_request_t* user;  ///< the message that is in it; NULL: free
} __attribute__((aligned(16))) piece_t;
_Static_assert(sizeof(piece_t) + 16 + 16 <= MPI_BSEND_OVERHEAD, "documented overhead");

static void* attached;
static int attached_bytes;
static piece_t* pieces;

/// Free the pieces of messages that have gone, and join free neighbours.
static void collect(void) {
  for (piece_t* piece = pieces; piece != NULL; piece = piece->next) {
    if (piece->user == NULL || !piece->user->complete) continue;
    mpii_request_release(piece->user);
    piece->user = NULL;
  }
  for (piece_t* piece = pieces; piece != NULL; piece = piece->next) {
    while (piece->user == NULL && piece->next != NULL && piece->next->user == NULL) {
      piece->room += (uint32_t)sizeof *piece + piece->next->room;
      piece->next = piece->next->next;
    }
  }
}

/// The first free piece with room for a message, cut to its size.
static piece_t* take(uint32_t bytes) {
  const uint32_t wanted = (bytes + 15u) & ~15u;
  collect();
  for (piece_t* piece = pieces; piece != NULL; piece = piece->next) {
    if (piece->user != NULL || piece->room < wanted) continue;
    if (piece->room >= wanted + sizeof *piece + 16) {
      piece_t* rest = (piece_t*)((uint8_t*)(piece + 1) + wanted);
      *rest = (piece_t){piece->next, piece->room - wanted - (uint32_t)sizeof *piece, NULL};
      piece->next = rest;
      piece->room = wanted;
    }
    return piece;
  }
  return NULL;
}

int mpii_bsend_start(mpii_request_t* request) {
  request->status = (MPI_Status){.MPI_SOURCE = MPI_ANY_SOURCE, .MPI_TAG = MPI_ANY_TAG};
  mpii_set_complete(request);
  if (request->peer == MPI_PROC_NULL) return MPI_SUCCESS;
  piece_t* piece = take(request->bytes);
  if (piece == NULL) {
    return mpii_fail(request->comm, MPI_ERR_BUFFER,
                     "no room for a message of %u bytes in the attached buffer of %d bytes; each needs its bytes and "
                     "MPI_BSEND_OVERHEAD (%d) more",
                     request->bytes, attached_bytes, MPI_BSEND_OVERHEAD);
  }
  mpii_pack(request->buffer, request->count, request->datatype, piece + 1);
  mpii_request_t* copy = mpii_request_new(MPII_SEND);
  copy->comm = mpii_retain(request->comm);
  // The type map stays known to the receiver; the bytes lie without gaps.
  copy->datatype = mpii_retain(mpii_object(MPI_BYTE, MPII_DATATYPE));
  copy->basic = request->basic;
  copy->buffer = piece + 1;
  copy->count = copy->bytes = request->bytes;
  copy->peer = request->peer;
  copy->tag = request->tag;
  copy->context = request->context;
  piece->user = copy;
  mpii_start(copy);
  return MPI_SUCCESS;
}

#if MPIT_THREADS
/// A message that has not gone; NULL: none.
static mpii_request_t* under_way(void) {
  collect();
  for (const piece_t* piece = pieces; piece != NULL; piece = piece->next) {
    if (piece->user != NULL) return piece->user;
  }
  return NULL;
}

void mpii_bsend_drain(void) {
  // While this thread waits, others may send from the buffer and free its pieces.
  for (mpii_request_t* request = under_way(); request != NULL; request = under_way()) {
    mpii_retain(request);
    mpii_await(request);
    mpii_request_release(request);
  }
}
#else
void mpii_bsend_drain(void) {
  for (const piece_t* piece = pieces; piece != NULL; piece = piece->next) {
    if (piece->user != NULL) mpii_await(piece->user);
  }
  collect();
}
#endif

int PMPI_Bsend(const void* buffer, int count, MPI_Datatype datatype, int destination, int tag, MPI_Comm comm) {
  const mpii_arguments_t arguments = {buffer, count, datatype, destination, tag, comm};
  mpii_request_t* request;
  MPII_TRY(mpii_send_new("MPI_Bsend", &arguments, MPII_BUFFERED, &request));
  const int error = mpii_bsend_start(request);
  mpii_request_release(request);
  return error;
}
MPII_PUBLIC(Bsend);

int PMPI_Ibsend(const void* buffer, int count, MPI_Datatype datatype, int destination, int tag, MPI_Comm comm,
                MPI_Request* handle) {
  const mpii_arguments_t arguments = {buffer, count, datatype, destination, tag, comm};
  mpii_request_t* request;
  MPII_TRY(mpii_send_new("MPI_Ibsend", &arguments, MPII_BUFFERED, &request));
  MPII_TRY(mpii_request_open(request, handle));
  const int error = mpii_bsend_start(request);
  if (error != MPI_SUCCESS) PMPI_Request_free(handle);
  return error;
}
MPII_PUBLIC(Ibsend);

int PMPI_Buffer_attach(void* buffer, int size) {
  mpii_enter("MPI_Buffer_attach");
  if (attached != NULL) return mpii_fail(NULL, MPI_ERR_BUFFER, "a buffer is attached already; detach it first");
  if (buffer == NULL && size > 0) return mpii_fail(NULL, MPI_ERR_BUFFER, "the buffer is a null pointer");
  if (size < 0) return mpii_fail(NULL, MPI_ERR_ARG, "size is %d; it must be 0 or more", size);
  attached = buffer;
  attached_bytes = size;
  const uintptr_t start = ((uintptr_t)buffer + 15u) & ~(uintptr_t)15;
  const uintptr_t end = ((uintptr_t)buffer + (uint32_t)size) & ~(uintptr_t)15;
  pieces = NULL;
  if (end >= start + sizeof *pieces + 16) {
    pieces = (piece_t*)start;
    *pieces = (piece_t){NULL, (uint32_t)(end - start - sizeof *pieces), NULL};
  }
  return MPI_SUCCESS;
}
MPII_PUBLIC(Buffer_attach);

int PMPI_Buffer_detach(void* buffer, int* size) {
  mpii_enter("MPI_Buffer_detach");
  MPII_TRY(mpii_check_given(NULL, buffer, "buffer"));
  MPII_TRY(mpii_check_given(NULL, size, "size"));
  mpii_bsend_drain();
  *(void**)buffer = attached;
  *size = attached_bytes;
  attached = NULL;
  attached_bytes = 0;
  pieces = NULL;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Buffer_detach);
