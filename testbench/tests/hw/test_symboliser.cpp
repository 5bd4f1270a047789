// SPDX-License-Identifier: Apache-2.0
//
// Names of a program's addresses, whatever the program file says: they are printable, and cost the host little.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <systemc>
#include <vector>

#include "hw/kernel/confined_function.h"
#include "hw/kernel/printable.h"
#include "hw/kernel/symboliser.h"
#include "small_file.h"

namespace toroid {
namespace {

TEST(Printable, EscapesControlCharacters) {
  EXPECT_EQ(printable("plain text, \u00e9, \u20ac and \U0001F600"), "plain text, \u00e9, \u20ac and \U0001F600");
  EXPECT_EQ(printable(std::string("a\nb\rc\td\x1b[31m\x7f\0e", 15)), "a\\nb\\rc\\td\\x1b[31m\\x7f\\x00e");
  EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b");  // CSI in 8 bits, as UTF-8
  EXPECT_EQ(printable(printable("\x1b")), "\\x1b");
}

TEST(Printable, EscapesWhatIsNotUtf8) {
  EXPECT_EQ(printable("\xff\x80"), "\\xff\\x80");
  EXPECT_EQ(printable("\xc3"), "\\xc3");
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");                    // '/' in two bytes
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // half of a pair
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // beyond the last character
}

std::string behave(const std::string& how) {
  if (how == "crash") std::abort();
  if (how == "overflow") return behave(how) + behave(how);
  if (how == "wait") {
    volatile unsigned turns = 0;
    while (true) turns = turns + 1;
  }
  if (how == "fill") {
    std::vector<std::string> memory;
    while (true) memory.emplace_back(1 << 20, 'x');
  }
  return how == "long" ? std::string(1 << 20, 'x') : "so be it: " + how;
}

TEST(ConfinedFunctions, Answer) {
  ConfinedFunction function(behave);
  EXPECT_EQ(function("hello"), "so be it: hello");
  EXPECT_EQ(function("once more"), "so be it: once more");
  EXPECT_EQ(function("long"), std::string(16 << 10, 'x'));
  EXPECT_EQ(function(""), std::nullopt);
}

TEST(ConfinedFunctions, OutliveTheSignalsThatEndARun) {
  ConfinedFunction function([](const std::string&) {
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) raise(number);
    return std::string("there");
  });
  EXPECT_EQ(function("anyone?"), "there");
}

TEST(ConfinedFunctions, GoWrongByThemselves) {
  ConfinedFunction::Bounds bounds;
  bounds.memory = 64 << 20;
  bounds.seconds = 1;
  bounds.children = 5;
  ConfinedFunction function(behave, bounds);
  for (const char* how : {"crash", "overflow", "wait", "fill"}) {
    EXPECT_EQ(function(how), std::nullopt) << how;
    EXPECT_EQ(function("next"), "so be it: next") << "after " << how;
  }
  EXPECT_EQ(function("crash"), std::nullopt);
  EXPECT_EQ(function("next"), std::nullopt) << "there were as many children as may be";
}

/// A function's name whose parameters are P<A,A>, P<P<A,A>,P<A,A>> and so on: each is twice as long as the one before.
std::string doubling_name(unsigned levels) {
  std::string name = "_Z1f1A1PIS_S_E";
  for (unsigned level = 1; level < levels; ++level) {
    const std::string before = std::string("S") + "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[level] + "_";
    name += "S0_I" + before + before + "E";
  }
  return name;
}

/// How a symbol of that name is shown.
std::string shown(const std::string& name) {
  const ElfImage image =
      ElfImage::parse(SmallFile().segment(0x1000'0000, 4096, PF_R | PF_X, {}).symbol(0x1000'0000, 4096, name).bytes(),
                      "prog", kPpc32Format);
  return Symboliser(image).describe(0x1000'0010);
}

TEST(Symbols, AreDemangled) {
  EXPECT_EQ(shown("main"), "0x10000010 (main+0x10)");
  EXPECT_EQ(shown("i"), "0x10000010 (i+0x10)");
  EXPECT_EQ(shown("_ZN3foo3barEi"), "0x10000010 (foo::bar(int)+0x10)");
  EXPECT_EQ(shown("_Znonsense"), "0x10000010 (_Znonsense+0x10)");
  EXPECT_EQ(shown(doubling_name(3)),
            "0x10000010 (f(A, P<A, A>, P<P<A, A>, P<A, A> >, P<P<P<A, A>, P<A, A> >, P<P<A, A>, "
            "P<A, A> > >)+0x10)");
}

TEST(Symbols, ThatStandForGigabytesStayShort) {
  const std::string name = doubling_name(34);
  EXPECT_EQ(shown(name), "0x10000010 (" + name.substr(0, 250) + "...+0x10)");
  const std::string cut = shown(doubling_name(12));
  EXPECT_EQ(cut.substr(0, 40), "0x10000010 (f(A, P<A, A>, P<P<A, A>, P<A");
  EXPECT_EQ(cut.substr(cut.size() - 9), "...+0x10)");
  EXPECT_LT(cut.size(), 350u);
  EXPECT_LT(shown(std::string(1 << 20, 'x')).size(), 350u);
}

TEST(Symbols, DoNotReachTheTerminalRaw) {
  EXPECT_EQ(shown("a\x1b[2Jb\nc\xff"), "0x10000010 (a\\x1b[2Jb\\nc\\xff+0x10)");
  EXPECT_EQ(shown("_Z1f3a\x1b"
                  "b"),
            "0x10000010 (f(a\\x1bb)+0x10)");
}

}  // namespace
}  // namespace toroid
