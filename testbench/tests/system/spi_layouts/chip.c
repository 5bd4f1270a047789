/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints layouts, constants and results of inline functions of the headers of the chip and of the personality,
 * whichever these are. What it prints on published headers and on those of drivers/bgp is the same.
 */
#include <bpcore/bgp_atomic_ops.h>
#include <bpcore/bgp_collective_inlines.h>
#include <bpcore/bgp_dcrmap.h>
#include <bpcore/bgp_global_ints.h>
#include <bpcore/bgp_torus_packet.h>
#include <bpcore/bgp_types.h>
#include <bpcore/collective.h>
#include <bpcore/ppc450_inlines.h>
#include <cnk/bgp_VirtualMap.h>
#include <common/bgp_personality.h>
#include <common/bgp_personality_inlines.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define NUMBER(x) printf("%s %ld\n", #x, (long)(x))
#define SIZE(type) NUMBER(sizeof(type))
#define PLACE(field) NUMBER(offsetof(_BGP_Personality_t, field))

static unsigned state;
static unsigned char any(void) {
  state = state * 1664525u + 1013904223u;
  return (unsigned char)(state >> 24);
}

static void personality_layout(void) {
  SIZE(_BGP_Personality_t);
  SIZE(_BGP_Personality_Kernel_t);
  SIZE(_BGP_Personality_DDR_t);
  SIZE(_BGP_Personality_Networks_t);
  SIZE(_BGP_Personality_Ethernet_t);
  PLACE(CRC);
  PLACE(Version);
  PLACE(PersonalitySizeWords);
#define KERNEL(field) PLACE(Kernel_Config.field)
  KERNEL(UniversalComponentIdentifier);
  KERNEL(FreqMHz);
  KERNEL(RASPolicy);
  KERNEL(ProcessConfig);
  KERNEL(TraceConfig);
  KERNEL(NodeConfig);
  KERNEL(L1Config);
  KERNEL(L2Config);
  KERNEL(L3Config);
  KERNEL(L3Select);
  KERNEL(SharedMemMB);
  KERNEL(ClockStop0);
  KERNEL(ClockStop1);
#define DDR(field) PLACE(DDR_Config.field)
  DDR(DDRFlags);
  DDR(SRBS0);
  DDR(PBX0);
  DDR(MemConfig0);
  DDR(ParmCtl0);
  DDR(MiscCtl0);
  DDR(CmdBufMode0);
  DDR(RefrInterval0);
  DDR(ODTCtl0);
  DDR(DataStrobeCalib1);
  DDR(DQSCtl);
  DDR(Throttle);
  DDR(DDRSizeMB);
  DDR(Chips);
  DDR(CAS);
#define NETWORK(field) PLACE(Network_Config.field)
  NETWORK(BlockID);
  NETWORK(Xnodes);
  NETWORK(Ynodes);
  NETWORK(Znodes);
  NETWORK(Xcoord);
  NETWORK(Ycoord);
  NETWORK(Zcoord);
  NETWORK(PSetNum);
  NETWORK(PSetSize);
  NETWORK(RankInPSet);
  NETWORK(IOnodes);
  NETWORK(Rank);
  NETWORK(IOnodeRank);
  NETWORK(TreeRoutes);
#define ETHERNET(field) PLACE(Ethernet_Config.field)
  ETHERNET(MTU);
  ETHERNET(EmacID);
  ETHERNET(IPAddress);
  ETHERNET(IPNetmask);
  ETHERNET(IPBroadcast);
  ETHERNET(IPGateway);
  ETHERNET(NFSServer);
  ETHERNET(serviceNode);
  ETHERNET(NFSExportDir);
  ETHERNET(NFSMountDir);
  ETHERNET(SecurityKey);
  PLACE(Block_Config);
  NUMBER(_BGP_PERSONALITY_VERSION);
  NUMBER(_BGP_PERS_PROCESSCONFIG_SMP);
  NUMBER(_BGP_PERS_PROCESSCONFIG_VNM);
  NUMBER(_BGP_PERS_PROCESSCONFIG_2x2);
  NUMBER(_BGP_PERS_ENABLE_TorusMeshX);
  NUMBER(_BGP_PERS_ENABLE_TorusMeshY);
  NUMBER(_BGP_PERS_ENABLE_TorusMeshZ);
  NUMBER(_BGP_PERS_ENABLE_Torus);
  NUMBER(_BGP_PERS_ENABLE_TreeBlast);
}

static void personality_functions(void) {
  static union {
    _BGP_Personality_t personality;
    unsigned char bytes[sizeof(_BGP_Personality_t)];
  } any_bytes;
  _BGP_Personality_t* const p = &any_bytes.personality;
  unsigned round, i;
  for (round = 0; round < 24; round++) {
    struct in_addr address;
    char location[64];
    _BGP_UniversalComponentIdentifier uci;
    state = round;
    for (i = 0; i < sizeof any_bytes; i++) any_bytes.bytes[i] = any();
    p->Ethernet_Config.NFSMountDir[round] = 0;
    if (round % 6 == 5) p->Network_Config.Xcoord = 0xFF;
    NUMBER(BGP_Personality_DDRSizeMB(p));
    NUMBER(BGP_Personality_clockMHz(p));
    NUMBER(BGP_Personality_processConfig(p));
    NUMBER(BGP_Personality_xCoord(p));
    NUMBER(BGP_Personality_yCoord(p));
    NUMBER(BGP_Personality_zCoord(p));
    NUMBER(BGP_Personality_xSize(p));
    NUMBER(BGP_Personality_ySize(p));
    NUMBER(BGP_Personality_zSize(p));
    NUMBER(BGP_Personality_isTorusX(p) != 0);
    NUMBER(BGP_Personality_isTorusY(p) != 0);
    NUMBER(BGP_Personality_isTorusZ(p) != 0);
    NUMBER(BGP_Personality_isIONode(p) != 0);
    NUMBER(BGP_Personality_isComputeNode(p) != 0);
    NUMBER(BGP_Personality_numComputeNodes(p));
    NUMBER(BGP_Personality_numIONodes(p));
    NUMBER(BGP_Personality_psetNum(p));
    NUMBER(BGP_Personality_psetSize(p));
    NUMBER(BGP_Personality_rankInPset(p));
    NUMBER(BGP_Personality_treeIONodeP2PAddr(p));
    NUMBER(BGP_Personality_treeNodeP2PAddrInPset(p, 5));
    NUMBER(BGP_Personality_ipServiceNode(p));
    for (i = 0; BGP_Personality_blockName(p)[i] != 0; i++) NUMBER(BGP_Personality_blockName(p)[i]);
    BGP_Personality_getIPv4Addr(p, &address);
    NUMBER(address.s_addr);
    /* Most of them are places of cards; some of these are in no rack. */
    uci.UCI = p->Kernel_Config.UniversalComponentIdentifier;
    if (round % 3 != 0) uci.ComputeCard.Component = _BGP_UCI_Component_ComputeCard;
    if (round % 3 == 2) uci.IOCard.Component = _BGP_UCI_Component_IOCard;
    if (round % 8 == 7) uci.ComputeCard.RackRow = 0xF;
    p->Kernel_Config.UniversalComponentIdentifier = uci.UCI;
    BGP_Personality_getLocationString(p, location);
    printf("location %s\n", location);
  }
}

static void units(void) {
  NUMBER(_BGP_DCR_BIC);
  NUMBER(_BGP_DCR_SERDES);
  NUMBER(_BGP_DCR_TEST);
  NUMBER(_BGP_DCR_L30);
  NUMBER(_BGP_DCR_L31);
  NUMBER(_BGP_DCR_XAUI);
  NUMBER(_BGP_DCR_SRAM);
  NUMBER(_BGP_DCR_DEVBUS);
  NUMBER(_BGP_DCR_NETBUS);
  NUMBER(_BGP_DCR_DMAARB);
  NUMBER(_BGP_DCR_DCRARB);
  NUMBER(_BGP_DCR_GLOBINT);
  NUMBER(_BGP_DCR_CLOCKSTOP);
  NUMBER(_BGP_DCR_ENVMON);
  NUMBER(_BGP_DCR_FPU);
  NUMBER(_BGP_DCR_L2);
  NUMBER(_BGP_DCR_SNOOP);
  NUMBER(_BGP_DCR_TREE);
  NUMBER(_BGP_DCR_TORUS);
  NUMBER(_BGP_DCR_DMA);
  NUMBER(_BGP_DCR_DDR0);
  NUMBER(_BGP_DCR_DDR1);
  NUMBER(_BGP_DCR_GLOBINT_STATUS);
  NUMBER(_BGP_DCR_GLOBINT_ASSERT_CH(2));
  NUMBER(_BGP_DCR_GLOBINT_RESETS);
  NUMBER(_BGP_DCR_GLOBINT_RESETS_CH1);
  NUMBER(_BGP_DCR_GLOBINT_USER_EN);
  NUMBER(_BGP_DCR_GLOBINT_USER_EN_CH3);
  NUMBER(_BGP_DCR_GLOBINT_DRIVE_CH(1));
  NUMBER(_BGP_DCR_GLOBINT_SET_CH(3));
  NUMBER(_BGP_DCR_GLOBINT_SET_ARM_OR);
  NUMBER(_BGP_DCR_GLOBINT_SET_ARM_AND);
  NUMBER(_BGP_DCR_GLOBINT_READ_MODE(5));
  NUMBER(_BGP_DCR_GLOBINT_READ_STICKEY_RECVD(5));
  NUMBER(_BGP_DCR_GLOBINT_READ_ARM_ACTIVE(5));
  NUMBER(_BGP_DCR_GLOBINT_READ_ARM_TYPE(5));
  NUMBER(_BGP_DCR_GLOBINT_READ_USER_ACCESS);
  NUMBER(_BGP_DCR_GLOBINT_READ_PARITY_ERROR);
  NUMBER(_BGP_DCR_GLOBINT_READ_DOWNTREE_STATE(5));
  NUMBER(_BGP_DCR_GLOBINT_READ_UPTREE_STATE(5));
}

static void collective(void) {
  _BGP_TreeHwHdr header;
  _BGP_TreeFifoStatus status;
  unsigned i;
  SIZE(_BGP_TreeHwHdr);
  SIZE(_BGP_TreePayload);
  SIZE(_BGP_TreeFifoStatus);
  NUMBER(_BGP_TR0_DI);
  NUMBER(_BGP_TR0_HI);
  NUMBER(_BGP_TR0_DR);
  NUMBER(_BGP_TR0_HR);
  NUMBER(_BGP_TR0_S0);
  NUMBER(_BGP_TR0_S1);
  NUMBER(_BGP_TR1_DI);
  NUMBER(_BGP_TR1_S1);
  NUMBER(_BGP_TR1_S0);
  NUMBER(_BGP_TREE_OPCODE_OR);
  NUMBER(_BGP_TREE_OPCODE_AND);
  NUMBER(_BGP_TREE_OPCODE_XOR);
  NUMBER(_BGP_TREE_OPCODE_MAX);
  NUMBER(_BGP_TREE_OPCODE_ADD);
  NUMBER(_BGP_TREE_OPSIZE_SHORT);
  NUMBER(_BGP_TREE_OPSIZE_INT);
  NUMBER(_BGP_TREE_OPSIZE_LONG);
  NUMBER(_BGP_TREE_OPSIZE_QUAD);
  NUMBER(_BGP_TREE_STATUS_MAX_PKTS);
  for (i = 0; i < 64; i++) {
    const int a = any() & 15, b = any(), c = any(), d = any() | any() << 8;
    memset(&header, 0, sizeof header);
    _bgp_TreeMakeCollectiveHdr(&header, a, b & 1, b >> 1 & 7, c & 127, d & 0x3FFF, c & 3);
    NUMBER(header.CtvHdr.word);
    memset(&header, 0, sizeof header);
    _bgp_TreeMakePtpHdr(&header, a, b & 1, d, c & 3);
    NUMBER(header.PtpHdr.word);
    memset(&header, 0, sizeof header);
    _bgp_TreeMakeSendHdr(&header, a, d);
    NUMBER(header.PtpHdr.word);
    memset(&header, 0, sizeof header);
    _bgp_TreeMakeBcastHdr(&header, a, d & 0x3FFF);
    NUMBER(header.CtvHdr.word);
    memset(&header, 0, sizeof header);
    _bgp_TreeMakeAluHdr(&header, a, b & 7, c & 127);
    NUMBER(header.CtvHdr.word);
    status.status_word = (uint32_t)d << 16 | (uint32_t)b << 8 | (uint32_t)c;
    NUMBER(status.InjPyldCount);
    NUMBER(status.InjHdrCount);
    NUMBER(status.RecPyldCount);
    NUMBER(status.RecIrq);
    NUMBER(status.RecHdrCount);
  }
}

static void packets(void) {
  _BGP_TorusPacketHeader_t header;
  SIZE(header);
  memset(&header, 0, sizeof header);
  header.hwh0.CSum_Skip = 0x55;
  header.hwh0.Hint = 0x2A;
  header.hwh0.Pid0 = 1;
  header.hwh0.Chunks = 5;
  header.hwh0.Dm = 1;
  header.hwh0.VC = 2;
  header.hwh0.X = 77;
  header.hwh1.Y = 78;
  header.hwh1.Z = 79;
  header.hwh2.Put_Offset = 12345;
  header.hwh3.rDMA_Counter = 1;
  header.hwh3.Payload_Bytes = 2;
  header.hwh3.Flags = 3;
  header.hwh3.iDMA_Fifo_ID = 4;
  NUMBER(header.hwh0.word);
  NUMBER(header.hwh1.word);
  NUMBER(header.hwh2.word);
  NUMBER(header.hwh3.word);
  NUMBER(_BGP_TORUS_PKT_HINT_XP);
  NUMBER(_BGP_TORUS_PKT_HINT_ZM);
  NUMBER(_BGP_TORUS_PKT_VC_BN);
}

static void core(void) {
  static _BGP_Atomic forty = _BGP_ATOMIC_INIT(40);
  _BGP_Atomic* const word = &forty;
  uint32_t old = 6;
  SIZE(_BGP_Atomic);
  SIZE(_bgp_QuadWord_t);
  NUMBER(__alignof__(_bgp_QuadWord_t));
  NUMBER(L1D_CACHE_LINE_SIZE);
  NUMBER(_bgp_fetch_and_add(word, 3));
  NUMBER(_bgp_fetch_and_or(word, 0x100));
  NUMBER(_bgp_fetch_and_and(word, 0x107));
  NUMBER(_bgp_test_and_set(word, 0x100) != 0);
  NUMBER(_bgp_test_and_set(word, 0x200) != 0);
  NUMBER(_bgp_compare_and_swap(word, &old, 9) != 0);
  NUMBER(old);
  NUMBER(_bgp_compare_and_swap(word, &old, 9) != 0);
  NUMBER(_BGP_ATOMIC_READ(word));
  NUMBER(_bgp_cntlz(0x00010000));
  NUMBER(_bgp_cntlz(0));
  NUMBER(SPRN_PIR);
  NUMBER(SPRN_PVR);
  NUMBER(SPRN_TBRL);
  NUMBER(SPRN_TBRU);
}

int main(void) {
  personality_layout();
  personality_functions();
  units();
  collective();
  packets();
  core();
  return 0;
}
