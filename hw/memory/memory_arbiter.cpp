// SPDX-License-Identifier: Apache-2.0
#include "hw/memory/memory_arbiter.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace toroid {

using sc_core::sc_time;
using sc_core::sc_time_stamp;

class MemoryArbiter::Master : public MemoryPort {
 public:
  Master(MemoryArbiter& arbiter, MemoryClient& who) : client(who), arbiter_(arbiter) {}

  bool read(std::uint64_t address, std::uint8_t* to, std::uint32_t bytes, sc_time at, std::uint64_t tag) override {
    return arbiter_.ask(*this, {Request::Kind::read, 0, bytes, to, nullptr, {}, at, tag}, address);
  }
  bool write(std::uint64_t address, const std::uint8_t* from, std::uint32_t bytes, sc_time at,
             std::uint64_t tag) override {
    return arbiter_.ask(*this, {Request::Kind::write, 0, bytes, nullptr, from, {}, at, tag}, address);
  }
  bool atomic(std::uint64_t address, const MemoryOperation& operation, sc_time at, std::uint64_t tag) override {
    if ((operation.bytes != 4 && operation.bytes != 8) || !is_aligned(operation, address)) return false;
    return arbiter_.ask(*this, {Request::Kind::atomic, 0, operation.bytes, nullptr, nullptr, operation, at, tag},
                        address);
  }

  MemoryClient& client;
  std::deque<Request> requests;

 private:
  MemoryArbiter& arbiter_;
};

MemoryArbiter::MemoryArbiter(const sc_core::sc_module_name& name, NodeMemory& memory, WatchedMemory& watched,
                             const MemoryArbiterConfig& config)
    : sc_module(name), memory_(memory), watched_(watched), config_(config) {
  if (config.bytes_per_second == 0 || config.line_bytes == 0 || (config.line_bytes & (config.line_bytes - 1)) != 0)
    throw std::invalid_argument("a memory arbiter needs a bandwidth, and lines of a power of two bytes");
  line_ = duration(config.line_bytes);
  watched.settle_by([this] { advance(sc_time_stamp()); });
  SC_HAS_PROCESS(MemoryArbiter);
  SC_METHOD(work);
  sensitive << wake_;
  dont_initialize();
}

MemoryArbiter::~MemoryArbiter() = default;

MemoryPort& MemoryArbiter::add_master(MemoryClient& client) {
  masters_.push_back(std::make_unique<Master>(*this, client));
  last_ = masters_.size() - 1;  // the first one has the first turn
  return *masters_.back();
}

bool MemoryArbiter::ask(Master& master, Request request, std::uint64_t address) {
  if (request.bytes == 0 || !memory_.contains(address, request.bytes)) return false;
  request.address = address;
  request.at = std::max(request.at, sc_time_stamp());
  master.requests.push_back(request);
  schedule();
  return true;
}

/// Rounded up: a transfer never ends before its bytes can have come.
sc_time MemoryArbiter::duration(std::uint32_t bytes) const {
  if (bytes == config_.line_bytes && line_ != sc_core::SC_ZERO_TIME) return line_;
  constexpr double kPicoseconds = 1e12;
  const double exact = static_cast<double>(bytes) * kPicoseconds / static_cast<double>(config_.bytes_per_second);
  const auto whole = static_cast<std::uint64_t>(exact);
  return sc_time::from_value(std::max<std::uint64_t>(whole + (static_cast<double>(whole) < exact ? 1 : 0), 1));
}

std::uint32_t MemoryArbiter::burst_bytes(const Request& request) const {
  const std::uint32_t to_boundary =
      config_.line_bytes - static_cast<std::uint32_t>((request.address + request.done) % config_.line_bytes);
  return std::min(request.bytes - request.done, to_boundary);
}

void MemoryArbiter::advance(sc_time now) {
  while (true) {
    if (burst_) {
      if (free_ > now) return;
      end_burst();
    }
    if (!begin_burst(now)) return;
  }
}

bool MemoryArbiter::begin_burst(sc_time now) {
  std::optional<sc_time> first;
  unsigned asking = 0;
  for (const auto& master : masters_) {
    if (master->requests.empty()) continue;
    ++asking;
    const sc_time at = master->requests.front().at;
    first = first ? std::min(*first, at) : at;
  }
  if (!first) return false;
  const sc_time begin = std::max(*first, free_);
  if (begin >= now) return false;
  do {
    last_ = last_ + 1 == masters_.size() ? 0 : last_ + 1;
  } while (masters_[last_]->requests.empty() || masters_[last_]->requests.front().at > begin);
  Request& request = masters_[last_]->requests.front();
  std::uint32_t bytes = burst_bytes(request);
  free_ = begin + duration(bytes);
  if (asking == 1 && !watched_.overlaps(request.address, request.bytes)) {
    // Nobody else has a turn: the lines that are over by `now`, but for the last one.
    while (request.done + bytes < request.bytes && free_ < now) {
      transferred_ += bytes;
      request.done += bytes;
      bytes = burst_bytes(request);
      free_ += duration(bytes);
    }
  }
  burst_ = Burst{last_, bytes};
  return true;
}

void MemoryArbiter::end_burst() {
  Master& master = *masters_[burst_->master];
  Request& request = master.requests.front();
  const std::uint32_t bytes = burst_->bytes;
  burst_.reset();
  transferred_ += bytes;
  const std::uint32_t from = request.done;
  request.done += bytes;
  if (watched_.overlaps(request.address, request.bytes) && request.kind != Request::Kind::atomic) {
    transfer(request, from, bytes);
  } else if (request.done == request.bytes && request.kind != Request::Kind::atomic) {
    transfer(request, 0, request.bytes);
  }
  if (request.done < request.bytes) return;
  const std::uint64_t before = request.kind == Request::Kind::atomic
                                   ? watched_.apply(request.operation, request.address, config_.byte_order)
                                   : 0;
  if (request.kind != Request::Kind::read) {
    for (MemoryWriteObserver* observer : observers_) observer->on_memory_write(request.address, request.bytes);
  }
  answers_.push_back({&master.client, {request.tag, free_, before}});
  master.requests.pop_front();
}

void MemoryArbiter::transfer(const Request& request, std::uint32_t from, std::uint32_t bytes) {
  if (request.kind == Request::Kind::read) {
    std::memcpy(request.to + from, memory_.host(request.address + from), bytes);
  } else {
    watched_.write(request.address + from, request.from + from, bytes);
  }
}

void MemoryArbiter::schedule() {
  std::optional<sc_time> next;
  const auto by = [&next](sc_time time) { next = next ? std::min(*next, time) : time; };
  const sc_time now = sc_time_stamp();
  if (!answers_.empty()) by(now);
  for (std::size_t number = 0; number < masters_.size(); ++number) {
    if (masters_[number]->requests.empty()) continue;
    const Request& request = masters_[number]->requests.front();
    // As if no other master had a turn.
    const bool at_work = burst_ && burst_->master == number;
    const bool each_line = watched_.overlaps(request.address, request.bytes);
    if (at_work) {
      const std::uint32_t left = request.bytes - request.done - burst_->bytes;
      by(each_line || left == 0 ? free_ : free_ + duration(left));
    } else {
      by(std::max(free_, request.at) + duration(each_line ? burst_bytes(request) : request.bytes - request.done));
    }
  }
  if (next) wake_.notify(*next > now ? *next - now : sc_core::SC_ZERO_TIME);
}

void MemoryArbiter::work() {
  advance(sc_time_stamp());
  // What clients ask for now is served behind this time.
  std::vector<Answered> answers;
  answers.swap(answers_);
  for (const Answered& each : answers) each.client->memory_done(each.answer);
  schedule();
}

}  // namespace toroid
