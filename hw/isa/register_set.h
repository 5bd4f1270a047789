// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace toroid {

/// A register by its number in its instruction set's RegisterSet. Code of one instruction set names its registers
/// (hw/isa/<isa>/registers.h); all other code gets them from the set or from Isa::roles().
enum class Register : std::uint16_t {};

/// Registers of an instruction set, by name. Names, order and features are gdb's ("Standard Target Features" of its
/// manual).
class RegisterSet {
 public:
  enum class Use : std::uint8_t {
    ordinary,
    read_only,
    vector,       ///< up to 16 bytes: Engine::read_vector()
    emulated,     ///< InstructionEmulator::read()
    unavailable,  ///< gdb expects it, and the engine does not expose it
  };
  struct Entry {
    std::string name;
    unsigned bytes;  ///< up to 8, of vectors up to 16; of what is emulated any number
    std::string type;
    unsigned feature;  ///< its number
    Use use = Use::ordinary;
  };
  struct Feature {
    std::string name;
    std::string types;  ///< XML of the types that its registers have, where gdb does not know them
  };

  RegisterSet(std::string architecture, std::vector<Entry> entries, std::vector<Feature> features)
      : architecture_(std::move(architecture)), entries_(std::move(entries)), features_(std::move(features)) {}

  /// gdb's name of the architecture.
  const std::string& architecture() const { return architecture_; }
  const std::vector<Feature>& features() const { return features_; }
  std::size_t size() const { return entries_.size(); }
  const Entry& operator[](Register which) const { return entries_[static_cast<std::size_t>(which)]; }
  /// nullopt if there is none of this name.
  std::optional<Register> find(std::string_view name) const;

 private:
  std::string architecture_;
  std::vector<Entry> entries_;
  std::vector<Feature> features_;
};

/// Which registers play a part that code above the instruction set must know.
struct RegisterRoles {
  Register pc;
  Register stack_pointer;
  // General purpose registers by their number among these, as GeneralRegisters has them.
  unsigned stack_pointer_number;
  std::vector<unsigned> argument_numbers;  ///< of a function call, in order
  unsigned result_number;
  /// So many bytes from the stack pointer on belong to the functions that are called, which save registers there.
  unsigned linkage_bytes = 0;
};

/// The user-visible integer state: what decides, together with memory and device answers, what a core does next. The
/// general purpose registers come first, by number; what follows is the instruction set's own business.
struct RegisterSnapshot {
  static constexpr unsigned kMost = 40;
  std::array<std::uint64_t, kMost> values{};

  bool operator==(const RegisterSnapshot& other) const { return values == other.values; }
  bool operator!=(const RegisterSnapshot& other) const { return values != other.values; }
};

/// The general purpose registers where an engine keeps them: words of the instruction set's size.
class GeneralRegisters {
 public:
  GeneralRegisters() = default;
  explicit GeneralRegisters(const std::uint32_t* words) : words_(words) {}
  explicit GeneralRegisters(const std::uint64_t* words) : words_(words), wide_(true) {}

  explicit operator bool() const { return words_ != nullptr; }
  bool wide() const { return wide_; }
  template <typename Word>
  const Word* words() const {
    return static_cast<const Word*>(words_);
  }
  std::uint64_t operator[](unsigned number) const {
    return wide_ ? words<std::uint64_t>()[number] : words<std::uint32_t>()[number];
  }

 private:
  const void* words_ = nullptr;
  bool wide_ = false;
};

}  // namespace toroid
