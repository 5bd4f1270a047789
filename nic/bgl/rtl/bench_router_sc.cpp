// SPDX-License-Identifier: Apache-2.0
//
// toroid-bench-router-sc CYCLES: the same router as toroid-bench-router-cc, with the same packets, as the SystemC
// module that Verilator makes of it: an sc_clock, and an sc_signal at each pin. Prints one JSON object.
#include <Vtorus_router_sc.h>

#include <cstdlib>
#include <memory>
#include <systemc>

#include "nic/bgl/rtl/bench_router.h"

namespace {

using namespace toroid;
using namespace toroid::rtl;
using sc_core::sc_signal;
using sc_dt::sc_bv;

class Bench final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Bench);
  explicit Bench(const sc_core::sc_module_name& name) : sc_module(name), clock_("clock", 4, sc_core::SC_NS) {
    const RouterSettings settings = PassingPackets::settings();
    const auto bytes = [](const std::array<std::uint8_t, 3>& v) { return v[0] | v[1] << 8 | v[2] << 16; };
    router_.clk(clock_);
    router_.rst(rst_);
    router_.coordinates(coordinates_);
    router_.cut_off_plus(cut_off_plus_);
    router_.cut_off_minus(cut_off_minus_);
    router_.ring(ring_);
    router_.links(links_);
    router_.buffer_chunks(buffer_chunks_);
    router_.reception_chunks(reception_chunks_);
    router_.bubble_chunks(bubble_chunks_);
    router_.wire_overhead(wire_overhead_);
    router_.fullness_cycles(fullness_cycles_);
    router_.random_cycles(random_cycles_);
    router_.priority_injection(priority_injection_);
    router_.seed(seed_);
    router_.link_in_valid(link_in_valid_);
    router_.link_in_first(link_in_first_);
    router_.link_in_data(link_in_data_);
    router_.tokens_in(tokens_in_);
    router_.stop(stop_);
    router_.link_out_valid(link_out_valid_);
    router_.link_out_first(link_out_first_);
    router_.link_out_data(link_out_data_);
    router_.link_out_from(link_out_from_);
    router_.link_out_channel(link_out_channel_);
    router_.tokens_out(tokens_out_);
    router_.write(write_);
    router_.write_first(write_first_);
    router_.write_fifo(write_fifo_);
    router_.write_data(write_data_);
    router_.taken(taken_);
    router_.deliver_valid(deliver_valid_);
    router_.deliver_copy(deliver_copy_);
    router_.deliver_from(deliver_from_);
    router_.deliver_fifo(deliver_fifo_);
    router_.read(read_);
    router_.read_first(read_first_);
    router_.read_last(read_last_);
    router_.read_fifo(read_fifo_);
    router_.read_data(read_data_);
    router_.reception_free(reception_free_);
    router_.idle(idle_);
    coordinates_ = bytes(settings.coordinates);
    cut_off_plus_ = bytes(settings.cut_off_plus);
    cut_off_minus_ = bytes(settings.cut_off_minus);
    ring_ = 7;
    links_ = settings.links;
    buffer_chunks_ = settings.buffer_chunks;
    reception_chunks_ = settings.reception_chunks;
    bubble_chunks_ = settings.bubble_chunks;
    wire_overhead_ = settings.wire_overhead;
    fullness_cycles_ = settings.fullness_cycles;
    random_cycles_ = settings.random_cycles;
    seed_ = settings.seed;
    rst_ = true;
    SC_METHOD(step);
    sensitive << clock_.posedge_event();
    dont_initialize();
  }

  const PassingPackets& packets() const { return packets_; }

 private:
  void step() {
    constexpr unsigned kResetCycles = 3;
    if (edges_++ < kResetCycles) return;
    rst_ = false;
    const unsigned valid = link_out_valid_.read();
    const unsigned first = link_out_first_.read();
    for (unsigned link = 0; link < kLinks; ++link) {
      out_.link[link].valid = valid >> link & 1;
      out_.link[link].first = first >> link & 1;
      out_.link[link].channel = link_out_channel_.read() >> (2 * link) & 3;
    }
    packets_.next(out_, in_);
    unsigned valid_in = 0;
    unsigned first_in = 0;
    std::uint64_t data = 0;
    sc_bv<192> tokens;
    for (unsigned link = 0; link < kLinks; ++link) {
      valid_in |= unsigned{in_.link[link].valid} << link;
      first_in |= unsigned{in_.link[link].first} << link;
      data |= std::uint64_t{in_.link[link].data} << (8 * link);
      std::uint32_t word = 0;
      for (unsigned channel = 0; channel < 4; ++channel) word |= in_.tokens[link][channel] << (8 * channel);
      tokens.set_word(static_cast<int>(link), word);
    }
    link_in_valid_ = valid_in;
    link_in_first_ = first_in;
    link_in_data_ = data;
    tokens_in_ = tokens;
  }

  sc_core::sc_clock clock_;
  Vtorus_router_sc router_{"router"};
  PassingPackets packets_;
  RouterInputs in_;
  RouterOutputs out_;
  unsigned edges_ = 0;
  sc_signal<bool> rst_, write_, write_first_, read_, read_first_, read_last_, idle_;
  sc_signal<std::uint32_t> coordinates_, cut_off_plus_, cut_off_minus_, ring_, links_, buffer_chunks_,
      reception_chunks_, bubble_chunks_, wire_overhead_, fullness_cycles_, random_cycles_, priority_injection_, seed_,
      link_in_valid_, link_in_first_, stop_, link_out_valid_, link_out_first_, link_out_from_, link_out_channel_,
      write_fifo_, taken_, deliver_valid_, deliver_copy_, deliver_from_, deliver_fifo_, read_fifo_;
  sc_signal<std::uint64_t> link_in_data_, link_out_data_;
  sc_signal<sc_bv<192>> tokens_in_, tokens_out_;
  sc_signal<sc_bv<128>> write_data_, read_data_;
  sc_signal<sc_bv<112>> reception_free_;
};

}  // namespace

int sc_main(int argc, char* argv[]) {
  const std::uint64_t cycles = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 200'000;
  auto bench = std::make_unique<Bench>("bench");
  sc_core::sc_start(12, sc_core::SC_NS);  // reset
  const double begin = cpu_seconds();
  sc_core::sc_start(sc_core::sc_time(4.0 * static_cast<double>(cycles), sc_core::SC_NS));
  bench->packets().report(cycles, cpu_seconds() - begin);
  return 0;
}

int main(int argc, char* argv[]) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
