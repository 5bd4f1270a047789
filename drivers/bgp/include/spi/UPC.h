/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The universal performance counter of a node: 256 counters of 64 bits, which the node's processes share. Only some
 * process of the node should configure, start and stop it. Names, errors and structures are those of the machine's
 * header; the figures that count here are listed in docs/reference/bgp_performance_counters.md.
 *
 * Functions return a negative BGP_UPC_RC_t for an error. State and start/stop generation numbers go up with each change
 * of what is counted, and with each start and stop.
 */
#ifndef _UPC_H_
#define _UPC_H_

#include <common/namespace.h>
#include <spi/UPC_Events.h>
#include <stdint.h>

__BEGIN_DECLS

typedef enum BGP_UPC_RC {
  BGP_UPC_SUCCESS = 0,
  BGP_UPC_IS_ACTIVE = -1,
  BGP_UPC_INCOMPATIBLE_COUNTER_FOR_CURRENT_COUNTER_MODE = -2,
  BGP_UPC_BUFFER_PTR_IS_NULL = -3,
  BGP_UPC_BUFFER_SIZE_TOO_SMALL = -4,
  BGP_UPC_INVALID_READ_TYPE = -5,
  BGP_UPC_COUNTER_VALUE_TO_SET_NOT_LESS_THAN_CURRENT_THRESHOLD_VALUE = -6,
  BGP_UPC_COUNTER_THRESHOLD_VALUE_TO_SET_MUST_BE_GREATER_THAN_CURRENT_COUNTER_VALUE = -7,
  BGP_UPC_INVALID_EVENT_EDGE = -8,
  BGP_UPC_INVALID_EVENT_ID = -9,
  BGP_UPC_CANNOT_SPECIFY_ELAPSED_TIME_EVENT = -10,
  BGP_UPC_EVENT_ID_NOT_ACTIVE = -11,
  BGP_UPC_EVENT_ID_CURRENTLY_ACTIVE = -12,
  BGP_UPC_INVALID_USER_MODE = -13
} BGP_UPC_RC_t;

/* User modes. Mixed is what a unit reports whose events are of two; default: mode 0 on even nodes, 1 on odd ones. */
typedef enum BGP_UPC_Mode {
  BGP_UPC_MODE_MIXED = -2,
  BGP_UPC_MODE_DEFAULT = -1,
  BGP_UPC_MODE_0 = 0,
  BGP_UPC_MODE_1,
  BGP_UPC_MODE_2,
  BGP_UPC_MODE_3
} BGP_UPC_Mode_t;

/* How the machine looks at an event's signal. Here each event counts once with every one of them. */
typedef enum BGP_UPC_Event_Edge {
  BGP_UPC_CFG_LEVEL_HIGH = 0x0,
  BGP_UPC_CFG_EDGE_DEFAULT = 0x1,
  BGP_UPC_CFG_EDGE_RISE = 0x4,
  BGP_UPC_CFG_EDGE_FALL = 0x8,
  BGP_UPC_CFG_LEVEL_LOW = 0xC
} BGP_UPC_Event_Edge_t;

/* Exclusive: a unit that counts is stopped for the read, and started again. */
typedef enum BGP_UPC_Read_Type { BGP_UPC_READ_SHARED = 0, BGP_UPC_READ_EXCLUSIVE = 1 } BGP_UPC_Read_Type_t;

#define BGP_UPC_NO_RESET_COUNTERS 0
#define BGP_UPC_RESET_COUNTERS 1

typedef struct BGP_UPC_Read_Counter_Config_Struct {
  int32_t rank;
  int32_t core;
  int32_t upc_number;
  int32_t number_processes_per_upc;
  BGP_UPC_Event_Id_t event_id;
  BGP_UPC_Event_Edge_t event_edge;
  BGP_UPC_Mode_t mode;
  uint32_t reserved_1;
  char location[24];
  uint32_t reserved_2;
  uint32_t reserved_3;
  int64_t threshold_value;
} BGP_UPC_Read_Counter_Config_Struct_t;

typedef struct BGP_UPC_Read_Counters_Struct {
  int32_t rank;
  int32_t core;
  int32_t upc_number;
  int32_t number_processes_per_upc;
  BGP_UPC_Mode_t mode;
  int32_t number_of_counters;
  char location[24];
  int64_t elapsed_time;
  uint32_t reserved_1;
  uint32_t reserved_2;
  int64_t counter[];
} BGP_UPC_Read_Counters_Struct_t;

/* Bytes of buffers: for one counter or all, and for the structure without counters or with all. */
#define BGP_UPC_MINIMUM_LENGTH_READ_COUNTERS_ONLY 8
#define BGP_UPC_MAXIMUM_LENGTH_READ_COUNTERS_ONLY (256 * 8)
#define BGP_UPC_MINIMUM_LENGTH_READ_COUNTERS_STRUCTURE 64
#define BGP_UPC_MAXIMUM_LENGTH_READ_COUNTERS_STRUCTURE (64 + 256 * 8)

/* The unit is the job's from its beginning on, in default mode and stopped: this does nothing more. */
extern void BGP_UPC_Initialize(void);

/* All counters count events of the mode, from 0 on. Returns the state's generation. */
extern int32_t BGP_UPC_Initialize_Counter_Config(const BGP_UPC_Mode_t pUserMode, const BGP_UPC_Event_Edge_t pEventEdge);
/* The event's counter counts it, from 0 on. INVALID_EVENT_ID also for an event that does not count here. */
extern int32_t BGP_UPC_Monitor_Event(const BGP_UPC_Event_Id_t pEventId, const BGP_UPC_Event_Edge_t pEventEdge);
/* Return the start/stop generation. */
extern int32_t BGP_UPC_Start(const int32_t pResetCounters);
extern int32_t BGP_UPC_Stop(void);

extern int32_t BGP_UPC_Check_Active(void);
extern int32_t BGP_UPC_Check_Active_Event(const BGP_UPC_Event_Id_t pEventId);
/* 0: events of user modes 0 and 1; 1: of 2 and 3. */
extern int32_t BGP_UPC_Get_Counter_Mode(void);
extern int32_t BGP_UPC_Get_Counter_State_GenNum(void);
extern int32_t BGP_UPC_Get_Start_Stop_GenNum(void);

/* Copy at most pLength bytes, the terminating 0 among them. */
extern BGP_UPC_RC_t BGP_UPC_Get_Event_Name(const BGP_UPC_Event_Id_t pEventId, const uint32_t pLength, char* pBuffer);
extern BGP_UPC_RC_t BGP_UPC_Get_Event_Description(const BGP_UPC_Event_Id_t pEventId, const uint32_t pLength,
                                                  char* pBuffer);

/* One counter's value: the two are the same. */
extern int64_t BGP_UPC_Read_Counter(const BGP_UPC_Event_Id_t pEventId, const int32_t pReadType);
extern int64_t BGP_UPC_Read_Counter_Value(const BGP_UPC_Event_Id_t pEventId, const int32_t pReadType);
/* All values that the buffer has room for, alone or behind a BGP_UPC_Read_Counters_Struct_t. */
extern int32_t BGP_UPC_Read_Counters(void* pBuffer, const uint32_t pBufSize, const int32_t pReadType);
extern int32_t BGP_UPC_Read_Counter_Values(void* pBuffer, const uint32_t pBufSize, const int32_t pReadType);
extern BGP_UPC_RC_t BGP_UPC_Read_Counter_Config(const BGP_UPC_Event_Id_t pEventId, void* pBuffer,
                                                const uint32_t pBufSize);

/* Return the state's generation. */
extern int32_t BGP_UPC_Set_Counter_Value(const BGP_UPC_Event_Id_t pEventId, const int64_t pValue);
extern int32_t BGP_UPC_Zero_Counter_Value(const BGP_UPC_Event_Id_t pEventId);
extern int32_t BGP_UPC_Zero_Counter_Values(void);

/* Nothing here raises SIGXCPU at a threshold: there is none, and only 0 (none) can be set. Others are refused with
 * EVENT_ID_NOT_ACTIVE, as on a node that does not count the event. */
extern int64_t BGP_UPC_Get_Counter_Threshold_Value(const BGP_UPC_Event_Id_t pEventId);
extern BGP_UPC_RC_t BGP_UPC_Set_Counter_Threshold_Value(const BGP_UPC_Event_Id_t pEventId, const int64_t pValue);

/* To standard output: what the unit is set to; one counter; all that are not 0. */
extern void BGP_UPC_Print_Config(void);
extern BGP_UPC_RC_t BGP_UPC_Print_Counter_Value(const BGP_UPC_Event_Id_t pEventId, const int32_t pReadType);
extern BGP_UPC_RC_t BGP_UPC_Print_Counter_Values(const int32_t pReadType);

__END_DECLS

#endif
