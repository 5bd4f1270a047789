// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "hw/trace/records.h"

namespace toroid::trace {

/// Writes a trace file: metadata, then blocks of records of one kind. A block goes out when it is full, so that a
/// reader takes thousands of records at a time.
class Writer {
 public:
  /// Throws std::runtime_error if the file cannot be written.
  Writer(const std::string& path, const std::string& metadata);
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  template <typename Record>
  void add(const Record& record) {
    add(Record::kKind, &record, sizeof record);
  }
  /// Writes what is left, and the record that says that the file is whole. 0, or the errno of what failed first.
  int finish(std::uint64_t time_ps);

 private:
  struct Block {
    std::uint16_t record_bytes = 0;
    std::uint32_t records = 0;
    std::vector<std::uint8_t> bytes;
  };
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  void add(std::uint16_t kind, const void* record, std::size_t bytes);
  void write(std::uint16_t kind, Block& block);
  void put(const void* bytes, std::size_t size);

  std::unique_ptr<std::FILE, Close> file_;
  std::map<std::uint16_t, Block> blocks_;  // by kind
  int error_ = 0;
};

}  // namespace toroid::trace
