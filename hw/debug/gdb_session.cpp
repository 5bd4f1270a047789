// SPDX-License-Identifier: Apache-2.0
#include "hw/debug/gdb_session.h"

#include <algorithm>
#include <iostream>

namespace toroid {
namespace {

constexpr int kSigInt = 2, kSigIll = 4, kSigTrap = 5, kSigFpe = 8, kSigBus = 10, kSigSegv = 11;  // gdb's numbers
constexpr int kHostSigBus = 7, kSigAbort = 6, kSigKill = 9;
constexpr std::uint32_t kLookEvery = 4096;  // instructions: a look at the connection costs about one microsecond

int signal_of(FaultKind kind) {
  switch (kind) {
    case FaultKind::illegal_instruction:
    case FaultKind::privileged_instruction:
      return kSigIll;
    case FaultKind::trap:
    case FaultKind::step:
      return kSigTrap;
    case FaultKind::division:
      return kSigFpe;
    case FaultKind::device_error:
    case FaultKind::misaligned_read:
    case FaultKind::misaligned_write:
      return kSigBus;
    default:
      return kSigSegv;
  }
}

/// From Linux's number of a signal.
int gdb_signal(int signal) {
  return signal == kHostSigBus ? kSigBus : signal;
}

/// As a shell takes it for one word, whatever is in it.
std::string shell_word(const std::string& text) {
  const char* const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-=:,@%";
  if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

/// As gdb's `directory` takes it for one directory, blanks and all.
std::string gdb_word(const std::string& text) {
  std::string word;
  for (const char c : text)
    word += (c == ' ' || c == '\t' || c == '"' || c == '\'' || c == '\\' ? "\\" : "") + std::string(1, c);
  return word;
}

}  // namespace

std::string gdb_command(std::uint16_t port, const std::string& sources, const std::string& program) {
  std::string command = "gdb-multiarch";
  if (!sources.empty()) command += " -ex " + shell_word("directory " + gdb_word(sources));
  command += " -ex " + shell_word("target remote localhost:" + std::to_string(port));
  return command + " " + shell_word(program);
}

GdbSession::GdbSession(std::unique_ptr<TcpPort> port, std::unique_ptr<RankTarget> target, std::string announced,
                       std::function<bool()> interrupted, std::function<void()> kill)
    : port_(std::move(port)),
      target_(std::move(target)),
      announced_(std::move(announced)),
      interrupted_(std::move(interrupted)),
      kill_(std::move(kill)),
      stub_(*target_) {
  for (Core* core : target_->cores()) core->debug(*this);
}

// From the cores. -----------------------------------------------------------------------------------------------------

void GdbSession::on_instruction(Core& core, std::uint64_t pc) {
  if (!live_) return;
  const unsigned thread = target_->thread_of(core);
  if (!begun_) {
    begin();
    if (!live_) return;
    target_->stand(thread, pc);
    talk({thread, kSigTrap}, false);
  } else if (stop_at(core, pc, thread) && come_up(core)) {
    // Another core may have stopped meanwhile, and gdb changed its mind.
    if (const std::optional<Stop> stop = stop_at(core, pc, thread)) {
      watched_.erase(thread);
      target_->stand(thread, pc);
      tell_packet(core.time());
      talk(*stop);
    }
  } else if (until_look_-- == 0) {
    until_look_ = kLookEvery;
    if (wants_stop() && come_up(core)) {
      target_->stand(thread, pc);
      talk({thread, kSigInt});
    }
  }
  if (live_ && stub_.points().watches()) watch(core, pc, thread);
}

std::optional<Stop> GdbSession::stop_at(const Core& core, std::uint64_t pc, unsigned thread) {
  if (!live_) return std::nullopt;
  if (const auto& hit = target_->packet_breaks().hit(); hit && hit->when <= core.time()) {
    if (hit->core.value_or(core.number()) == core.number()) return Stop{thread, kSigTrap};
  }
  if (!watched_.empty()) {
    const auto watched = watched_.find(thread);
    if (watched != watched_.end()) return watched->second;
  }
  if (stub_.points().breaks_at(pc)) return Stop{thread, kSigTrap, Stop::Why::breakpoint};
  const Going& going = stub_.going(thread);
  if (going.step && (pc < going.begin || pc >= going.end)) return Stop{thread, kSigTrap};
  return std::nullopt;
}

void GdbSession::watch(Core& core, std::uint64_t pc, unsigned thread) {
  const std::optional<UpcomingAccess> access = target_->upcoming_access(core, pc);
  if (!access || is_cache_instruction(access->kind)) return;
  const StopPoints::WatchPoint* const point =
      stub_.points().watched(access->address, access->size, access->kind == AccessKind::store);
  if (point == nullptr) return;
  watched_[thread] = {thread, kSigTrap, Stop::Why::watchpoint, point->address, point->kind};
}

bool GdbSession::come_up(Core& core) {
  core.synchronise();
  return live_ && core.state() == CoreState::running;
}

void GdbSession::on_fault(Core& core, const CoreFault& fault) {
  if (!live_ || !begun_ || !come_up(core)) return;
  fatal_told_ = true;
  const unsigned thread = target_->thread_of(core);
  target_->fault(thread, fault.pc);
  talk({thread, signal_of(fault.kind)});
}

void GdbSession::on_kill(Core& core, int signal) {
  if (!live_ || !begun_ || fatal_told_ || !come_up(core)) return;
  fatal_told_ = true;
  const unsigned thread = target_->thread_of(core);
  target_->fault(thread, core.pc() - target_->isa().system_call_bytes());
  talk({thread, gdb_signal(signal)});
}

// From outside. -------------------------------------------------------------------------------------------------------

void GdbSession::look() {
  if (!live_ || !begun_) return;
  // A packet for which no core has woken up: those that run stop by themselves.
  const auto& hit = target_->packet_breaks().hit();
  const auto runs = [this](unsigned each) { return target_->core_of(each).state() == CoreState::running; };
  const std::vector<unsigned> threads = target_->threads();
  if (hit && !hit->core && hit->when <= sc_core::sc_time_stamp() &&
      std::none_of(threads.begin(), threads.end(), runs)) {
    tell_packet(sc_core::sc_time_stamp());
    talk({1, kSigTrap});
    return;
  }
  if (!wants_stop()) return;
  unsigned thread = 1;
  for (const unsigned each : target_->threads()) {
    if (target_->core_of(each).state() == CoreState::running) {
      thread = each;
      break;
    }
  }
  talk({thread, kSigInt});
}

void GdbSession::on_exit(int status) {
  finish(GdbStub::exited(status));
}

void GdbSession::on_killed(int signal) {
  finish(GdbStub::killed(gdb_signal(signal)));
}

void GdbSession::on_run_end(const std::string& why, bool look_first) {
  if (!live_ || !begun_) return;
  send(GdbStub::console("toroid: " + why + "\n"));
  if (look_first) talk({1, kSigAbort});
  finish(GdbStub::killed(kSigKill));
}

void GdbSession::tell_packet(const sc_core::sc_time& by) {
  PacketBreaks& breaks = target_->packet_breaks();
  if (!breaks.hit() || breaks.hit()->when > by) return;
  send(GdbStub::console("toroid: " + breaks.hit()->text + "\n"));
  breaks.forget_hit();
}

// With gdb. -----------------------------------------------------------------------------------------------------------

void GdbSession::begin() {
  begun_ = true;
  std::cerr << announced_ << std::endl;
  while (!port_->accept()) {
    if (!interrupted_()) continue;
    live_ = false;
    kill_();
    return;
  }
}

void GdbSession::talk(const Stop& stop, bool told) {
  const std::string& text = stub_.stopped(stop);
  if (told) send(text);
  bool standing = true;
  while (standing && live_) {
    while (const std::optional<RspEvent> event = stream_.next()) {
      if (event->kind == RspEvent::Kind::corrupt) acknowledge('-');
      if (event->kind == RspEvent::Kind::resend) port_->send(last_sent_);
      if (event->kind != RspEvent::Kind::packet) continue;
      acknowledge('+');
      answer(event->text, standing);
      if (!standing) break;
    }
    if (!standing) break;
    stream_.feed(port_->receive(true));
    if (!port_->connected()) live_ = false;
    if (live_ && interrupted_()) {
      live_ = false;
      kill_();
    }
  }
  target_->release();
  // gdb may have set a breakpoint into a loop, or changed what the loop reads.
  for (Core* core : target_->cores()) core->forget_loops();
  if (!live_) port_->close();
}

void GdbSession::answer(const std::string& packet, bool& standing) {
  const GdbStub::Answer answer = stub_.handle(packet);
  if (answer.replies) send(answer.reply);
  if (stub_.no_acks()) acknowledges_ = false;
  switch (answer.then) {
    case GdbStub::Then::stay:
      return;
    case GdbStub::Then::go:
      if (const std::string note = stub_.take_note(); !note.empty()) send(GdbStub::console(note));
      break;
    case GdbStub::Then::detach:
      live_ = false;
      break;
    case GdbStub::Then::kill:
      live_ = false;
      kill_();
      break;
  }
  standing = false;
}

bool GdbSession::wants_stop() {
  stream_.feed(port_->receive(false));
  bool stop = false;
  while (const std::optional<RspEvent> event = stream_.next()) {
    if (event->kind == RspEvent::Kind::resend) port_->send(last_sent_);
    stop = stop || event->kind == RspEvent::Kind::interrupt;
  }
  if (!port_->connected()) live_ = false;
  return live_ && stop;
}

void GdbSession::send(const std::string& payload) {
  last_sent_ = RspStream::frame(payload);
  port_->send(last_sent_);
}

void GdbSession::acknowledge(char sign) {
  if (acknowledges_) port_->send({&sign, 1});
}

void GdbSession::finish(const std::string& last) {
  if (live_ && begun_) send(last);
  live_ = false;
  port_->close();
}

}  // namespace toroid
