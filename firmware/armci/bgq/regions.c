// SPDX-License-Identifier: Apache-2.0
// Memory regions: those of this process, and a cache of the others'.
//
// A region that is not known is asked for by a message that the target's library answers. Each process has room for so
// many, and the one that has been used least goes first. Regions stay valid, because the kernel maps memory once.
#include <stdlib.h>
#include <string.h>

#include "firmware/armci/bgq/bgq.h"
#include "firmware/hot.h"

typedef struct {
  uint64_t base, bytes;
  uint64_t handle;
} description_t;
_Static_assert(sizeof(pami_memregion_t) == sizeof(uint64_t), "a region's handle is a word");

typedef struct {
  description_t known;
  uint32_t uses;
} entry_t;

/// Of a process, from its first region on.
typedef struct {
  entry_t* entries;
  uint32_t count;
} table_t;

static table_t* tables;
/// Regions of each process that are kept; 0: none are made, so that all goes as where PAMI can make none.
static uint32_t room;

HOT_OF_RMA static bool find(uint32_t target, uint64_t at, size_t bytes, armcib_place_t* place) {
  table_t* const table = &tables[target];
  for (uint32_t i = 0; i < table->count; ++i) {
    entry_t* const entry = &table->entries[i];
    const uint64_t offset = at - entry->known.base;
    if (offset >= entry->known.bytes || bytes > entry->known.bytes - offset) continue;
    ++entry->uses;
    place->region[0] = entry->known.handle;
    place->offset = offset;
    return true;
  }
  return false;
}

static entry_t* place_for(table_t* table, const description_t* known) {
  if (table->entries == NULL) {
    table->entries = calloc(room, sizeof *table->entries);
    if (table->entries == NULL) armcii_fail("there is no memory for memory regions");
  }
  entry_t* least = &table->entries[0];
  for (uint32_t i = 0; i < table->count; ++i) {
    entry_t* const entry = &table->entries[i];
    if (entry->known.base == known->base) return entry;  // what was there before has been freed
    if (entry->uses < least->uses) least = entry;
  }
  return table->count < room ? &table->entries[table->count++] : least;
}

static void keep(uint32_t target, const description_t* known) {
  *place_for(&tables[target], known) = (entry_t){.known = *known};
}

/// False: PAMI makes no region of all of it.
static bool create(uint64_t base, uint64_t bytes, description_t* made) {
  pami_memregion_t region;
  size_t granted = 0;
  if (room == 0) return false;
  if (PAMI_Memregion_create(armcib_contexts[ARMCIB_OWN], (void*)base, bytes, &granted, &region) != PAMI_SUCCESS ||
      granted < bytes)
    return false;
  *made = (description_t){.base = base, .bytes = bytes, .handle = region[0]};
  return true;
}

/// A region around memory of this process, larger where that is possible, so that few are needed.
static bool create_around(uint64_t at, uint64_t bytes, description_t* made) {
  enum { STEP = 1 << 20 };
  const uint64_t base = at & ~(uint64_t)(STEP - 1), end = (at + bytes + STEP - 1) & ~(uint64_t)(STEP - 1);
  return create(base, end - base, made) || create(at, bytes, made);
}

HOT_OF_RMA bool armcib_local_place(const volatile void* at, size_t bytes, armcib_place_t* place) {
  const uint32_t self = armcib_rank();
  if (find(self, (uint64_t)at, bytes, place)) return true;
  description_t made;
  if (!create_around((uint64_t)at, bytes, &made)) return false;
  keep(self, &made);
  return find(self, (uint64_t)at, bytes, place);
}

HOT_OF_RMA bool armcib_any_place(uint32_t target, armcib_place_t* place) {
  if (tables[target].count == 0) return false;
  place->region[0] = tables[target].entries[0].known.handle;
  place->offset = 0;
  return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Those that come with memory that processes allocate together

static void describe(void* memory, size_t bytes, void* description) {
  description_t* const made = description;
  *made = (description_t){.base = (uint64_t)memory};
  if (bytes != 0 && create((uint64_t)memory, bytes, made)) keep(armcib_rank(), made);
}

static void learn(uint32_t target, const void* description) {
  const description_t* const known = description;
  if (known->bytes != 0) keep(target, known);
}

static const armcib_regions_t exchanged = {.bytes = sizeof(description_t), .describe = describe, .learn = learn};
const armcib_regions_t* const armcib_regions = &exchanged;

// ---------------------------------------------------------------------------------------------------------------
// Those that are asked for

/// What the program waits for.
typedef struct {
  description_t told;
  volatile bool done;
} answer_t;

typedef struct {
  uint64_t at, bytes, answer;
} question_t;

typedef struct {
  description_t told;
  uint64_t answer;
} reply_t;

static void send(pami_context_t from, size_t dispatch, pami_endpoint_t to, void* message, size_t bytes) {
  pami_send_immediate_t send = {.header = {.iov_base = message, .iov_len = bytes}, .dispatch = dispatch, .dest = to};
  armcib_check(PAMI_Send_immediate(from, &send), "PAMI_Send_immediate");
}

static void question_arrives(pami_context_t context, void* cookie, const void* header, size_t header_bytes,
                             const void* data, size_t bytes, pami_endpoint_t origin, pami_recv_t* receiver) {
  (void)cookie, (void)header_bytes, (void)data, (void)bytes, (void)receiver;
  const question_t* const question = header;
  reply_t reply = {.answer = question->answer};
  armcib_place_t place;
  // Of what the program allocated, all; of other memory, what is around it.
  if (armcib_local_place((const void*)question->at, question->bytes, &place)) {
    const table_t* const own = &tables[armcib_rank()];
    for (uint32_t i = 0; i < own->count; ++i) {
      const description_t* const known = &own->entries[i].known;
      if (known->handle == place.region[0] && question->at - known->base == place.offset) reply.told = *known;
    }
  }
  send(context, ARMCIB_TELL, origin, &reply, sizeof reply);
}

static void reply_arrives(pami_context_t context, void* cookie, const void* header, size_t header_bytes,
                          const void* data, size_t bytes, pami_endpoint_t origin, pami_recv_t* receiver) {
  (void)context, (void)cookie, (void)header_bytes, (void)data, (void)bytes, (void)origin, (void)receiver;
  const reply_t* const reply = header;
  answer_t* const answer = (answer_t*)reply->answer;
  answer->told = reply->told;
  answer->done = true;
}

HOT_OF_RMA bool armcib_remote_place(uint32_t target, uintptr_t at, size_t bytes, armcib_place_t* place) {
  if (target == armcib_rank()) return armcib_local_place((const void*)at, bytes, place);
  if (find(target, at, bytes, place)) return true;
  if (room == 0) return false;
  answer_t answer = {.done = false};
  question_t question = {.at = at, .bytes = bytes, .answer = (uint64_t)&answer};
  send(armcib_contexts[ARMCIB_OWN], ARMCIB_ASK, armcib_endpoint(target, armcib_service), &question, sizeof question);
  while (!answer.done) armcib_advance();
  if (answer.told.bytes == 0) return false;
  keep(target, &answer.told);
  return find(target, at, bytes, place);
}

void armcib_open_regions(void) {
  room = armcii_setting("ARMCI_REGIONS", 8, 0, 65536);
  tables = calloc(armcib_size(), sizeof *tables);
  if (tables == NULL) armcii_fail("there is no memory for memory regions of %u processes", armcib_size());
  armcib_set_dispatch(ARMCIB_ASK, question_arrives);
  armcib_set_dispatch(ARMCIB_TELL, reply_arrives);
}
