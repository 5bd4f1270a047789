// SPDX-License-Identifier: Apache-2.0
#include "hw/memory/node_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

namespace toroid {
namespace {

constexpr std::uint64_t kPage = 4096;

}  // namespace

NodeMemory::NodeMemory(const sc_core::sc_module_name& name, std::uint64_t size)
    : sc_module(name), bus("bus"), size_(size), base_(nullptr) {
  if (size == 0 || size % kPage != 0 || size > kMost)
    throw std::runtime_error("node memory of " + std::to_string(size) +
                             " bytes: must be a multiple of 4096 up to 16 GiB");
  void* base = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED)
    throw std::runtime_error("the host has no room for a node memory of " + std::to_string(size) +
                             " bytes: " + std::strerror(errno));
  base_ = static_cast<std::uint8_t*>(base);
  madvise(base_, size, MADV_DONTFORK);  // a child that looks up names (hw/kernel/confined_function.h) needs none of it
  bus.register_b_transport(this, &NodeMemory::b_transport);
  bus.register_get_direct_mem_ptr(this, &NodeMemory::get_direct_mem_ptr);
  bus.register_transport_dbg(this, &NodeMemory::transport_dbg);
}

NodeMemory::~NodeMemory() {
  munmap(base_, size_);
}

void NodeMemory::place(std::uint64_t address, const ImageFile& image) {
  images_.push_back({address, address + image.size(), image.number()});
  image.place(base_ + address);
}

ImagePart NodeMemory::image_at(std::uint64_t address, std::uint64_t size) const {
  for (const Image& image : images_) {
    const std::uint64_t begin = image.begin / kPage * kPage;
    const std::uint64_t end = (image.end + kPage - 1) / kPage * kPage;
    if (begin <= address && address + size <= end) return {image.number, address - begin};
  }
  return {};
}

void NodeMemory::clear(std::uint64_t address, std::uint64_t size) {
  // The pages of an image would be the image's again.
  const bool of_image = std::any_of(images_.begin(), images_.end(), [=](const Image& image) {
    return image.begin < address + size && address < image.end;
  });
  if (of_image || madvise(base_ + address, size, MADV_DONTNEED) != 0) std::memset(base_ + address, 0, size);
}

unsigned NodeMemory::transport_dbg(tlm::tlm_generic_payload& payload) {
  const std::uint64_t address = payload.get_address();
  const unsigned length = payload.get_data_length();
  if (address >= size_ || length > size_ - address) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return 0;
  }
  if (payload.get_byte_enable_ptr() != nullptr) {
    payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    return 0;
  }
  if (payload.get_streaming_width() < length) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return 0;
  }
  if (payload.is_read()) {
    std::memcpy(payload.get_data_ptr(), base_ + address, length);
  } else if (payload.is_write()) {
    std::memcpy(base_ + address, payload.get_data_ptr(), length);
  }
  payload.set_dmi_allowed(true);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  return length;
}

void NodeMemory::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  transport_dbg(payload);
}

bool NodeMemory::get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
  dmi.set_dmi_ptr(base_);
  dmi.set_start_address(0);
  dmi.set_end_address(size_ - 1);
  dmi.allow_read_write();
  return true;
}

}  // namespace toroid
