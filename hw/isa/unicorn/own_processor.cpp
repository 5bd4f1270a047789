// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/unicorn/own_processor.h"

#include "hw/isa/unicorn/unicorn_engine.h"

namespace toroid::unicorn {
namespace {

std::uint32_t unicorn_permissions(unsigned permissions) {
  std::uint32_t result = UC_PROT_NONE;
  if (permissions & kReadable) result |= UC_PROT_READ;
  if (permissions & kWritable) result |= UC_PROT_WRITE;
  if (permissions & kExecutable) result |= UC_PROT_EXEC;
  return result;
}

}  // namespace

OwnProcessor::OwnProcessor(const Architecture& architecture, UnicornEngine& engine, Observation observation)
    : Processor(architecture.open()), engine_(&engine) {
  UnicornEngine::add_hooks(uc(), &engine_, observation);
  if (architecture.add_hooks != nullptr) architecture.add_hooks(uc(), &engine_);
  UnicornEngine::add_block_hook(uc(), &engine_);
}

OwnProcessor::~OwnProcessor() {
  uc_close(uc());
}

bool OwnProcessor::map_memory(std::uint64_t address, std::uint64_t size, std::uint8_t* host, unsigned permissions,
                              ImagePart) {
  if (uc_mem_map_ptr(uc(), address, size, unicorn_permissions(permissions), host) != UC_ERR_OK) return false;
  memory_[address] = {size, permissions};
  return true;
}

bool OwnProcessor::unmap_memory(std::uint64_t address, std::uint64_t size) {
  memory_.erase(address);
  return uc_mem_unmap(uc(), address, size) == UC_ERR_OK;
}

bool OwnProcessor::map_device(std::uint64_t address, std::uint64_t size) {
  // Unicorn gives the offset in the window only; each window carries its base.
  windows_.push_back(std::make_unique<Window>(Window{engine_, address}));
  void* const window = windows_.back().get();
  return uc_mmio_map(uc(), address, size, &on_device_read, window, &on_device_write, window) == UC_ERR_OK;
}

bool OwnProcessor::is_plain_memory(std::uint64_t address) const {
  auto region = memory_.upper_bound(address);
  if (region == memory_.begin()) return false;
  --region;
  return address - region->first < region->second.size &&
         (region->second.permissions & (kWritable | kExecutable)) == kWritable;
}

std::uint64_t OwnProcessor::on_device_read(uc_engine*, std::uint64_t offset, unsigned size, void* data) {
  const auto* window = static_cast<Window*>(data);
  return window->engine->on_device_read(window->base + offset, size);
}

void OwnProcessor::on_device_write(uc_engine*, std::uint64_t offset, unsigned size, std::uint64_t value, void* data) {
  const auto* window = static_cast<Window*>(data);
  window->engine->on_device_write(window->base + offset, size, value);
}

}  // namespace toroid::unicorn
