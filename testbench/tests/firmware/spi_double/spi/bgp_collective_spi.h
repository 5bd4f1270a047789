/* SPDX-License-Identifier: Apache-2.0 */
/* The part of the collective network's SPI that DCMF uses, on the host, over CollectiveDouble. */
#ifndef TOROID_TESTS_COLLECTIVE_SPI_DOUBLE_H
#define TOROID_TESTS_COLLECTIVE_SPI_DOUBLE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define _BGP_TREE_STATUS_MAX_PKTS 8

typedef union {
  struct {
    uint32_t word;
  } CtvHdr;
} _BGP_TreeHwHdr;

typedef struct {
  uint32_t InjPyldCount, InjHdrCount, RecPyldCount, RecHdrCount;
} _BGP_TreeFifoStatus;

void _bgp_TreeGetStatus(int vc, _BGP_TreeFifoStatus* stat);
void _bgp_TreeRawSendHeader(int vc, _BGP_TreeHwHdr* hdrHW);
void _bgp_TreeRawReceiveHeader(int vc, _BGP_TreeHwHdr* hdrHW);
void bgp_tree_send_quads(int vc, const void* pyld, unsigned quads);
void bgp_tree_receive_quads(int vc, void* pyld, unsigned quads);

#ifdef __cplusplus
}
#endif

#endif
