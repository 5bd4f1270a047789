/* SPDX-License-Identifier: Apache-2.0 */
/* Uses every name of DCMF's headers as the public programs of its time do; only compiled, by test_dcmf_headers.py, in
 * several dialects of C and C++, so it is written in what they have in common. */
#include "dcmf.h"
#include "dcmf_collectives.h"
#include "dcmf_globalcollectives.h"
#include "dcmf_multisend.h"

#if DCMF_VERSION_RELEASE != 0 || DCMF_VERSION_MAJOR != 3 || DCMF_VERSION_MINOR != 0
#error "another version"
#endif

/* What programs silently demand: a region fits into a control message, objects are aligned in structures of others, and
 * size_t is unsigned in all but name. */
typedef char region_fits[sizeof(DCMF_Memregion_t) <= sizeof(DCMF_Control_t) ? 1 : -1];
typedef char size_is_a_word[sizeof(size_t) == sizeof(unsigned) ? 1 : -1];
typedef char protocol_bytes[sizeof(DCMF_Protocol_t) == 512 ? 1 : -1];
struct embedded {
  char tag;
  DCMF_Request_t request;
  char other;
  DCMF_Memregion_t region;
};
typedef char requests_are_aligned[offsetof(struct embedded, request) == 16 ? 1 : -1];

static DCMF_Protocol_t protocol;
static DCMF_Request_t request;
static DCMF_Request_t requests[26];
static DCMF_CollectiveProtocol_t collective, local;
static DCMF_CollectiveRequest_t collective_request;
static DCMF_Geometry_t geometry;
static DCMF_Memregion_t region;
static DCMF_Hardware_t hw;

static void done(void* clientdata, DCMF_Error_t* error) {
  (void)error;
  --*(unsigned*)clientdata;
}

static DCMF_Geometry_t* find(int comm) {
  (void)comm;
  return &geometry;
}

static void receive_short(void* clientdata, const DCQuad* msginfo, unsigned count, size_t peer, const char* src,
                          size_t bytes) {
  (void)count, (void)peer, (void)src, (void)bytes;
  *(unsigned*)clientdata += msginfo->w0 + msginfo[0].w3;
}

static DCMF_Request_t* receive(void* clientdata, const DCQuad* msginfo, unsigned count, size_t peer, size_t sndlen,
                               size_t* rcvlen, char** rcvbuf, DCMF_Callback_t* cb_done) {
  (void)msginfo, (void)count, (void)peer;
  *rcvlen = sndlen;
  *rcvbuf = (char*)clientdata;
  cb_done->function = done;
  cb_done->clientdata = clientdata;
  return &requests[3];
}

static void receive_control(void* clientdata, const DCMF_Control_t* info, size_t peer) {
  (void)clientdata, (void)peer;
  region[0] = (*(const DCMF_Memregion_t*)info)[0];
}

static DCMF_Request_t* receive_multicast(const DCQuad* info, unsigned count, unsigned peer, unsigned sndlen,
                                         unsigned conn_id, void* arg, unsigned* rcvlen, char** rcvbuf,
                                         unsigned* pipewidth, DCMF_Callback_t* cb_done) {
  (void)info, (void)count, (void)peer, (void)conn_id;
  *rcvlen = *pipewidth = sndlen;
  *rcvbuf = (char*)arg;
  cb_done->function = done;
  return &request;
}

static DCMF_Request_t* receive_manytomany(unsigned conn_id, void* arg, char** rcvbuf, unsigned** rcvlens,
                                          unsigned** rcvdispls, unsigned** rcvcounters, unsigned* nranks,
                                          unsigned* rankIndex, DCMF_Callback_t* const cb_done) {
  static unsigned words[2];
  (void)conn_id;
  *rcvbuf = (char*)arg;
  *rcvlens = *rcvdispls = *rcvcounters = words;
  *nranks = 2;
  *rankIndex = 0xFFFFFFFFu;
  cb_done->function = done;
  return &request;
}

static void* receive_broadcast(unsigned root, unsigned comm, const unsigned sndlen, unsigned* rcvlen, char** rcvbuf,
                               DCMF_Callback_t* const cb_info) {
  (void)root, (void)comm, (void)rcvbuf, (void)cb_info;
  *rcvlen = sndlen;
  return &collective_request;
}

static void error(DCMF_Error_t* error, size_t peer) {
  (void)error, (void)peer;
}

void layer(void);
void layer(void) {
  DCMF_Configure_t mode;
  DCMF_NetworkCoord_t place;
  DCMF_Network network;
  DCMF_Messager_advance_options options;
  DCMF_Error_request_t errors;
  size_t rank;
  unsigned base, count, current;
  double seconds;
  (void)DCMF_Messager_initialize();
  mode.thread_level = DCMF_THREAD_MULTIPLE;
  mode.interrupts = DCMF_INTERRUPTS_ON;
  (void)DCMF_Messager_configure(&mode, &mode);
  (void)DCMF_Messager_configure(NULL, NULL);
  DCMF_CriticalSection_enter(0);
  while (DCMF_Messager_advance() > 0) DCMF_CriticalSection_cycle(0);
  DCMF_CriticalSection_exit(0);
  DCMF_Hardware(&hw);
  seconds = DCMF_Timer() + DCMF_Tick() + (double)DCMF_Timebase() / hw.clockMHz;
  (void)seconds;
  hw.Size[3] = hw.xSize + hw.tSize + hw.Coord[0] + hw.zCoord + hw.Torus[1] + hw.yTorus + hw.lrank + hw.psize;
  hw.name[DCMF_HARDWARE_MAX_PROCESSOR_NAME - 1] = 0;
  DCMF_Messager_rank2network(DCMF_Messager_rank(), DCMF_TORUS_NETWORK, &place);
  place.torus.x = (place.torus.x + place.n_torus.coords[3]) % DCMF_Messager_size();
  if (DCMF_Messager_network2rank(&place, &rank, &network) != DCMF_SUCCESS) return;
  options.channel = DCMF_CHANNEL_ALL;
  DCMF_Messager_advance_expert(options);
  if (DCMF_Channel_info(&protocol, &base, &count, &current) == DCMF_SUCCESS) DCMF_Channel_acquire(base);
  DCMF_Channel_release();
  (void)DCMF_Messager_use_channel(DCMF_Channel_current());
  DCMF_Error_register(&errors, error);
  DCMF_Messager_suspend();
  DCMF_Messager_resume();
  (void)DCMF_Messager_finalize();
}

void messages(void);
void messages(void) {
  static char buffer[64];
  static unsigned active;
  DCMF_Callback_t callback = {done, &active};
  DCMF_Callback_t none = {NULL, NULL};
  DCMF_Send_Configuration_t send = {
      DCMF_DEFAULT_SEND_PROTOCOL, DCMF_DEFAULT_NETWORK, receive_short, &active, receive, &active};
  DCMF_Control_Configuration_t control = {DCMF_DEFAULT_CONTROL_PROTOCOL, DCMF_DefaultNetwork, receive_control, NULL};
  DCMF_Put_Configuration_t put = {DCMF_DEFAULT_PUT_PROTOCOL, DCMF_TORUS_NETWORK};
  DCMF_Get_Configuration_t get;
  DCQuad info[7];
  DCMF_Control_t message;
  size_t bytes;
  unsigned least;
  void* base;
  info[0].w0 = 1;
  get.protocol = DCMF_DEFAULT_GET_PROTOCOL;
  get.network = DCMF_DEFAULT_NETWORK;
  DCMF_Send_register(&protocol, &send);
  DCMF_Send(&protocol, &request, callback, DCMF_MATCH_CONSISTENCY, 1, sizeof buffer, buffer, info, 7);
  DCMF_Control_register(&protocol, &control);
  DCMF_Control(&protocol, DCMF_SEQUENTIAL_CONSISTENCY, 1, &message);
  DCMF_Control(&protocol, DCMF_SEQUENTIAL_CONSISTENCY, 1, (DCMF_Control_t*)&region);
  DCMF_Memregion_create(&region, &bytes, (size_t)-1, NULL, 0);
  DCMF_Memregion_create(&region, (size_t*)&least, sizeof buffer, buffer, 0);
  DCMF_Memregion_query(&region, &bytes, &base);
  DCMF_Put_register(&protocol, &put);
  DCMF_Put(&protocol, &request, none, DCMF_SEQUENTIAL_CONSISTENCY, 1, 8, &region, &region, 0, 8, callback);
  DCMF_Get_register(&protocol, &get);
  DCMF_Get(&protocol, &request, callback, DCMF_RELAXED_CONSISTENCY, 1, 8, &region, &region, 0, 8);
  DCMF_Restart(&request);
  DCMF_Memregion_destroy(&region);
}

void multisend(void);
void multisend(void) {
  static unsigned ranks[2], words[2];
  static void* connections[2];
  static DCMF_Opcode_t opcodes[2];
  DCMF_Callback_t callback = {done, words};
  DCMF_Multicast_Configuration_t configuration;
  DCMF_Multicast_t send;
  DCMF_MulticastRecv_t posted;
  DCMF_Manytomany_Configuration_t many;
  configuration.protocol = DCMF_MEMFIFO_DMA_MSEND_PROTOCOL;
  configuration.cb_recv = receive_multicast;
  configuration.clientdata = NULL;
  configuration.connectionlist = connections;
  configuration.nconnections = 2;
  DCMF_Multicast_register(&protocol, &configuration);
  opcodes[0] = DCMF_PT_TO_PT_SEND;
  opcodes[1] = DCMF_LINE_BCAST_XP;
  send.registration = &protocol;
  send.request = &request;
  send.cb_done = callback;
  send.consistency = DCMF_MATCH_CONSISTENCY;
  send.connection_id = 0;
  send.bytes = 8;
  send.src = "8 bytes";
  send.nranks = 2;
  send.ranks = ranks;
  send.opcodes = opcodes;
  send.msginfo = NULL;
  send.count = 0;
  send.op = DCMF_UNDEFINED_OP;
  send.dt = DCMF_UNDEFINED_DT;
  send.flags = 0;
  (void)DCMF_Multicast(&send);
  posted.registration = &protocol;
  posted.request = &request;
  posted.cb_done = callback;
  posted.connection_id = 1;
  posted.bytes = 8;
  posted.dst = (char*)words;
  posted.pwidth = 8;
  posted.opcode = DCMF_PT_TO_PT_SEND;
  posted.op = DCMF_UNDEFINED_OP;
  posted.dt = DCMF_UNDEFINED_DT;
  (void)DCMF_Multicast_postrecv(&posted);
  many.protocol = DCMF_MEMFIFO_DMA_M2M_PROTOCOL;
  many.cb_recv = receive_manytomany;
  many.arg = NULL;
  many.nconnections = 32;
  DCMF_Manytomany_register(&protocol, &many);
  (void)DCMF_Manytomany(&protocol, &request, callback, DCMF_MATCH_CONSISTENCY, 0, 1, "bytes", words, words, words,
                        ranks, words, 2);
}

void global_collectives(void);
void global_collectives(void) {
  static unsigned active;
  static char buffer[64];
  DCMF_Callback_t callback = {done, &active};
  DCMF_GlobalBarrier_Configuration_t barrier = {DCMF_GI_GLOBALBARRIER_PROTOCOL};
  DCMF_GlobalBcast_Configuration_t broadcast = {DCMF_TREE_GLOBALBCAST_PROTOCOL};
  DCMF_GlobalAllreduce_Configuration_t allreduce = {DCMF_TREE_GLOBALALLREDUCE_PROTOCOL};
  barrier.protocol = DCMF_DEFAULT_GLOBALBARRIER_PROTOCOL;
  broadcast.protocol = DCMF_INTRANODE_GLOBALBCAST_PROTOCOL;
  allreduce.protocol = DCMF_DEFAULT_GLOBALALLREDUCE_PROTOCOL;
  DCMF_GlobalBarrier_register(&protocol, &barrier);
  DCMF_GlobalBarrier(&protocol, &request, callback);
  DCMF_GlobalBcast_register(&protocol, &broadcast);
  DCMF_GlobalBcast(&protocol, &request, callback, DCMF_MATCH_CONSISTENCY, 0, buffer, sizeof buffer);
  DCMF_GlobalAllreduce_register(&protocol, &allreduce);
  DCMF_GlobalAllreduce(&protocol, (DCMF_Request_t*)&collective_request, callback, DCMF_MATCH_CONSISTENCY, -1, buffer,
                       buffer, 8, DCMF_DOUBLE, DCMF_SUM);
}

static DCMF_CollectiveProtocol_t* barriers[DCMF_NUM_BARRIER_PROTOCOLS];
static DCMF_CollectiveProtocol_t* local_barriers[DCMF_NUM_LOCAL_BARRIER_PROTOCOLS + 1];

static const int protocols[] = {DCMF_GI_BARRIER_PROTOCOL,
                                DCMF_TORUS_RECTANGLE_BARRIER_PROTOCOL,
                                DCMF_TORUS_RECTANGLELOCKBOX_BARRIER_PROTOCOL_SINGLETH,
                                DCMF_TORUS_BINOMIAL_BARRIER_PROTOCOL,
                                DCMF_LOCKBOX_BARRIER_PROTOCOL,
                                DCMF_TREE_BROADCAST_PROTOCOL,
                                DCMF_TREE_DPUT_BROADCAST_PROTOCOL,
                                DCMF_TORUS_RECTANGLE_BROADCAST_PROTOCOL,
                                DCMF_TORUS_RECTANGLE_BROADCAST_PROTOCOL_SINGLETH,
                                DCMF_TORUS_RECTANGLE_BROADCAST_PROTOCOL_DPUT_SINGLETH,
                                DCMF_TORUS_BINOMIAL_BROADCAST_PROTOCOL,
                                DCMF_TORUS_BINOMIAL_BROADCAST_PROTOCOL_SINGLETH,
                                DCMF_TORUS_ASYNCBROADCAST_RECTANGLE_PROTOCOL,
                                DCMF_TORUS_ASYNCBROADCAST_BINOMIAL_PROTOCOL,
                                DCMF_TREE_ALLREDUCE_PROTOCOL,
                                DCMF_TREE_PIPELINED_ALLREDUCE_PROTOCOL,
                                DCMF_TREE_DPUT_PIPELINED_ALLREDUCE_PROTOCOL,
                                DCMF_TORUS_BINOMIAL_ALLREDUCE_PROTOCOL,
                                DCMF_TORUS_RECTANGLE_ALLREDUCE_PROTOCOL,
                                DCMF_TORUS_RECTANGLE_RING_ALLREDUCE_PROTOCOL,
                                DCMF_TORUS_SHORT_BINOMIAL_ALLREDUCE_PROTOCOL,
                                DCMF_TORUS_ASYNC_BINOMIAL_ALLREDUCE_PROTOCOL,
                                DCMF_TORUS_ASYNC_RECTANGLE_ALLREDUCE_PROTOCOL,
                                DCMF_TORUS_ASYNC_RECTANGLE_RING_ALLREDUCE_PROTOCOL,
                                DCMF_TORUS_ASYNC_SHORT_BINOMIAL_ALLREDUCE_PROTOCOL,
                                DCMF_TORUS_ASYNC_SHORT_RECTANGLE_ALLREDUCE_PROTOCOL,
                                DCMF_TORUS_RRING_DPUT_ALLREDUCE_PROTOCOL_SINGLETH,
                                DCMF_NUM_ALLREDUCE_PROTOCOLS,
                                DCMF_TORUS_ALLTOALLV_PROTOCOL,
                                DCMF_TREE_REDUCE_PROTOCOL,
                                DCMF_TORUS_BINOMIAL_REDUCE_PROTOCOL,
                                DCMF_TORUS_RECTANGLE_REDUCE_PROTOCOL,
                                DCMF_TORUS_RECTANGLE_RING_REDUCE_PROTOCOL};

int collectives(void);
int collectives(void) {
  static unsigned active, ranks[2], words[2];
  static char buffer[64];
  DCMF_Callback_t callback = {done, &active};
  DCMF_Barrier_Configuration_t barrier;
  DCMF_Broadcast_Configuration_t broadcast;
  DCMF_AsyncBroadcast_Configuration_t async;
  DCMF_Allreduce_Configuration_t allreduce;
  DCMF_Reduce_Configuration_t reduce;
  DCMF_Alltoallv_Configuration_t alltoallv;
  DCMF_Collective_initialize();
  barrier.protocol = DCMF_TORUS_BINOMIAL_BARRIER_PROTOCOL;
  barrier.cb_geometry = find;
  DCMF_Barrier_register(&collective, &barrier);
  barriers[0] = &collective;
  local_barriers[0] = &local;
  DCMF_Geometry_initialize(&geometry, 0, ranks, 2, barriers, 1, local_barriers, 1, &collective_request, 1, 1);
  if (!DCMF_Geometry_analyze(&geometry, &collective)) return protocols[0];
  DCMF_Barrier(&geometry, callback, DCMF_MATCH_CONSISTENCY);
  broadcast.protocol = DCMF_TORUS_BINOMIAL_BROADCAST_PROTOCOL;
  DCMF_Broadcast_register(&collective, &broadcast);
  DCMF_Broadcast(&collective, &collective_request, callback, DCMF_MATCH_CONSISTENCY, &geometry, 0, buffer, 8);
  async.protocol = DCMF_TORUS_ASYNCBROADCAST_BINOMIAL_PROTOCOL;
  async.cb_recv = receive_broadcast;
  async.cb_geometry = find;
  async.isBuffered = 1;
  DCMF_AsyncBroadcast_register(&collective, &async);
  DCMF_AsyncBroadcast(&collective, &collective_request, callback, DCMF_MATCH_CONSISTENCY, &geometry, 0, buffer, 8);
  allreduce.protocol = DCMF_TORUS_BINOMIAL_ALLREDUCE_PROTOCOL;
  allreduce.cb_geometry = find;
  allreduce.reuse_storage = 1;
  DCMF_Allreduce_register(&collective, &allreduce);
  DCMF_Allreduce(&collective, &collective_request, callback, DCMF_MATCH_CONSISTENCY, &geometry, buffer, buffer, 1,
                 DCMF_LOC_DOUBLE_INT, DCMF_MAXLOC);
  reduce.protocol = DCMF_TORUS_BINOMIAL_REDUCE_PROTOCOL;
  reduce.cb_geometry = find;
  reduce.reuse_storage = 0;
  DCMF_Reduce_register(&collective, &reduce);
  DCMF_Reduce(&collective, &collective_request, callback, DCMF_MATCH_CONSISTENCY, &geometry, 0, buffer, buffer, 1,
              DCMF_SIGNED_INT, DCMF_BXOR);
  alltoallv.protocol = DCMF_TORUS_ALLTOALLV_PROTOCOL;
  DCMF_Alltoallv_register(&collective, &alltoallv);
  DCMF_Alltoallv(&collective, &collective_request, callback, DCMF_MATCH_CONSISTENCY, &geometry, buffer, words, words,
                 buffer, words, words, words, words);
  return DCMF_Geometry_free(&geometry);
}
