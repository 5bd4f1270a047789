// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "hw/isa/unicorn/processor.h"

namespace toroid::unicorn {

/// A processor with an instance of the library for itself, whose memory is the engine's.
class OwnProcessor : public Processor {
 public:
  OwnProcessor(const Architecture& architecture, UnicornEngine& engine, Observation observation);
  ~OwnProcessor() override;

  bool map_memory(std::uint64_t address, std::uint64_t size, std::uint8_t* host, unsigned permissions,
                  ImagePart image) override;
  bool unmap_memory(std::uint64_t address, std::uint64_t size) override;
  bool map_device(std::uint64_t address, std::uint64_t size) override;
  bool fetch(std::uint64_t address, void* bytes, std::size_t size) const override {
    return uc_mem_read(uc(), address, bytes, size) == UC_ERR_OK;
  }

 protected:
  /// True for addresses of pages that are memory, writable and not executable.
  bool is_plain_memory(std::uint64_t address) const;

 private:
  struct Window {
    UnicornEngine* engine;
    std::uint64_t base;
  };
  struct Memory {
    std::uint64_t size;
    unsigned permissions;
  };
  static std::uint64_t on_device_read(uc_engine*, std::uint64_t offset, unsigned size, void* data);
  static void on_device_write(uc_engine*, std::uint64_t offset, unsigned size, std::uint64_t value, void* data);

  UnicornEngine* const engine_;
  std::map<std::uint64_t, Memory> memory_;  // by first address
  std::vector<std::unique_ptr<Window>> windows_;
};

}  // namespace toroid::unicorn
