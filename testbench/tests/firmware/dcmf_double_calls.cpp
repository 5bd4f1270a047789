// SPDX-License-Identifier: Apache-2.0
// The functions of DCMF that OSPRI calls, over DcmfDouble.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "testbench/tests/firmware/dcmf_double.h"

using toroid::testing::DcmfDouble;
using Message = DcmfDouble::Message;

namespace {

constexpr std::size_t kPacket = 224;  // bytes of message and msginfo that one packet has room for
constexpr int kControls = 1, kOrdered = 0, kAnyhow = -1;

DcmfDouble& job() {
  return *DcmfDouble::current;
}

/// Tells whoever asked for it, in the advance of `rank`. The request of an operation that owes a callback is the
/// layer's until then: it writes to it.
void tell(unsigned rank, DCMF_Callback_t done, DCMF_Request_t* request) {
  if (done.function == nullptr) return;
  job().event(rank, [done, request] {
    std::memset(request, 0xEE, sizeof *request);
    done.function(done.clientdata, nullptr);
  });
}

void copy_from(Message& message, const void* source, std::size_t bytes) {
  const auto* from = static_cast<const std::uint8_t*>(source);
  message.data.assign(from, from + bytes);
}

struct Region {
  std::uintptr_t base;
  std::size_t bytes;
};

char* address(const DCMF_Memregion_t* region, std::size_t offset) {
  Region of;
  std::memcpy(&of, region, sizeof of);
  return reinterpret_cast<char*>(of.base + offset);
}

void check_rank(std::size_t rank) {
  if (rank >= job().size()) {
    std::fprintf(stderr, "there is no rank %zu\n", rank);
    std::abort();
  }
}

/// What a rank has to wait for in a flush.
void outstanding(DcmfDouble::Rank& rank) {
  rank.outstanding += 1;
  rank.calls.most_outstanding = std::max(rank.calls.most_outstanding, rank.outstanding);
}

}  // namespace

extern "C" {

int32_t DCMF_CriticalSection_flag = 0;

unsigned DCMF_Messager_initialize() {
  const bool first = !job().me().initialised;
  job().me().initialised = true;
  return first ? 1 : 0;
}

unsigned DCMF_Messager_finalize() {
  job().me().initialised = false;
  return 1;
}

size_t DCMF_Messager_rank() {
  return job().rank();
}

size_t DCMF_Messager_size() {
  return job().size();
}

unsigned DCMF_Messager_advance() {
  return job().advance();
}

double DCMF_Timer() {
  return 0;
}

unsigned long long DCMF_Timebase() {
  return 0;
}

void DCMF_CriticalSection_enter_func(uint32_t) {
  job().enter_section();
}

void DCMF_CriticalSection_exit_func(uint32_t) {
  job().exit_section();
}

void DCMF_CriticalSection_cycle_func(uint32_t) {
  job().exit_section();
  job().yield();
  job().enter_section();
}

DCMF_Result DCMF_Messager_configure(DCMF_Configure_t* in, DCMF_Configure_t* out) {
  DCMF_Configure_t& now = job().me().configured;
  if (in != nullptr) now = *in;
  DCMF_CriticalSection_flag = now.thread_level == DCMF_THREAD_MULTIPLE;
  job().calls().thread_level = now.thread_level;
  job().calls().interrupts = now.interrupts;
  if (out != nullptr) *out = now;
  return DCMF_SUCCESS;
}

DCMF_Result DCMF_Hardware(DCMF_Hardware_t* hw) {
  std::memset(hw, 0, sizeof *hw);
  hw->tSize = job().processes();
  hw->xSize = job().size() / job().processes();
  hw->ySize = hw->zSize = 1;
  hw->xCoord = job().rank() % hw->xSize;
  return DCMF_SUCCESS;
}

DCMF_Result DCMF_Send_register(DCMF_Protocol_t* registration, DCMF_Send_Configuration_t* configuration) {
  DcmfDouble::Protocol protocol{DcmfDouble::Protocol::kSend};
  protocol.eager = configuration->protocol == DCMF_EAGER_SEND_PROTOCOL;
  protocol.send = *configuration;
  std::memset(registration, 0xDD, sizeof *registration);
  job().me().protocols[registration] = protocol;
  return DCMF_SUCCESS;
}

DCMF_Result DCMF_Control_register(DCMF_Protocol_t* registration, DCMF_Control_Configuration_t* configuration) {
  DcmfDouble::Protocol protocol{DcmfDouble::Protocol::kControl};
  protocol.control = *configuration;
  job().me().protocols[registration] = protocol;
  return DCMF_SUCCESS;
}

DCMF_Result DCMF_Put_register(DCMF_Protocol_t*, DCMF_Put_Configuration_t*) {
  return DCMF_SUCCESS;
}

DCMF_Result DCMF_Get_register(DCMF_Protocol_t*, DCMF_Get_Configuration_t*) {
  return DCMF_SUCCESS;
}

DCMF_Result DCMF_GlobalBarrier_register(DCMF_Protocol_t*, DCMF_GlobalBarrier_Configuration_t*) {
  return DCMF_SUCCESS;
}

DCMF_Result DCMF_GlobalBcast_register(DCMF_Protocol_t*, DCMF_GlobalBcast_Configuration_t*) {
  return DCMF_SUCCESS;
}

DCMF_Result DCMF_GlobalAllreduce_register(DCMF_Protocol_t*, DCMF_GlobalAllreduce_Configuration_t*) {
  return DCMF_SUCCESS;
}

DCMF_Result DCMF_GlobalBarrier(DCMF_Protocol_t*, DCMF_Request_t*, DCMF_Callback_t done) {
  job().barrier(done);
  return DCMF_SUCCESS;
}

DCMF_Result DCMF_GlobalBcast(DCMF_Protocol_t*, DCMF_Request_t*, DCMF_Callback_t done, DCMF_Consistency, size_t root,
                             char* buffer, size_t bytes) {
  job().broadcast(static_cast<unsigned>(root), buffer, bytes, done);
  return DCMF_SUCCESS;
}

DCMF_Result DCMF_GlobalAllreduce(DCMF_Protocol_t*, DCMF_Request_t*, DCMF_Callback_t done, DCMF_Consistency, int root,
                                 char* in, char* out, unsigned count, DCMF_Dt type, DCMF_Op op) {
  job().combine(root, in, out, count, type, op, done);
  return DCMF_SUCCESS;
}

DCMF_Result DCMF_Memregion_create(DCMF_Memregion_t* memregion, size_t* bytes_out, size_t bytes_in, void* base,
                                  uint64_t) {
  const Region region{reinterpret_cast<std::uintptr_t>(base), bytes_in};
  std::memcpy(memregion, &region, sizeof region);
  *bytes_out = bytes_in;
  return DCMF_SUCCESS;
}

DCMF_Result DCMF_Memregion_destroy(DCMF_Memregion_t*) {
  return DCMF_SUCCESS;
}

DCMF_Result DCMF_Control(DCMF_Protocol_t* registration, DCMF_Consistency, size_t rank, DCMF_Control_t* info) {
  check_rank(rank);
  job().calls().controls += 1;
  Message message;
  copy_from(message, info, sizeof *info);
  const unsigned target = static_cast<unsigned>(rank), source = job().rank();
  if (job().me().protocols.count(registration) == 0) std::abort();
  const std::size_t place = reinterpret_cast<char*>(registration) - reinterpret_cast<char*>(&job().me().state);
  message.arrive = [target, source, place](Message& arrived) {
    job().event(target, [data = arrived.data, source, place] {
      const char* of = reinterpret_cast<char*>(&job().me().state) + place;
      const auto& control = job().me().protocols.at(of).control;
      DCMF_Control_t copy;
      std::memcpy(&copy, data.data(), sizeof copy);
      control.cb_recv(control.cb_recv_clientdata, &copy, source);
    });
  };
  job().post(target, kControls, std::move(message));
  return DCMF_SUCCESS;
}

DCMF_Result DCMF_Put(DCMF_Protocol_t*, DCMF_Request_t* request, DCMF_Callback_t done, DCMF_Consistency, size_t rank,
                     size_t bytes, DCMF_Memregion_t* source_region, DCMF_Memregion_t* target_region,
                     size_t source_offset, size_t target_offset, DCMF_Callback_t ack) {
  check_rank(rank);
  DcmfDouble::Calls& calls = job().calls();
  calls.puts += 1;
  calls.put_bytes += bytes;
  if (ack.function != nullptr) {
    calls.confirmed_puts += 1;
    outstanding(job().me());
  }
  const char* const from = address(source_region, source_offset);
  char* const to = address(target_region, target_offset);
  const unsigned source = job().rank();
  Message message;
  message.leave = [=](Message& left) {
    copy_from(left, from, bytes);
    tell(source, done, request);
  };
  message.arrive = [=](Message& arrived) {
    std::memcpy(to, arrived.data.data(), bytes);
    if (ack.function == nullptr) return;
    job().event(source, [=] {
      job().me().outstanding -= 1;
      ack.function(ack.clientdata, nullptr);
    });
  };
  job().post(static_cast<unsigned>(rank), kOrdered, std::move(message));
  return DCMF_SUCCESS;
}

DCMF_Result DCMF_Get(DCMF_Protocol_t*, DCMF_Request_t* request, DCMF_Callback_t done, DCMF_Consistency consistency,
                     size_t rank, size_t bytes, DCMF_Memregion_t* source_region, DCMF_Memregion_t* target_region,
                     size_t source_offset, size_t target_offset) {
  check_rank(rank);
  job().calls().gets += 1;
  job().calls().get_bytes += bytes;
  if (consistency == DCMF_RELAXED_CONSISTENCY) job().calls().relaxed += 1;
  const char* const from = address(source_region, source_offset);
  char* const to = address(target_region, target_offset);
  const unsigned source = job().rank();
  Message message;
  message.leave = [=](Message& left) { copy_from(left, from, bytes); };
  message.arrive = [=](Message& arrived) {
    std::memcpy(to, arrived.data.data(), bytes);
    tell(source, done, request);
  };
  job().post(static_cast<unsigned>(rank), kAnyhow, std::move(message));
  return DCMF_SUCCESS;
}

}  // extern "C"

namespace {

struct Sent {
  std::size_t place;  ///< of the registration in the state
  std::vector<DCQuad> info;
  unsigned source, target;
  bool ordered, rendezvous;
};

void deliver_long(const Sent& sent, std::vector<std::uint8_t> data) {
  const char* of = reinterpret_cast<char*>(&job().me().state) + sent.place;
  const auto& send = job().me().protocols.at(of).send;
  std::size_t room = 0;
  char* buffer = nullptr;
  DCMF_Callback_t done{nullptr, nullptr};
  DCMF_Request_t* const request =
      send.cb_recv(send.cb_recv_clientdata, sent.info.data(), static_cast<unsigned>(sent.info.size()), sent.source,
                   data.size(), &room, &buffer, &done);
  const auto finish = [room, buffer, done, request, data = std::move(data)] {
    std::memcpy(buffer, data.data(), std::min(room, data.size()));
    std::memset(request, 0xEE, sizeof *request);
    done.function(done.clientdata, nullptr);
  };
  if (!sent.rendezvous) {
    finish();
    return;
  }
  // Its data come by themselves.
  Message rest;
  rest.arrive = [finish, target = sent.target](Message&) { job().event(target, finish); };
  job().post(sent.source, kAnyhow, std::move(rest));
}

}  // namespace

extern "C" DCMF_Result DCMF_Send(DCMF_Protocol_t* registration, DCMF_Request_t* request, DCMF_Callback_t done,
                                 DCMF_Consistency consistency, size_t rank, size_t bytes, char* src, DCQuad* msginfo,
                                 unsigned count) {
  check_rank(rank);
  DcmfDouble::Rank& me = job().me();
  me.calls.sends += 1;
  me.calls.send_bytes += bytes;
  me.calls.largest_send = std::max(me.calls.largest_send, static_cast<unsigned>(bytes));
  if (consistency == DCMF_RELAXED_CONSISTENCY) me.calls.relaxed += 1;
  const DcmfDouble::Protocol& protocol = me.protocols.at(registration);
  const bool is_short = bytes == 0 || bytes + count * sizeof(DCQuad) <= kPacket;
  Sent sent;
  sent.place = static_cast<std::size_t>(reinterpret_cast<char*>(registration) - reinterpret_cast<char*>(&me.state));
  sent.info.assign(msginfo, msginfo + count);
  sent.source = job().rank();
  sent.target = static_cast<unsigned>(rank);
  sent.ordered = consistency == DCMF_SEQUENTIAL_CONSISTENCY;
  sent.rendezvous = !is_short && !protocol.eager;
  Message message;
  if (is_short) {
    copy_from(message, src, bytes);
  } else {
    me.calls.most_buffers = std::max(me.calls.most_buffers, ++me.calls.buffers);
  }
  message.leave = [=](Message& left) {
    if (!is_short) {
      copy_from(left, src, bytes);
      job().calls(sent.source).buffers -= 1;
    }
    tell(sent.source, done, request);
  };
  message.arrive = [sent, is_short](Message& arrived) {
    job().event(sent.target, [sent, is_short, data = std::move(arrived.data)] {
      if (!is_short) {
        deliver_long(sent, data);
        return;
      }
      // Gone after the callback: where it was, there is something else.
      std::vector<DCQuad> info = sent.info;
      std::vector<DCQuad> copy(data.size() / sizeof(DCQuad) + 1);
      if (!data.empty()) std::memcpy(copy.data(), data.data(), data.size());
      const char* of = reinterpret_cast<char*>(&job().me().state) + sent.place;
      const auto& send = job().me().protocols.at(of).send;
      send.cb_recv_short(send.cb_recv_short_clientdata, info.data(), static_cast<unsigned>(info.size()), sent.source,
                         reinterpret_cast<const char*>(copy.data()), data.size());
    });
  };
  job().post(static_cast<unsigned>(rank), sent.ordered ? kOrdered : kAnyhow, std::move(message));
  return DCMF_SUCCESS;
}
