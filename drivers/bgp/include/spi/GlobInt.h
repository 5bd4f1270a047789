/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Global interrupts: four channels on which all nodes are combined by OR or AND. User code reaches them by mfdcrux and
 * mtdcrux, on channels that the kernel permits.
 */
#ifndef _GLOBINT_H_
#define _GLOBINT_H_

#include <bpcore/bgp_global_ints.h>
#include <bpcore/bgp_types.h>
#include <bpcore/ppc450_inlines.h>
#include <common/bgp_bitnumbers.h>
#include <common/linkage.h>
#include <common/namespace.h>
#include <stdio.h>

__BEGIN_DECLS

#define GLOBINT_CHANNEL_APP_BARRIER (0)
#define GLOBINT_CHANNEL_KERNEL_THROTTLE (1)
#define GLOBINT_CHANNEL_KERNEL_COMPUTE_NODES_BARRIER (2)
#define GLOBINT_CHANNEL_KERNEL_ALL_NODES_BARRIER (3)

#define WriteGlobIntDCR _bgp_mtdcrux
#define ReadGlobIntDCR _bgp_mfdcrux

/* Each field of four has a bit a channel, channel 0 leftmost. */
typedef union {
  unsigned gi_status_word;
  __extension__ struct {
    unsigned mode : 4;         /* 1: sticky, 0: direct */
    unsigned stickyInt : 4;    /* the channel has been raised since it was armed */
    unsigned stickyActive : 4; /* armed */
    unsigned stickyType : 4;   /* 1: AND, 0: OR */
    unsigned reserved0 : 1;
    unsigned accessviolation : 1;
    unsigned reserved1 : 1;
    unsigned parityErr : 1;
    unsigned giRecvState : 4; /* what comes from the network */
    unsigned userEnables : 4;
    unsigned giSendState : 4; /* what this node sends */
  };
} GlobInt_Status_t;

typedef int (*GlobInt_WaitProc_t)(void* arg);

typedef enum { GLOBINT_MODE_DIRECT = 0, GLOBINT_MODE_STICKYOR, GLOBINT_MODE_STICKYAND } GLOBINT_MODE_t;

/* Cycles that the channels need to settle between clearing and arming. */
#define BGP_GLOBINT_SETTLE_ 50

/* Returns 0, or -1 if there is no such mode. */
__INLINE__ int GlobInt_Initialize(uint32_t channel, GLOBINT_MODE_t mode) {
  if (mode > GLOBINT_MODE_STICKYAND) return -1;
  WriteGlobIntDCR(_BGP_DCR_GLOBINT_ASSERT_CH(channel), mode == GLOBINT_MODE_STICKYAND ? 1 : 0);
  if (mode != GLOBINT_MODE_DIRECT) {
    WriteGlobIntDCR(_BGP_DCR_GLOBINT_SET_CH(channel),
                    mode == GLOBINT_MODE_STICKYAND ? _BGP_DCR_GLOBINT_SET_ARM_AND : _BGP_DCR_GLOBINT_SET_ARM_OR);
    _bgp_msync();
    _bgp_Delay(BGP_GLOBINT_SETTLE_);
  }
  return 0;
}
/* What this node sends in direct mode. */
__INLINE__ void GlobInt_SetState(uint32_t channel, uint32_t state) {
  WriteGlobIntDCR(_BGP_DCR_GLOBINT_ASSERT_CH(channel), state);
}
__INLINE__ GlobInt_Status_t GlobInt_GetStatus(void) {
  GlobInt_Status_t status;
  status.gi_status_word = ReadGlobIntDCR(_BGP_DCR_GLOBINT_STATUS);
  return status;
}
__INLINE__ void GlobInt_SetARMType(uint32_t channel, uint32_t armtype) {
  WriteGlobIntDCR(_BGP_DCR_GLOBINT_SET_CH(channel), armtype);
}
__INLINE__ uint32_t GlobInt_IsRaised(uint32_t channel) {
  return (ReadGlobIntDCR(_BGP_DCR_GLOBINT_STATUS) & _BN(20 + channel)) != 0;
}
__INLINE__ uint32_t GlobInt_IsStickyRaised(uint32_t channel) {
  return (ReadGlobIntDCR(_BGP_DCR_GLOBINT_STATUS) & _BN(4 + channel)) != 0;
}
__INLINE__ void GlobInt_Disarm(int channel) {
  WriteGlobIntDCR(_BGP_DCR_GLOBINT_DRIVE_CH((uint32_t)channel), _BGP_DCR_GLOBINT_DRIVE_CLEAR);
}
__INLINE__ void GlobInt_Fire(int channel) {
  WriteGlobIntDCR(_BGP_DCR_GLOBINT_DRIVE_CH((uint32_t)channel), _BGP_DCR_GLOBINT_DRIVE_SEND);
}

/* A barrier of all nodes, begun and asked for. Begun when the channel is idle: it is up then, as AND of nodes that have
 * not armed it. */
__INLINE__ uint32_t GlobInt_InitBarrier(uint32_t channel) {
  while (!GlobInt_IsRaised(channel)) {
  }
  GlobInt_Disarm((int)channel);
  GlobInt_SetARMType(channel, _BGP_DCR_GLOBINT_SET_ARM_AND);
  GlobInt_Fire((int)channel);
  return 0;
}
__INLINE__ uint32_t GlobInt_QueryDone(uint32_t channel) {
  return GlobInt_IsStickyRaised(channel);
}
/* The whole barrier. Calls waitproc, if there is one, while it waits; a value other than 0 ends it and is returned. */
__INLINE__ uint32_t GlobInt_Barrier(uint32_t channel, GlobInt_WaitProc_t waitproc, void* waitarg) {
  (void)GlobInt_InitBarrier(channel);
  while (!GlobInt_QueryDone(channel)) {
    const int stop = waitproc != NULL ? waitproc(waitarg) : 0;
    if (stop != 0) return (uint32_t)stop;
  }
  return 0;
}

__END_DECLS

#endif
