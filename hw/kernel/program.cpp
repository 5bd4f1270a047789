// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/program.h"

#include <algorithm>
#include <utility>

#include "hw/kernel/way_back.h"

namespace toroid {

std::shared_ptr<Program> Program::read(const std::string& path, std::shared_ptr<const Isa> isa, LineSize code_line,
                                       const std::string& computer, const SignalFrame& frame) {
  ElfImage image = ElfImage::read(path, ElfFormat::of(*isa, computer));
  return std::make_shared<Program>(std::move(image), std::move(isa), code_line, frame);
}

Program::Program(ElfImage image, std::shared_ptr<const Isa> isa, LineSize code_line, const SignalFrame& frame)
    : isa_(std::move(isa)), image_(std::move(image)) {
  std::vector<CodeSpan> code;
  for (ElfImage::Segment& segment : image_.segments()) {
    if (!segment.executable) continue;
    const std::vector<ReplacedInstruction> replaced =
        isa_->replace_instructions(segment.bytes.data(), segment.address, segment.bytes.size(),
                                   [this](std::uint64_t address) { return image_.is_code(address); });
    replaced_.insert(replaced_.end(), replaced.begin(), replaced.end());
  }
  add_way_back(image_, frame, {isa_->byte_order(), isa_->word_bytes()});
  for (const ElfImage::Segment& segment : image_.segments()) {
    files_.push_back(std::make_unique<ImageFile>(segment.bytes, segment.address));
    if (segment.executable) code.push_back({segment.bytes.data(), segment.address, segment.bytes.size()});
  }
  blocks_ = std::make_unique<BlockTable>(isa_->make_decoder(std::move(code)), code_line);
}

const ReplacedInstruction* Program::replaced_at(std::uint64_t address) const {
  const auto found = std::lower_bound(
      replaced_.begin(), replaced_.end(), address,
      [](const ReplacedInstruction& instruction, std::uint64_t value) { return instruction.address < value; });
  return found != replaced_.end() && found->address == address ? &*found : nullptr;
}

void Program::restore_code(std::uint64_t address, std::string& bytes) const {
  for (const ReplacedInstruction& instruction : replaced_) {
    for (std::uint64_t i = 0; i < instruction.size; ++i) {
      const std::uint64_t offset = instruction.address + i - address;
      if (offset < bytes.size()) bytes[offset] = static_cast<char>(instruction.original[i]);
    }
  }
}

}  // namespace toroid
