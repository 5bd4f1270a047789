-- SPDX-License-Identifier: Apache-2.0
--
-- Wireshark's dissector of captures by `./toroid run --pcap FILE`: torus (link type USER0), tree (USER1), and torus
-- of Blue Gene/Q (USER2).
-- docs/guide/traces.md says how to install it and lists the fields.

local PLACES = {[0] = "injection FIFO", [1] = "link", [2] = "reception FIFO"}
local DIRECTIONS = {[0] = "X+", [1] = "X-", [2] = "Y+", [3] = "Y-", [4] = "Z+", [5] = "Z-"}
local CHANNELS = {[0] = "dynamic 0", [1] = "dynamic 1", [2] = "bubble", [3] = "priority", [255] = "none"}
local VERSION = 2
local HEAD, TREE_HEAD = 20, 20  -- bytes of the pseudo-headers

-- Message layer -------------------------------------------------------------------------------------------------------

local ml = Proto("toroid_ml", "Toroid message layer")
-- Ports of the layer's own, by generate_ports.py.
local OWN = {
  [0] = "confirmation",
  [1] = "fence",
  [2] = "rendezvous acknowledgement",
  [3] = "rendezvous data",
  [4] = "barrier",
  [5] = "collective, eager",
  [6] = "collective, rendezvous",
  [7] = "broadcast with deposit",
  [8] = "all-to-all by packets",
  [9] = "collective of the tree, by messages",
}
-- End of them.
-- What is behind the header, as the pseudo-header tells it by its numbers from 1 on. Packets of the last three are those
-- of the layer's own ports alone, which say more.
local FORMATS = {"one-packet", "eager", "adaptive eager", "rendezvous", "packets", "rendezvous data", "control"}
-- What comes between header and payload, by protocol. Returns where the payload begins and a line.
local dissect = {}
local mf = {
  port = ProtoField.uint8("toroid_ml.port", "Port (handler)"),
  protocol = ProtoField.string("toroid_ml.protocol", "Protocol"),
  source = ProtoField.uint32("toroid_ml.source", "Source rank", base.DEC),
  id = ProtoField.uint32("toroid_ml.id", "Reception", base.DEC),
  word3 = ProtoField.uint32("toroid_ml.word3", "Argument (word 3)", base.HEX),
  argument = ProtoField.uint32("toroid_ml.argument", "User's argument", base.HEX),
  length = ProtoField.uint32("toroid_ml.length", "Bytes of the message", base.DEC),
  offset = ProtoField.uint32("toroid_ml.offset", "Offset in the message", base.DEC),
  first = ProtoField.bool("toroid_ml.first", "First packet of the message"),
  metadata = ProtoField.bytes("toroid_ml.metadata", "Metadata of the message"),
  sequence = ProtoField.uint32("toroid_ml.sequence", "Number of the confirmation", base.DEC),
  message = ProtoField.uint32("toroid_ml.message", "Sender's message", base.HEX),
  address = ProtoField.uint32("toroid_ml.address", "Receiver's address", base.HEX),
  group = ProtoField.uint8("toroid_ml.group", "Reception group"),
  payload = ProtoField.bytes("toroid_ml.payload", "Payload"),
}
ml.fields = mf
-- Programs register their ports as they run, in an order of their own; the layer's own ones are always the same. A
-- capture tells what it could know of them, which a program without symbols keeps from it.
ml.prefs.ports = Pref.string("Ports", "", "Protocols of ports that a capture does not tell: 10:eager,11:rendezvous " ..
                             "(also one-packet, adaptive)")
local NAMED = {["one-packet"] = "one-packet", eager = "eager", adaptive = "adaptive eager", rendezvous = "rendezvous"}

-- What a port is called, and the format of its packets.
local function protocol_of(port, told)
  if FORMATS[told] then
    local name = OWN[port] or FORMATS[told]
    return name, dissect[name] and name or FORMATS[told]
  end
  for number, name in ml.prefs.ports:gmatch("(%d+):([%a-]+)") do
    if tonumber(number) == port and NAMED[name] then return NAMED[name], NAMED[name] end
  end
  if ml.prefs.ports ~= "" then return OWN[port], OWN[port] end
  return nil, nil
end

dissect["one-packet"] = function(tvb, tree)
  tree:add(mf.argument, tvb(12, 3))
  tree:add(mf.length, tvb(15, 1))
  return 16, string.format("%d bytes", tvb(15, 1):uint())
end

dissect.eager = function(tvb, tree)
  local word = tvb(12, 4):uint()
  local first = word >= 0x80000000
  tree:add(mf.first, tvb(12, 4), first)
  if not first then
    tree:add(mf.offset, tvb(12, 4))
    return 16, string.format("from byte %d", word)
  end
  tree:add(mf.length, tvb(12, 4), word - 0x80000000)
  tree:add(mf.metadata, tvb(16, 16))
  return 32, string.format("first of %d bytes", word - 0x80000000)
end

dissect["adaptive eager"] = function(tvb, tree)
  tree:add(mf.offset, tvb(12, 4))
  tree:add(mf.metadata, tvb(16, 16))
  if tvb:len() < 48 then return 32, "" end
  tree:add(mf.length, tvb(32, 4))
  tree:add(mf.sequence, tvb(36, 4))
  return 48, string.format("from byte %d of %d", tvb(12, 4):uint(), tvb(32, 4):uint())
end

dissect.rendezvous = function(tvb, tree)
  tree:add(mf.length, tvb(12, 4))
  tree:add(mf.metadata, tvb(16, 16))
  if tvb:len() >= 36 then tree:add(mf.message, tvb(32, 4)) end
  return math.min(48, tvb:len()), string.format("scout of %d bytes", tvb(12, 4):uint())
end

dissect["rendezvous acknowledgement"] = function(tvb, tree)
  tree:add(mf.message, tvb(16, 4))
  tree:add(mf.address, tvb(20, 4))
  tree:add(mf.group, tvb(24, 1))
  tree:add(mf.id, tvb(25, 3))
  return 32, string.format("reception %d", tvb(25, 3):uint())
end

dissect["rendezvous data"] = function(tvb, tree)
  tree:add(mf.address, tvb(12, 4))
  return 16, string.format("to 0x%08x", tvb(12, 4):uint())
end

local function confirmation(tvb, tree)
  tree:add(mf.sequence, tvb(12, 4))
  return 16, string.format("number %d", tvb(12, 4):uint())
end
dissect.confirmation = confirmation
dissect.fence = confirmation

local function placed(tvb, tree)
  tree:add(mf.offset, tvb(12, 4))
  return 16, string.format("from byte %d", tvb(12, 4):uint())
end
dissect["all-to-all by packets"] = placed
dissect["broadcast with deposit"] = placed

-- Bytes that a format reads; those of others are in every packet.
local LONG = {eager = 32, ["adaptive eager"] = 32, rendezvous = 32, ["rendezvous acknowledgement"] = 32}
-- Packets whose second word has an id in the place of the sender's rank.
local BY_ID = {["rendezvous data"] = "reception %d", ["broadcast with deposit"] = "broadcast and piece 0x%06x"}

-- `told`: the format as the pseudo-header has it.
local function message_layer(tvb, pinfo, tree, told)
  if tvb:len() < 16 then return end
  local port = tvb(8, 1):uint()
  local protocol, format = protocol_of(port, told)
  local sub = tree:add(ml, tvb(8))
  sub:add(mf.port, tvb(8, 1))
  sub:add(mf.protocol, tvb(8, 1), protocol or "unknown"):set_generated()
  local who
  if BY_ID[protocol] then
    sub:add(mf.id, tvb(9, 3))
    who = string.format(BY_ID[protocol], tvb(9, 3):uint())
  else
    sub:add(mf.source, tvb(9, 3))
    who = string.format("rank %d", tvb(9, 3):uint())
  end
  sub:add(mf.word3, tvb(12, 4))
  local at, line = 16, string.format("0x%08x", tvb(12, 4):uint())
  -- Programs that use the FIFOs without the message layer may have anything here.
  if dissect[format] and tvb:len() >= (LONG[format] or 16) then at, line = dissect[format](tvb, sub) end
  if at < tvb:len() then sub:add(mf.payload, tvb(at)) end
  pinfo.cols.info:append(string.format(", %s port %d, %s, %s", protocol or "unknown", port, who, line))
end

-- DMA engine ----------------------------------------------------------------------------------------------------------

local DMA_FORMAT = 8  -- in the pseudo-header
local dma = Proto("toroid_dma", "Toroid DMA packet")
local df = {
  kind = ProtoField.string("toroid_dma.kind", "Kind"),
  pid = ProtoField.uint8("toroid_dma.pid", "Pid: row of the reception map"),
  offset = ProtoField.uint32("toroid_dma.offset", "Put offset", base.DEC),
  counter = ProtoField.uint8("toroid_dma.counter", "Reception counter"),
  bytes = ProtoField.uint8("toroid_dma.bytes", "Bytes of the payload that count"),
  flags = ProtoField.uint8("toroid_dma.flags", "Flags", base.HEX),
  fifo = ProtoField.uint8("toroid_dma.fifo", "Injection FIFO for the descriptors"),
  word2 = ProtoField.uint32("toroid_dma.word2", "Offset in the message (word 2)", base.DEC),
  argument = ProtoField.uint32("toroid_dma.argument", "Software's argument", base.HEX),
  func = ProtoField.uint8("toroid_dma.func", "Function"),
  descriptor = ProtoField.bytes("toroid_dma.descriptor", "Descriptor"),
  payload = ProtoField.bytes("toroid_dma.payload", "Payload"),
}
dma.fields = df

-- `tvb`: a packet from its header on.
local function dma_packet(tvb, pinfo, tree)
  local word0 = tvb(0, 4):uint()
  local direct = math.floor(word0 / 0x800) % 2 == 1
  local pid = math.floor(word0 / 0x10000) % 2 * 2 + math.floor(word0 / 0x1000) % 2
  local sub, kind = tree:add(dma, tvb(8)), "memory FIFO"
  sub:add(df.pid, tvb(0, 4), pid)
  if not direct then
    sub:add(df.kind, tvb(0, 4), kind):set_generated()
    sub:add(df.word2, tvb(8, 4))
    sub:add(df.argument, tvb(12, 3))
    sub:add(df.func, tvb(15, 1))
    if tvb:len() > 16 then sub:add(df.payload, tvb(16)) end
    pinfo.cols.info:append(string.format(", memory FIFO of pid %d, function %d, argument 0x%06x", pid,
                                         tvb(15, 1):uint(), tvb(12, 3):uint()))
    return
  end
  local counter, size, remote = tvb(12, 1):uint(), tvb(13, 1):uint(), tvb(14, 1):uint() % 2 == 1
  kind = remote and "remote get" or "direct put"
  sub:add(df.kind, tvb(0, 4), kind):set_generated()
  if remote then
    sub:add(df.fifo, tvb(15, 1))
  else
    sub:add(df.offset, tvb(8, 4))
    sub:add(df.counter, tvb(12, 1))
  end
  sub:add(df.bytes, tvb(13, 1))
  sub:add(df.flags, tvb(14, 1))
  local last = math.min(16 + size, tvb:len())
  if remote then
    for at = 16, last - 32, 32 do sub:add(df.descriptor, tvb(at, 32)) end
    pinfo.cols.info:append(string.format(", remote get: %d descriptors for FIFO %d", math.floor(size / 32),
                                         tvb(15, 1):uint()))
  else
    if last > 16 then sub:add(df.payload, tvb(16, last - 16)) end
    pinfo.cols.info:append(string.format(", direct put of %d bytes at %d from counter %d's base", size,
                                         tvb(8, 4):uint(), counter))
  end
end

-- Torus ---------------------------------------------------------------------------------------------------------------

local torus = Proto("toroid_torus", "Toroid torus packet")
local tf = {
  version = ProtoField.uint8("toroid_torus.version", "Version of the pseudo-header"),
  place = ProtoField.uint8("toroid_torus.place", "Captured at", base.DEC, PLACES),
  direction = ProtoField.uint8("toroid_torus.direction", "Direction", base.DEC, DIRECTIONS),
  fifo = ProtoField.uint8("toroid_torus.fifo", "FIFO"),
  damaged = ProtoField.bool("toroid_torus.damaged", "Not accepted, will be sent again", 8, nil, 0x01),
  copy = ProtoField.bool("toroid_torus.copy", "Copy by the deposit bit", 8, nil, 0x02),
  node = ProtoField.string("toroid_torus.node", "Node"),
  channel = ProtoField.uint8("toroid_torus.channel", "Channel taken", base.DEC, CHANNELS),
  source = ProtoField.string("toroid_torus.source", "Source node"),
  serial = ProtoField.uint32("toroid_torus.serial", "Number at its source", base.DEC),
  waited = ProtoField.uint32("toroid_torus.waited", "Waited for the link (ns)", base.DEC),
  csum_skip = ProtoField.uint32("toroid_torus.csum_skip", "Checksum skip", base.DEC, nil, 0xFE000000),
  sk = ProtoField.uint32("toroid_torus.sk", "Left out of the checksum", base.DEC, nil, 0x01000000),
  hints = ProtoField.uint32("toroid_torus.hints", "Hint bits (X+ X- Y+ Y- Z+ Z-)", base.HEX, nil, 0x00FC0000),
  deposit = ProtoField.uint32("toroid_torus.deposit", "Deposit", base.DEC, nil, 0x00020000),
  pid = ProtoField.uint32("toroid_torus.pid", "Pid: reception group", base.DEC, nil, 0x00010000),
  chunks = ProtoField.uint32("toroid_torus.chunks", "Chunks, less 1", base.DEC, nil, 0x0000E000),
  software = ProtoField.uint32("toroid_torus.software", "Free for software", base.DEC, nil, 0x00001800),
  dynamic = ProtoField.uint32("toroid_torus.dynamic", "Dynamic", base.DEC, nil, 0x00000400),
  vc = ProtoField.uint32("toroid_torus.vc", "Virtual channel asked for", base.DEC, CHANNELS, 0x00000300),
  destination = ProtoField.string("toroid_torus.destination", "Destination node"),
  sequence = ProtoField.uint8("toroid_torus.sequence", "Link sequence number"),
  check = ProtoField.uint8("toroid_torus.check", "Header check", base.HEX),
}
torus.fields = tf

local function place(tvb)
  return string.format("%d,%d,%d", tvb(0, 1):uint(), tvb(1, 1):uint(), tvb(2, 1):uint())
end

function torus.dissector(tvb, pinfo, tree)
  if tvb:len() < HEAD + 16 or tvb(0, 1):uint() ~= VERSION then return 0 end
  pinfo.cols.protocol = "TORUS"
  local sub = tree:add(torus, tvb(0, HEAD + 8))
  local where, port = tvb(1, 1):uint(), tvb(2, 1):uint()
  local source, node = place(tvb(8, 3)), place(tvb(4, 3))
  sub:add(tf.version, tvb(0, 1))
  sub:add(tf.place, tvb(1, 1))
  sub:add(where == 1 and tf.direction or tf.fifo, tvb(2, 1))
  sub:add(tf.damaged, tvb(3, 1))
  sub:add(tf.copy, tvb(3, 1))
  sub:add(tf.node, tvb(4, 3), node)
  sub:add(tf.channel, tvb(7, 1))
  sub:add(tf.source, tvb(8, 3), source)
  sub:add(tf.serial, tvb(12, 4))
  sub:add(tf.waited, tvb(16, 4))
  local packet = tvb(HEAD):tvb()
  local word0 = packet(0, 4)
  local destination = string.format("%d,%d,%d", packet(3, 1):uint(), packet(4, 1):uint(), packet(5, 1):uint())
  for _, name in ipairs({"csum_skip", "sk", "hints", "deposit", "pid", "chunks", "software", "dynamic", "vc"}) do
    sub:add(tf[name], word0)
  end
  sub:add(tf.destination, packet(3, 3), destination)
  sub:add(tf.sequence, packet(6, 1))
  sub:add(tf.check, packet(7, 1))
  pinfo.cols.src = source
  pinfo.cols.dst = destination
  local name = where == 1 and (node .. " " .. (DIRECTIONS[port] or "?")) or
               string.format("%s %s %d", node, PLACES[where] or "?", port)
  pinfo.cols.info = string.format("%s: packet %s.%d, %d bytes", name, source, tvb(12, 4):uint(), packet:len())
  local format = tvb(11, 1):uint()
  if format == DMA_FORMAT then
    dma_packet(packet, pinfo, tree)
  else
    message_layer(packet, pinfo, tree, format)
  end
  return tvb:len()
end

-- Tree ----------------------------------------------------------------------------------------------------------------

local collective = Proto("toroid_tree", "Toroid tree packet")
local OPCODES = {[0] = "none", [1] = "OR", [2] = "AND", [3] = "XOR", [5] = "maximum", [6] = "sum"}
local CHANNELS_OF_TREE = {[0] = "down 0", [1] = "down 1", [2] = "up", [3] = "received"}
local cf = {
  version = ProtoField.uint8("toroid_tree.version", "Version of the pseudo-header"),
  port = ProtoField.uint8("toroid_tree.port", "Channel", base.DEC, CHANNELS_OF_TREE),
  vc = ProtoField.uint8("toroid_tree.vc", "Virtual channel"),
  node = ProtoField.uint32("toroid_tree.node", "Node", base.DEC),
  packet = ProtoField.uint32("toroid_tree.packet", "Number at its source", base.DEC),
  source = ProtoField.uint32("toroid_tree.source", "Source: the node that injected it", base.DEC),
  destination = ProtoField.string("toroid_tree.destination", "Destination"),
  joined = ProtoField.uint32("toroid_tree.joined", "Packets that have become this one", base.DEC),
  class = ProtoField.uint32("toroid_tree.class", "Class", base.DEC, nil, 0xF0000000),
  p2p = ProtoField.uint32("toroid_tree.p2p", "To one node", base.DEC, nil, 0x08000000),
  irq = ProtoField.uint32("toroid_tree.irq", "Interrupt at the receiver", base.DEC, nil, 0x04000000),
  opcode = ProtoField.uint32("toroid_tree.opcode", "Operation", base.DEC, OPCODES, 0x03800000),
  size = ProtoField.uint32("toroid_tree.size", "16-bit words of an operand, less 1", base.DEC, nil, 0x007F0000),
  tag = ProtoField.uint32("toroid_tree.tag", "Tag", base.HEX, nil, 0x0000FFFC),
  target = ProtoField.uint32("toroid_tree.target", "Target address", base.DEC, nil, 0x03FFFFFC),
  payload = ProtoField.bytes("toroid_tree.payload", "Payload"),
}
collective.fields = cf

local function bits(word, shift, width)
  return math.floor(word:uint() / 2 ^ shift) % 2 ^ width
end

function collective.dissector(tvb, pinfo, tree)
  if tvb:len() < TREE_HEAD + 4 or tvb(0, 1):uint() ~= VERSION then return 0 end
  pinfo.cols.protocol = "TREE"
  local sub = tree:add(collective, tvb(0, TREE_HEAD + 4))
  local port, node = tvb(2, 1):uint(), tvb(4, 4):uint()
  sub:add(cf.version, tvb(0, 1))
  sub:add(cf.port, tvb(2, 1))
  sub:add(cf.vc, tvb(3, 1))
  sub:add(cf.node, tvb(4, 4))
  sub:add(cf.packet, tvb(8, 4))
  local source, joined = tvb(12, 4):uint(), tvb(16, 4):uint()
  sub:add(cf.source, tvb(12, 4))
  sub:add(cf.joined, tvb(16, 4))
  local header = tvb(TREE_HEAD, 4)
  sub:add(cf.class, header)
  sub:add(cf.p2p, header)
  sub:add(cf.irq, header)
  local what, destination
  if bits(header, 27, 1) == 1 then
    sub:add(cf.target, header)
    destination = string.format("tree %d", bits(header, 2, 24))
    what = string.format("to node %d", bits(header, 2, 24))
  else
    for _, name in ipairs({"opcode", "size", "tag"}) do sub:add(cf[name], header) end
    destination = string.format("all of class %d", bits(header, 28, 4))
    what = OPCODES[bits(header, 23, 3)] or "?"
  end
  sub:add(cf.destination, header, destination)
  pinfo.cols.src = source == 0xFFFFFFFF and "unknown" or
                   string.format("tree %d%s", source, joined > 1 and string.format(" and %d more", joined - 1) or "")
  pinfo.cols.dst = destination
  if tvb:len() > TREE_HEAD + 4 then tree:add(cf.payload, tvb(TREE_HEAD + 4)) end
  pinfo.cols.info = string.format("node %d %s: packet %d, VC%d, class %d, %s", node, CHANNELS_OF_TREE[port] or "?",
                                  tvb(8, 4):uint(), tvb(3, 1):uint(), bits(header, 28, 4), what)
  return tvb:len()
end

-- Torus of Blue Gene/Q, with headers of its Messaging Unit -------------------------------------------------------------

local mu = Proto("toroid_mu", "Toroid Messaging Unit packet")
local MU_HEAD, MU_HEADER = 24, 32  -- bytes of the pseudo-header and of a packet's header
local MU_DIRECTIONS = {[0] = "A+", [1] = "A-", [2] = "B+", [3] = "B-", [4] = "C+", [5] = "C-", [6] = "D+", [7] = "D-",
                       [8] = "E+", [9] = "E-"}
local MU_TYPES = {[0] = "memory FIFO", [1] = "direct put", [2] = "remote get", [3] = "paced get"}
local MU_VCS = {[0] = "dynamic", [1] = "deterministic", [2] = "high priority", [3] = "system",
                [4] = "collectives of all nodes", [5] = "collectives", [6] = "system's collectives"}
local MU_PACKETS = {[0x55] = "point to point", [0x5A] = "collective"}
local MU_OPERATIONS = {[0] = "AND", [1] = "OR", [2] = "XOR", [4] = "unsigned sum", [5] = "unsigned minimum",
                       [6] = "unsigned maximum", [8] = "signed sum", [9] = "signed minimum", [10] = "signed maximum",
                       [12] = "sum of doubles", [13] = "minimum of doubles", [14] = "maximum of doubles"}
local uf = {
  version = ProtoField.uint8("toroid_mu.version", "Version of the pseudo-header"),
  place = ProtoField.uint8("toroid_mu.place", "Captured at", base.DEC, PLACES),
  direction = ProtoField.uint8("toroid_mu.direction", "Direction", base.DEC, MU_DIRECTIONS),
  queue = ProtoField.uint8("toroid_mu.queue", "Network FIFO"),
  damaged = ProtoField.bool("toroid_mu.damaged", "Not accepted, will be sent again", 8, nil, 0x01),
  copy = ProtoField.bool("toroid_mu.copy", "Copy by the deposit bit", 8, nil, 0x02),
  node = ProtoField.string("toroid_mu.node", "Node"),
  source = ProtoField.string("toroid_mu.source", "Source node"),
  serial = ProtoField.uint32("toroid_mu.serial", "Number at its source", base.DEC),
  waited = ProtoField.uint32("toroid_mu.waited", "Waited for the link (ns)", base.DEC),
  packet = ProtoField.uint8("toroid_mu.packet", "Packet", base.HEX, MU_PACKETS),
  hints = ProtoField.uint16("toroid_mu.hints", "Hint bits (A- A+ ... E- E+)", base.HEX),
  vc = ProtoField.uint8("toroid_mu.vc", "Virtual channel", base.DEC, nil, 0xE0),
  zone = ProtoField.uint8("toroid_mu.zone", "Routing zone", base.DEC, nil, 0x18),
  operation = ProtoField.uint8("toroid_mu.operation", "Operation", base.DEC, MU_OPERATIONS, 0xF0),
  class = ProtoField.uint8("toroid_mu.class", "Class", base.DEC, nil, 0xF0),
  destination = ProtoField.string("toroid_mu.destination", "Destination node"),
  kind = ProtoField.uint8("toroid_mu.kind", "Kind", base.DEC, MU_TYPES, 0xC0),
  chunks = ProtoField.uint8("toroid_mu.chunks", "Chunks of payload", base.DEC, nil, 0x1F),
  fifo = ProtoField.uint16("toroid_mu.fifo", "FIFO: subgroup and number", base.DEC),
  offset = ProtoField.uint64("toroid_mu.offset", "Put offset", base.HEX),
  payload_base = ProtoField.uint16("toroid_mu.payload_base", "Base address of the payload", base.DEC),
  counter_base = ProtoField.uint16("toroid_mu.counter_base", "Base address of the counter", base.DEC),
  counter_offset = ProtoField.uint64("toroid_mu.counter_offset", "Counter offset", base.HEX),
  bytes = ProtoField.uint16("toroid_mu.bytes", "Bytes of the payload that count", base.DEC),
  descriptor = ProtoField.bytes("toroid_mu.descriptor", "Descriptor"),
  payload = ProtoField.bytes("toroid_mu.payload", "Payload"),
}
mu.fields = uf

-- The bytes from `at` on as five coordinates.
local function place5(tvb, at)
  local text = {}
  for i = 0, 4 do text[i + 1] = tostring(tvb(at + i, 1):uint()) end
  return table.concat(text, ",")
end

-- Five coordinates of six bits each, in 32 bits.
local function destination5(word)
  local text = {}
  for i = 0, 4 do text[i + 1] = tostring(math.floor(word / 2 ^ (24 - 6 * i)) % 64) end
  return table.concat(text, ",")
end

-- What the Messaging Unit's part of the header says, of a packet with a payload from MU_HEADER on. Returns a line.
local function mu_header(packet, sub)
  local kind = math.floor(packet(8, 1):uint() / 64)
  local word = packet(12, 2):uint()
  local base_of_payload = math.floor(word / 64)
  local last = packet:len()
  if kind == 0 then
    local fifo = base_of_payload % 512
    sub:add(uf.fifo, packet(12, 2), fifo)
    if last > MU_HEADER then sub:add(uf.payload, packet(MU_HEADER)) end
    return string.format("memory FIFO %d.%d", math.floor(fifo / 4), fifo % 4)
  elseif kind == 1 then
    local bytes, counter = packet(20, 2):uint(), packet(18, 2):uint() % 1024
    local low = packet(14, 4):uint()
    local offset = UInt64.new(low, packet(13, 1):uint() % 32)
    sub:add(uf.payload_base, packet(12, 2), base_of_payload)
    sub:add(uf.offset, packet(13, 5), offset)
    sub:add(uf.counter_base, packet(18, 2), counter)
    sub:add(uf.counter_offset, packet(24, 8))
    sub:add(uf.bytes, packet(20, 2))
    if last > MU_HEADER then sub:add(uf.payload, packet(MU_HEADER, math.min(bytes, last - MU_HEADER))) end
    return string.format("direct put of %d bytes, base address %d.%d, counter %d.%d", bytes,
                         math.floor(base_of_payload / 8), base_of_payload % 8, math.floor(counter / 8), counter % 8)
  end
  sub:add(uf.fifo, packet(12, 2), base_of_payload)
  for at = MU_HEADER, last - 64, 64 do sub:add(uf.descriptor, packet(at, 64)) end
  return string.format("%s: descriptors for FIFO %d.%d", MU_TYPES[kind], math.floor(base_of_payload / 8),
                       base_of_payload % 8)
end

function mu.dissector(tvb, pinfo, tree)
  if tvb:len() < MU_HEAD + MU_HEADER or tvb(0, 1):uint() ~= VERSION then return 0 end
  pinfo.cols.protocol = "MU"
  local sub = tree:add(mu, tvb(0, MU_HEAD + MU_HEADER))
  local where, port = tvb(1, 1):uint(), tvb(2, 1):uint()
  local node, source = place5(tvb, 4), place5(tvb, 10)
  sub:add(uf.version, tvb(0, 1))
  sub:add(uf.place, tvb(1, 1))
  sub:add(where == 1 and uf.direction or uf.queue, tvb(2, 1))
  sub:add(uf.damaged, tvb(3, 1))
  sub:add(uf.copy, tvb(3, 1))
  sub:add(uf.node, tvb(4, 5), node)
  sub:add(uf.source, tvb(10, 5), source)
  sub:add(uf.serial, tvb(16, 4))
  sub:add(uf.waited, tvb(20, 4))
  local packet = tvb(MU_HEAD):tvb()
  sub:add(uf.packet, packet(0, 1))
  sub:add(uf.vc, packet(3, 1)):append_text(" (" .. (MU_VCS[math.floor(packet(3, 1):uint() / 32)] or "?") .. ")")
  local destination
  if packet(0, 1):uint() == 0x5A then
    sub:add(uf.operation, packet(1, 1))
    sub:add(uf.class, packet(2, 1))
    destination = string.format("class %d", math.floor(packet(2, 1):uint() / 16))
  else
    sub:add(uf.hints, packet(1, 2), packet(1, 1):uint() * 4 + math.floor(packet(2, 1):uint() / 64))
    sub:add(uf.zone, packet(3, 1))
    destination = destination5(packet(4, 4):uint())
  end
  sub:add(uf.destination, packet(4, 4), destination)
  sub:add(uf.kind, packet(8, 1))
  sub:add(uf.chunks, packet(8, 1))
  pinfo.cols.src = source
  pinfo.cols.dst = destination
  local name = where == 1 and (node .. " " .. (MU_DIRECTIONS[port] or "?")) or
               string.format("%s %s %d", node, PLACES[where] or "?", port)
  local line = mu_header(packet, sub)
  pinfo.cols.info = string.format("%s: packet %s.%d, %d bytes, %s", name, source, tvb(16, 4):uint(), packet:len(), line)
  return tvb:len()
end

local types = DissectorTable.get("wtap_encap")
types:add(wtap.USER0, torus)
types:add(wtap.USER1, collective)
types:add(wtap.USER2, mu)
