// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/held_output.h"

#include "hw/memory/byte_order.h"

namespace toroid {
namespace {

// glibc's struct _IO_FILE, whose layout is part of its binary interface: flags, then pointers. By number of the word.
constexpr std::uint64_t kMagicMask = 0xFFFF'0000, kMagic = 0xFBAD'0000;  // in the flags
constexpr unsigned kWriteBase = 4, kWritePointer = 5, kBufferBase = 7, kBufferEnd = 8;
constexpr unsigned kChain = 13, kDescriptor = 14, kStreamWords = 15;
constexpr unsigned kMostStreams = 1024;  // as many as a process can have files open

// libstdc++'s basic_streambuf: a virtual table, then begin, next and end of what is read, then of what is written.
constexpr unsigned kPutBegin = 4, kPutNext = 5, kStreambufWords = 7;
struct CppBuffer {
  const char* symbol;
  std::int32_t descriptor;
};
constexpr CppBuffer kCppBuffers[] = {{"_ZN14__gnu_internal8buf_coutE", 1}, {"_ZN14__gnu_internal8buf_cerrE", 2}};

class Finder {
 public:
  Finder(const ElfImage& image, const AddressSpace& space, WordLayout words)
      : image_(image), space_(space), words_(words) {}

  std::vector<HeldOutput> find() {
    if (const std::uint64_t list = image_.address_of("_IO_list_all"); list != 0) {
      std::uint64_t stream = word(list, 0);
      for (unsigned i = 0; i < kMostStreams && stream != 0; ++i) stream = add_stream(stream);
    }
    for (const CppBuffer& buffer : kCppBuffers) {
      const std::uint64_t at = image_.address_of(buffer.symbol);
      if (at != 0 && space_.readable(at, kStreambufWords * words_.bytes) != nullptr)
        add(buffer.descriptor, word(at, kPutBegin), word(at, kPutNext));
    }
    return std::move(found_);
  }

 private:
  std::uint64_t word(std::uint64_t address, unsigned number) const {
    const std::uint8_t* const bytes = space_.readable(address + number * words_.bytes, words_.bytes);
    return bytes == nullptr ? 0 : words_.load(bytes, 0);
  }
  std::uint32_t integer(std::uint64_t address, unsigned word_number) const {
    const std::uint8_t* const bytes = space_.readable(address + word_number * words_.bytes, 4);
    return bytes == nullptr ? 0 : load_u32(bytes, words_.order);
  }

  /// Returns the next stream.
  std::uint64_t add_stream(std::uint64_t stream) {
    if (space_.readable(stream, kStreamWords * words_.bytes) == nullptr || (integer(stream, 0) & kMagicMask) != kMagic)
      return 0;
    const std::uint64_t begin = word(stream, kWriteBase), end = word(stream, kWritePointer);
    if (begin >= word(stream, kBufferBase) && end <= word(stream, kBufferEnd))
      add(static_cast<std::int32_t>(integer(stream, kDescriptor)), begin, end);
    return word(stream, kChain);
  }

  /// Buffers do not share bytes: where they seem to, the program has overwritten the streams, which may even follow
  /// each other in a circle.
  void add(std::int32_t descriptor, std::uint64_t begin, std::uint64_t end) {
    if (begin == 0 || end <= begin || space_.readable(begin, end - begin) == nullptr) return;
    for (const HeldOutput& other : found_) {
      if (begin < other.text.address + other.text.size && other.text.address < end) return;
    }
    found_.push_back({descriptor, {begin, end - begin}});
  }

  const ElfImage& image_;
  const AddressSpace& space_;
  const WordLayout words_;
  std::vector<HeldOutput> found_;
};

}  // namespace

std::vector<HeldOutput> held_output(const ElfImage& image, const AddressSpace& space, WordLayout words) {
  return Finder(image, space, words).find();
}

}  // namespace toroid
