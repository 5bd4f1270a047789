// SPDX-License-Identifier: Apache-2.0
#include "hw/memory/watched_memory.h"

#include <cstdio>
#include <cstring>

#include "nic/common/fault_reason.h"
#include "nic/common/time_offset.h"

namespace toroid {

class WatchedMemory::Page : public WatchedDevice {
 public:
  Page(std::uint64_t physical, std::uint64_t shown) : physical_(physical), shown_(shown) {}

  bool is_pure_read(std::uint64_t address) const override { return address - physical_ < kPageBytes; }
  const sc_core::sc_event& changed() const override { return changed_; }
  sc_core::sc_time last_change() const override { return last_change_; }
  std::string name_of(std::uint64_t address) const override {
    char text[48];
    std::snprintf(text, sizeof text, "the watched memory at 0x%08llx",
                  static_cast<unsigned long long>(address - physical_ + shown_));
    return text;
  }

  void announce() {
    last_change_ = sc_core::sc_time_stamp();
    changed_.notify(sc_core::SC_ZERO_TIME);
  }

 private:
  const std::uint64_t physical_;
  const std::uint64_t shown_;
  sc_core::sc_event changed_;
  sc_core::sc_time last_change_;
};

WatchedMemory::WatchedMemory(const sc_core::sc_module_name& name, NodeMemory& memory)
    : sc_module(name), bus("bus"), memory_(memory) {
  bus.register_b_transport(this, &WatchedMemory::b_transport);
  bus.register_transport_dbg(this, &WatchedMemory::transport_dbg);
}

WatchedMemory::~WatchedMemory() = default;

const WatchedDevice* WatchedMemory::watch(std::uint64_t page, std::uint64_t shown) {
  const auto found = pages_.find(page / kPageBytes);
  if (found != pages_.end()) return found->second.get();
  if (pages_.size() == kMostPages) return nullptr;
  return pages_.emplace(page / kPageBytes, std::make_unique<Page>(page, shown)).first->second.get();
}

bool WatchedMemory::overlaps(std::uint64_t address, std::uint32_t bytes) const {
  const auto page = pages_.lower_bound(address / kPageBytes);
  return page != pages_.end() && page->first <= (address + bytes - 1) / kPageBytes;
}

void WatchedMemory::write(std::uint64_t address, const std::uint8_t* from, std::uint32_t bytes) {
  if (std::memcmp(memory_.host(address), from, bytes) == 0) return;
  std::memcpy(memory_.host(address), from, bytes);
  announce(address, bytes);
}

std::uint64_t WatchedMemory::apply(const MemoryOperation& operation, std::uint64_t address, ByteOrder order) {
  const unsigned bytes = operation.bytes;
  // The other word of a pair lies in the same piece of kPairBytes, so it is memory as well.
  const std::uint64_t other_at = address + static_cast<std::uint64_t>(operation.other()) * bytes;
  const std::uint64_t other = load_number(memory_.host(other_at), bytes, order);
  const MemoryEffect effect = perform(operation, load_number(memory_.host(address), bytes, order), other);
  const auto put = [&](std::uint64_t at, std::uint64_t value) {
    std::uint8_t word[8];
    store_number(word, value, bytes, order);
    write(at, word, bytes);
  };
  if (effect.changed) put(address, effect.word);
  if (effect.other != other) put(other_at, effect.other);
  return effect.given;
}

void WatchedMemory::announce(std::uint64_t address, std::uint32_t bytes) {
  const std::uint64_t last = (address + bytes - 1) / kPageBytes;
  for (auto page = pages_.lower_bound(address / kPageBytes); page != pages_.end() && page->first <= last; ++page)
    page->second->announce();
}

bool WatchedMemory::serves(const tlm::tlm_generic_payload& access) const {
  const std::uint64_t address = access.get_address();
  const unsigned bytes = access.get_data_length();
  return memory_.contains(address, bytes) && bytes >= 1 && bytes <= 16 &&
         address / kPageBytes == (address + bytes - 1) / kPageBytes && pages_.count(address / kPageBytes) != 0 &&
         access.get_byte_enable_ptr() == nullptr && access.get_streaming_width() >= bytes;
}

unsigned WatchedMemory::transport_dbg(tlm::tlm_generic_payload& access) {
  if (!access.is_read() || !serves(access)) return 0;
  std::memcpy(access.get_data_ptr(), memory_.host(access.get_address()), access.get_data_length());
  return access.get_data_length();
}

void WatchedMemory::b_transport(tlm::tlm_generic_payload& access, sc_core::sc_time& delay) {
  if (!serves(access)) {
    respond(access, tlm::TLM_ADDRESS_ERROR_RESPONSE,
            "access outside the pages of memory that the kernel has registered for devices");
    return;
  }
  // Only now is everything done that another core or a bus master does before this access.
  wait_out(delay);
  settle();
  const std::uint64_t address = access.get_address();
  if (access.is_read()) {
    std::memcpy(access.get_data_ptr(), memory_.host(address), access.get_data_length());
  } else if (access.is_write()) {
    write(address, access.get_data_ptr(), access.get_data_length());
  }
  access.set_response_status(tlm::TLM_OK_RESPONSE);
}

}  // namespace toroid
