// SPDX-License-Identifier: Apache-2.0
//
// gdb's remote protocol without sockets and without a core: the stream, the packets, the stop points.
#include <gtest/gtest.h>

#include "hw/debug/gdb_stub.h"
#include "hw/debug/hex_text.h"
#include "hw/debug/rsp_stream.h"
#include "hw/debug/target_description.h"
#include "testbench/tests/hw/fake_target.h"

namespace toroid {
namespace {

using Kind = RspEvent::Kind;
using Then = GdbStub::Then;

struct Stub : ::testing::Test {
  std::string reply(const std::string& packet) { return stub.handle(packet).reply; }
  FakeTarget target;
  GdbStub stub{target};
};

std::string packet(const std::string& body) {
  return RspStream::frame(body);
}

// The stream. ---------------------------------------------------------------------------------------------------------

TEST(RspStream, FramesWithAChecksumAndEscapes) {
  EXPECT_EQ(packet("OK"), "$OK#9a");
  EXPECT_EQ(packet(""), "$#00");
  EXPECT_EQ(packet("a#b$c}d*e"), std::string("$a}\x03") + "b}\x04" + "c}\x5d" + "d}\x0a" + "e#" +
                                     packet("a#b$c}d*e").substr(packet("a#b$c}d*e").size() - 2));
}

TEST(RspStream, CutsPacketsHoweverTheyCome) {
  const std::string sent = "+" + packet("qC") + std::string("\x03") + packet("m10,4") + "-";
  RspStream stream;
  std::vector<RspEvent> events;
  for (const char byte : sent) {
    stream.feed({&byte, 1});
    while (auto event = stream.next()) events.push_back(*event);
  }
  ASSERT_EQ(events.size(), 5u);
  EXPECT_EQ(events[0].kind, Kind::ack);
  EXPECT_EQ(events[1].text, "qC");
  EXPECT_EQ(events[2].kind, Kind::interrupt);
  EXPECT_EQ(events[3].text, "m10,4");
  EXPECT_EQ(events[4].kind, Kind::resend);
}

TEST(RspStream, GivesBackWhatItHasFramed) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  RspStream stream;
  stream.feed(packet(all));
  const auto event = stream.next();
  ASSERT_TRUE(event);
  EXPECT_EQ(event->kind, Kind::packet);
  EXPECT_EQ(event->text, all);
}

TEST(RspStream, TellsCorruptPacketsAndGoesOn) {
  RspStream stream;
  stream.feed("$OK#9b" + packet("g"));
  EXPECT_EQ(stream.next()->kind, Kind::corrupt);
  EXPECT_EQ(stream.next()->text, "g");
  stream.feed("$OK#zz");
  EXPECT_EQ(stream.next()->kind, Kind::corrupt);
  EXPECT_FALSE(stream.next());
}

TEST(RspStream, KeepsNoEndlessPacket) {
  RspStream stream;
  stream.feed("$" + std::string(3 * RspStream::kMaxPacket, 'x'));
  EXPECT_EQ(stream.next()->kind, Kind::corrupt);
  stream.feed(packet("g"));
  EXPECT_EQ(stream.next()->text, "g");
}

TEST(HexText, TakesNothingButDigits) {
  EXPECT_EQ(hex_number("ff"), 255u);
  EXPECT_EQ(hex_number("ffffffffffffffff"), ~std::uint64_t{0});
  for (const char* text : {"", "-1", "0x1", "1g", "10000000000000000"}) EXPECT_FALSE(hex_number(text)) << text;
  EXPECT_EQ(hex_bytes("4f4b"), "OK");
  EXPECT_FALSE(hex_bytes("4f4"));
}

// Registers and memory. -----------------------------------------------------------------------------------------------

TEST_F(Stub, RegistersOneByOneAndAllAtOnce) {
  EXPECT_EQ(reply("P1=10203040"), "OK");
  EXPECT_EQ(reply("p1"), "10203040");
  EXPECT_EQ(reply("P21=4008000000000000"), "OK");
  EXPECT_EQ(reply("p21"), "4008000000000000");
  const std::string all = reply("g");
  EXPECT_EQ(all.size(), 2u * (41 * 4 + 32 * 8 + 32 * 16));
  EXPECT_EQ(all.substr(8, 8), "10203040");
  std::string other = all;
  other.replace(0, 8, "deadbeef");
  EXPECT_EQ(reply("G" + other), "OK");
  EXPECT_EQ(target.read_register(1, power::gpr(0)), 0xdeadbeefu);
  EXPECT_EQ(target.read_register(1, power::gpr(1)), 0x10203040u);
}

TEST_F(Stub, VectorRegisters) {
  EXPECT_EQ(reply("p47"), std::string(32, 'x'));  // not known
  EXPECT_EQ(reply("p67"), "xxxxxxxx");
  const std::string value = "00112233445566778899aabbccddeeff";
  EXPECT_EQ(reply("P48=" + value), "OK");
  EXPECT_EQ(reply("p48"), value);
  EXPECT_EQ(target.vectors.at({1, power::vr(1)}), *hex_bytes(value));
  EXPECT_EQ(reply("P48=0011"), "E01");
  EXPECT_EQ(reply("P67=00000000"), "E0e");
  const std::string all = reply("g");
  EXPECT_EQ(all.substr(2 * (39 * 4 + 32 * 8) + 32, 32), value);
  EXPECT_EQ(reply("G" + all), "OK");
}

TEST_F(Stub, RegistersThatAreRefused) {
  EXPECT_EQ(reply("P41=00000001"), "E0e");  // the machine state
  EXPECT_EQ(reply("P1=1"), "E01");          // too short
  EXPECT_EQ(reply("p69"), "E01");
  EXPECT_EQ(reply("p"), "E01");
  EXPECT_EQ(reply("G00"), "E01");
}

TEST_F(Stub, RegistersAreThoseOfTheSelectedThread) {
  EXPECT_EQ(reply("Hg2"), "OK");
  EXPECT_EQ(reply("P40=00000100"), "OK");
  EXPECT_EQ(target.read_register(2, power::kPc), 0x100u);
  EXPECT_EQ(target.read_register(1, power::kPc), 0u);
  EXPECT_EQ(reply("Hg3"), "E01");
  EXPECT_EQ(reply("Hc-1"), "OK");
  EXPECT_EQ(reply("T2"), "OK");
  EXPECT_EQ(reply("T3"), "E01");
}

TEST_F(Stub, Memory) {
  EXPECT_EQ(reply("m1000,2"), "6d6d");
  EXPECT_EQ(reply("M1000,2:4f4b"), "OK");
  EXPECT_EQ(reply(std::string("X1002,3:a\0b", 11)), "OK");
  EXPECT_EQ(reply("m1000,6"), "4f4b6100626d");
  EXPECT_EQ(reply("m103e,8"), "6d6d");  // as far as there is any
  EXPECT_EQ(reply("m2000,4"), "E0e");
  EXPECT_EQ(reply("M1020,1:00"), "E0e");
  EXPECT_EQ(reply("X0,0:"), "OK");
  for (const char* bad : {"m1000", "mx,1", "m100001000,1", "M1000,2:4f", "X1000,2:a"})
    EXPECT_EQ(reply(bad), "E01") << bad;
}

// Stop points. --------------------------------------------------------------------------------------------------------

TEST_F(Stub, Breakpoints) {
  EXPECT_EQ(reply("Z0,10000520,4"), "OK");
  EXPECT_EQ(reply("Z1,10000530,4"), "OK");
  EXPECT_TRUE(stub.points().breaks_at(0x10000520));
  EXPECT_TRUE(stub.points().breaks_at(0x10000530));
  EXPECT_FALSE(stub.points().breaks_at(0x10000524));
  EXPECT_FALSE(stub.points().breaks_at(0x10000520 + 4096));  // shares a place in the filter
  EXPECT_EQ(reply("z0,10000520,4"), "OK");
  EXPECT_FALSE(stub.points().breaks_at(0x10000520));
  EXPECT_TRUE(stub.points().breaks_at(0x10000530));
  EXPECT_EQ(reply("Z0,10000522,4"), "E0e");
  EXPECT_EQ(reply("Z5,10000520,4"), "");
  EXPECT_EQ(reply("Z0,10000520"), "E01");
}

TEST_F(Stub, Watchpoints) {
  EXPECT_EQ(reply("Z2,2000,4"), "OK");
  EXPECT_EQ(reply("Z3,3000,1"), "OK");
  const StopPoints& points = stub.points();
  EXPECT_NE(points.watched(0x2003, 1, true), nullptr);
  EXPECT_NE(points.watched(0x1FF1, 16, true), nullptr);
  EXPECT_EQ(points.watched(0x2004, 4, true), nullptr);
  EXPECT_EQ(points.watched(0x1FFC, 4, true), nullptr);
  EXPECT_EQ(points.watched(0x2000, 4, false), nullptr);
  EXPECT_EQ(points.watched(0x3000, 4, true), nullptr);
  EXPECT_NE(points.watched(0x3000, 4, false), nullptr);
  EXPECT_EQ(reply("z2,2000,4"), "OK");
  EXPECT_EQ(points.watched(0x2000, 4, true), nullptr);
}

TEST_F(Stub, TellsOnceOfAWatchpointOnADevice) {
  reply("Z2,2000,4");
  reply("Z3,b1147000,4");
  EXPECT_EQ(stub.take_note(), "");
  reply("Z2,b1147000,4");
  EXPECT_EQ(stub.take_note(), "a device\n");
  reply("z2,b1147000,4");
  reply("Z2,b1147000,4");
  EXPECT_EQ(stub.take_note(), "");
}

// Going on, and stopping. ---------------------------------------------------------------------------------------------

TEST_F(Stub, EachThreadGoesOnAsTheFirstActionThatFitsSays) {
  EXPECT_EQ(stub.handle("vCont;r100,120:2;c").then, Then::go);
  EXPECT_FALSE(stub.going(1).step);
  EXPECT_TRUE(stub.going(2).step);
  EXPECT_EQ(stub.going(2).begin, 0x100u);
  EXPECT_EQ(stub.going(2).end, 0x120u);
  stub.stopped({2, 5});
  EXPECT_FALSE(stub.going(2).step);
  EXPECT_FALSE(stub.handle("vCont;s:1;c:-1").replies);
  EXPECT_TRUE(stub.going(1).step);
  EXPECT_FALSE(stub.going(2).step);
  stub.stopped({2, 5});
  EXPECT_EQ(stub.handle("s").then, Then::go);  // the thread that stands
  EXPECT_TRUE(stub.going(2).step);
  EXPECT_FALSE(stub.going(1).step);
  for (const char* bad : {"vCont;x", "vCont;r1:1", "vCont;s:z"}) {
    EXPECT_EQ(reply(bad), "E01") << bad;
    EXPECT_EQ(stub.handle(bad).then, Then::stay) << bad;
  }
}

TEST_F(Stub, StopReplies) {
  EXPECT_EQ(stub.stopped({1, 5}), "T05thread:1;");
  EXPECT_EQ(stub.stopped({2, 11}), "T0bthread:2;");
  EXPECT_EQ(reply("?"), "T0bthread:2;");
  EXPECT_EQ(reply("qC"), "QC2");
  EXPECT_EQ(stub.stopped({1, 5, Stop::Why::breakpoint}), "T05swbreak:;thread:1;");
  EXPECT_EQ(stub.stopped({1, 5, Stop::Why::watchpoint, 0x2000, StopPoints::Watch::read}),
            "T05rwatch:00002000;thread:1;");
  EXPECT_EQ(GdbStub::exited(3), "W03");
  EXPECT_EQ(GdbStub::killed(11), "X0b");
  EXPECT_EQ(GdbStub::console("so\n"), "O736f0a");
}

TEST_F(Stub, DetachTakesTheBreakpointsAlong) {
  reply("Z0,10000520,4");
  const GdbStub::Answer answer = stub.handle("D");
  EXPECT_EQ(answer.reply, "OK");
  EXPECT_EQ(answer.then, Then::detach);
  EXPECT_FALSE(stub.points().breaks_at(0x10000520));
  EXPECT_EQ(stub.handle("k").then, Then::kill);
  EXPECT_FALSE(stub.handle("k").replies);
  EXPECT_EQ(stub.handle("vKill;1").then, Then::kill);
}

// Questions. ----------------------------------------------------------------------------------------------------------

TEST_F(Stub, Questions) {
  EXPECT_NE(reply("qSupported:multiprocess+;swbreak+").find("qXfer:features:read+"), std::string::npos);
  EXPECT_EQ(reply("qfThreadInfo"), "m1,2");
  EXPECT_EQ(reply("qsThreadInfo"), "l");
  EXPECT_EQ(hex_bytes(reply("qThreadExtraInfo,2")), "core 1");
  EXPECT_EQ(reply("qAttached"), "1");
  EXPECT_EQ(hex_bytes(reply("qRcmd," + hex_of("where"))), "where of 1\n");
  EXPECT_EQ(reply("qRcmd," + hex_of("silent")), "OK");
  EXPECT_EQ(reply("qRcmd,7"), "E01");
  EXPECT_FALSE(stub.no_acks());
  EXPECT_EQ(reply("QStartNoAckMode"), "OK");
  EXPECT_TRUE(stub.no_acks());
  for (const char* unknown : {"", "vMustReplyEmpty", "qTStatus", "Qxyz", "!", "i"}) EXPECT_EQ(reply(unknown), "");
}

TEST_F(Stub, TheDescriptionComesInParts) {
  const std::string whole = target_description(power::registers(power::Width::narrow));
  EXPECT_EQ(reply("qXfer:features:read:target.xml:0,20"), "m" + whole.substr(0, 0x20));
  EXPECT_EQ(reply("qXfer:features:read:target.xml:20,3ffb").substr(0, 21),
            (whole.size() > 0x2020 ? "m" : "l") + whole.substr(0x20, 20));
  EXPECT_EQ(reply("qXfer:features:read:target.xml:ffff,10"), "l");
  EXPECT_EQ(reply("qXfer:features:read:other.xml:0,10"), "E00");
  EXPECT_EQ(reply("qXfer:exec-file:read:1:0,100"), "l/here/program");
  EXPECT_EQ(reply("qXfer:auxv:read::0,100"), "");
  EXPECT_NE(whole.find("<reg name=\"f31\" bitsize=\"64\" type=\"ieee_double\" regnum=\"63\"/>"), std::string::npos);
}

// Another instruction set. --------------------------------------------------------------------------------------------

const RegisterSet& little_registers() {
  static const RegisterSet set(
      "i386:x86-64",
      {{"rax", 8, "int64", 0},
       {"rip", 8, "code_ptr", 0},
       {"eflags", 4, "i386_eflags", 0},
       {"xmm0", 16, "vec128", 1, RegisterSet::Use::vector},
       {"k0", 8, "uint64", 1, RegisterSet::Use::unavailable}},
      {{"org.gnu.gdb.i386.core", "    <flags id=\"i386_eflags\" size=\"4\"/>\n"}, {"org.gnu.gdb.i386.sse", ""}});
  return set;
}

struct LittleStub : ::testing::Test {
  std::string reply(const std::string& packet) { return stub.handle(packet).reply; }
  FakeTarget target{little_registers(), ByteOrder::little, 8, 1};
  GdbStub stub{target};
};

TEST_F(LittleStub, RegistersHaveTheGuestsByteOrder) {
  EXPECT_EQ(reply("P0=8877665544332211"), "OK");
  EXPECT_EQ(target.read_register(1, *little_registers().find("rax")), 0x1122'3344'5566'7788u);
  EXPECT_EQ(reply("P2=46020000"), "OK");
  EXPECT_EQ(target.read_register(1, *little_registers().find("eflags")), 0x246u);
  const std::string vector = "00112233445566778899aabbccddeeff";
  EXPECT_EQ(reply("P3=" + vector), "OK");
  EXPECT_EQ(reply("P4=0000000000000000"), "E0e");
  const std::string all = "8877665544332211" + std::string(16, '0') + "46020000" + vector + std::string(16, 'x');
  EXPECT_EQ(reply("g"), all);
  std::string other = all;
  other.replace(16, 16, "efcdab8967452301");
  EXPECT_EQ(reply("G" + other), "OK");
  EXPECT_EQ(target.read_register(1, *little_registers().find("rip")), 0x0123'4567'89AB'CDEFu);
  EXPECT_EQ(reply("P0=11223344"), "E01");  // of 8 bytes
}

TEST_F(LittleStub, AddressesHave64Bits) {
  EXPECT_EQ(reply("m7fff12345678,4"), "E0e");  // not there, and no mistake
  EXPECT_EQ(reply("m1000,4"), "6d6d6d6d");
  EXPECT_EQ(reply("Z0,7fff12345679,1"), "OK");  // instructions lie anywhere
  EXPECT_TRUE(stub.points().breaks_at(0x7FFF'1234'5679));
  EXPECT_FALSE(stub.points().breaks_at(0x1234'5679));
  EXPECT_EQ(stub.stopped({1, 5, Stop::Why::watchpoint, 0x7FFF'1234'5678, StopPoints::Watch::write}),
            "T05watch:00007fff12345678;thread:1;");
}

TEST_F(LittleStub, TheDescriptionIsTheRegisterSets) {
  EXPECT_EQ(target_description(little_registers()),
            "<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n<target version=\"1.0\">\n"
            "  <architecture>i386:x86-64</architecture>\n"
            "  <feature name=\"org.gnu.gdb.i386.core\">\n"
            "    <flags id=\"i386_eflags\" size=\"4\"/>\n"
            "    <reg name=\"rax\" bitsize=\"64\" type=\"int64\" regnum=\"0\"/>\n"
            "    <reg name=\"rip\" bitsize=\"64\" type=\"code_ptr\" regnum=\"1\"/>\n"
            "    <reg name=\"eflags\" bitsize=\"32\" type=\"i386_eflags\" regnum=\"2\"/>\n"
            "  </feature>\n"
            "  <feature name=\"org.gnu.gdb.i386.sse\">\n"
            "    <reg name=\"xmm0\" bitsize=\"128\" type=\"vec128\" regnum=\"3\"/>\n"
            "    <reg name=\"k0\" bitsize=\"64\" type=\"uint64\" regnum=\"4\"/>\n"
            "  </feature>\n</target>\n");
}

}  // namespace
}  // namespace toroid
