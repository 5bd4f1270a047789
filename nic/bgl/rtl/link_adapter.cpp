// SPDX-License-Identifier: Apache-2.0
#include "nic/bgl/rtl/link_adapter.h"

#include <algorithm>
#include <utility>

#include "torus/base/resend_window.h"
#include "torus/rtl/fault.h"
#include "torus/torus/families/blue_gene_lp_network.h"

namespace toroid::rtl {
namespace {

// Latencies of the Verilog (link_pins.h).
constexpr unsigned kSenderCycles = 3;
constexpr unsigned kReceiverCycles = 8;
constexpr unsigned kHeaderBytes = WireImage::kHeaderBytes;
constexpr unsigned kSequenceByte = 6;
/// Bytes of the header that are the link's own.
constexpr bool of_the_link(unsigned byte) {
  return byte == kSequenceByte || byte == kSequenceByte + 1;
}

const char* text(Verdict verdict) {
  static const char* const kTexts[] = {"good", "damaged", "ahead of its turn", "one that it has"};
  return kTexts[static_cast<unsigned>(verdict)];
}

std::string frame_text(std::uint8_t sequence) {
  return "packet " + std::to_string(sequence);
}

}  // namespace

std::vector<std::string> RtlLink::obstacles(const TorusConfig& config) {
  std::vector<std::string> found;
  const auto need = [&found](bool good, const std::string& what) {
    if (!good) found.push_back(what);
  };
  need(config.link_bytes_per_cycle == 1, "torus.link_bytes_per_cycle must be 1");
  need(std::all_of(config.direction_bytes_per_cycle.begin(), config.direction_bytes_per_cycle.end(),
                   [](unsigned bytes) { return bytes <= 1; }),
       "torus.direction_bytes_per_cycle must be 1 in every direction");
  need(config.sender_cycles >= kSenderCycles, "torus.sender_cycles must be at least 3");
  need(config.receiver_cycles >= kReceiverCycles, "torus.receiver_cycles must be at least 8");
  need(config.arbiter_cycles >= 1, "torus.arbiter_cycles must be at least 1");
  need(config.link_cycles >= 1, "torus.link_cycles must be at least 1");
  need(config.wire_overhead >= 14, "torus.wire_overhead must be at least 14");
  need(config.resend_packets <= kResendPackets,
       "torus.resend_packets must be at most " + std::to_string(kResendPackets));
  return found;
}

RtlLink::RtlLink(Router& router, unsigned direction, const TorusConfig& config, std::uint64_t seed, std::string name,
                 std::unique_ptr<LinkPins> pins, RtlRun& run)
    : TorusLink(router, direction),
      ClockedUnit(std::move(name), run),
      pins_(std::move(pins)),
      arbiter_cycles_(config.arbiter_cycles),
      wire_cycles_(config.sender_cycles - kSenderCycles + config.link_cycles),
      // They count at the sender token_cycles after a header with that tail would ask for a link in the receiver's
      // router. They are ready when the trailer's last byte is at the receiver's pins.
      acknowledge_cycles_(config.wire_overhead - WireImage::kTrailerBytes + config.receiver_cycles +
                          config.sender_cycles + config.link_cycles + config.receiver_cycles) {
  settings_.window = static_cast<std::uint8_t>(config.resend_packets);
  settings_.overhead = static_cast<std::uint16_t>(config.wire_overhead);
  settings_.timeout = static_cast<std::uint16_t>(config.retransmit_timeout);
  if (config.bit_error_rate > 0) errors_.emplace(config.bit_error_rate, seed);
  pins_->reset(settings_);
}

// What the model's router sees. -------------------------------------------------------------------------------------

void RtlLink::send(Packet& packet, Cycle begin, Cycle tail_left) {
  catch_up();
  const std::uint8_t sequence = end_++;
  Entry& sent = entry(sequence);
  sent.packet = &packet;
  sent.data = packet.data;
  sent.source = packet.source;
  sent.serial = packet.serial;
  sent.chunks = packet.chunks;
  sent.accepted = sent.handed_on = sent.booked = sent.sent = false;
  sent.check = LinkCheck::word(packet, sequence);
  sender_check_.add(sent.check);
  WireImage::put_bytes(packet, BlueGeneLpFamily::kChunkBytes, sent.bytes.data());
  sent.bytes[2] = static_cast<std::uint8_t>((packet.chunks - 1) << 5 | (sent.bytes[2] & 0x1F));

  const Cycle first = ClockedUnit::now();
  const Cycle due = begin + arbiter_cycles_ + behind_;
  if (due < first) behind_ += static_cast<unsigned>(first - due);
  feeds_.push_back({std::max(due, first), sequence});
  if (out().busy_until <= begin) {
    book(sequence, begin);
    if (!between_models() && sent.hits.empty() && sequence == expected_) {
      sent.handed_on = true;
      packet.tail = tail_left + context().hop_cycles;
      hand_over(packet, begin + context().hop_cycles);
    }
  }
  go_on();
}

/// A transmission enters the sender's books. Events look at the cycles in which its header and its acknowledgement
/// come, and at that of a time-out.
void RtlLink::book(std::uint8_t sequence, Cycle begin) {
  Entry& sent = entry(sequence);
  const Cycle tail_left = begin + context().wire_cycles[port()][sent.chunks];
  sent.booked = true;
  draw(WireImage::bits(sent.chunks * BlueGeneLpFamily::kChunkBytes), sent.hits);
  occupy(sent.chunks, begin, tail_left);
  if (!sent.accepted) {
    tell_sent(*sent.packet, begin, tail_left, !sent.hits.empty() || sequence != expected_);
  }
  sent.tail_left = tail_left;
  if (!between_models()) return;
  arm(tail_left + settings_.timeout);
  const Cycle header = begin + context().hop_cycles;
  if (header > ClockedUnit::now()) post(header, kLook);
  post(tail_left + context().hop_cycles + context().token_cycles, kLook);
}

void RtlLink::post(Cycle at, Event event) {
  context().wheel->post(at, static_cast<TorusLink&>(*this), event, 0);
}

void RtlLink::arm(Cycle at) {
  if (timer_at_ != kNotArmed) return;
  timer_at_ = at;
  post(at, kTimeout);
}

bool RtlLink::draw(unsigned bits, std::vector<unsigned>& hits) {
  hits.clear();
  if (!errors_ || !errors_->hit(bits)) return false;
  hits = errors_->hits();
  return true;
}

/// The link is free, unless the Verilog holds its router off from this cycle on.
bool RtlLink::serve() {
  catch_up();
  update_hold();
  return false;
}

void RtlLink::on_event(std::uint32_t what, std::uint32_t arg) {
  if (what == kTick) {
    ClockedUnit::on_event(what, arg);
  } else {
    catch_up();
  }
  if (what == kTimeout && ClockedUnit::now() == timer_at_) {
    timer_at_ = kNotArmed;
    const Cycle due = begin_ != end_ ? entry(begin_).tail_left + settings_.timeout : 0;
    if (due > ClockedUnit::now()) arm(due);
  }
  const bool held = out().held_back;
  update_hold();
  if (held && !out().held_back) released();
}

void RtlLink::update_hold() {
  if (!failed()) hold_back(out_.hold);
}

void RtlLink::set_timeout(unsigned cycles) {
  catch_up();
  settings_.timeout = static_cast<std::uint16_t>(std::clamp(cycles, 1u, 65535u));
  pins_->set(settings_);
}

std::vector<const Packet*> RtlLink::unaccepted() const {
  std::vector<const Packet*> packets;
  for (std::uint8_t sequence = begin_; sequence != end_; ++sequence) {
    if (!entry(sequence).accepted && !entry(sequence).handed_on) packets.push_back(entry(sequence).packet);
  }
  return packets;
}

std::size_t RtlLink::memory_bytes() const {
  return sizeof(*this);
}

// Clock edges. ------------------------------------------------------------------------------------------------------

bool RtlLink::quiet() const {
  return out_.idle && feeds_.empty() && wire_.empty() && acknowledgements_.empty();
}

void RtlLink::clock(Cycle cycle) {
  in_ = LinkInputs{};
  put_packet(cycle);
  if (!wire_.empty() && wire_.front().at <= cycle) {
    in_.wire = wire_.front().byte;
    wire_.pop_front();
  }
  if (!acknowledgements_.empty() && acknowledgements_.front().at <= cycle) {
    in_.ack = true;
    in_.ack_next = acknowledgements_.front().next;
    acknowledgements_.pop_front();
  }
  pins_->clock(in_, out_);
  if (out_.wire.valid) take_wire(cycle);
  if (out_.again) take_again(cycle);
  take_window();
  if (out_.packet.valid) take_byte();
  if (out_.header) take_header();
  if (out_.done) take_verdict();
  if (out_.ack) take_acknowledgement(cycle);
}

void RtlLink::put_packet(Cycle cycle) {
  if (feeds_.empty() || feeds_.front().at > cycle) return;
  Entry& sent = entry(feeds_.front().sequence);
  // A router in Verilog may have changed bytes of the packet meanwhile.
  if (behind_ != 0 && sent.data != nullptr && fed_ >= kHeaderBytes) sent.bytes[fed_] = sent.data[fed_];
  in_.packet = {true, fed_ == 0, sent.bytes[fed_]};
  if (++fed_ < sent.chunks * BlueGeneLpFamily::kChunkBytes) return;
  fed_ = 0;
  feeds_.pop_front();
}

void RtlLink::take_wire(Cycle cycle) {
  if (out_.wire.first) start_frame(out_.sequence, cycle);
  if (frames_.empty()) throw RtlFault("the sender sends bytes without a frame");
  Frame& frame = frames_.back();
  if (frame.sent == WireImage::bits(entry(frame.sequence).chunks * BlueGeneLpFamily::kChunkBytes) / 8) {
    throw RtlFault("the sender's frame of " + frame_text(frame.sequence) + " is too long");
  }
  WireByte byte = out_.wire;
  for (const unsigned bit : frame.hits) {
    if (bit / 8 == frame.sent) byte.data ^= static_cast<std::uint8_t>(0x80 >> bit % 8);
  }
  ++frame.sent;
  wire_.push_back({cycle + wire_cycles_, byte});
}

void RtlLink::start_frame(std::uint8_t sequence, Cycle cycle) {
  // It may have been acknowledged, and let go, when it was on its way to the wire again.
  if (static_cast<std::uint8_t>(end_ - sequence - 1) >= kResendPackets) {
    throw RtlFault("the sender sends " + frame_text(sequence) + ", which is not in the resend FIFO");
  }
  while (!frames_.empty() && frames_.front().done) frames_.pop_front();
  Entry& sent = entry(sequence);
  Frame frame;
  frame.sequence = sequence;
  frame.begin = cycle - kSenderCycles - arbiter_cycles_ - behind_;
  frame.tail_left = frame.begin + context().wire_cycles[port()][sent.chunks];
  if (!sent.booked) book(sequence, frame.begin);
  if (sent.sent) ++retransmissions_;
  sent.booked = false;
  sent.sent = true;
  frame.hits = sent.hits;
  frames_.push_back(std::move(frame));
}

/// A packet will be on the wire some cycles from now: it keeps the link as one does that is granted now. Where the
/// router has granted one meanwhile, that comes first.
void RtlLink::take_again(Cycle cycle) {
  if (static_cast<std::uint8_t>(out_.again_sequence - begin_) >= static_cast<std::uint8_t>(end_ - begin_)) return;
  const Cycle begin = cycle + 1 - behind_;
  if (out().busy_until > begin || entry(out_.again_sequence).booked) return;
  book(out_.again_sequence, begin);
  wake_when_free();
}

void RtlLink::take_window() {
  while (begin_ != out_.begin) {
    if (begin_ == end_) throw RtlFault("the resend FIFO lets go more than it has");
    if (!entry(begin_).accepted) {
      throw RtlFault("the resend FIFO lets go " + frame_text(begin_) + ", which has not been accepted");
    }
    ++begin_;
  }
}

/// The frame that the receiver speaks of.
RtlLink::Frame& RtlLink::coming(const char* what) {
  for (Frame& frame : frames_) {
    if (!frame.done) return frame;
  }
  throw RtlFault(std::string(what) + " when no frame comes");
}

void RtlLink::take_byte() {
  Frame& frame = coming("bytes come out of the receiver");
  const unsigned bytes = entry(frame.sequence).chunks * BlueGeneLpFamily::kChunkBytes;
  if (frame.came_out == bytes && frame.hits.empty()) {
    throw RtlFault("more bytes come out of the receiver than " + frame_text(frame.sequence) + " has");
  }
  if (frame.came_out == bytes) return;  // a size that was hit
  frame.bytes[frame.came_out++] = out_.packet.data;
  if (frame.taken && frame.hits.empty()) compare(frame, frame.came_out - 1);
}

void RtlLink::take_header() {
  Frame& frame = coming("the receiver tells of a header");
  if (!frame.hits.empty() || out_.header_verdict != Verdict::good) return;
  if (frame.sequence != expected_) {
    throw RtlFault("the receiver takes " + frame_text(frame.sequence) + " for the one expected, which is " +
                   std::to_string(expected_));
  }
  const Entry& sent = entry(frame.sequence);
  for (unsigned i = 0; i < kHeaderBytes; ++i) {
    if (!of_the_link(i) && frame.bytes[i] != sent.bytes[i]) {
      throw RtlFault("byte " + std::to_string(i) + " of the header of " + frame_text(frame.sequence) +
                     " comes out as another one");
    }
  }
  frame.taken = true;
  hand_on(frame);
}

void RtlLink::take_verdict() {
  Frame& frame = coming("the receiver gives a verdict");
  const std::string what = "the receiver says that " + frame_text(frame.sequence) + " is " + text(out_.verdict);
  if (frame.hits.empty()) {
    const Verdict due = frame.sequence == expected_                              ? Verdict::good
                        : ResendWindow<Entry>::behind(frame.sequence, expected_) ? Verdict::repeated
                                                                                 : Verdict::ahead;
    if (out_.verdict != due) throw RtlFault(what + ", but it is " + text(due));
    if (due == Verdict::good) {
      if (!frame.taken) throw RtlFault(what + ", but has not said so of its header");
      accept(frame);
    }
  } else if (out_.verdict == Verdict::damaged) {
    ++crc_errors_;
  } else if (out_.verdict == Verdict::good) {
    if (frame.sequence != expected_) {
      throw RtlFault(what + ", and accepts it, but " + frame_text(expected_) + " is expected");
    }
    ++undetected_;
    for (const unsigned bit : frame.hits) receiver_check_.add_flip(bit);
    for (unsigned i = kHeaderBytes; i < frame.came_out; ++i) compare(frame, i);
    accept(frame);
    hand_on(frame);
  }
  frame.done = true;
}

/// The packet goes to the next router.
void RtlLink::hand_on(const Frame& frame) {
  Entry& sent = entry(frame.sequence);
  if (sent.handed_on) return;
  sent.handed_on = true;
  Packet& packet = *sent.packet;
  packet.tail = frame.tail_left + context().hop_cycles;
  const Cycle header = frame.begin + context().hop_cycles;
  const Cycle present = ClockedUnit::now();
  if (!between_models()) {
    hand_over(packet, std::max(header, present + kReceiverCycles));
  } else if (header > present) {
    hand_over(packet, header);
  } else {
    arrives(packet);
  }
}

void RtlLink::accept(const Frame& frame) {
  Entry& sent = entry(frame.sequence);
  receiver_check_.add(sent.check);
  sent.accepted = true;
  ++expected_;
}

/// A byte that came out: if it differs from the one that went in, it replaces it in the packet.
void RtlLink::compare(const Frame& frame, unsigned byte) {
  const Entry& sent = entry(frame.sequence);
  if (frame.bytes[byte] == sent.bytes[byte]) return;
  if (frame.hits.empty()) count_changed(1);
  // The packet's place in the pool may be another packet's by now.
  const Packet& packet = *sent.packet;
  if (sent.data == nullptr || packet.data != sent.data || packet.source != sent.source || packet.serial != sent.serial)
    return;
  sent.data[byte] = frame.bytes[byte];
}

void RtlLink::take_acknowledgement(Cycle cycle) {
  if (out_.ack_next != expected_) {
    throw RtlFault("the receiver acknowledges all before " + frame_text(out_.ack_next) + ", but it has all before " +
                   std::to_string(expected_));
  }
  if (draw(LinkRecovery::kAcknowledgeBits, hits_)) return;
  acknowledgements_.push_back({cycle + acknowledge_cycles_ - behind_, out_.ack_next});
}

}  // namespace toroid::rtl
