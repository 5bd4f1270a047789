/* SPDX-License-Identifier: Apache-2.0 */
/* Where the units' device control registers begin. Source: the DCR map in 0intro/hare (sys/src/9k/bgp/NOTICE) and in
 * kittyhawk/uboot. */
#ifndef _BGP_DCRMAP_H_
#define _BGP_DCRMAP_H_

#define _BGP_DCR_BIC 0x000
#define _BGP_DCR_SERDES 0x200
#define _BGP_DCR_TEST 0x400
#define _BGP_DCR_L30 0x500
#define _BGP_DCR_L31 0x540
#define _BGP_DCR_XAUI 0x580
#define _BGP_DCR_SRAM 0x610
#define _BGP_DCR_DEVBUS 0x620
#define _BGP_DCR_NETBUS 0x630
#define _BGP_DCR_DMAARB 0x640
#define _BGP_DCR_DCRARB 0x650
#define _BGP_DCR_GLOBINT 0x660
#define _BGP_DCR_CLOCKSTOP 0x670
#define _BGP_DCR_ENVMON 0x680
#define _BGP_DCR_FPU 0x700
#define _BGP_DCR_L2 0x780
#define _BGP_DCR_SNOOP 0x800
#define _BGP_DCR_TREE 0xC00
#define _BGP_DCR_TORUS 0xC80
#define _BGP_DCR_DMA 0xD00
#define _BGP_DCR_DDR0 0xE00
#define _BGP_DCR_DDR1 0xF00

#endif
