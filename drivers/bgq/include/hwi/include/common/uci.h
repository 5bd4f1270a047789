/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where parts of a machine are: 64 bits, with the kind of the part in the first six, and behind it its row, its column
 * and its number in what is around it. Of these fields a kind has those that its pattern names; patterns are what
 * people read, "R23-M1-N04-J00" for a node.
 *
 * Source: hwi/include/common/uci.h of IBM's system software of the machine (bgq-driver V1R2M1).
 */
#ifndef _UCI_H_
#define _UCI_H_

#include <hwi/include/common/bgq_bitnumbers.h>
#include <stdint.h>

typedef uint64_t BG_UniversalComponentIdentifier;

/* clang-format off */
#define BG_UCI_Component_ComputeRack (1)
#define BG_UCI_Component_IoRack (2)
#define BG_UCI_Component_Midplane (3)
#define BG_UCI_Component_BulkPowerSupplyOnComputeRack (4)
#define BG_UCI_Component_PowerModuleOnComputeRack (5)
#define BG_UCI_Component_PowerModuleOnIoRack (6)
#define BG_UCI_Component_ClockCardOnComputeRack (7)
#define BG_UCI_Component_ClockCardOnIoRack (8)
#define BG_UCI_Component_IoDrawerOnComputeRack (9)
#define BG_UCI_Component_IoDrawerOnIoRack (10)
#define BG_UCI_Component_NodeBoard (11)
#define BG_UCI_Component_FanAssemblyOnIoRack (12)
#define BG_UCI_Component_ComputeCardOnNodeBoard (13)
#define BG_UCI_Component_ComputeCardOnIoBoardOnIoRack (14)
#define BG_UCI_Component_ComputeCardCoreOnNodeBoard (15)
#define BG_UCI_Component_ComputeCardCoreOnIoBoard (16)
#define BG_UCI_Component_ServiceCard (17)
#define BG_UCI_Component_LinkModuleOnNodeBoard (18)
#define BG_UCI_Component_LinkModuleOnIoBoard (19)
#define BG_UCI_Component_OpticalModuleOnNodeBoard (20)
#define BG_UCI_Component_OpticalModuleOnIoBoard (21)
#define BG_UCI_Component_DcaOnNodeBoard (22)
#define BG_UCI_Component_PciAdapterCard (23)
#define BG_UCI_Component_BulkPowerSupplyOnIoRack (24)
#define BG_UCI_Component_DcaOnIoBoard (25)
#define BG_UCI_Component_FanAssemblyOnComputeRack (26)
#define BG_UCI_Component_FanOnComputeRack (27)
#define BG_UCI_Component_FanOnIoRack (28)
#define BG_UCI_Component_LeakDetectorOnComputeRack (29)
#define BG_UCI_Component_ComputeCardOnIoBoardOnComputeRack (30)

#define BG_UCI_Pattern_ComputeRack "R**"
#define BG_UCI_Pattern_IoRack "Q**"
#define BG_UCI_Pattern_Midplane "R**-M*"
#define BG_UCI_Pattern_BulkPowerSupplyOnComputeRack "R**-B*"
#define BG_UCI_Pattern_PowerModuleOnComputeRack "R**-B*-P*"
#define BG_UCI_Pattern_PowerModuleOnIoRack "Q**-B-P*"
#define BG_UCI_Pattern_ClockCardOnComputeRack "R**-K"
#define BG_UCI_Pattern_ClockCardOnIoRack "Q**-K*"
#define BG_UCI_Pattern_IoDrawerOnComputeRack "R**-I*"
#define BG_UCI_Pattern_IoDrawerOnIoRack "Q**-I*"
#define BG_UCI_Pattern_NodeBoard "R**-M*-N**"
#define BG_UCI_Pattern_FanAssemblyOnIoRack "Q**-I*-H*"
#define BG_UCI_Pattern_ComputeCardOnNodeBoard "R**-M*-N**-J**"
#define BG_UCI_Pattern_ComputeCardOnIoBoardOnIoRack "Q**-I*-J**"
#define BG_UCI_Pattern_ComputeCardCoreOnNodeBoard "R**-M*-N**-J**-C**"
#define BG_UCI_Pattern_ComputeCardCoreOnIoBoard "Q**-I*-J**-C**"
#define BG_UCI_Pattern_ServiceCard "R**-M*-S"
#define BG_UCI_Pattern_LinkModuleOnNodeBoard "R**-M*-N**-U**"
#define BG_UCI_Pattern_LinkModuleOnIoBoard "Q**-I*-U**"
#define BG_UCI_Pattern_OpticalModuleOnNodeBoard "R**-M*-N**-O**"
#define BG_UCI_Pattern_OpticalModuleOnIoBoard "Q**-I*-O**"
#define BG_UCI_Pattern_DcaOnNodeBoard "R**-M*-N**-D*"
#define BG_UCI_Pattern_PciAdapterCard "Q**-I*-A*"
#define BG_UCI_Pattern_BulkPowerSupplyOnIoRack "Q**-B"
#define BG_UCI_Pattern_DcaOnIoBoard "Q**-I*-D*"
#define BG_UCI_Pattern_FanAssemblyOnComputeRack "R**-I*-H*"
#define BG_UCI_Pattern_FanOnComputeRack "R**-I*-H*-F*"
#define BG_UCI_Pattern_FanOnIoRack "Q**-I*-H*-F*"
#define BG_UCI_Pattern_LeakDetectorOnComputeRack "R**-L"
#define BG_UCI_Pattern_ComputeCardOnIoBoardOnComputeRack "R**-I*-J**"

#define BG_UCI_SET_COMPONENT(x) _B6(5, x)
#define BG_UCI_SET_ROW(x) _B5(10, x)
#define BG_UCI_SET_COLUMN(x) _B5(15, x)
#define BG_UCI_SET_MIDPLANE(x) _B1(16, x) /* 0 = bottom, 1 = top */
#define BG_UCI_SET_BULK_POWER_SUPPLY(x) _B2(17, x)
#define BG_UCI_SET_POWER_MODULE(x) _B4(21, x)
#define BG_UCI_SET_CLOCK_CARD(x) _B1(16, x) /* of racks of I/O nodes */
#define BG_UCI_SET_IO_DRAWER(x) _B4(19, x)
#define BG_UCI_SET_NODE_BOARD(x) _B4(20, x)
#define BG_UCI_SET_FAN_ASSEMBLY(x) _B2(21, x)
#define BG_UCI_SET_FAN(x) _B2(23, x)
#define BG_UCI_SET_LINK_MODULE(x) _B4(24, x)
#define BG_UCI_SET_OPTICAL_MODULE(x) _B6(26, x)
#define BG_UCI_SET_COMPUTE_CARD(x) _B5(25, x)
#define BG_UCI_SET_CORE(x) _B5(30, x)
#define BG_UCI_SET_PCI_ADAPTER(x) _B1(20, x)
#define BG_UCI_SET_DCA(x) _B1(21, x)

#define BG_UCI_GET_COMPONENT(x) _G6(x, 5)
#define BG_UCI_GET_ROW(x) _G5(x, 10)
#define BG_UCI_GET_COLUMN(x) _G5(x, 15)
#define BG_UCI_GET_MIDPLANE(x) _G1(x, 16)
#define BG_UCI_GET_BULK_POWER_SUPPLY(x) _G2(x, 17)
#define BG_UCI_GET_POWER_MODULE(x) _G4(x, 21)
#define BG_UCI_GET_CLOCK_CARD(x) _G1(x, 16)
#define BG_UCI_GET_IO_DRAWER(x) _G4(x, 19)
#define BG_UCI_GET_NODE_BOARD(x) _G4(x, 20)
#define BG_UCI_GET_FAN_ASSEMBLY(x) _G2(x, 21)
#define BG_UCI_GET_FAN(x) _G2(x, 23)
#define BG_UCI_GET_LINK_MODULE(x) _G4(x, 24)
#define BG_UCI_GET_OPTICAL_MODULE(x) _G6(x, 26)
#define BG_UCI_GET_COMPUTE_CARD(x) _G5(x, 25)
#define BG_UCI_GET_CORE(x) _G5(x, 30)
#define BG_UCI_GET_PCI_ADAPTER(x) _G1(x, 20)
#define BG_UCI_GET_DCA(x) _G1(x, 21)
/* clang-format on */

static inline unsigned bg_decodeComponent(BG_UniversalComponentIdentifier uci) {
  return (unsigned)BG_UCI_GET_COMPONENT(uci);
}

/* A node of a compute rack: Rxy-Mm-Nnn-Jjj. */
static inline BG_UniversalComponentIdentifier bg_encodeComputeCardOnNodeBoardUCI(unsigned row, unsigned column,
                                                                                 unsigned midplane, unsigned nodeBoard,
                                                                                 unsigned computeCard) {
  return BG_UCI_SET_COMPONENT((uint64_t)BG_UCI_Component_ComputeCardOnNodeBoard) | BG_UCI_SET_ROW((uint64_t)row) |
         BG_UCI_SET_COLUMN((uint64_t)column) | BG_UCI_SET_MIDPLANE((uint64_t)midplane) |
         BG_UCI_SET_NODE_BOARD((uint64_t)nodeBoard) | BG_UCI_SET_COMPUTE_CARD((uint64_t)computeCard);
}

/* Returns 0. */
static inline int bg_decodeComputeCardOnNodeBoardUCI(BG_UniversalComponentIdentifier uci, unsigned* row,
                                                     unsigned* column, unsigned* midplane, unsigned* nodeBoard,
                                                     unsigned* computeCard) {
  *row = (unsigned)BG_UCI_GET_ROW(uci);
  *column = (unsigned)BG_UCI_GET_COLUMN(uci);
  *midplane = (unsigned)BG_UCI_GET_MIDPLANE(uci);
  *nodeBoard = (unsigned)BG_UCI_GET_NODE_BOARD(uci);
  *computeCard = (unsigned)BG_UCI_GET_COMPUTE_CARD(uci);
  return 0;
}

#endif
