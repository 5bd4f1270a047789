// SPDX-License-Identifier: Apache-2.0
#include "testbench/tests/firmware/pami_double.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
#include "firmware/bgq/pami/collective/attach.h"
#include "firmware/bgq/pami/collective/network.h"
#include "firmware/bgq/pami/collective/routes.h"
pami_job_t pami_job;
}

namespace toroid_test {

PamiJob* PamiJob::current = nullptr;

PamiJob::PamiJob(unsigned tasks, unsigned contexts, unsigned seed) : random_(seed) {
  current = this;
  pami_job = {};
  pami_job.tasks = tasks;
  for (unsigned t = 0; t < tasks; ++t) {
    tasks_.push_back(std::make_unique<Task>());
    Task& task = *tasks_.back();
    task.client = std::make_unique<pami_client_impl_t>();
    *task.client = {};
    if (pami_collectives_start(task.client.get()) != PAMI_SUCCESS) std::abort();
    task.contexts.resize(contexts);
    for (unsigned c = 0; c < contexts; ++c) {
      Context& one = task.contexts[c];
      one.context.reset(new pami_context_impl_t());
      one.context->client = task.client.get();
      one.context->offset = c;
      one.context->self = pami_endpoint_of(t, c);
      one.from.resize(static_cast<size_t>(tasks) * contexts);
      task.client->context[c] = one.context.get();
      task.client->contexts = c + 1;
      if (pami_collectives_attach(one.context.get()) != PAMI_SUCCESS) std::abort();
      all_.push_back(&one);
    }
  }
}

PamiJob::~PamiJob() {
  for (auto& task : tasks_) {
    for (Context& one : task->contexts) pami_collectives_detach(one.context.get());
    pami_collectives_end(task->client.get());
  }
  current = nullptr;
}

pami_context_impl_t* PamiJob::context(unsigned task, unsigned offset) {
  return tasks_[task]->contexts[offset].context.get();
}

pami_geometry_t PamiJob::world(unsigned task) {
  pami_geometry_t world = nullptr;
  PAMI_Geometry_world(client(task), &world);
  return world;
}

void PamiJob::later(pami_context_impl_t* context, std::function<void()> call) {
  at(context->self).calls.push_back(std::move(call));
}

void PamiJob::send(pami_context_impl_t* from, pami_endpoint_t to, unsigned dispatch, const void* header,
                   size_t header_bytes, const void* data, size_t bytes, pami_event_function local, void* cookie) {
  Message message{from->self, dispatch, {}, {}};
  const auto* h = static_cast<const char*>(header);
  const auto* d = static_cast<const char*>(data);
  message.header.assign(h, h + header_bytes);
  if (bytes) message.data.assign(d, d + bytes);
  const unsigned contexts = static_cast<unsigned>(tasks_[0]->contexts.size());
  at(to).from[pami_task_of(from->self) * contexts + pami_offset_of(from->self)].push_back(std::move(message));
  if (local) later(from, [=] { local(from, cookie, PAMI_SUCCESS); });
}

void PamiJob::dispatch(Context& at, const Message& message) {
  const pami_dispatch_t& to = at.context->dispatch[message.dispatch];
  const bool at_once = message.header.size() + message.data.size() <= PAMI_PAYLOAD_MAX;
  // A copy that ends with the call, so that a function which keeps the address is found out.
  std::vector<char> data = message.data;
  data.push_back(0);
  pami_recv_t recv{};
  to.fn.p2p(at.context.get(), to.cookie, message.header.data(), message.header.size(), at_once ? data.data() : nullptr,
            message.data.size(), message.from, at_once ? nullptr : &recv);
  if (at_once) return;
  at.calls.push_back([recv, copy = message.data, context = at.context.get()] {
    std::memcpy(recv.addr, copy.data(), copy.size());
    if (recv.local_fn) recv.local_fn(context, recv.cookie, PAMI_SUCCESS);
  });
}

bool PamiJob::step() {
  const size_t first = random_() % all_.size();
  for (size_t i = 0; i < all_.size(); ++i) {
    Context& one = *all_[(first + i) % all_.size()];
    const size_t sources = one.from.size(), start = random_() % (sources + 1);
    for (size_t s = 0; s <= sources; ++s) {
      const size_t which = (start + s) % (sources + 1);
      if (which == sources && !one.calls.empty()) {
        const auto call = std::move(one.calls.front());
        one.calls.pop_front();
        call();
      } else if (which < sources && !one.from[which].empty()) {
        const Message message = std::move(one.from[which].front());
        one.from[which].pop_front();
        dispatch(one, message);
      } else {
        continue;
      }
      return true;
    }
  }
  return false;
}

bool PamiJob::advance_until(const std::function<bool()>& done) {
  while (!done()) {
    if (!step()) return false;
  }
  return true;
}

bool PamiJob::idle() const {
  for (const Context* one : all_) {
    if (!one->calls.empty()) return false;
    for (const auto& queue : one->from) {
      if (!queue.empty()) return false;
    }
  }
  return true;
}

}  // namespace toroid_test

using toroid_test::PamiJob;

extern "C" {

/* There is no collective network: no geometry is offered its algorithms. */
#define NO_NETWORK(operation)                                                                                     \
  pami_result_t pami_start_network_##operation(pami_context_impl_t*, pami_geometry_impl_t*, const pami_xfer_t*) { \
    return PAMI_UNIMPL;                                                                                           \
  }
NO_NETWORK(barrier)
NO_NETWORK(broadcast)
NO_NETWORK(allreduce)
NO_NETWORK(reduce)
struct pami_route* pami_network_start(void) {
  return nullptr;
}
void pami_network_end(void) {}
bool pami_has_route(const pami_geometry_impl_t*) {
  return false;
}
bool pami_has_interrupts(const pami_geometry_impl_t*) {
  return false;
}
struct pami_route {
  int unused;
};
struct pami_route* pami_route_new(const pami_geometry_impl_t* geometry, bool* agree) {
  toroid_test::Routes& routes = PamiJob::current->routes;
  *agree = routes.can && routes.can(geometry);
  if (!*agree) return nullptr;
  ++routes.made;
  return new pami_route;
}
void pami_route_give(struct pami_route*, unsigned round, pami_route_bits_t* bits) {
  PamiJob::current->routes.give(round, bits);
}
bool pami_route_begins(struct pami_route*) {
  const toroid_test::Routes& routes = PamiJob::current->routes;
  return !routes.begins || routes.begins();
}
void pami_routes_end(void) {}
pami_route_result_t pami_route_settle(struct pami_route*, const pami_route_bits_t* bits) {
  return PamiJob::current->routes.settle(bits);
}
void pami_route_free(struct pami_route* route) {
  if (route == nullptr) return;
  ++PamiJob::current->routes.freed;
  delete route;
}
void pami_job_coordinates(pami_task_t task, size_t* at) {
  for (unsigned d = 0; d <= PAMI_DIMENSIONS; ++d) at[d] = pami_job.map[task] >> (5 * d) & 31;
}
metadata_result_t pami_check_network_broadcast(pami_xfer_t*) {
  return {};
}
metadata_result_t pami_check_network_allreduce(pami_xfer_t*) {
  return {};
}
metadata_result_t pami_check_network_reduce(pami_xfer_t*) {
  return {};
}

void pami_internal_dispatch(pami_context_impl_t* context, unsigned dispatch, pami_dispatch_p2p_function fn,
                            void* cookie) {
  context->dispatch[dispatch].fn.p2p = fn;
  context->dispatch[dispatch].cookie = cookie;
}

pami_result_t pami_internal_send(pami_context_impl_t* context, pami_endpoint_t to, unsigned dispatch,
                                 const void* header, size_t header_bytes, const void* data, size_t bytes,
                                 pami_event_function local_fn, pami_event_function remote_fn, void* cookie) {
  if (remote_fn) std::abort();  // the collectives never ask
  PamiJob::current->send(context, to, dispatch, header, header_bytes, data, bytes, local_fn, cookie);
  return PAMI_SUCCESS;
}

void pami_later_call(pami_context_impl_t* context, pami_event_function fn, void* cookie, pami_result_t result) {
  if (fn) PamiJob::current->later(context, [=] { fn(context, cookie, result); });
}

pami_result_t PAMI_Context_post(pami_context_t context, pami_work_t*, pami_work_function fn, void* cookie) {
  PamiJob::current->later(static_cast<pami_context_impl_t*>(context), [=] {
    if (fn(context, cookie) == PAMI_EAGAIN) PAMI_Context_post(context, nullptr, fn, cookie);
  });
  return PAMI_SUCCESS;
}

void pami_fatal(const char* form, ...) {
  va_list arguments;
  va_start(arguments, form);
  std::vfprintf(stderr, form, arguments);
  va_end(arguments);
  std::fputc('\n', stderr);
  std::abort();
}

pami_result_t pami_error(pami_result_t result, const char*, ...) {
  return result;
}
}
