// SPDX-License-Identifier: Apache-2.0
// Names and defaults are those of A1 and OSPRI (src/a1d/dcmfd/dcmfd_param.c and a1u_param.c in jeffhammond/a1).
// ORDERING is our own: there, the order was a property of the layer above.
#include "firmware/ospri/dcmf/settings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/ospri/dcmf/fatal.h"
#include "firmware/ospri/dcmf/wire.h"

enum { MOST_BYTES = 1 << 24, MOST_OBJECTS = 1 << 16 };

/// The value of the first of two variables that is set; *name says which. NULL: neither is.
static const char* look_up(const char* first, const char* second, const char** name) {
  *name = first;
  const char* text = getenv(first);
  if (text) return text;
  *name = second;
  return getenv(second);
}

/// Returns whether the variable is set.
static bool number(const char* first, const char* second, unsigned least, unsigned most, unsigned* value) {
  const char* name;
  const char* text = look_up(first, second, &name);
  if (!text) return false;
  char* end;
  errno = 0;
  const unsigned long found = strtoul(text, &end, 10);
  if (end == text || *end != '\0' || *text == '-' || errno != 0 || found < least || found > most) {
    ospri_fatal("%s=%s: expected a number from %u to %u", name, text, least, most);
  }
  *value = (unsigned)found;
  return true;
}

static void flag(const char* first, const char* second, bool* value) {
  unsigned found;
  if (number(first, second, 0, 1, &found)) *value = found != 0;
}

#define NUMBER(NAME, LEAST, MOST, VALUE) number("A1D_" NAME, "OSPD_" NAME, LEAST, MOST, VALUE)
#define FLAG(NAME, VALUE) flag("A1D_" NAME, "OSPD_" NAME, VALUE)

#define PACKING(NAME, PACKING)                                                             \
  do {                                                                                     \
    ospri_packing_t* const packing = PACKING;                                              \
    packing->limit_is_set = NUMBER(NAME "_PACKING_LIMIT", 0, MOST_BYTES, &packing->limit); \
    NUMBER(NAME "_PACKETSIZE", 0, MOST_BYTES, &packing->packet);                           \
    NUMBER(NAME "_BUFFERPOOL_SIZE", 1, MOST_OBJECTS, &packing->buffers);                   \
  } while (0)

static void read_order(ospri_order_t* order) {
  static const char* const kOrders[] = {"strict", "partial", "none"};
  const char* name;
  const char* text = look_up("A1D_ORDERING", "OSPD_ORDERING", &name);
  if (!text) return;
  for (unsigned i = 0; i < sizeof kOrders / sizeof *kOrders; ++i) {
    if (strcmp(text, kOrders[i]) == 0) {
      *order = (ospri_order_t)i;
      return;
    }
  }
  ospri_fatal("%s=%s: expected strict, partial or none", name, text);
}

void ospri_read_settings(ospri_settings_t* settings) {
  *settings = (ospri_settings_t){
      .helper = true,
      .helper_pause = 200,
      .mpi_active = true,
      .handoff = true,
      .put = {512, 2048, 200, false},
      .get = {512, 2048, 200, false},
      .accumulate = {2048, 8192, 200, false},
      .requests = 100,
      .handles = 100,
      .flush_window = 512,
      .bypass = true,
      .bypass_contiguous = 32768,
      .bypass_strided = 32768,
      .order = OSPRI_ORDER_PARTIAL,
  };
  FLAG("ENABLE_CHT", &settings->helper);
  NUMBER("CHT_PAUSE_CYCLES", 0, 1u << 30, &settings->helper_pause);
  FLAG("ENABLE_INTERRUPTS", &settings->interrupts);
  FLAG("MPI_ACTIVE", &settings->mpi_active);
  FLAG("USE_HANDOFF", &settings->handoff);
  NUMBER("FLUSHALL_PENDING_LIMIT", 1, MOST_OBJECTS, &settings->flush_window);
  PACKING("PUT", &settings->put);
  PACKING("GET", &settings->get);
  PACKING("PUTACC", &settings->accumulate);
  NUMBER("REQUEST_POOL_SIZE", 1, MOST_OBJECTS, &settings->requests);
  NUMBER("HANDLE_POOL_SIZE", 1, MOST_OBJECTS, &settings->handles);
  flag("A1_NETWORK_BYPASS", "OSP_NETWORK_BYPASS", &settings->bypass);
  number("A1_NETWORK_BYPASS_UPPER_LIMIT_1D", "OSP_NETWORK_BYPASS_UPPER_LIMIT_1D", 0, 1u << 31,
         &settings->bypass_contiguous);
  number("A1_NETWORK_BYPASS_UPPER_LIMIT_ND", "OSP_NETWORK_BYPASS_UPPER_LIMIT_ND", 0, 1u << 31,
         &settings->bypass_strided);
  flag("A1_ARMCI_STRICT_ORDERING", "OSP_ARMCI_STRICT_ORDERING", &settings->armci_strict);
  read_order(&settings->order);
}

static void settle_packing(ospri_packing_t* packing, bool passive) {
  if (!passive && !packing->limit_is_set) packing->limit = 0;
  const unsigned least = 2 * packing->limit + OSPRI_MOST_PACKET_HEADER;
  if (packing->packet < least) packing->packet = least;
}

void ospri_settle_settings(ospri_settings_t* settings) {
  const bool passive = settings->helper || settings->interrupts;
  if (!settings->helper) settings->handoff = false;
  settle_packing(&settings->put, passive);
  settle_packing(&settings->get, passive);
  // Accumulates need the target's processor in any case.
  settle_packing(&settings->accumulate, true);
}
