// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "nic/bgl/rtl/link_pins.h"
#include "torus/base/crc.h"
#include "torus/base/random.h"
#include "torus/torus/families/blue_gene_lp_family.h"

namespace toroid::rtl::test {

/// A router that sends packets over a pair of link ends, and the wire and the way back of acknowledgements between
/// them.
class LinkPinsBench {
 public:
  using Bytes = std::vector<std::uint8_t>;

  /// A frame that has left the sender.
  struct Frame {
    std::uint64_t first = 0;  ///< cycle of its first byte
    std::uint8_t sequence = 0;
    Bytes bytes;
  };
  /// What the receiver has said of a frame, and what came out.
  struct Received {
    std::uint64_t header_at = 0;
    std::uint64_t verdict_at = 0;
    std::optional<Verdict> header;
    Verdict verdict = Verdict::good;
    Bytes bytes;
  };

  static constexpr unsigned kOverhead = 14;
  static constexpr unsigned kArbiter = 3;
  static constexpr unsigned kLinkCycles = 2;

  explicit LinkPinsBench(LinkPins& ends, const LinkSettings& chosen = {}) : pins(ends), settings(chosen) {
    pins.reset(settings);
  }

  /// Contents of `chunks`, with a header that says so.
  static Bytes contents(unsigned chunks, unsigned mark) {
    Bytes bytes(chunks * BlueGeneLpFamily::kChunkBytes);
    std::uint64_t random = mark + 1;
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(next_random(random, 256));
    bytes[2] = static_cast<std::uint8_t>((chunks - 1) << 5 | (bytes[2] & 0x1F));
    return bytes;
  }
  /// As it stands on the wire.
  static Bytes framed(Bytes bytes, std::uint8_t sequence) {
    bytes[6] = sequence;
    bytes[7] = crc8(bytes.data(), 7);
    const std::uint32_t crc = crc24(bytes.data(), bytes.size());
    for (const unsigned shift : {16u, 8u, 0u}) bytes.push_back(static_cast<std::uint8_t>(crc >> shift));
    bytes.push_back(0xA5);
    return bytes;
  }

  void queue(const Bytes& bytes) { waiting.push_back(bytes); }

  void step() {
    // The router grants in this cycle by what it saw of the one before.
    if (!waiting.empty() && now >= free_at && !out.hold && grants) {
      granted.push_back(now);
      feeds.push_back({now + kArbiter, waiting.front()});
      free_at = now + waiting.front().size() + settings.overhead;
      waiting.pop_front();
    }
    LinkInputs in;
    if (!feeds.empty() && feeds.front().at <= now) {
      const std::size_t index = now - feeds.front().at;
      in.packet = {true, index == 0, feeds.front().bytes[index]};
      if (index + 1 == feeds.front().bytes.size()) feeds.pop_front();
    }
    if (const auto ack = acks.find(now); ack != acks.end()) {
      in.ack = true;
      in.ack_next = ack->second;
      acks.erase(ack);
    }
    if (const auto byte = wire.find(now); byte != wire.end()) {
      in.wire = byte->second;
      wire.erase(byte);
    }
    pins.clock(in, out);
    take_sent();
    take_received();
    ++now;
  }
  void run(unsigned cycles) {
    for (unsigned i = 0; i < cycles; ++i) step();
  }
  /// Until all has been accepted and acknowledged.
  bool run_to_the_end(unsigned limit) {
    for (unsigned i = 0; i < limit; ++i) {
      if (waiting.empty() && feeds.empty() && wire.empty() && acks.empty() && out.idle && i > 8) return true;
      step();
    }
    return false;
  }
  std::vector<Bytes> accepted() const {
    std::vector<Bytes> all;
    for (const Received& frame : received) {
      if (frame.verdict == Verdict::good) all.push_back(frame.bytes);
    }
    return all;
  }

  /// May change a frame's byte on the wire.
  std::function<std::uint8_t(std::size_t frame, std::size_t index, std::uint8_t byte)> spoil;
  /// True: the acknowledgement is lost. Counted from 0.
  std::function<bool(std::size_t number)> lose_ack;
  std::uint64_t ack_cycles = 31;  ///< from the receiver's pins to the sender's
  bool grants = true;

  LinkPins& pins;
  LinkSettings settings;
  LinkOutputs out;
  std::uint64_t now = 100;
  std::uint64_t free_at = 0;
  std::deque<Bytes> waiting;
  std::vector<std::uint64_t> granted;
  std::vector<Frame> sent;
  std::vector<Received> received;
  std::vector<std::uint8_t> acked;
  std::uint64_t hold_rose = 0, hold_fell = 0;

 private:
  struct Feed {
    std::uint64_t at;
    Bytes bytes;
  };

  void take_sent() {
    if (out.hold != held) (out.hold ? hold_rose : hold_fell) = now;
    held = out.hold;
    if (!out.wire.valid) return;
    if (out.wire.first) sent.push_back({now, out.sequence, {}});
    Frame& frame = sent.back();
    WireByte byte = out.wire;
    if (spoil) byte.data = spoil(sent.size() - 1, frame.bytes.size(), byte.data);
    frame.bytes.push_back(out.wire.data);
    wire[now + kLinkCycles] = byte;
  }
  void take_received() {
    if (out.packet.valid) {
      if (out.packet.first) receiving = {};
      receiving.bytes.push_back(out.packet.data);
    }
    if (out.header) {
      receiving.header = out.header_verdict;
      receiving.header_at = now;
    }
    if (out.done) {
      receiving.verdict = out.verdict;
      receiving.verdict_at = now;
      received.push_back(receiving);
    }
    if (!out.ack) return;
    if (!lose_ack || !lose_ack(acked.size())) acks[now + ack_cycles] = out.ack_next;
    acked.push_back(out.ack_next);
  }

  std::deque<Feed> feeds;
  std::map<std::uint64_t, WireByte> wire;
  std::map<std::uint64_t, std::uint8_t> acks;
  Received receiving;
  bool held = false;
};

}  // namespace toroid::rtl::test
