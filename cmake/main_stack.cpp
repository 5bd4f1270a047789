// SPDX-License-Identifier: Apache-2.0
// Part of every program of the sanitizer build. SystemC tells AddressSanitizer of each change of coroutine, other than
// of the last one, back to main(). The leak checker would then take the stack of a coroutine, with its guard page, for
// that of the main thread, and fault there.
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>

namespace {

__attribute__((destructor)) void return_to_main_stack() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  void* bottom = nullptr;
  size_t size = 0;
  pthread_attr_getstack(&attributes, &bottom, &size);
  pthread_attr_destroy(&attributes);
  const char* here = static_cast<const char*>(__builtin_frame_address(0));
  if (here < bottom || here >= static_cast<const char*>(bottom) + size) return;
  __sanitizer_start_switch_fiber(nullptr, bottom, size);
  __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
}

}  // namespace
