// SPDX-License-Identifier: Apache-2.0
#include "testbench/tests/firmware/mail.h"

#include <algorithm>
#include <cstring>

#include "firmware/programs/contents.h"

namespace toroid::testing {

namespace {

std::uint32_t number_in(const bglml_metadata_t& metadata) {
  std::uint32_t number;
  std::memcpy(&number, &metadata, sizeof number);
  return number;
}

}  // namespace

Side::Side(std::uint32_t length, std::uint32_t key, bool layouts)
    : area(static_cast<std::uint8_t*>(std::aligned_alloc(32, arrangement_area(length))), std::free) {
  arrangement_make(&arrangement, key, length, layouts);
}

Mail::Mail(Job& job, bool layouts) : job_(job), layouts_(layouts), sent_(job.size() * job.size()) {
  for (unsigned rank = 0; rank < job.size(); ++rank) {
    offices_.push_back({this, rank, std::vector<std::uint32_t>(job.size(), 0), {}, {}});
  }
  job.on_all([this](unsigned rank) { open(offices_[rank]); });
}

void Mail::open(Office& office) {
  office.ports[0] = bglml_one_packet_register(
      [](void* context, std::uint32_t source, std::uint32_t argument, const void* buffer, std::uint32_t length) {
        Letter& letter = begin(context, Kind::one_packet, source, argument, length);
        const auto* bytes = static_cast<const std::uint8_t*>(buffer);
        if (program_check(bytes, length, letter.key) != length) letter.mail->wrong(letter, "wrong bytes");
        letter.done = true;
        letter.mail->done.push_back(&letter);
      },
      &office);
  office.ports[1] = bglml_eager_register(
      [](void* context, std::uint32_t source, const bglml_metadata_t* metadata, std::uint32_t length) {
        Letter& letter = begin(context, Kind::eager, source, number_in(*metadata), length);
        Side& side = letter.destination;
        if (side.layout() == nullptr) {
          bglml_eager_receive_init(&letter.receive.eager, side.buffer(), finish, &letter);
        } else {
          bglml_eager_receive_init_layout(&letter.receive.eager, side.buffer(), side.layout(), finish, &letter);
        }
        return &letter.receive.eager;
      },
      &office);
  office.ports[2] = bglml_adaptive_register(
      [](void* context, std::uint32_t source, const bglml_metadata_t* metadata, std::uint32_t length) {
        Letter& letter = begin(context, Kind::adaptive, source, number_in(*metadata), length);
        Side& side = letter.destination;
        if (side.layout() == nullptr) {
          bglml_adaptive_receive_init(&letter.receive.adaptive, side.buffer(), finish, &letter);
        } else {
          bglml_adaptive_receive_init_layout(&letter.receive.adaptive, side.buffer(), side.layout(), finish, &letter);
        }
        return &letter.receive.adaptive;
      },
      &office);
  office.ports[3] = bglml_rendezvous_register(
      [](void* context, const bglml_rendezvous_offer_t* offer) -> bglml_rendezvous_receive_t* {
        Letter& letter = begin(context, Kind::rendezvous, offer->source, number_in(offer->metadata), offer->length);
        Side& side = letter.destination;
        if (side.layout() == nullptr) {
          bglml_rendezvous_receive_init(&letter.receive.rendezvous, side.buffer(), letter.length(), finish, &letter);
        } else {
          bglml_rendezvous_receive_init_layout(&letter.receive.rendezvous, side.buffer(), side.layout(), finish,
                                               &letter);
        }
        if (!letter.mail->defer || !letter.mail->defer(letter)) return &letter.receive.rendezvous;
        static_cast<Office*>(context)->offers.push_back(*offer);
        return nullptr;
      },
      &office);
}

Letter& Mail::letter(std::uint32_t from, std::uint32_t to, std::uint32_t number) {
  return *sent_[from * job_.size() + to].at(number);
}

Letter& Mail::begin(void* context, Kind kind, std::uint32_t from, std::uint32_t number, std::uint32_t length) {
  auto& office = *static_cast<Office*>(context);
  Letter& letter = office.mail->letter(from, office.rank, number);
  if (number != office.begun[from]++) letter.mail->wrong(letter, "out of order");
  if (letter.begun) letter.mail->wrong(letter, "begun again");
  if (kind != letter.kind) letter.mail->wrong(letter, "by another protocol");
  if (length != letter.length()) letter.mail->wrong(letter, "wrong length");
  letter.begun = true;
  letter.mail->begun.push_back(&letter);
  return letter;
}

void Mail::finish(void* context) {
  Letter& letter = *static_cast<Letter*>(context);
  Mail& mail = *letter.mail;
  Side& side = letter.destination;
  if (letter.done) mail.wrong(letter, "done again");
  if (arrangement_check(&side.arrangement, side.area.get(), letter.key, mail.scratch_.data()) != letter.length()) {
    mail.wrong(letter, "wrong bytes");
  }
  if (!arrangement_guarded(&side.arrangement, side.area.get())) mail.wrong(letter, "bytes beside it touched");
  letter.done = true;
  mail.done.push_back(&letter);
}

void Mail::wrong(const Letter& letter, const std::string& what) {
  errors.push_back("message " + std::to_string(letter.number) + " from " + std::to_string(letter.from) + " to " +
                   std::to_string(letter.to) + ": " + what);
}

Letter& Mail::post(Kind kind, std::uint32_t from, std::uint32_t to, std::uint32_t length, std::uint32_t key) {
  auto& queue = sent_[from * job_.size() + to];
  const auto number = static_cast<std::uint32_t>(queue.size());
  letters.push_back({this,
                     kind,
                     from,
                     to,
                     number,
                     key,
                     Side(length, key + 1, layouts_),
                     Side(length, key + 2, layouts_),
                     false,
                     false,
                     false,
                     {},
                     {}});
  Letter& letter = letters.back();
  // A layout points into its arrangement, which has moved.
  for (Side* side : {&letter.source, &letter.destination}) {
    if (side->arrangement.layout.blocks != nullptr) side->arrangement.layout.blocks = side->arrangement.blocks;
  }
  queue.push_back(&letter);
  scratch_.resize(std::max<std::size_t>(scratch_.size(), length + 32));
  arrangement_fill(&letter.source.arrangement, letter.source.area.get(), key, scratch_.data());
  arrangement_guard(&letter.destination.arrangement, letter.destination.area.get());
  send(letter);
  return letter;
}

void Mail::send(Letter& letter) {
  job_.select(letter.from);
  const bglml_port_t port = offices_[letter.from].ports[static_cast<unsigned>(letter.kind)];
  Side& side = letter.source;
  const bglml_layout_t* layout = side.layout();
  const bglml_done_t senddone = [](void* sent) { *static_cast<bool*>(sent) = true; };
  bglml_metadata_t metadata{};
  std::memcpy(&metadata, &letter.number, sizeof letter.number);
  switch (letter.kind) {
    case Kind::one_packet:
      if (layout == nullptr) {
        bglml_one_packet_init(&letter.message.one_packet, port, letter.to, letter.number, side.buffer(),
                              letter.length(), senddone, &letter.sent);
      } else {
        bglml_one_packet_init_layout(&letter.message.one_packet, port, letter.to, letter.number, side.buffer(), layout,
                                     senddone, &letter.sent);
      }
      bglml_one_packet_post(&letter.message.one_packet);
      break;
    case Kind::eager:
      if (layout == nullptr) {
        bglml_eager_init(&letter.message.eager, port, letter.to, &metadata, side.buffer(), letter.length(), senddone,
                         &letter.sent);
      } else {
        bglml_eager_init_layout(&letter.message.eager, port, letter.to, &metadata, side.buffer(), layout, senddone,
                                &letter.sent);
      }
      bglml_eager_post(&letter.message.eager);
      break;
    case Kind::adaptive:
      if (layout == nullptr) {
        bglml_adaptive_init(&letter.message.adaptive, port, letter.to, &metadata, side.buffer(), letter.length(),
                            senddone, &letter.sent);
      } else {
        bglml_adaptive_init_layout(&letter.message.adaptive, port, letter.to, &metadata, side.buffer(), layout,
                                   senddone, &letter.sent);
      }
      bglml_adaptive_post(&letter.message.adaptive);
      break;
    case Kind::rendezvous:
      if (layout == nullptr) {
        bglml_rendezvous_init(&letter.message.rendezvous, port, letter.to, &metadata, side.buffer(), letter.length(),
                              senddone, &letter.sent);
      } else {
        bglml_rendezvous_init_layout(&letter.message.rendezvous, port, letter.to, &metadata, side.buffer(), layout,
                                     senddone, &letter.sent);
      }
      bglml_rendezvous_post(&letter.message.rendezvous);
      break;
  }
}

bool Mail::accept(std::uint32_t rank) {
  auto& offers = offices_[rank].offers;
  if (offers.empty()) return false;
  const bglml_rendezvous_offer_t offer = offers.front();
  offers.pop_front();
  job_.select(rank);
  bglml_rendezvous_accept(&offer, &letter(offer.source, rank, number_in(offer.metadata)).receive.rendezvous);
  return true;
}

bool Mail::all_done() const {
  return std::all_of(letters.begin(), letters.end(), [](const Letter& letter) { return letter.sent && letter.done; });
}

}  // namespace toroid::testing
