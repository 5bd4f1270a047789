// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ucontext.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "firmware/ospri/dcmf/state.h"

namespace toroid::testing {

/// DCMF for several ranks in one process, of which each runs OSPRI and a program of its own as a coroutine, some with a
/// helper thread as another. Everything happens as late, and in as strange an order, as DCMF's interface permits:
/// sources are read just before the callback says that they have been, gets overtake puts, long messages by rendezvous
/// complete after later ones.
class DcmfDouble {
 public:
  explicit DcmfDouble(unsigned ranks, unsigned seed = 1, unsigned processes = 1);
  ~DcmfDouble();
  DcmfDouble(const DcmfDouble&) = delete;
  DcmfDouble& operator=(const DcmfDouble&) = delete;

  /// Runs `body` as each rank, all together, to their ends.
  void run(const std::function<void(unsigned rank)>& body);

  /// Runs `body` as another thread of the rank that runs; waits for the end of all those of the rank.
  void spawn(std::function<void()> body);
  void join();

  /// Calls of a rank.
  struct Calls {
    unsigned puts = 0, confirmed_puts = 0, gets = 0, sends = 0, controls = 0, advances = 0, sections = 0;
    std::uint64_t put_bytes = 0, send_bytes = 0, get_bytes = 0;
    unsigned largest_send = 0;
    unsigned relaxed = 0;                    ///< sends and gets
    unsigned most_outstanding = 0;           ///< confirmed puts at a time
    unsigned buffers = 0, most_buffers = 0;  ///< long messages that have not left
    unsigned thread_level = 0, interrupts = 0;
  };
  Calls& calls(unsigned rank) { return ranks_[rank]->calls; }
  Calls& calls() { return ranks_[current_]->calls; }
  ospri_state_t& state(unsigned rank) { return ranks_[rank]->state; }

  bool threads = true;         ///< there is a core for the helper
  unsigned laziness = 3;       ///< turns of a rank for each step of the network, on average
  unsigned longest_pause = 0;  ///< of a thread, in cycles
  std::mt19937 random;
  static DcmfDouble* current;

  // What DCMF and the threads do, for the coroutine that runs.
  struct Protocol {
    enum Kind { kSend, kControl, kPut, kGet } kind;
    bool eager = false;
    DCMF_Send_Configuration_t send{};
    DCMF_Control_Configuration_t control{};
  };
  using Event = std::function<void()>;
  /// Something on its way; done when it arrives.
  struct Message {
    std::vector<std::uint8_t> data;
    std::function<void(Message&)> leave;   ///< at the source: takes the data
    std::function<void(Message&)> arrive;  ///< by the network
    bool left = false;
  };
  struct Coroutine {
    ucontext_t context;
    std::vector<char> stack;
    std::function<void()> body;
    unsigned rank = 0;
    bool ended = false;
  };
  struct Rank {
    ospri_state_t state{};
    std::map<const void*, Protocol> protocols;
    std::deque<Event> events;  ///< for its next advance
    Calls calls;
    DCMF_Configure_t configured{DCMF_THREAD_SINGLE, DCMF_INTERRUPTS_OFF};
    Coroutine* owner = nullptr;  ///< of the critical section
    unsigned depth = 0;
    unsigned barriers = 0, collectives = 0;
    unsigned outstanding = 0;
    std::vector<Coroutine*> threads;
    bool advancing = false;
    bool initialised = false;
  };

  unsigned rank() const { return current_; }
  unsigned size() const { return static_cast<unsigned>(ranks_.size()); }
  unsigned processes() const { return processes_; }
  Rank& me() { return *ranks_[current_]; }
  unsigned advance();
  /// Lets others run.
  void yield();
  void event(unsigned rank, Event what) { ranks_[rank]->events.push_back(std::move(what)); }
  /// On the way from the rank that runs to another. Messages of one lane stay in order; lane -1 has none.
  void post(unsigned target, int lane, Message message);
  bool start_helper(void (*body)());
  void enter_section();
  void exit_section();
  void barrier(DCMF_Callback_t done);
  void combine(int root, char* in, char* out, unsigned count, DCMF_Dt type, DCMF_Op op, DCMF_Callback_t done);
  void broadcast(unsigned root, char* buffer, std::size_t bytes, DCMF_Callback_t done);

 private:
  struct Collective {
    unsigned arrived = 0;
    std::vector<std::pair<char*, char*>> buffers;
    std::vector<std::pair<unsigned, DCMF_Callback_t>> done;
  };
  static void enter(unsigned low, unsigned high);
  Coroutine* make(unsigned rank, std::function<void()> body);
  void switch_to(Coroutine& next);
  bool step();
  Collective& join(std::map<unsigned, Collective>& all, unsigned number, DCMF_Callback_t done);

  std::vector<std::unique_ptr<Rank>> ranks_;
  std::vector<std::unique_ptr<Coroutine>> coroutines_;
  ucontext_t scheduler_;
  Coroutine* running_ = nullptr;
  unsigned current_ = 0, processes_;
  std::map<std::pair<unsigned, std::pair<unsigned, int>>, std::deque<Message>> lanes_;
  std::map<unsigned, Collective> barriers_, collectives_;
};

}  // namespace toroid::testing
