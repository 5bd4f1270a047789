/* SPDX-License-Identifier: Apache-2.0 */
/* The performance counter unit: the kernel keeps it, and checks what is asked of it. */
#include "drivers/bgp/upc.h"

#include <spi/kernel_interface.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The kernel refuses no operation of this file's but for an address that is not the program's, and these are. */
static void ask(uint32_t operation, uint32_t event, int64_t argument, int64_t* answer) {
  if (bgp_kernel_call_9(_BGP_SYSCALL_NR_UPC, operation, event, (uint32_t)((uint64_t)argument >> 32), (uint32_t)argument,
                        BGP_ARGUMENT_(answer), 0, 0, 0, 0) != 0)
    abort();
}

int64_t bgp_upc_do(uint32_t operation, uint32_t event, int64_t argument) {
  int64_t answer;
  ask(operation, event, argument, &answer);
  return answer;
}

void bgp_upc_state(int64_t* state) {
  ask(BGP_UPC_OP_STATE, 0, 0, state);
}

static int64_t state_word(unsigned word) {
  int64_t state[BGP_UPC_STATE_WORDS];
  bgp_upc_state(state);
  return state[word];
}

void BGP_UPC_Initialize(void) {}

int32_t BGP_UPC_Initialize_Counter_Config(const BGP_UPC_Mode_t pUserMode, const BGP_UPC_Event_Edge_t pEventEdge) {
  return (int32_t)bgp_upc_do(BGP_UPC_OP_CONFIGURE, (uint32_t)pUserMode, pEventEdge);
}

int32_t BGP_UPC_Monitor_Event(const BGP_UPC_Event_Id_t pEventId, const BGP_UPC_Event_Edge_t pEventEdge) {
  return (int32_t)bgp_upc_do(BGP_UPC_OP_MONITOR, pEventId, pEventEdge);
}

int32_t BGP_UPC_Start(const int32_t pResetCounters) {
  return (int32_t)bgp_upc_do(BGP_UPC_OP_START, (uint32_t)pResetCounters, 0);
}

int32_t BGP_UPC_Stop(void) {
  return (int32_t)bgp_upc_do(BGP_UPC_OP_STOP, 0, 0);
}

int32_t BGP_UPC_Check_Active(void) {
  return (int32_t)state_word(BGP_UPC_STATE_ACTIVE);
}

int32_t BGP_UPC_Check_Active_Event(const BGP_UPC_Event_Id_t pEventId) {
  const int64_t edge = bgp_upc_do(BGP_UPC_OP_EDGE, pEventId, 0);
  if (edge == BGP_UPC_EVENT_ID_NOT_ACTIVE) return 0;
  return edge < 0 ? (int32_t)edge : 1;
}

int32_t BGP_UPC_Get_Counter_Mode(void) {
  return (int32_t)state_word(BGP_UPC_STATE_COUNTER_MODE);
}

int32_t BGP_UPC_Get_Counter_State_GenNum(void) {
  return (int32_t)state_word(BGP_UPC_STATE_GENERATION);
}

int32_t BGP_UPC_Get_Start_Stop_GenNum(void) {
  return (int32_t)state_word(BGP_UPC_STATE_STARTS);
}

int64_t BGP_UPC_Read_Counter(const BGP_UPC_Event_Id_t pEventId, const int32_t pReadType) {
  return bgp_upc_do(BGP_UPC_OP_READ, pEventId, (uint32_t)pReadType);
}

int64_t BGP_UPC_Read_Counter_Value(const BGP_UPC_Event_Id_t pEventId, const int32_t pReadType) {
  return BGP_UPC_Read_Counter(pEventId, pReadType);
}

/* Copies the values that `room` bytes hold. The kernel answers them all, and behind them what the functions return. */
static int32_t read_values(void* to, uint32_t room, int32_t type, int64_t* elapsed) {
  int64_t answer[BGP_UPC_COUNTERS + 1];
  ask(BGP_UPC_OP_READ_ALL, (uint32_t)type, 0, answer);
  if (answer[BGP_UPC_COUNTERS] >= 0) {
    const uint32_t most = BGP_UPC_COUNTERS * sizeof(int64_t);
    memcpy(to, answer, room < most ? room & ~7u : most);
    if (elapsed != NULL) *elapsed = answer[BGP_UPC_COUNTERS - 1];
  }
  return (int32_t)answer[BGP_UPC_COUNTERS];
}

int32_t BGP_UPC_Read_Counters(void* pBuffer, const uint32_t pBufSize, const int32_t pReadType) {
  if (pBuffer == NULL) return BGP_UPC_BUFFER_PTR_IS_NULL;
  if (pBufSize < BGP_UPC_MINIMUM_LENGTH_READ_COUNTERS_ONLY) return BGP_UPC_BUFFER_SIZE_TOO_SMALL;
  return read_values(pBuffer, pBufSize, pReadType, NULL);
}

/* What both structures say of where was counted, and zeros for the rest. They begin with the same four words; the place
 * is the node's number in the machine, as there are no racks and boards here. */
static void put_origin(void* to, size_t bytes, BGP_UPC_Mode_t* mode, char* location, size_t room) {
  int64_t state[BGP_UPC_STATE_WORDS];
  bgp_upc_state(state);
  const int32_t node = (int32_t)state[BGP_UPC_STATE_NODE];
  const int32_t words[] = {(int32_t)state[BGP_UPC_STATE_RANK], Kernel_PhysicalProcessorID(), node,
                           (int32_t)state[BGP_UPC_STATE_PROCESSES]};
  memset(to, 0, bytes);
  memcpy(to, words, sizeof words);
  *mode = (BGP_UPC_Mode_t)state[BGP_UPC_STATE_USER_MODE];
  snprintf(location, room, "node %d", (int)node);
}

int32_t BGP_UPC_Read_Counter_Values(void* pBuffer, const uint32_t pBufSize, const int32_t pReadType) {
  BGP_UPC_Read_Counters_Struct_t* const to = pBuffer;
  int64_t elapsed;
  if (pBuffer == NULL) return BGP_UPC_BUFFER_PTR_IS_NULL;
  if (pBufSize < sizeof *to) return BGP_UPC_BUFFER_SIZE_TOO_SMALL;
  const uint32_t room = pBufSize - (uint32_t)sizeof *to;
  const int32_t result = read_values(to->counter, room, pReadType, &elapsed);
  if (result < 0) return result;
  put_origin(to, sizeof *to, &to->mode, to->location, sizeof to->location);
  to->number_of_counters = (int32_t)(room / 8 < BGP_UPC_COUNTERS ? room / 8 : BGP_UPC_COUNTERS);
  to->elapsed_time = elapsed;
  return result;
}

BGP_UPC_RC_t BGP_UPC_Read_Counter_Config(const BGP_UPC_Event_Id_t pEventId, void* pBuffer, const uint32_t pBufSize) {
  BGP_UPC_Read_Counter_Config_Struct_t* const to = pBuffer;
  const int64_t edge = bgp_upc_do(BGP_UPC_OP_EDGE, pEventId, 0);
  if (edge < 0) return (BGP_UPC_RC_t)edge;
  if (pBuffer == NULL) return BGP_UPC_BUFFER_PTR_IS_NULL;
  if (pBufSize < sizeof *to) return BGP_UPC_BUFFER_SIZE_TOO_SMALL;
  put_origin(to, sizeof *to, &to->mode, to->location, sizeof to->location);
  to->event_id = pEventId;
  to->event_edge = (BGP_UPC_Event_Edge_t)edge;
  return BGP_UPC_SUCCESS;
}

int32_t BGP_UPC_Set_Counter_Value(const BGP_UPC_Event_Id_t pEventId, const int64_t pValue) {
  return (int32_t)bgp_upc_do(BGP_UPC_OP_SET, pEventId, pValue);
}

int32_t BGP_UPC_Zero_Counter_Value(const BGP_UPC_Event_Id_t pEventId) {
  return (int32_t)bgp_upc_do(BGP_UPC_OP_ZERO, pEventId, 0);
}

int32_t BGP_UPC_Zero_Counter_Values(void) {
  return (int32_t)bgp_upc_do(BGP_UPC_OP_ZERO_ALL, 0, 0);
}

int64_t BGP_UPC_Get_Counter_Threshold_Value(const BGP_UPC_Event_Id_t pEventId) {
  const int64_t edge = bgp_upc_do(BGP_UPC_OP_EDGE, pEventId, 0);
  return edge < 0 ? edge : 0;
}

BGP_UPC_RC_t BGP_UPC_Set_Counter_Threshold_Value(const BGP_UPC_Event_Id_t pEventId, const int64_t pValue) {
  const int64_t edge = bgp_upc_do(BGP_UPC_OP_EDGE, pEventId, 0);
  if (edge < 0) return (BGP_UPC_RC_t)edge;
  if (BGP_UPC_Check_Active()) return BGP_UPC_IS_ACTIVE;
  return pValue == 0 ? BGP_UPC_SUCCESS : BGP_UPC_EVENT_ID_NOT_ACTIVE;
}
