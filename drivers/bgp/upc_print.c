/* SPDX-License-Identifier: Apache-2.0 */
/* The performance counters on standard output. */
#include <stdio.h>

#include "drivers/bgp/upc.h"

void BGP_UPC_Print_Config(void) {
  int64_t state[BGP_UPC_STATE_WORDS];
  bgp_upc_state(state);
  printf("performance counters of node %d: counter mode %d, user mode %d, %s\n", (int)state[BGP_UPC_STATE_NODE],
         (int)state[BGP_UPC_STATE_COUNTER_MODE], (int)state[BGP_UPC_STATE_USER_MODE],
         state[BGP_UPC_STATE_ACTIVE] ? "started" : "stopped");
  for (uint32_t event = 0; event <= BGP_UPC_MAXIMUM_EVENT_ID; event++)
    if (bgp_upc_name(event) != NULL && BGP_UPC_Check_Active_Event((BGP_UPC_Event_Id_t)event) == 1)
      printf("  counter %3u counts %s\n", (unsigned)event % BGP_UPC_COUNTERS, bgp_upc_name(event));
}

static void print(uint32_t event, int64_t value) {
  printf("  %-56s %lld\n", bgp_upc_name(event), (long long)value);
}

BGP_UPC_RC_t BGP_UPC_Print_Counter_Value(const BGP_UPC_Event_Id_t pEventId, const int32_t pReadType) {
  const int64_t value = BGP_UPC_Read_Counter(pEventId, pReadType);
  if (value < 0) return (BGP_UPC_RC_t)value;
  print(pEventId, value);
  return BGP_UPC_SUCCESS;
}

BGP_UPC_RC_t BGP_UPC_Print_Counter_Values(const int32_t pReadType) {
  int64_t values[BGP_UPC_COUNTERS];
  const int32_t result = BGP_UPC_Read_Counters(values, sizeof values, pReadType);
  if (result < 0) return (BGP_UPC_RC_t)result;
  for (uint32_t event = 0; event <= BGP_UPC_MAXIMUM_EVENT_ID; event++)
    if (bgp_upc_name(event) != NULL && values[event % BGP_UPC_COUNTERS] != 0 &&
        BGP_UPC_Check_Active_Event((BGP_UPC_Event_Id_t)event) == 1)
      print(event, values[event % BGP_UPC_COUNTERS]);
  return BGP_UPC_SUCCESS;
}
