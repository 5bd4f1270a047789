// SPDX-License-Identifier: Apache-2.0
// A job of tasks in one process, for PAMI's collective operations: messages wait in queues, and progress happens in an
// order that is drawn.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <vector>

extern "C" {
#include "firmware/bgq/pami/collective/routes.h"
#include "firmware/bgq/pami/context.h"
}

namespace toroid_test {

/// What geometries have of the network, by a test: which get something, what members give and what comes of it. Without
/// functions no geometry gets anything.
struct Routes {
  std::function<bool(const pami_geometry_impl_t*)> can;
  std::function<void(unsigned round, pami_route_bits_t*)> give;
  std::function<bool()> begins;  ///< without it all do at once
  std::function<pami_route_result_t(const pami_route_bits_t*)> settle;
  unsigned made = 0, freed = 0;
};

class PamiJob {
 public:
  Routes routes;

  PamiJob(unsigned tasks, unsigned contexts, unsigned seed);
  ~PamiJob();
  PamiJob(const PamiJob&) = delete;
  PamiJob& operator=(const PamiJob&) = delete;

  unsigned tasks() const { return static_cast<unsigned>(tasks_.size()); }
  pami_client_impl_t* client(unsigned task) { return tasks_[task]->client.get(); }
  pami_context_impl_t* context(unsigned task, unsigned offset = 0);
  pami_geometry_t world(unsigned task);

  /// Progress until `done` says so; false if nothing is left to happen before.
  bool advance_until(const std::function<bool()>& done);
  bool idle() const;

  /// What PAMI asks of contexts.
  void send(pami_context_impl_t* from, pami_endpoint_t to, unsigned dispatch, const void* header, size_t header_bytes,
            const void* data, size_t bytes, pami_event_function local, void* cookie);
  void later(pami_context_impl_t* context, std::function<void()> call);

  static PamiJob* current;

 private:
  struct Message {
    pami_endpoint_t from;
    unsigned dispatch;
    std::vector<char> header, data;
  };
  struct Context {
    std::unique_ptr<pami_context_impl_t> context;
    std::deque<std::function<void()>> calls;
    std::vector<std::deque<Message>> from;  // by sender
  };
  struct Task {
    std::unique_ptr<pami_client_impl_t> client;
    std::vector<Context> contexts;
  };
  Context& at(pami_endpoint_t endpoint) { return tasks_[pami_task_of(endpoint)]->contexts[pami_offset_of(endpoint)]; }
  bool step();
  void dispatch(Context& at, const Message& message);

  std::vector<std::unique_ptr<Task>> tasks_;
  std::vector<Context*> all_;
  std::mt19937 random_;
};

}  // namespace toroid_test
