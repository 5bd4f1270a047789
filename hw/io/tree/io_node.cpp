// SPDX-License-Identifier: Apache-2.0
#include "hw/io/tree/io_node.h"

#include <algorithm>
#include <cmath>

#include "torus/base/clock.h"

namespace toroid {

void IoServiceConfig::visit_parameters(ParameterVisitor& visitor) {
  visitor.count(service_ns, "io.service_time", "ns", {0, 1e14}, "of a call, from when the daemon takes it up");
  visitor.number(byte_ns, "io.byte_time", "ns", {0, 1e6}, "of a byte written or read, beyond that");
}

IoNodeConfig io_node_config(const IoServiceConfig& service, const CoreConfig& core, const DeviceCost& access,
                            unsigned network_mhz) {
  constexpr unsigned kPacketReads = TREE_PAYLOAD_QUADS;
  const auto cycles = [&](CoreCycle of_core) {
    return std::max(Cycle{1}, in_cycles_of<Cycle>(of_core, core.clock_mhz, network_mhz));
  };
  const unsigned rounds = (kPacketReads + core.outstanding_reads - 1) / core.outstanding_reads;
  IoNodeConfig config{};
  config.receive_cycles = cycles(access.read_latency * (2 + rounds));  // status, header, payload
  config.send_cycles = cycles(access.read_latency + access.write * (kPacketReads + 1));
  config.service_cycles = std::max(Cycle{1}, Cycle{(service.service_ns * network_mhz + 999) / 1000});
  config.cycles_per_byte = service.byte_ns * network_mhz / 1000;
  return config;
}

IoNode::IoNode(TreeNetwork& tree, std::uint32_t node, const IoNodeConfig& config, JobDirectory& directory,
               OutputSink& output)
    : tree_(tree), node_(node), config_(config), service_(directory, output), room_(tree.config().fifo_packets) {
  tree.attach(node, *this);
}

Cycle IoNode::transfer_cycles(std::size_t bytes) const {
  return Cycle{static_cast<std::uint64_t>(std::ceil(static_cast<double>(bytes) * config_.cycles_per_byte))};
}

// Tree. ---------------------------------------------------------------------------------------------------------------

void IoNode::packet_received(TreePacket& packet, unsigned vc, Cycle at) {
  if (vc != kIoVc) {  // a misdirected packet of a program: the I/O node discards what arrives on this channel
    release(packet);
    tree_.router(node_).return_reception(vc, at + 1);
    return;
  }
  arrivals_.push_back({&packet, at});
  tree_.wheel().post_service(at, *this, kLook, node_);
}

void IoNode::injection_taken(unsigned, Cycle at) {
  tree_.wheel().post_service(at, *this, kRoom, node_);
}

// Events. -------------------------------------------------------------------------------------------------------------

void IoNode::on_event(std::uint32_t what, std::uint32_t) {
  switch (static_cast<Event>(what)) {
    case kLook:
      break;
    case kPortDone:
      port_busy_ = false;
      if (reading_ != nullptr) finish_reading();
      break;
    case kRoom:
      ++room_;
      break;
    case kPerform:
      perform();
      break;
    case kAnswer:
      sending_ = true;
      next_packet_ = 0;
      break;
  }
  use_port();
}

void IoNode::use_port() {
  const Cycle now = tree_.now();
  if (port_busy_) return;
  Cycle done = now;
  if (!arrivals_.empty() && arrivals_.front().at <= now) {
    reading_ = arrivals_.front().packet;
    arrivals_.pop_front();
    done = now + config_.receive_cycles;
    tree_.router(node_).return_reception(kIoVc, done);
  } else if (sending_ && room_ > 0) {
    done = now + config_.send_cycles;
    TreePacket& packet = tree_.pool().allocate();
    make_io_packet(answer_, next_packet_++, node_, answers_, packet.data->bytes.data());
    packet.header = tree_point_to_point_header(kIoReplyClass, asker_);
    packet.route_class = kIoReplyClass;
    packet.point_to_point = true;
    packet.target = asker_;
    --room_;
    ++traffic_.reply_packets;
    tree_.router(node_).inject(packet, kIoVc, done);
    if (next_packet_ == io_packets(answer_.size())) {
      sending_ = serving_ = false;
      busy_cycles_ += done - taken_up_;
      take_up();
    }
  } else {
    return;
  }
  port_busy_ = true;
  tree_.wheel().post_service(done, *this, kPortDone, node_);
}

void IoNode::finish_reading() {
  const std::uint8_t* const bytes = reading_->data->bytes.data();
  const std::uint32_t from = io_packet_sender(bytes);
  ++traffic_.request_packets;
  std::optional<std::vector<std::uint8_t>> message = assemblers_[from].add(bytes);
  release(*reading_);
  reading_ = nullptr;
  if (!message) return;
  requests_.push_back({from, std::move(*message)});
  take_up();
  longest_queue_ = std::max(longest_queue_, requests_.size());
}

void IoNode::take_up() {
  if (serving_ || requests_.empty()) return;
  serving_ = true;
  under_way_ = std::move(requests_.front());
  requests_.pop_front();
  taken_up_ = tree_.now();
  const std::size_t bytes = under_way_->message.size() - kIoRequestHead;
  tree_.wheel().post_service(taken_up_ + config_.service_cycles + transfer_cycles(bytes), *this, kPerform, node_);
}

void IoNode::perform() {
  const IoRequest request = decode_request(under_way_->message);
  const IoReply reply = service_.perform(request);
  asker_ = under_way_->from;
  under_way_.reset();
  answer_ = encode(reply);
  ++answers_;
  ++traffic_.calls;
  traffic_.request_bytes += request.data.size();
  traffic_.reply_bytes += reply.data.size();
  tree_.wheel().post_service(tree_.now() + 1 + transfer_cycles(reply.data.size()), *this, kAnswer, node_);
}

void IoNode::drain() {
  const auto assemble = [this](TreePacket& packet) {
    const std::uint8_t* const bytes = packet.data->bytes.data();
    const std::uint32_t from = io_packet_sender(bytes);
    if (auto message = assemblers_[from].add(bytes)) requests_.push_back({from, std::move(*message)});
    release(packet);
  };
  if (reading_ != nullptr) assemble(*reading_);
  reading_ = nullptr;
  for (; !arrivals_.empty() && arrivals_.front().at <= tree_.now(); arrivals_.pop_front())
    assemble(*arrivals_.front().packet);
  if (under_way_) service_.perform(decode_request(under_way_->message));
  under_way_.reset();
  for (; !requests_.empty(); requests_.pop_front()) service_.perform(decode_request(requests_.front().message));
  for (const auto& [from, assembler] : assemblers_) service_.perform_part(assembler.partial());
}

}  // namespace toroid
