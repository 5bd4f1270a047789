/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of the universal performance counter. A unit has 256 counters, and a user mode (0 to 3) says which event each
 * counts: number = 256 x mode + counter. Names and counters are those that programs for the machine list (HPM's tables
 * of all four modes; TAU and PAPI take 256 + counter for mode 1). The machine's own header of this name is not
 * published: that its enumerators have these names, and the lengths below, are assumed. Counters without a name are
 * reserved.
 *
 * The events are a list of macros so that numbers and names (upc_events.c) cannot differ: X(number, name).
 */
#ifndef _UPC_EVENTS_H_
#define _UPC_EVENTS_H_

#define BGP_UPC_MAX_MONITORED_EVENTS 256
#define BGP_UPC_MINIMUM_EVENT_ID 0
#define BGP_UPC_MAXIMUM_EVENT_ID 1023
#define BGP_UPC_MAXIMUM_LENGTH_EVENT_NAME 64
#define BGP_UPC_MAXIMUM_LENGTH_EVENT_DESCRIPTION 128

/* The list is laid out by hand. */
/* clang-format off */

/* 35 of a core; UM stands behind the names in modes 2 and 3. */
#define BGP_UPC_CORE_EVENTS_(X, AT, PU, UM)                                                                            \
  X(AT + 0, PU##_JPIPE_INSTRUCTIONS##UM)                                                                               \
  X(AT + 1, PU##_JPIPE_ADD_SUB##UM)                                                                                    \
  X(AT + 2, PU##_JPIPE_LOGICAL_OPS##UM) X(AT + 3, PU##_JPIPE_SHROTMK##UM) X(AT + 4, PU##_IPIPE_INSTRUCTIONS##UM)       \
      X(AT + 5, PU##_IPIPE_MULT_DIV##UM) X(AT + 6, PU##_IPIPE_ADD_SUB##UM) X(AT + 7, PU##_IPIPE_LOGICAL_OPS##UM)       \
          X(AT + 8, PU##_IPIPE_SHROTMK##UM) X(AT + 9, PU##_IPIPE_BRANCHES##UM) X(AT + 10, PU##_IPIPE_TLB_OPS##UM)      \
              X(AT + 11, PU##_IPIPE_PROCESS_CONTROL##UM) X(AT + 12, PU##_IPIPE_OTHER##UM)                              \
                  X(AT + 13, PU##_DCACHE_LINEFILLINPROG##UM) X(AT + 14, PU##_ICACHE_LINEFILLINPROG##UM)                \
                      X(AT + 15, PU##_DCACHE_MISS##UM) X(AT + 16, PU##_DCACHE_HIT##UM) X(AT + 17, PU##_DATA_LOADS##UM) \
                          X(AT + 18, PU##_DATA_STORES##UM) X(AT + 19, PU##_DCACHE_OPS##UM)                             \
                              X(AT + 20, PU##_ICACHE_MISS##UM) X(AT + 21, PU##_ICACHE_HIT##UM)                         \
                                  X(AT + 22, PU##_FPU_ADD_SUB_1##UM) X(AT + 23, PU##_FPU_MULT_1##UM)                   \
                                      X(AT + 24, PU##_FPU_FMA_2##UM) X(AT + 25, PU##_FPU_DIV_1##UM)                    \
                                          X(AT + 26, PU##_FPU_OTHER_NON_STORAGE_OPS##UM)                               \
                                              X(AT + 27, PU##_FPU_ADD_SUB_2##UM) X(AT + 28, PU##_FPU_MULT_2##UM)       \
                                                  X(AT + 29, PU##_FPU_FMA_4##UM)                                       \
                                                      X(AT + 30, PU##_FPU_DUAL_PIPE_OTHER_NON_STORAGE_OPS##UM)         \
                                                          X(AT + 31, PU##_FPU_QUADWORD_LOADS##UM)                      \
                                                              X(AT + 32, PU##_FPU_OTHER_LOADS##UM)                     \
                                                                  X(AT + 33, PU##_FPU_QUADWORD_STORES##UM)             \
                                                                      X(AT + 34, PU##_FPU_OTHER_STORES##UM)

/* 32 of a core's prefetch buffer, of which 9 are reserved. */
#define BGP_UPC_L2_EVENTS_(X, AT, PU)                                                                             \
  X(AT + 0, PU##_L2_VALID_PREFETCH_REQUESTS)                                                                      \
  X(AT + 1, PU##_L2_PREFETCH_HITS_IN_FILTER)                                                                      \
  X(AT + 2, PU##_L2_PREFETCH_HITS_IN_STREAM) X(AT + 3, PU##_L2_CYCLES_PREFETCH_PENDING)                           \
      X(AT + 4, PU##_L2_PAGE_ALREADY_IN_L2) X(AT + 5, PU##_L2_PREFETCH_SNOOP_HIT_SAME_CORE)                       \
          X(AT + 6, PU##_L2_PREFETCH_SNOOP_HIT_OTHER_CORE) X(AT + 7, PU##_L2_PREFETCH_SNOOP_HIT_PLB)              \
              X(AT + 8, PU##_L2_CYCLES_READ_REQUEST_PENDING) X(AT + 9, PU##_L2_READ_REQUESTS)                     \
                  X(AT + 10, PU##_L2_DEVBUS_READ_REQUESTS) X(AT + 11, PU##_L2_L3_READ_REQUESTS)                   \
                      X(AT + 12, PU##_L2_NETBUS_READ_REQUESTS) X(AT + 13, PU##_L2_BLIND_DEV_READ_REQUESTS)        \
                          X(AT + 14, PU##_L2_PREFETCHABLE_REQUESTS) X(AT + 15, PU##_L2_HIT)                       \
                              X(AT + 16, PU##_L2_SAME_CORE_SNOOPS) X(AT + 17, PU##_L2_OTHER_CORE_SNOOPS)          \
                                  X(AT + 18, PU##_L2_OTHER_DP_PU0_SNOOPS) X(AT + 19, PU##_L2_OTHER_DP_PU1_SNOOPS) \
                                      X(AT + 29, PU##_L2_MEMORY_WRITES) X(AT + 30, PU##_L2_NETWORK_WRITES)        \
                                          X(AT + 31, PU##_L2_DEVBUS_WRITES)

/* 7 of a read port of the L3, RD, and 6 of a bank's directories. */
#define BGP_UPC_L3_PORT_(X, AT, RD)                                                                                \
  X(AT + 0, RD##_SINGLE_LINE_DELIVERED_L2)                                                                         \
  X(AT + 1, RD##_BURST_DELIVERED_L2)                                                                               \
  X(AT + 2, RD##_READ_RETURN_COLLISION) X(AT + 3, RD##_DIR0_HIT_OR_INFLIGHT) X(AT + 4, RD##_DIR0_MISS_OR_LOCKDOWN) \
      X(AT + 5, RD##_DIR1_HIT_OR_INFLIGHT) X(AT + 6, RD##_DIR1_MISS_OR_LOCKDOWN)
#define BGP_UPC_L3_DIRECTORY_(X, AT, M)                                                                  \
  X(AT + 0, M##_DIR0_LOOKUPS)                                                                            \
  X(AT + 1, M##_DIR0_CYCLES_REQUESTS_NOT_TAKEN)                                                          \
  X(AT + 2, M##_DIR1_LOOKUPS) X(AT + 3, M##_DIR1_CYCLES_REQUESTS_NOT_TAKEN) X(AT + 4, M##_MH_DDR_STORES) \
      X(AT + 5, M##_MH_DDR_FETCHES)
#define BGP_UPC_L3_WRITES_(X, AT, M)                                                                                   \
  X(AT + 0, M##_W0_DEPOSIT_REQUESTS)                                                                                   \
  X(AT + 1, M##_W0_CYCLES_REQUESTS_NOT_TAKEN)                                                                          \
  X(AT + 2, M##_W1_DEPOSIT_REQUESTS) X(AT + 3, M##_W1_CYCLES_REQUESTS_NOT_TAKEN) X(AT + 4, M##_MH_ALLOCATION_REQUESTS) \
      X(AT + 5, M##_MH_CYCLES_ALLOCATION_REQUESTS_NOT_TAKEN) X(AT + 6, M##_PF_PREFETCH_INTO_EDRAM)

/* One for each of the four ports of a core's snoop filter. */
#define BGP_UPC_PORTS_(X, AT, PU, WHAT) \
  X(AT + 0, PU##_SNOOP_PORT0_##WHAT)    \
  X(AT + 1, PU##_SNOOP_PORT1_##WHAT) X(AT + 2, PU##_SNOOP_PORT2_##WHAT) X(AT + 3, PU##_SNOOP_PORT3_##WHAT)
#define BGP_UPC_SNOOP_EVENTS_(X, AT, PU)            \
  BGP_UPC_PORTS_(X, AT, PU, REMOTE_SOURCE_REQUESTS) \
  BGP_UPC_PORTS_(X, AT + 4, PU, REJECTED_REQUESTS)  \
  X(AT + 8, PU##_SNOOP_L1_CACHE_WRAP)
#define BGP_UPC_SNOOP_DETAILS_(X, AT, PU)                           \
  BGP_UPC_PORTS_(X, AT, PU, CACHE_REJECTED_REQUEST)                 \
  BGP_UPC_PORTS_(X, AT + 4, PU, HIT_STREAM_REGISTER_IN_ACTIVE_SET)  \
  BGP_UPC_PORTS_(X, AT + 8, PU, HIT_STREAM_REGISTER_IN_HISTORY_SET) \
  BGP_UPC_PORTS_(X, AT + 12, PU, STREAM_REGISTER_REJECTED_REQUEST)  \
  BGP_UPC_PORTS_(X, AT + 16, PU, RANGE_FILTER_REJECTED_REQUEST)     \
  BGP_UPC_PORTS_(X, AT + 20, PU, UPDATED_CACHE_LINE)                \
  BGP_UPC_PORTS_(X, AT + 24, PU, FILTERED_BY_CACHE_AND_REGISTERS)

/* Of a link that leaves the node. */
#define BGP_UPC_LINK_(X, AT, LINK) X(AT + 0, LINK##_PACKETS) X(AT + 1, LINK##_32BCHUNKS)
#define BGP_UPC_LINK_DETAILS_(X, AT, LINK)                                                           \
  X(AT + 0, LINK##_TOKEN_ACK_PACKETS)                                                                \
  X(AT + 1, LINK##_ACKS)                                                                             \
  X(AT + 2, LINK##_VCD0_32BCHUNKS) X(AT + 3, LINK##_VCD1_32BCHUNKS) X(AT + 4, LINK##_VCBN_32BCHUNKS) \
      X(AT + 5, LINK##_VCBP_32BCHUNKS) X(AT + 6, LINK##_NO_TOKENS) X(AT + 7, LINK##_NO_VCD0_TOKENS)
#define BGP_UPC_LINK_NO_TOKENS_(X, AT, LINK) X(AT + 0, LINK##_NO_VCBN_TOKENS) X(AT + 1, LINK##_NO_VCBP_TOKENS)

/* The collective network: what its arbiter finds ready, and what its links do. */
#define BGP_UPC_MATURE_(X, AT, UM)                                                      \
  X(AT + 0, BGP_COL_AC_CH2_VC0_MATURE##UM)                                              \
  X(AT + 1, BGP_COL_AC_CH1_VC0_MATURE##UM)                                              \
  X(AT + 2, BGP_COL_AC_CH0_VC0_MATURE##UM) X(AT + 3, BGP_COL_AC_INJECT_VC0_MATURE##UM)  \
      X(AT + 4, BGP_COL_AC_CH2_VC1_MATURE##UM) X(AT + 5, BGP_COL_AC_CH1_VC1_MATURE##UM) \
          X(AT + 6, BGP_COL_AC_CH0_VC1_MATURE##UM) X(AT + 7, BGP_COL_AC_INJECT_VC1_MATURE##UM)
#define BGP_UPC_VCS_(X, AT, BEFORE, BEHIND) X(AT + 0, BEFORE##_VC0_##BEHIND) X(AT + 1, BEFORE##_VC1_##BEHIND)
#define BGP_UPC_TREE_RECEIVER_(X, AT, AR)                                                                              \
  BGP_UPC_VCS_(X, AT, AR, EMPTY_PACKET)                                                                                \
  X(AT + 2, AR##_IDLE_PACKET)                                                                                          \
  X(AT + 3, AR##_BAD_PACKET_MARKER)                                                                                    \
  BGP_UPC_VCS_(X, AT + 4, AR, CUT_THROUGH) X(AT + 6, AR##_HEADER_PARITY_ERROR) X(AT + 7, AR##_UNEXPECTED_HEADER_ERROR) \
      X(AT + 8, AR##_RESYNC)
#define BGP_UPC_TREE_SENDER_(X, AT, AS) \
  BGP_UPC_VCS_(X, AT, AS, CUT_THROUGH) BGP_UPC_VCS_(X, AT + 2, AS, PACKETS_SENT) X(AT + 4, AS##_IDLE_PACKETS_SENT)

#define BGP_UPC_MODE_0_EVENTS_(X)                                                                                      \
  BGP_UPC_CORE_EVENTS_(X, 0, BGP_PU0, )                                                                                \
  BGP_UPC_CORE_EVENTS_(X, 35, BGP_PU1, )                                                                               \
  X(70, BGP_PU0_L1_INVALIDATION_REQUESTS) X(71, BGP_PU1_L1_INVALIDATION_REQUESTS) BGP_UPC_L2_EVENTS_(X, 72, BGP_PU0)   \
      BGP_UPC_L2_EVENTS_(X, 104, BGP_PU1) BGP_UPC_L3_PORT_(X, 136, BGP_L3_M0_RD0) BGP_UPC_L3_PORT_(                    \
          X, 143, BGP_L3_M0_RD1) BGP_UPC_L3_DIRECTORY_(X, 150, BGP_L3_M0) BGP_UPC_L3_PORT_(X, 156, BGP_L3_M1_RD0)      \
          BGP_UPC_L3_PORT_(X, 163, BGP_L3_M1_RD1) BGP_UPC_L3_DIRECTORY_(X, 170, BGP_L3_M1) BGP_UPC_SNOOP_EVENTS_(      \
              X, 176, BGP_PU0) BGP_UPC_SNOOP_EVENTS_(X, 185, BGP_PU1) BGP_UPC_LINK_(X, 194, BGP_TORUS_XP)              \
              BGP_UPC_LINK_(X, 196, BGP_TORUS_XM) BGP_UPC_LINK_(X, 198, BGP_TORUS_YP) BGP_UPC_LINK_(                   \
                  X, 200, BGP_TORUS_YM) BGP_UPC_LINK_(X, 202, BGP_TORUS_ZP) BGP_UPC_LINK_(X, 204, BGP_TORUS_ZM)        \
                  X(206, BGP_DMA_PACKETS_INJECTED) X(207, BGP_DMA_DESCRIPTORS_READ_FROM_L3)                            \
                      X(208, BGP_DMA_FIFO_PACKETS_RECEIVED) X(209, BGP_DMA_COUNTER_PACKETS_RECEIVED)                   \
                          X(210, BGP_DMA_REMOTE_GET_PACKETS_RECEIVED) X(211, BGP_DMA_IDPU_READ_REQUESTS_TO_L3)         \
                              X(212, BGP_DMA_READ_VALID_RETURNED) X(213, BGP_DMA_ACKED_READ_REQUESTS)                  \
                                  X(214, BGP_DMA_CYCLES_RDPU_WRITE_ACTIVE) X(215, BGP_DMA_WRITE_REQUESTS_TO_L3)        \
                                      BGP_UPC_MATURE_(X, 222, ) X(230, BGP_COL_AC_PENDING_REQUESTS)                    \
                                          X(231, BGP_COL_AC_WAITING_REQUESTS) X(232, BGP_COL_AR2_PACKET_TAKEN)         \
                                              X(233, BGP_COL_AR1_PACKET_TAKEN) X(234, BGP_COL_AR0_PACKET_TAKEN) X(     \
                                                  235, BGP_COL_ALC_PACKET_TAKEN) BGP_UPC_VCS_(X, 236, BGP_COL_AR0,     \
                                                                                              DATA_PACKETS_RECEIVED)   \
                                                  BGP_UPC_VCS_(X, 238, BGP_COL_AR1, DATA_PACKETS_RECEIVED)             \
                                                      BGP_UPC_VCS_(X, 240, BGP_COL_AR2, DATA_PACKETS_RECEIVED)         \
                                                          BGP_UPC_VCS_(X, 242, BGP_COL_AS0, DATA_PACKETS_SENT)         \
                                                              BGP_UPC_VCS_(X, 244, BGP_COL_AS1, DATA_PACKETS_SENT)     \
                                                                  BGP_UPC_VCS_(X, 246, BGP_COL_AS2, DATA_PACKETS_SENT) \
                                                                      BGP_UPC_VCS_(X, 248, BGP_COL_INJECT, HEADER)     \
                                                                          BGP_UPC_VCS_(X, 250, BGP_COL_RECEPTION,      \
                                                                                       PACKET_ADDED)                   \
                                                                              X(252, BGP_IC_TIMESTAMP)                 \
                                                                                  X(255, BGP_MISC_ELAPSED_TIME)

#define BGP_UPC_MODE_1_EVENTS_(X)                                                                                  \
  BGP_UPC_CORE_EVENTS_(X, 256, BGP_PU2, )                                                                          \
  BGP_UPC_CORE_EVENTS_(X, 256 + 35, BGP_PU3, )                                                                     \
  X(256 + 70, BGP_PU2_L1_INVALIDATION_REQUESTS) X(256 + 71, BGP_PU3_L1_INVALIDATION_REQUESTS)                      \
      BGP_UPC_MATURE_(X, 256 + 72, _UM1) BGP_UPC_TREE_RECEIVER_(X, 256 + 80, BGP_COL_AR0)                          \
          BGP_UPC_TREE_RECEIVER_(X, 256 + 89, BGP_COL_AR1) BGP_UPC_TREE_RECEIVER_(X, 256 + 98, BGP_COL_AR2)        \
              BGP_UPC_TREE_SENDER_(X, 256 + 107, BGP_COL_AS0) BGP_UPC_TREE_SENDER_(X, 256 + 112, BGP_COL_AS1)      \
                  BGP_UPC_TREE_SENDER_(X, 256 + 117, BGP_COL_AS2)                                                  \
                      BGP_UPC_VCS_(X, 256 + 122, BGP_COL_INJECT, PAYLOAD_ADDED)                                    \
                          BGP_UPC_VCS_(X, 256 + 124, BGP_COL_INJECT, PACKET_TAKEN)                                 \
                              BGP_UPC_VCS_(X, 256 + 126, BGP_COL_RECEPTION, HEADER_TAKEN)                          \
                                  BGP_UPC_VCS_(X, 256 + 128, BGP_COL_RECEPTION, PAYLOAD_TAKEN)                     \
                                      BGP_UPC_VCS_(X, 256 + 130, BGP_COL_RECEPTION, PACKET_DISCARDED)              \
                                          BGP_UPC_L2_EVENTS_(X, 256 + 132, BGP_PU2)                                \
                                              BGP_UPC_L2_EVENTS_(X, 256 + 164, BGP_PU3)                            \
                                                  BGP_UPC_L3_PORT_(X, 256 + 196, BGP_L3_M0_R2)                     \
                                                      BGP_UPC_L3_WRITES_(X, 256 + 203, BGP_L3_M0)                  \
                                                          BGP_UPC_L3_PORT_(X, 256 + 216, BGP_L3_M1_R2)             \
                                                              BGP_UPC_L3_WRITES_(X, 256 + 223, BGP_L3_M1)          \
                                                                  BGP_UPC_SNOOP_EVENTS_(X, 256 + 236, BGP_PU2)     \
                                                                      BGP_UPC_SNOOP_EVENTS_(X, 256 + 245, BGP_PU3) \
                                                                          X(256 + 255, BGP_MISC_ELAPSED_TIME_UM1)

/* Modes 2 and 3, for those who design the chip: the cores' events, and what of the others the lists name alike. */
#define BGP_UPC_MODE_2_EVENTS_(X)                                                                                      \
  BGP_UPC_CORE_EVENTS_(X, 512, BGP_PU0, _UM2)                                                                          \
  BGP_UPC_CORE_EVENTS_(X, 512 + 35, BGP_PU1, _UM2)                                                                     \
  X(512 + 70, BGP_PU0_L1_INVALIDATION_UM2) X(512 + 71, BGP_PU1_L1_INVALIDATION_UM2) BGP_UPC_SNOOP_DETAILS_(            \
      X, 512 + 72, BGP_PU0) BGP_UPC_SNOOP_DETAILS_(X, 512 + 100, BGP_PU1)                                              \
      BGP_UPC_LINK_DETAILS_(X, 512 + 128, BGP_TORUS_XP) BGP_UPC_LINK_NO_TOKENS_(X, 512 + 136, BGP_TORUS_XP)            \
          BGP_UPC_LINK_DETAILS_(X, 512 + 138, BGP_TORUS_XM) BGP_UPC_LINK_NO_TOKENS_(X, 512 + 146, BGP_TORUS_XM)        \
              BGP_UPC_LINK_DETAILS_(X, 512 + 148, BGP_TORUS_YP) BGP_UPC_LINK_NO_TOKENS_(X, 512 + 156, BGP_TORUS_YP)    \
                  BGP_UPC_LINK_DETAILS_(X, 512 + 158, BGP_TORUS_YM) BGP_UPC_LINK_NO_TOKENS_(                           \
                      X, 512 + 166, BGP_TORUS_YM) BGP_UPC_LINK_DETAILS_(X, 512 + 168, BGP_TORUS_ZP)                    \
                      BGP_UPC_LINK_NO_TOKENS_(X, 512 + 176, BGP_TORUS_ZP) BGP_UPC_LINK_DETAILS_(                       \
                          X, 512 + 178, BGP_TORUS_ZM) X(512 + 204, BGP_COL_AR2_ABORT_UM2)                              \
                          X(512 + 205, BGP_COL_AR1_ABORT_UM2) X(512 + 206, BGP_COL_AR0_ABORT_UM2) X(                   \
                              512 + 207, BGP_COL_A_LOCAL_CLIENT_ABORT) BGP_UPC_VCS_(X, 512 + 208, BGP_COL_AR0, FULL)   \
                              BGP_UPC_VCS_(X, 512 + 210, BGP_COL_AR1, FULL) BGP_UPC_VCS_(                              \
                                  X, 512 + 212, BGP_COL_AR2, FULL) BGP_UPC_VCS_(X, 512 + 214, BGP_COL_AS0, EMPTY)      \
                                  X(512 + 216, BGP_COL_AS0_RESENDS) BGP_UPC_VCS_(X, 512 + 217, BGP_COL_AS1, EMPTY)     \
                                      X(512 + 219, BGP_COL_AS1_RESENDS) BGP_UPC_VCS_(X, 512 + 220, BGP_COL_AS2, EMPTY) \
                                          X(512 + 222, BGP_COL_AS2_RESENDS) X(512 + 255, BGP_MISC_ELAPSED_TIME_UM2)

/* What mode 3 counts of the collective network behind counter 71 is not in this list. */
#define BGP_UPC_MODE_3_EVENTS_(X)                                                                 \
  BGP_UPC_CORE_EVENTS_(X, 768, BGP_PU2, _UM3)                                                     \
  BGP_UPC_CORE_EVENTS_(X, 768 + 35, BGP_PU3, _UM3)                                                \
  X(768 + 70, BGP_PU2_L1_INVALIDATION_UM3) X(768 + 71, BGP_PU3_L1_INVALIDATION_UM3)               \
      BGP_UPC_SNOOP_DETAILS_(X, 768 + 147, BGP_PU2) BGP_UPC_SNOOP_DETAILS_(X, 768 + 175, BGP_PU3) \
          X(768 + 255, BGP_MISC_ELAPSED_TIME_UM3)

#define BGP_UPC_EVENTS_(X) \
  BGP_UPC_MODE_0_EVENTS_(X) BGP_UPC_MODE_1_EVENTS_(X) BGP_UPC_MODE_2_EVENTS_(X) BGP_UPC_MODE_3_EVENTS_(X)

/* clang-format on */

#define BGP_UPC_ENUMERATOR_(number, name) name = (number),
typedef enum BGP_UPC_Event_Id {
  BGP_UPC_EVENTS_(BGP_UPC_ENUMERATOR_) BGP_UPC_LAST_EVENT_ID_ = BGP_UPC_MAXIMUM_EVENT_ID
} BGP_UPC_Event_Id_t;
#undef BGP_UPC_ENUMERATOR_

#endif
