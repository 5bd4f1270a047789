// SPDX-License-Identifier: Apache-2.0
#include "hw/trace/writer.h"

#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace toroid::trace {
namespace {

constexpr std::size_t kBlockBytes = 64 << 10;

struct BlockHead {
  std::uint16_t kind, record_bytes;
  std::uint32_t records;
};

}  // namespace

Writer::Writer(const std::string& path, const std::string& metadata) : file_(std::fopen(path.c_str(), "wb")) {
  if (!file_) throw std::runtime_error(path + ": the trace cannot be written: " + std::strerror(errno));
  std::string text = metadata;
  text.resize((text.size() + 7) / 8 * 8, ' ');
  const std::uint32_t head[] = {kVersion, static_cast<std::uint32_t>(text.size())};
  put(kMagic, sizeof kMagic - 1);
  put(head, sizeof head);
  put(text.data(), text.size());
}

void Writer::add(std::uint16_t kind, const void* record, std::size_t bytes) {
  Block& block = blocks_[kind];
  block.record_bytes = static_cast<std::uint16_t>(bytes);
  const auto* from = static_cast<const std::uint8_t*>(record);
  block.bytes.insert(block.bytes.end(), from, from + bytes);
  ++block.records;
  if (block.bytes.size() >= kBlockBytes) write(kind, block);
}

void Writer::write(std::uint16_t kind, Block& block) {
  const BlockHead head{kind, block.record_bytes, block.records};
  put(&head, sizeof head);
  put(block.bytes.data(), block.bytes.size());
  block.bytes.clear();
  block.records = 0;
}

void Writer::put(const void* bytes, std::size_t size) {
  if (error_ == 0 && std::fwrite(bytes, 1, size, file_.get()) != size) error_ = errno;
}

int Writer::finish(std::uint64_t time_ps) {
  for (auto& [kind, block] : blocks_) {
    if (block.records != 0) write(kind, block);
  }
  add(End{time_ps});
  write(End::kKind, blocks_[End::kKind]);
  if (std::fflush(file_.get()) != 0 && error_ == 0) error_ = errno;
  return error_;
}

}  // namespace toroid::trace
