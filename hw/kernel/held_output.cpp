// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/held_output.h"

#include "hw/memory/big_endian.h"

namespace toroid {
namespace {

// glibc's struct _IO_FILE on 32-bit PowerPC; the layout is part of its binary interface.
constexpr std::uint32_t kMagicMask = 0xFFFF'0000, kMagic = 0xFBAD'0000;  // in the flags, which come first
constexpr std::uint32_t kWriteBase = 16, kWritePointer = 20, kBufferBase = 28, kBufferEnd = 32;
constexpr std::uint32_t kChain = 52, kDescriptor = 56, kStreamSize = 60;
constexpr unsigned kMostStreams = 1024;  // as many as a process can have files open

// libstdc++'s basic_streambuf: a virtual table, then begin, next and end of what is read, then of what is written.
constexpr std::uint32_t kPutBegin = 16, kPutNext = 20, kStreambufSize = 28;
struct CppBuffer {
  const char* symbol;
  std::uint32_t descriptor;
};
constexpr CppBuffer kCppBuffers[] = {{"_ZN14__gnu_internal8buf_coutE", 1}, {"_ZN14__gnu_internal8buf_cerrE", 2}};

class Finder {
 public:
  Finder(const ElfImage& image, const AddressSpace& space) : image_(image), space_(space) {}

  std::vector<HeldOutput> find() {
    if (const std::uint32_t list = image_.address_of("_IO_list_all"); list != 0) {
      std::uint32_t stream = word(list);
      for (unsigned i = 0; i < kMostStreams && stream != 0; ++i) stream = add_stream(stream);
    }
    for (const CppBuffer& buffer : kCppBuffers) {
      const std::uint32_t at = image_.address_of(buffer.symbol);
      if (at != 0 && space_.readable(at, kStreambufSize) != nullptr)
        add(buffer.descriptor, word(at + kPutBegin), word(at + kPutNext));
    }
    return std::move(found_);
  }

 private:
  std::uint32_t word(std::uint32_t address) const {
    const std::uint8_t* const bytes = space_.readable(address, 4);
    return bytes == nullptr ? 0 : load_be32(bytes);
  }

  /// Returns the next stream.
  std::uint32_t add_stream(std::uint32_t stream) {
    if (space_.readable(stream, kStreamSize) == nullptr || (word(stream) & kMagicMask) != kMagic) return 0;
    const std::uint32_t begin = word(stream + kWriteBase), end = word(stream + kWritePointer);
    if (begin >= word(stream + kBufferBase) && end <= word(stream + kBufferEnd))
      add(word(stream + kDescriptor), begin, end);
    return word(stream + kChain);
  }

  /// Buffers do not share bytes: where they seem to, the program has overwritten the streams, which may even follow
  /// each other in a circle.
  void add(std::uint32_t descriptor, std::uint32_t begin, std::uint32_t end) {
    if (begin == 0 || end <= begin || space_.readable(begin, end - begin) == nullptr) return;
    for (const HeldOutput& other : found_) {
      if (begin < other.text.address + std::uint64_t{other.text.size} && other.text.address < end) return;
    }
    found_.push_back({descriptor, {begin, end - begin}});
  }

  const ElfImage& image_;
  const AddressSpace& space_;
  std::vector<HeldOutput> found_;
};

}  // namespace

std::vector<HeldOutput> held_output(const ElfImage& image, const AddressSpace& space) {
  return Finder(image, space).find();
}

}  // namespace toroid
