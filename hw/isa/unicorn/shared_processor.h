// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "hw/isa/unicorn/block_operations.h"
#include "hw/isa/unicorn/code_images.h"
#include "hw/isa/unicorn/processor.h"

namespace toroid::unicorn {

class SharedProcessor;

/// An instance of the library with many processors: one for all cores of a kind.
///
/// What a processor sees is its own table of pages, which UC_HOOK_TLB_FILL asks; its TLB keeps the answers. Three
/// regions of "physical" memory hold what pages can be: code, of which processors share the images and so the
/// translations; all memory of the host process, in which the nodes' memories lie; and devices, whose accesses go to
/// the processor that makes them.
class SharedInstance {
 public:
  /// The one for `architecture`, made when it is first asked for. Throws std::runtime_error if it cannot be set up.
  static std::shared_ptr<SharedInstance> of(const Architecture& architecture);
  explicit SharedInstance(const Architecture& architecture);
  SharedInstance(const SharedInstance&) = delete;
  SharedInstance& operator=(const SharedInstance&) = delete;
  ~SharedInstance();

 private:
  friend class SharedProcessor;

  /// A piece of code that a processor sees.
  struct Piece {
    std::uint64_t address;
    std::uint64_t end;
    std::uint64_t offset;  ///< in the area of code
    bool operator<(const Piece& other) const {
      return std::tie(address, end, offset) < std::tie(other.address, other.end, other.offset);
    }
  };
  /// What processors have in common that share translations.
  struct Code {
    std::uint64_t program;
    std::vector<Piece> pieces;
    bool operator<(const Code& other) const {
      return std::tie(program, pieces) < std::tie(other.program, other.pieces);
    }
  };
  struct Cluster {
    std::uint32_t number = 0;
    std::uint32_t processors = 0;
  };

  /// Returns its number with the library.
  std::uint32_t add_processor();
  void select(SharedProcessor& processor);
  /// CodeImages::add(), with the room that unmapped code has left.
  std::optional<std::uint64_t> add_code(std::uint64_t address, const std::uint8_t* bytes, std::uint64_t size,
                                        const ImagePart& image);
  /// The cluster of processors with this code; nullptr if each number is used by some processor.
  Cluster* cluster_of(const Code& code);
  /// Makes numbers free that no processor uses.
  void drop_clusters();
  void flush_translations();

  static void on_translated(uc_engine*, std::uint64_t address, std::uint32_t size, uc_block_code* code, void* instance);
  static bool on_tlb_fill(uc_engine*, std::uint64_t address, uc_mem_type type, uc_tlb_entry* entry, void* instance);
  static std::uint64_t on_device_read(uc_engine*, std::uint64_t offset, unsigned size, void* instance);
  static void on_device_write(uc_engine*, std::uint64_t offset, unsigned size, std::uint64_t value, void* instance);

  const Architecture architecture_;
  CodeImages code_;
  uc_engine* const uc_;
  SharedProcessor* selected_ = nullptr;
  UnicornEngine* running_ = nullptr;  ///< the selected processor's
  std::map<Code, Cluster> clusters_;
  std::vector<std::uint32_t> free_clusters_;  ///< numbers
  BlockOperations block_;                     ///< of the block translated last
};

/// Of the selected processor.
RegisterPlaces find_registers(uc_engine* uc, const Architecture& architecture);

class SharedProcessor final : public Processor {
 public:
  SharedProcessor(std::shared_ptr<SharedInstance> instance, UnicornEngine& engine);
  ~SharedProcessor() override;

  void select() override { instance_->select(*this); }
  void begin(std::uint64_t program) override;

  bool map_memory(std::uint64_t address, std::uint64_t size, std::uint8_t* host, unsigned permissions,
                  ImagePart image) override;
  bool unmap_memory(std::uint64_t address, std::uint64_t size) override;
  bool map_device(std::uint64_t address, std::uint64_t size) override;

  bool fetch(std::uint64_t address, void* bytes, std::size_t size) const override;
  // The library looks for code at another address, which must have a page. Nothing is mapped at 0: the jump there is a
  // fault before it is the end.
  std::uint64_t end(std::uint64_t) const override { return 0; }
  FaultKind kind_of_miss(FaultKind unmapped, std::uint64_t address) const override;

  const void* general_registers() override { return places_.general; }
  std::uint64_t* float_registers() override { return places_.floats; }

 private:
  friend class SharedInstance;

  struct Region {
    std::uint64_t end;
    std::uint64_t physical;  ///< of its begin
    unsigned permissions;
    bool code;
  };

  bool add(std::uint64_t address, std::uint64_t size, const Region& region);
  /// The region that `address` lies in; nullptr if there is none.
  const std::pair<const std::uint64_t, Region>* at(std::uint64_t address) const;
  /// Answers for the page at `address`; false if the access cannot be done.
  bool fill(std::uint64_t address, uc_mem_type type, uc_tlb_entry& entry) const;
  void forget_pages();
  bool map_code(std::uint64_t address, std::uint64_t size, const std::uint8_t* host, unsigned permissions,
                const ImagePart& image);
  /// For the program and the code of this moment, if there is a program. Returns false, and the cluster is the one of
  /// before, if there are too many.
  bool choose_cluster();

  const std::shared_ptr<SharedInstance> instance_;
  UnicornEngine& engine_;
  const std::uint32_t number_;
  RegisterPlaces places_;
  std::uint64_t program_ = 0;  ///< that the client executes
  SharedInstance::Cluster* cluster_ = nullptr;
  std::map<std::uint64_t, Region> regions_;  ///< by first address
};

inline void SharedInstance::select(SharedProcessor& processor) {
  if (selected_ == &processor) return;
  selected_ = &processor;
  running_ = &processor.engine_;
  uc_cpu_select(uc_, processor.number_);
}

}  // namespace toroid::unicorn
