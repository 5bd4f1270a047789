// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <systemc>
#include <tlm>
#include <vector>

#include "hw/memory/image_file.h"

namespace toroid {

/// A node's memory: physical addresses 0 to size - 1, zero at the start.
///
/// The host commits pages when they are first written, so that large machines cost what they use. Cores reach it
/// through host pointers (and their permissions through their engine's map); bus masters by TLM, with direct memory
/// interface.
class NodeMemory : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket_optional<NodeMemory, 32> bus;

  static constexpr std::uint64_t kMost = std::uint64_t{16} << 30;  ///< bytes

  /// `size` in bytes, a multiple of 4096, at most 16 GiB. Throws std::runtime_error if the host has no room.
  NodeMemory(const sc_core::sc_module_name& name, std::uint64_t size);
  NodeMemory(const NodeMemory&) = delete;
  NodeMemory& operator=(const NodeMemory&) = delete;
  ~NodeMemory() override;

  std::uint64_t size() const { return size_; }
  /// True if [address, address + length) is memory.
  bool contains(std::uint64_t address, std::uint64_t length) const {
    return address <= size_ && length <= size_ - address;
  }
  /// Host pointer; `address` must be inside.
  std::uint8_t* host(std::uint64_t address) { return base_ + address; }
  const std::uint8_t* host(std::uint64_t address) const { return base_ + address; }
  /// Puts the bytes of `image` at `address`, which the constructor of the image has got; all of it must be inside.
  void place(std::uint64_t address, const ImageFile& image);
  /// What place() has put into [address, address + size), with the zeroes in the image's first and last page; no part
  /// of an image if there is more. Whether it has been written since is not known.
  ImagePart image_at(std::uint64_t address, std::uint64_t size) const;
  /// Zeroes whole pages and gives them back to the host.
  void clear(std::uint64_t address, std::uint64_t size);

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);

  std::uint64_t size_;
  std::uint8_t* base_;
  struct Image {
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t number;
  };
  std::vector<Image> images_;
};

}  // namespace toroid
