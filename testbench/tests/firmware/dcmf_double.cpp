// SPDX-License-Identifier: Apache-2.0
#include "testbench/tests/firmware/dcmf_double.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "firmware/ospri/dcmf/memory.h"
#include "firmware/ospri/dcmf/thread.h"

namespace toroid::testing {

namespace {

constexpr std::size_t kStack = 256 << 10;
constexpr unsigned kStuck = 20'000'000;

template <typename T>
void combine_values(const std::vector<std::pair<char*, char*>>& buffers, std::vector<char>& result, unsigned count,
                    DCMF_Op op) {
  result.resize(count * sizeof(T));
  for (unsigned i = 0; i < count; ++i) {
    T value{};
    for (std::size_t rank = 0; rank < buffers.size(); ++rank) {
      T other;
      std::memcpy(&other, buffers[rank].first + i * sizeof(T), sizeof other);
      if (rank == 0) {
        value = other;
      } else if (op == DCMF_SUM) {
        value = static_cast<T>(value + other);
      } else if (op == DCMF_PROD) {
        value = static_cast<T>(value * other);
      } else if (op == DCMF_MAX) {
        value = value < other ? other : value;
      } else if (op == DCMF_MIN) {
        value = other < value ? other : value;
      } else if (op == DCMF_LOR) {
        value = static_cast<T>(value != T{} || other != T{});
      } else if constexpr (std::is_integral_v<T>) {
        value ^= other;
      }
    }
    std::memcpy(result.data() + i * sizeof(T), &value, sizeof value);
  }
}

}  // namespace

DcmfDouble* DcmfDouble::current = nullptr;

DcmfDouble::DcmfDouble(unsigned ranks, unsigned seed, unsigned processes) : random(seed), processes_(processes) {
  current = this;
  for (unsigned i = 0; i < ranks; ++i) ranks_.push_back(std::make_unique<Rank>());
}

DcmfDouble::~DcmfDouble() {
  current = nullptr;
  ospri_instance = nullptr;
}

void DcmfDouble::enter(unsigned, unsigned) {
  Coroutine* const self = current->running_;
  self->body();
  self->ended = true;
  swapcontext(&self->context, &current->scheduler_);
}

DcmfDouble::Coroutine* DcmfDouble::make(unsigned rank, std::function<void()> body) {
  auto made = std::make_unique<Coroutine>();
  made->stack.resize(kStack);
  made->body = std::move(body);
  made->rank = rank;
  getcontext(&made->context);
  made->context.uc_stack.ss_sp = made->stack.data();
  made->context.uc_stack.ss_size = made->stack.size();
  made->context.uc_link = nullptr;
  makecontext(&made->context, reinterpret_cast<void (*)()>(&enter), 2, 0u, 0u);
  coroutines_.push_back(std::move(made));
  return coroutines_.back().get();
}

void DcmfDouble::switch_to(Coroutine& next) {
  running_ = &next;
  current_ = next.rank;
  ospri_instance = &ranks_[current_]->state;
  DCMF_CriticalSection_flag = me().configured.thread_level == DCMF_THREAD_MULTIPLE;
  swapcontext(&scheduler_, &next.context);
  running_ = nullptr;
}

void DcmfDouble::yield() {
  Coroutine* const self = running_;
  swapcontext(&self->context, &scheduler_);
}

void DcmfDouble::run(const std::function<void(unsigned)>& body) {
  coroutines_.clear();
  for (unsigned rank = 0; rank < size(); ++rank) make(rank, [&body, rank] { body(rank); });
  for (unsigned turn = 0;; ++turn) {
    bool more = false;
    for (const auto& each : coroutines_) more = more || !each->ended;
    if (!more) return;
    if (turn > kStuck) {
      std::fprintf(stderr, "the ranks wait for each other\n");
      std::abort();
    }
    if (random() % laziness == 0) step();
    Coroutine& next = *coroutines_[random() % coroutines_.size()];
    if (!next.ended) switch_to(next);
  }
}

void DcmfDouble::post(unsigned target, int lane, Message message) {
  lanes_[{current_, {target, lane}}].push_back(std::move(message));
}

/// Something leaves its source, or something that has arrives.
bool DcmfDouble::step() {
  if (lanes_.empty()) return false;
  auto lane = lanes_.begin();
  std::advance(lane, static_cast<long>(random() % lanes_.size()));
  std::deque<Message>& queue = lane->second;
  const std::size_t place = lane->first.second.second < 0 ? random() % queue.size() : 0;
  Message& message = queue[place];
  if (!message.left) {
    message.left = true;
    if (message.leave) message.leave(message);
    return true;
  }
  Message arrived = std::move(message);
  queue.erase(queue.begin() + static_cast<long>(place));
  if (queue.empty()) lanes_.erase(lane);
  arrived.arrive(arrived);
  return true;
}

unsigned DcmfDouble::advance() {
  Rank& rank = me();
  if (rank.advancing) {
    std::fprintf(stderr, "DCMF_Messager_advance inside a callback\n");
    std::abort();
  }
  const bool word = rank.state.lock_kind == OSPRI_LOCK_ATOMIC;
  if ((DCMF_CriticalSection_flag != 0 && rank.owner != running_) ||
      (word && rank.state.lock_word == rank.state.lock_tickets)) {
    std::fprintf(stderr, "DCMF_Messager_advance without the lock\n");
    std::abort();
  }
  rank.calls.advances += 1;
  unsigned handled = 0;
  for (std::size_t due = rank.events.empty() ? 0 : random() % (rank.events.size() + 1); due > 0; --due) {
    Event what = std::move(rank.events.front());
    rank.events.pop_front();
    rank.advancing = true;
    what();
    rank.advancing = false;
    handled += 1;
  }
  yield();
  return handled;
}

bool DcmfDouble::start_helper(void (*body)()) {
  if (threads) spawn(body);
  return threads;
}

void DcmfDouble::spawn(std::function<void()> body) {
  me().threads.push_back(make(current_, std::move(body)));
}

void DcmfDouble::join() {
  for (const Coroutine* each : me().threads) {
    while (!each->ended) yield();
  }
}

void DcmfDouble::enter_section() {
  Rank& rank = me();
  Coroutine* const self = running_;
  while (rank.owner != nullptr && rank.owner != self) yield();
  rank.owner = self;
  rank.depth += 1;
  rank.calls.sections += 1;
}

void DcmfDouble::exit_section() {
  Rank& rank = me();
  if (rank.owner != running_) {
    std::fprintf(stderr, "the critical section is left by another thread than entered it\n");
    std::abort();
  }
  if (--rank.depth == 0) rank.owner = nullptr;
}

DcmfDouble::Collective& DcmfDouble::join(std::map<unsigned, Collective>& all, unsigned number, DCMF_Callback_t done) {
  Collective& collective = all[number];
  collective.arrived += 1;
  collective.done.emplace_back(current_, done);
  return collective;
}

void DcmfDouble::barrier(DCMF_Callback_t done) {
  Collective& collective = join(barriers_, me().barriers++, done);
  if (collective.arrived < size()) return;
  for (const auto& each : collective.done) {
    event(each.first, [callback = each.second] { callback.function(callback.clientdata, nullptr); });
  }
}

void DcmfDouble::combine(int root, char* in, char* out, unsigned count, DCMF_Dt type, DCMF_Op op,
                         DCMF_Callback_t done) {
  Collective& collective = join(collectives_, me().collectives++, done);
  collective.buffers.emplace_back(in, out);
  if (collective.arrived < size()) return;
  std::vector<char> result;
  switch (type) {
    case DCMF_SIGNED_INT:
      combine_values<std::int32_t>(collective.buffers, result, count, op);
      break;
    case DCMF_UNSIGNED_INT:
      combine_values<std::uint32_t>(collective.buffers, result, count, op);
      break;
    case DCMF_SIGNED_LONG_LONG:
      combine_values<std::int64_t>(collective.buffers, result, count, op);
      break;
    case DCMF_UNSIGNED_LONG_LONG:
      combine_values<std::uint64_t>(collective.buffers, result, count, op);
      break;
    case DCMF_FLOAT:
      combine_values<float>(collective.buffers, result, count, op);
      break;
    default:
      combine_values<double>(collective.buffers, result, count, op);
  }
  for (std::size_t i = 0; i < collective.done.size(); ++i) {
    const unsigned rank = collective.done[i].first;
    if (root < 0 || rank == static_cast<unsigned>(root)) {
      std::memcpy(collective.buffers[i].second, result.data(), result.size());
    }
    event(rank, [callback = collective.done[i].second] { callback.function(callback.clientdata, nullptr); });
  }
}

void DcmfDouble::broadcast(unsigned root, char* buffer, std::size_t bytes, DCMF_Callback_t done) {
  Collective& collective = join(collectives_, me().collectives++, done);
  collective.buffers.emplace_back(buffer, nullptr);
  if (collective.arrived < size()) return;
  const char* source = nullptr;
  for (std::size_t i = 0; i < collective.done.size(); ++i) {
    if (collective.done[i].first == root) source = collective.buffers[i].first;
  }
  for (std::size_t i = 0; i < collective.done.size(); ++i) {
    if (collective.buffers[i].first != source) std::memcpy(collective.buffers[i].first, source, bytes);
    event(collective.done[i].first,
          [callback = collective.done[i].second] { callback.function(callback.clientdata, nullptr); });
  }
}

}  // namespace toroid::testing

// Threads and time --------------------------------------------------------------------------------------------------

using toroid::testing::DcmfDouble;

extern "C" bool ospri_start_thread(void (*body)(void)) {
  return DcmfDouble::current->start_helper(body);
}

extern "C" void* ospri_take_memory(size_t bytes) {
  void* const memory = std::aligned_alloc(16, (bytes + 15) / 16 * 16);
  std::memset(memory, 0xCC, bytes);
  return memory;
}

extern "C" void ospri_give_memory(void* memory) {
  std::free(memory);
}

extern "C" void ospri_join_thread(void) {
  DcmfDouble::current->join();
}

extern "C" void ospri_pause(unsigned cycles) {
  DcmfDouble& job = *DcmfDouble::current;
  if (cycles > job.longest_pause) job.longest_pause = cycles;
  DcmfDouble::current->yield();
}
