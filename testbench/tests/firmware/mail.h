// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdlib>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "firmware/programs/bgl/arrangement.h"
#include "testbench/tests/firmware/job.h"

namespace toroid::testing {

enum class Kind { one_packet, eager, adaptive, rendezvous };

/// One side of a message: where its bytes lie, and the memory they lie in.
struct Side {
  Side(std::uint32_t length, std::uint32_t key, bool layouts);
  std::uint8_t* buffer() { return arrangement_buffer(&arrangement, area.get()); }
  const bglml_layout_t* layout() const { return arrangement.contiguous ? nullptr : &arrangement.layout; }

  arrangement_t arrangement;
  std::unique_ptr<std::uint8_t, decltype(&std::free)> area;
};

class Mail;

/// A message on its way.
struct Letter {
  Mail* mail;
  Kind kind;
  std::uint32_t from, to, number, key;
  Side source, destination;
  bool sent = false, begun = false, done = false;
  union {
    bglml_one_packet_t one_packet;
    bglml_eager_t eager;
    bglml_adaptive_t adaptive;
    bglml_rendezvous_t rendezvous;
  } message;
  union {
    bglml_eager_receive_t eager;
    bglml_adaptive_receive_t adaptive;
    bglml_rendezvous_receive_t rendezvous;
  } receive;

  std::uint32_t length() const { return source.arrangement.length; }
};

/// Sends messages of all protocols between the ranks of a job and checks that they begin in the order of their posting,
/// that every byte arrives and that none beside them is touched. What was wrong is in `errors`.
class Mail {
 public:
  /// Registers a port for each protocol on all ranks. `layouts`: not all buffers are contiguous.
  Mail(Job& job, bool layouts);
  Mail(const Mail&) = delete;
  Mail& operator=(const Mail&) = delete;

  /// Post a message as rank `from`. All else follows from the key.
  Letter& post(Kind kind, std::uint32_t from, std::uint32_t to, std::uint32_t length, std::uint32_t key);

  /// Accept the oldest offer that rank `rank` has deferred. Returns whether there was one.
  bool accept(std::uint32_t rank);

  /// Whether everything that was posted has been sent and received.
  bool all_done() const;

  std::function<bool(const Letter&)> defer;  ///< whether an offer is not accepted at once, where set
  std::deque<Letter> letters;                ///< in the order of their posting
  std::deque<const Letter*> begun, done;     ///< in the order of recvnew and of recvdone, of all ranks
  std::vector<std::string> errors;

 private:
  /// What a rank receives.
  struct Office {
    Mail* mail;
    std::uint32_t rank;
    std::vector<std::uint32_t> begun;  ///< by sender
    std::deque<bglml_rendezvous_offer_t> offers;
    bglml_port_t ports[4];
  };
  void open(Office& office);
  void send(Letter& letter);
  Letter& letter(std::uint32_t from, std::uint32_t to, std::uint32_t number);
  static Letter& begin(void* office, Kind kind, std::uint32_t from, std::uint32_t number, std::uint32_t length);
  static void finish(void* letter);
  void wrong(const Letter& letter, const std::string& what);

  Job& job_;
  bool layouts_;
  std::deque<Office> offices_;
  std::vector<std::vector<Letter*>> sent_;  ///< by sender and receiver
  std::vector<std::uint8_t> scratch_;
};

}  // namespace toroid::testing
