// SPDX-License-Identifier: Apache-2.0
#include "firmware/msglayer/tree_stream.h"

#include "firmware/msglayer/state.h"

static void receive_one(bglml_tree_stream_t* stream) {
  const uint32_t header = stream->receive(stream);
  if (bgl_tree_header_tag(header) != bglml_tree_tag(stream->received)) {
    bglml_fatal("tree packet %08x where number %u was due; all ranks must call the same operations", header,
                stream->received);
  }
  stream->received += 1;
}

void bglml_tree_run(bglml_tree_stream_t* stream) {
  while (stream->sent < stream->to_send || stream->received < stream->to_receive) {
    const uint32_t status = bgl_tree_status(BGLML_TREE_VC);
    unsigned arrived = bgl_tree_arrived(status);
    unsigned room = bgl_tree_room(status);
    bool idle = true;
    // First what others may wait for.
    for (; room > 0 && stream->sent < stream->to_send && stream->send(stream); --room) {
      stream->sent += 1;
      idle = false;
    }
    for (; arrived > 0 && stream->received < stream->to_receive; --arrived) {
      receive_one(stream);
      idle = false;
    }
    if (idle) bglml_advance();
  }
}
