// SPDX-License-Identifier: Apache-2.0
//
// The I/O node on the tree alone: messages in packets, its time, back-pressure, and what it does at the end of a run.
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>

#include "hw/io/tree/io_node.h"
#include "testbench/shipped.h"
#include "torus/tree/classes.h"

namespace toroid {
namespace {

std::vector<std::uint8_t> message_of(std::size_t bytes) {
  std::vector<std::uint8_t> message(bytes);
  for (std::size_t i = 0; i < bytes; ++i) message[i] = static_cast<std::uint8_t>(i * 7 + i / 256);
  return message;
}

TEST(IoPacket, MessagesOfAllSizesComeTogetherAgain) {
  IoAssembler assembler;
  for (const std::size_t bytes : {1u, 8u, 239u, 240u, 241u, 480u, 481u, 5000u}) {
    const std::vector<std::uint8_t> message = message_of(bytes);
    std::uint8_t packet[TREE_PAYLOAD_BYTES];
    for (std::size_t i = 0; i < io_packets(bytes); ++i) {
      make_io_packet(message, i, 9, static_cast<std::uint32_t>(bytes), packet);
      EXPECT_EQ(io_packet_sender(packet), 9u);
      const auto whole = assembler.add(packet);
      ASSERT_EQ(whole.has_value(), i + 1 == io_packets(bytes)) << bytes;
      EXPECT_EQ(whole.value_or(message), message);
    }
  }
}

TEST(IoPacket, AMissingPacketIsNoticed) {
  IoAssembler assembler;
  const std::vector<std::uint8_t> message = message_of(1000);
  std::uint8_t packet[TREE_PAYLOAD_BYTES];
  make_io_packet(message, 0, 1, 1, packet);
  EXPECT_FALSE(assembler.add(packet));
  make_io_packet(message, 2, 1, 1, packet);
  EXPECT_THROW(assembler.add(packet), std::logic_error);
}

struct Sink : OutputSink {
  void write(std::uint32_t rank, int descriptor, std::string_view bytes) override {
    text += std::to_string(rank) + "/" + std::to_string(descriptor) + ":" + std::string(bytes);
  }
  std::string text;
};

/// A compute node that puts all into the tree that it takes.
struct Client : TreeLocalPort {
  void packet_received(TreePacket& packet, unsigned vc, Cycle at) override {
    last = at;
    ++received;
    if (auto message = assembler.add(packet.data->bytes.data())) replies.push_back(decode_reply(*message));
    network->pool().release(packet);
    network->router(node).return_reception(vc, at + 1);
  }
  void injection_taken(unsigned, Cycle) override { ++taken; }
  void send(const IoRequest& request, std::size_t most = ~std::size_t{0}, unsigned vc = kIoVc) {
    const std::vector<std::uint8_t> message = encode(request);
    ++number;
    for (std::size_t i = 0; i < std::min(most, io_packets(message.size())); ++i) {
      TreePacket& packet = network->pool().allocate();
      make_io_packet(message, i, node, number, packet.data->bytes.data());
      packet.route_class = kIoRequestClass;
      packet.point_to_point = true;
      packet.target = network->topology().io_node_of(node);
      network->router(node).inject(packet, vc, network->now() + 1);
    }
  }
  TreeNetwork* network = nullptr;
  std::uint32_t node = 0;
  std::uint32_t number = 0;
  unsigned taken = 0;
  unsigned received = 0;
  Cycle last = 0;
  IoAssembler assembler;
  std::vector<IoReply> replies;
};

struct Bench {
  explicit Bench(const IoNodeConfig& config, std::uint32_t nodes = 4)
      : topology(Shape::parse(std::to_string(nodes) + "x1x1")),
        network(wheel, test::shipped<TreeConfig>(), topology, 1),
        clients(nodes) {
    for (std::uint32_t node = 0; node < nodes; ++node) {
      clients[node].network = &network;
      clients[node].node = node;
      network.attach(node, clients[node]);
    }
    io_node = std::make_unique<IoNode>(network, nodes, config, directory, sink);
    const std::vector<bool> members(nodes + 1, true);
    network.set_class(kIoRequestClass, tree_to_io_class(network.topology(), members));
    network.set_class(kIoReplyClass, tree_from_io_class(network.topology(), members));
  }
  Wheel wheel;
  Topology topology;
  TreeNetwork network;
  Sink sink;
  JobDirectory directory{""};
  std::vector<Client> clients;
  std::unique_ptr<IoNode> io_node;
};

IoRequest print(std::uint32_t rank, const std::string& text) {
  return {IoOperation::write, rank, 1, {}, {text.begin(), text.end()}};
}

constexpr IoNodeConfig kConfig{70, 30, 1000, 0.5};

TEST(IoNode, AnswersAfterItsTimes) {
  Bench bench(kConfig);
  bench.clients[2].send(print(5, "0123456789"));
  bench.wheel.run_until(100'000);
  EXPECT_EQ(bench.sink.text, "5/1:0123456789");
  ASSERT_EQ(bench.clients[2].replies.size(), 1u);
  EXPECT_EQ(bench.clients[2].replies[0].result, 10);
  const TreeConfig tree = test::shipped<TreeConfig>();
  const unsigned links = bench.network.topology().distance(2, 4);
  // Handed over at cycle 1; read, served with 10 bytes, one cycle to begin the answer, and written.
  EXPECT_EQ(bench.clients[2].last, 1 + 2 * tree_latency(tree, links) + 70 + 1000 + 5 + 1 + 30);
  EXPECT_EQ(bench.io_node->busy_cycles(), 1000u + 5 + 1 + 30);
  // Others saw nothing of it, and nothing is left.
  EXPECT_EQ(bench.clients[0].received + bench.clients[1].received + bench.clients[3].received, 0u);
  EXPECT_EQ(bench.network.pool().in_use(), 0u);
  EXPECT_FALSE(bench.io_node->busy());
}

TEST(IoNode, ServesInTheOrderOfCompletion) {
  Bench bench(kConfig);
  bench.clients[0].send(print(0, std::string(700, 'a')));
  bench.clients[3].send(print(3, "b"));
  bench.wheel.run_until(100'000);
  EXPECT_EQ(bench.sink.text, "3/1:b0/1:" + std::string(700, 'a'));
  EXPECT_EQ(bench.io_node->traffic().calls, 2u);
  EXPECT_EQ(bench.io_node->traffic().request_packets, 1u + io_packets(kIoRequestHead + 700));
}

TEST(IoNode, PacketsThatItDoesNotReadHoldTheSendersUp) {
  IoNodeConfig slow = kConfig;
  slow.receive_cycles = 100'000;
  Bench bench(slow);
  bench.clients[0].send(print(0, std::string(240 * 100, 'x')));
  bench.wheel.run_until(50'000);
  // One being read, eight in the FIFO, and the buffers on the way.
  const TreeConfig tree = test::shipped<TreeConfig>();
  const unsigned links = bench.network.topology().distance(0, 4);
  EXPECT_LE(bench.clients[0].taken, tree.fifo_packets + tree.buffer_packets * links + 1);
  EXPECT_GE(bench.clients[0].taken, tree.fifo_packets);
  bench.wheel.run_until(20'000'000);
  EXPECT_EQ(bench.clients[0].taken, 101u);
  EXPECT_EQ(bench.clients[0].replies.size(), 1u);
  EXPECT_EQ(bench.network.pool().in_use(), 0u);
}

TEST(IoNode, LongAnswersComeInManyPackets) {
  Bench bench(kConfig);
  bench.clients[1].send({IoOperation::read_link, 1, -1, {300, 0}, {}});  // no files: an error, without data
  bench.wheel.run_until(100'000);
  ASSERT_EQ(bench.clients[1].replies.size(), 1u);
  EXPECT_LT(bench.clients[1].replies[0].result, 0);
  EXPECT_EQ(bench.clients[1].received, 1u);
}

TEST(IoNode, TheEndOfARunLosesNoOutputThatHasCome) {
  IoNodeConfig config = kConfig;
  config.service_cycles = 1'000'000;
  Bench bench(config);
  bench.clients[0].send(print(0, "served"));
  bench.clients[1].send(print(1, "queued"));
  bench.clients[2].send(print(2, std::string(400, 'p') + "never sent"), 1);
  bench.wheel.run_until(10'000);
  EXPECT_EQ(bench.sink.text, "");
  bench.io_node->drain();
  const std::string part(kIoPacketData - kIoRequestHead, 'p');
  EXPECT_EQ(bench.sink.text, "0/1:served1/1:queued2/1:" + part);
}

TEST(IoNode, ThrowsAwayWhatGoesAstray) {
  Bench bench(kConfig);
  for (unsigned i = 0; i < 20; ++i) bench.clients[0].send(print(0, "x"), 1, 0);
  bench.wheel.run_until(100'000);
  EXPECT_EQ(bench.clients[0].taken, 20u);
  EXPECT_EQ(bench.sink.text, "");
  EXPECT_EQ(bench.network.pool().in_use(), 0u);
}

}  // namespace
}  // namespace toroid
