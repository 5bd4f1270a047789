// SPDX-License-Identifier: Apache-2.0
// Remote completion. What a process was sent decides what it takes: nothing if there were only gets; a put of one byte
// with a confirmation if there were only puts, which overtake each other as little as it does; and a message with a
// confirmation if there was work for the target's processor. That one stands behind the puts, too.
#include "firmware/ospri/dcmf/device.h"
#include "firmware/ospri/dcmf/fatal.h"
#include "firmware/ospri/dcmf/memory.h"
#include "firmware/ospri/dcmf/receive.h"
#include "firmware/ospri/dcmf/send.h"

typedef struct ospri_confirmation {
  DCMF_Request_t dcmf;
  struct ospri_confirmation* next;
  unsigned target;
  uint32_t puts, sends;  ///< what it confirms
} confirmation_t;

/// A flush that came while messages before it were not complete.
typedef struct ospri_late_flush {
  struct ospri_late_flush* next;
  unsigned asker;
  uint32_t before;  ///< number of the first reception that it need not wait for
  void* origin;
} late_flush_t;

/// At the same address in all processes, which run the same program.
static char landing;

static uint32_t sends_of(const ospri_target_t* state) {
  return state->sends & ~OSPRI_PACKED_PUTS;
}

static bool outstanding(unsigned target) {
  return ospri.targets[target].puts != 0 || sends_of(&ospri.targets[target]) != 0;
}

static void confirmed(confirmation_t* confirmation) {
  ospri_target_t* const state = &ospri.targets[confirmation->target];
  // Others may have been sent meanwhile.
  state->puts -= confirmation->puts;
  state->sends -= confirmation->sends;
  if (sends_of(state) == 0) state->sends = 0;
  confirmation->next = ospri.confirmations;
  ospri.confirmations = confirmation;
  ospri.flushes -= 1;
}

static void put_confirmed(void* clientdata, DCMF_Error_t* error) {
  (void)error;
  confirmed(clientdata);
}

void ospri_receive_flushed(const ospri_head_t* head) {
  confirmed(head->origin);
}

static void start(unsigned target) {
  while (!ospri.confirmations) ospri_progress();
  confirmation_t* const confirmation = ospri.confirmations;
  ospri.confirmations = confirmation->next;
  ospri.flushes += 1;
  confirmation->target = target;
  confirmation->puts = ospri.targets[target].puts;
  confirmation->sends = sends_of(&ospri.targets[target]);
  if (confirmation->sends != 0) {
    ospri_head_t head = {.kind = OSPRI_FLUSH, .origin = confirmation};
    ospri_send_head(target, &head, 0);
  } else {
    const DCMF_Callback_t nobody = {NULL, NULL}, told = {put_confirmed, confirmation};
    ospri_expect_success(
        DCMF_Put(&ospri.put, &confirmation->dcmf, nobody, DCMF_SEQUENTIAL_CONSISTENCY, target, sizeof landing,
                 &ospri.region, &ospri.regions[target], (size_t)&landing, (size_t)&landing, told),
        "DCMF_Put", target);
  }
}

/// One thread flushes at a time: what two of them confirmed would be subtracted twice.
static void enter_flush(void) {
  while (ospri.tasks || ospri.running_task || ospri.flushing) ospri_progress();
  ospri.flushing = true;
}

static void wait_for_acknowledgements(unsigned target) {
  while (sends_of(&ospri.targets[target]) != 0) ospri_progress();
  ospri.targets[target].sends = 0;
}

/// Without any order, completes the sends to the target. Otherwise leave_flush() waits for its confirmation.
static void flush_one(unsigned target) {
  if (ospri.settings.order == OSPRI_ORDER_NONE) {
    wait_for_acknowledgements(target);
  } else if (outstanding(target)) {
    start(target);
  }
}

static void leave_flush(void) {
  while (ospri.flushes != 0) ospri_progress();
  ospri.flushing = false;
}

void ospri_flush(unsigned target) {
  enter_flush();
  flush_one(target);
  leave_flush();
}

void ospri_flush_all(void) {
  enter_flush();
  // Each process begins elsewhere.
  for (unsigned i = 0, target = ospri.rank; i < ospri.size; ++i) {
    if (++target == ospri.size) target = 0;
    flush_one(target);
  }
  leave_flush();
}

void* ospri_make_confirmations(void) {
  const unsigned count = ospri.settings.flush_window < ospri.size ? ospri.settings.flush_window : ospri.size;
  confirmation_t* const all = ospri_allocate(count * sizeof *all);
  for (unsigned i = 0; i < count; ++i) {
    all[i].next = ospri.confirmations;
    ospri.confirmations = &all[i];
  }
  return all;
}

void ospri_keep_order(unsigned target, const ospri_handle_t* handle, ospri_way_t way) {
  const ospri_target_t* const state = &ospri.targets[target];
  if (!handle->ordered || (state->puts | state->sends) == 0) return;
  bool first_flush;
  switch (ospri.settings.order) {
    case OSPRI_ORDER_STRICT:
      first_flush = true;
      break;
    case OSPRI_ORDER_PARTIAL:
      // A message follows puts, and the target unpacks it later than the network writes them. Puts that the network
      // writes would overtake those that are to be unpacked, and this processor would overtake both.
      first_flush = way == OSPRI_HERE || (way == OSPRI_DIRECT && (state->sends & OSPRI_PACKED_PUTS) != 0);
      break;
    default:
      first_flush = false;
  }
  if (first_flush) ospri_flush(target);
}

void ospri_receive_flush(unsigned asker, const ospri_head_t* head) {
  if (!ospri_receives_from(asker, ospri.receive_number)) {
    ospri_send_control(asker, OSPRI_FLUSHED, 0, head->origin);
    return;
  }
  late_flush_t* const late = ospri_take_memory(sizeof *late);
  *late = (late_flush_t){ospri.late_flushes, asker, ospri.receive_number, head->origin};
  ospri.late_flushes = late;
}

void ospri_go_on_flushing(unsigned peer) {
  for (late_flush_t** link = &ospri.late_flushes; *link;) {
    late_flush_t* const late = *link;
    if (late->asker != peer || ospri_receives_from(peer, late->before)) {
      link = &late->next;
      continue;
    }
    *link = late->next;
    ospri_send_control(peer, OSPRI_FLUSHED, 0, late->origin);
    ospri_give_memory(late);
  }
}
