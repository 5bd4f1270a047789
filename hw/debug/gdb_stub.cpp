// SPDX-License-Identifier: Apache-2.0
#include "hw/debug/gdb_stub.h"

#include <algorithm>

#include "hw/debug/hex_text.h"
#include "hw/debug/rsp_stream.h"
#include "hw/debug/target_description.h"

namespace toroid {
namespace {

const char* const kOk = "OK";
const char* const kBad = "E01";      // a packet that makes no sense
const char* const kRefused = "E0e";  // EFAULT: memory or a register that cannot be accessed

bool starts_with(std::string_view text, std::string_view beginning) {
  return text.substr(0, beginning.size()) == beginning;
}

/// A thread's number as gdb writes it: "-1" and "0" are any.
std::optional<unsigned> thread_number(std::string_view text) {
  if (text == "-1") return 0;
  const std::optional<std::uint64_t> number = hex_number(text);
  return number ? std::optional(static_cast<unsigned>(*number)) : std::nullopt;
}

/// Its value is a number of up to 8 bytes.
bool is_number(RegisterSet::Use use) {
  return use == RegisterSet::Use::ordinary || use == RegisterSet::Use::read_only;
}

std::string plain_hex(std::uint64_t value) {
  const std::string text = hex_of(value, 8);
  return text.substr(std::min(text.find_first_not_of('0'), text.size() - 1));
}

}  // namespace

GdbStub::Answer GdbStub::handle(const std::string& packet) {
  const std::string_view rest = std::string_view(packet).substr(packet.empty() ? 0 : 1);
  switch (packet.empty() ? '\0' : packet.front()) {
    case '?':
      return {last_stop_};
    case 'g':
      return {read_all()};
    case 'G':
      return {write_all(rest)};
    case 'p':
      return {read_one(rest)};
    case 'P':
      return {write_one(rest)};
    case 'm':
      return {read_memory(rest)};
    case 'M':
      return {write_memory(rest, false)};
    case 'X':
      return {write_memory(rest, true)};
    case 'Z':
      return {change_point(rest, true)};
    case 'z':
      return {change_point(rest, false)};
    case 'H':
      return {select(rest)};
    case 'T': {
      const std::optional<unsigned> thread = thread_number(rest);
      return {thread && exists(*thread) ? kOk : kBad};
    }
    case 'c':
    case 'C':
      return resume("c");
    case 's':
    case 'S':
      return resume("s");
    case 'D':
      points_.clear();
      return {kOk, true, Then::detach};
    case 'k':
      return {"", false, Then::kill};
    case 'Q':
      if (packet != "QStartNoAckMode") return {};
      no_acks_ = true;
      return {kOk};
    case 'v':
      if (packet == "vCont?") return {"vCont;c;C;s;S;r"};
      if (starts_with(packet, "vCont;")) return resume(std::string_view(packet).substr(6));
      if (starts_with(packet, "vKill")) return {kOk, true, Then::kill};
      return {};
    case 'q':
      return query(packet);
    default:
      return {};
  }
}

GdbStub::Answer GdbStub::query(std::string_view packet) {
  if (starts_with(packet, "qSupported")) {
    return {"PacketSize=" + plain_hex(RspStream::kMaxPacket) +
            ";qXfer:features:read+;qXfer:exec-file:read+;QStartNoAckMode+;vContSupported+;swbreak+;hwbreak+"};
  }
  if (starts_with(packet, "qXfer:")) return {transfer(packet.substr(6))};
  if (packet == "qfThreadInfo") {
    std::string text;
    for (const unsigned thread : target_.threads()) text += (text.empty() ? "m" : ",") + plain_hex(thread);
    return {text};
  }
  if (packet == "qsThreadInfo") return {"l"};
  if (packet == "qC") return {"QC" + plain_hex(selected_)};
  if (packet == "qAttached" || starts_with(packet, "qAttached:")) return {"1"};  // so that gdb detaches where it ends
  if (starts_with(packet, "qThreadExtraInfo,")) {
    const std::optional<unsigned> thread = thread_number(packet.substr(17));
    return {thread && exists(*thread) ? hex_of(target_.describe_thread(*thread)) : kBad};
  }
  if (starts_with(packet, "qRcmd,")) {
    const std::optional<std::string> command = hex_bytes(packet.substr(6));
    if (!command) return {kBad};
    const std::string text = target_.monitor(selected_, *command);
    return {text.empty() ? kOk : hex_of(text)};
  }
  return {};
}

// "features:read:target.xml:OFFSET,LENGTH"
std::string GdbStub::transfer(std::string_view request) const {
  const std::string_view object = take_until(request, ':');
  const std::string_view verb = take_until(request, ':');
  const std::string_view annex = take_until(request, ':');
  const std::optional<std::uint64_t> offset = hex_number(take_until(request, ','));
  const std::optional<std::uint64_t> length = hex_number(request);
  std::string whole;
  if (object == "features" && annex == "target.xml") {
    whole = target_description(target_.registers());
  } else if (object == "exec-file") {
    whole = target_.program();
  } else {
    return object == "features" ? "E00" : "";
  }
  if (verb != "read") return "";
  if (!offset || !length) return kBad;
  if (*offset >= whole.size()) return "l";
  // Escapes may double what is sent.
  const std::string part = whole.substr(*offset, std::min<std::uint64_t>(*length, RspStream::kMaxPacket / 2));
  return (*offset + part.size() < whole.size() ? "m" : "l") + part;
}

GdbStub::Answer GdbStub::resume(std::string_view actions) {
  std::map<unsigned, Going> going;
  while (!actions.empty()) {
    std::string_view threads = take_until(actions, ';');
    const std::string_view action = take_until(threads, ':');
    Going how;
    if (starts_with(action, "s") || starts_with(action, "S")) {
      how.step = true;
    } else if (starts_with(action, "r")) {
      std::string_view range = action.substr(1);
      const std::optional<std::uint64_t> begin = hex_number(take_until(range, ','));
      const std::optional<std::uint64_t> end = hex_number(range);
      if (!begin || !end) return {kBad};
      how = {true, *begin, *end};
    } else if (!starts_with(action, "c") && !starts_with(action, "C")) {
      return {kBad};
    }
    const std::optional<unsigned> thread = threads.empty() ? std::optional(0u) : thread_number(threads);
    if (!thread) return {kBad};
    going.emplace(*thread, how);  // the leftmost that fits a thread counts
  }
  // Of the old packets, and where gdb means the thread that stands.
  if (going.size() == 1 && going.begin()->first == 0 && going.begin()->second.step) {
    going = {{selected_, going.begin()->second}};
  }
  going_ = std::move(going);
  return {"", false, Then::go};
}

Going GdbStub::going(unsigned thread) const {
  const auto own = going_.find(thread);
  if (own != going_.end()) return own->second;
  const auto others = going_.find(0);
  return others == going_.end() ? Going{} : others->second;
}

const std::string& GdbStub::stopped(const Stop& stop) {
  selected_ = stop.thread;
  going_.clear();
  std::string why;
  if (stop.why == Stop::Why::breakpoint) {
    why = "swbreak:;";
  } else if (stop.why == Stop::Why::watchpoint) {
    static const char* const names[] = {"watch", "rwatch", "awatch"};
    why =
        std::string(names[static_cast<unsigned>(stop.watch)]) + ":" + hex_of(stop.address, target_.word_bytes()) + ";";
  }
  const auto signal = static_cast<unsigned>(stop.signal);
  last_stop_ = "T" + hex_of(signal, 1) + why + "thread:" + plain_hex(stop.thread) + ";";
  return last_stop_;
}

std::string GdbStub::exited(int status) {
  return "W" + hex_of(static_cast<unsigned>(status), 1);
}

std::string GdbStub::killed(int signal) {
  return "X" + hex_of(static_cast<unsigned>(signal), 1);
}

std::string GdbStub::console(std::string_view text) {
  return "O" + hex_of(text.substr(0, RspStream::kMaxPacket / 2 - 1));
}

bool GdbStub::exists(unsigned thread) const {
  const std::vector<unsigned> threads = target_.threads();
  return std::find(threads.begin(), threads.end(), thread) != threads.end();
}

std::string GdbStub::select(std::string_view text) {
  const std::optional<unsigned> thread = text.empty() ? std::nullopt : thread_number(text.substr(1));
  if (!thread || (*thread != 0 && !exists(*thread))) return kBad;
  if (text.front() == 'g' && *thread != 0) selected_ = *thread;
  return kOk;
}

// Registers and memory. -----------------------------------------------------------------------------------------------

std::string GdbStub::register_text(Register which) const {
  const RegisterSet::Entry& entry = target_.registers()[which];
  const std::string unknown(2 * std::size_t{entry.bytes}, 'x');
  if (entry.use == RegisterSet::Use::unavailable) return unknown;
  if (is_number(entry.use)) {
    std::uint8_t bytes[8];
    store_number(bytes, target_.read_register(selected_, which), entry.bytes, target_.byte_order());
    return hex_of({reinterpret_cast<const char*>(bytes), entry.bytes});
  }
  const std::optional<std::string> vector = target_.read_vector(selected_, which);
  return vector ? hex_of(*vector) : unknown;
}

std::optional<bool> GdbStub::set_register(Register which, std::string_view digits) {
  const RegisterSet::Entry& entry = target_.registers()[which];
  const std::optional<std::string> bytes = hex_bytes(digits);
  if (!bytes || bytes->size() != entry.bytes) return std::nullopt;
  if (entry.use == RegisterSet::Use::unavailable || entry.use == RegisterSet::Use::read_only) return false;
  if (!is_number(entry.use)) return target_.write_vector(selected_, which, *bytes);
  const auto* const number = reinterpret_cast<const std::uint8_t*>(bytes->data());
  return target_.write_register(selected_, which, load_number(number, entry.bytes, target_.byte_order()));
}

std::optional<Register> GdbStub::register_of(std::string_view text) const {
  const std::optional<std::uint64_t> number = hex_number(text);
  if (!number || *number >= target_.registers().size()) return std::nullopt;
  return static_cast<Register>(*number);
}

std::string GdbStub::read_all() const {
  std::string text;
  for (std::size_t number = 0; number < target_.registers().size(); ++number)
    text += register_text(static_cast<Register>(number));
  return text;
}

std::string GdbStub::write_all(std::string_view text) {
  bool good = true;
  for (std::size_t number = 0; number < target_.registers().size(); ++number) {
    const auto which = static_cast<Register>(number);
    const std::string_view digits = text.substr(0, 2 * std::size_t{target_.registers()[which].bytes});
    text.remove_prefix(digits.size());
    if (digits == register_text(which)) continue;
    const std::optional<bool> set = set_register(which, digits);
    if (!set) return kBad;
    good = *set && good;
  }
  return good ? kOk : kRefused;
}

std::string GdbStub::read_one(std::string_view text) const {
  const std::optional<Register> which = register_of(text);
  return which ? register_text(*which) : kBad;
}

std::string GdbStub::write_one(std::string_view text) {
  const std::optional<Register> which = register_of(take_until(text, '='));
  const std::optional<bool> set = which ? set_register(*which, text) : std::nullopt;
  return !set ? kBad : *set ? kOk : kRefused;
}

/// An address of the target; nullopt for anything else.
std::optional<std::uint64_t> GdbStub::address_of(std::string_view text) const {
  const std::optional<std::uint64_t> address = hex_number(text);
  if (!address || *address > ~std::uint64_t{0} >> (64 - 8 * target_.word_bytes())) return std::nullopt;
  return address;
}

std::string GdbStub::read_memory(std::string_view text) {
  const std::optional<std::uint64_t> address = address_of(take_until(text, ','));
  const std::optional<std::uint64_t> size = hex_number(text);
  if (!address || !size) return kBad;
  const std::uint64_t most = std::min<std::uint64_t>(*size, RspStream::kMaxPacket / 2);
  const std::string bytes = target_.read_memory(selected_, *address, most);
  return bytes.empty() && *size != 0 ? kRefused : hex_of(bytes);
}

std::string GdbStub::write_memory(std::string_view text, bool binary) {
  std::string_view head = take_until(text, ':');
  const std::optional<std::uint64_t> address = address_of(take_until(head, ','));
  const std::optional<std::uint64_t> size = hex_number(head);
  const std::optional<std::string> bytes = binary ? std::string(text) : hex_bytes(text);
  if (!address || !size || !bytes || bytes->size() != *size) return kBad;
  if (bytes->empty()) return kOk;  // by which gdb finds out that there is such a packet
  return target_.write_memory(selected_, *address, *bytes) ? kOk : kRefused;
}

// "TYPE,ADDRESS,SIZE": 0 and 1 are breakpoints, 2 to 4 watch writes, reads and both.
std::string GdbStub::change_point(std::string_view text, bool add) {
  const std::optional<std::uint64_t> type = hex_number(take_until(text, ','));
  const std::optional<std::uint64_t> address = address_of(take_until(text, ','));
  const std::optional<std::uint64_t> size = hex_number(take_until(text, ';'));
  if (!type || !address || !size) return kBad;
  if (*type > 4 || !text.empty()) return "";  // conditions and commands are gdb's own affair
  const std::uint64_t at = *address;
  if (*type <= 1) {
    if (at % target_.code_alignment() != 0) return kRefused;
    add ? points_.add_break(at) : points_.remove_break(at);
    return kOk;
  }
  const StopPoints::WatchPoint point{static_cast<StopPoints::Watch>(*type - 2), at, *size};
  if (add && point.kind == StopPoints::Watch::write && noted_.insert(at).second)
    note_ += target_.about_watch(at, point.size);  // gdb sets it anew whenever the target goes on
  add ? points_.add_watch(point) : points_.remove_watch(point);
  return kOk;
}

}  // namespace toroid
