// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/program.h"

#include <algorithm>
#include <utility>

#include "hw/isa/ppc32/instruction.h"
#include "hw/memory/big_endian.h"

namespace toroid {

std::shared_ptr<Program> Program::read(const std::string& path, const CoreConfig& config) {
  return std::make_shared<Program>(ElfImage::read(path), config);
}

Program::Program(ElfImage image, const CoreConfig& config) : image_(std::move(image)) {
  std::vector<CodeSpan> code;
  for (ElfImage::Segment& segment : image_.segments()) {
    if (!segment.executable) continue;
    const auto size = static_cast<std::uint32_t>(segment.bytes.size());
    for (std::uint64_t offset = -segment.address & 3; offset + 4 <= size; offset += 4) {
      std::uint8_t* bytes = segment.bytes.data() + offset;
      const std::uint32_t word = load_be32(bytes);
      const auto address = static_cast<std::uint32_t>(segment.address + offset);
      // Constants among the code may look like anything.
      if (special_register_read(word) != SpecialRegister::none && image_.is_code(address)) {
        special_reads_.push_back({address, word});
        store_be32(bytes, kSystemCallInstruction);
      }
    }
    code.push_back({segment.bytes.data(), segment.address, size});
  }
  blocks_ = std::make_unique<BlockTable>(config.pipeline, std::move(code));
}

std::uint32_t Program::special_read_at(std::uint32_t address) const {
  const auto found =
      std::lower_bound(special_reads_.begin(), special_reads_.end(), address,
                       [](const SpecialRead& read, std::uint32_t value) { return read.address < value; });
  return found != special_reads_.end() && found->address == address ? found->word : 0;
}

}  // namespace toroid
