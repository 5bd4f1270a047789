// SPDX-License-Identifier: Apache-2.0
#include "torus/rtl/verilated_hooks.h"

#include <verilated.h>

#include <cstdarg>
#include <cstdio>
#include <string>

#include "torus/rtl/fault.h"
#include "torus/rtl/verilated_print.h"

namespace toroid::rtl {

namespace {

/// What has been printed of a line that has not ended.
std::string unfinished;
/// The last error that Verilog has printed: the stop that follows it does not contain the message.
std::string last_error;

void take_line(const std::string& line) {
  // "[5714] %Error: torus_queue.sv:93: Assertion failed in router@0,0,0.torus_router.queue: overflow"
  static const std::string mark = "%Error: ";
  if (const auto at = line.find(mark); at != std::string::npos) {
    last_error = line.substr(at + mark.size());
  } else {
    std::fprintf(stderr, "%s\n", line.c_str());
  }
}

std::string base_name(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

[[noreturn]] void fail(const char* file, int line, const char* module, const std::string& otherwise) {
  std::string what;
  what.swap(last_error);
  if (what.empty()) {
    what = base_name(file ? file : "") + ":" + std::to_string(line) + ": " + otherwise;
    if (module && *module) what += std::string(" in ") + module;
  }
  throw RtlFault(what);
}

}  // namespace

VerilatedContext& shared_context() {
  VerilatedContext& context = *Verilated::defaultContextp();
  context.traceEverOn(true);
  return context;
}

}  // namespace toroid::rtl

extern "C" int toroid_verilated_print(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char small[1024];
  va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(small, sizeof small, format, arguments);
  va_end(arguments);
  if (length > 0) {
    std::string text(static_cast<std::size_t>(length) + 1, '\0');
    std::vsnprintf(text.data(), text.size(), format, again);
    text.pop_back();
    using toroid::rtl::unfinished;
    for (const char character : text) {
      if (character != '\n') {
        unfinished += character;
        continue;
      }
      std::string line;
      line.swap(unfinished);
      toroid::rtl::take_line(line);
    }
  }
  va_end(again);
  return length;
}

void vl_stop(const char* file, int line, const char* module) {
  toroid::rtl::fail(file, line, module, "$stop");
}
void vl_fatal(const char* file, int line, const char* module, const char* message) {
  toroid::rtl::fail(file, line, module, message ? message : "fatal error");
}
void vl_finish(const char* file, int line, const char* module) {
  toroid::rtl::fail(file, line, module, "$finish");
}
void vl_warn(const char* file, int line, const char*, const char* message) {
  std::fprintf(stderr, "%s:%d: %s\n", toroid::rtl::base_name(file ? file : "").c_str(), line, message);
}
