/* SPDX-License-Identifier: Apache-2.0 */
/* Names and descriptions of the performance counters' events. */
#include <stdio.h>

#include "drivers/bgp/upc.h"

#define ENTRY(number, name) [number] = #name,
static const char* const names[BGP_UPC_MAXIMUM_EVENT_ID + 1] = {BGP_UPC_EVENTS_(ENTRY)};

const char* bgp_upc_name(uint32_t event) {
  return event <= BGP_UPC_MAXIMUM_EVENT_ID ? names[event] : NULL;
}

BGP_UPC_RC_t BGP_UPC_Get_Event_Name(const BGP_UPC_Event_Id_t pEventId, const uint32_t pLength, char* pBuffer) {
  const char* const name = bgp_upc_name(pEventId);
  if (name == NULL) return BGP_UPC_INVALID_EVENT_ID;
  if (pBuffer == NULL) return BGP_UPC_BUFFER_PTR_IS_NULL;
  snprintf(pBuffer, pLength, "%s", name);
  return BGP_UPC_SUCCESS;
}

/* The machine's descriptions are not public: ours say whether the event counts. */
BGP_UPC_RC_t BGP_UPC_Get_Event_Description(const BGP_UPC_Event_Id_t pEventId, const uint32_t pLength, char* pBuffer) {
  const char* const name = bgp_upc_name(pEventId);
  if (name == NULL) return BGP_UPC_INVALID_EVENT_ID;
  if (pBuffer == NULL) return BGP_UPC_BUFFER_PTR_IS_NULL;
  snprintf(pBuffer, pLength, "mode %u, counter %u: %s, %s", (unsigned)pEventId / BGP_UPC_COUNTERS,
           (unsigned)pEventId % BGP_UPC_COUNTERS, name,
           bgp_upc_do(BGP_UPC_OP_COUNTS, pEventId, 0) ? "counts here" : "does not count here");
  return BGP_UPC_SUCCESS;
}
