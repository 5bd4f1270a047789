// SPDX-License-Identifier: Apache-2.0
// PAMI's types: what they describe, what is refused, and moving data between two of them.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

extern "C" {
#include <pami.h>

#include "firmware/bgq/pami/types/walk.h"
}

namespace {

size_t attribute(pami_type_t type, pami_attribute_name_t name) {
  pami_configuration_t asked{};
  asked.name = name;
  EXPECT_EQ(PAMI_Type_query(type, &asked, 1), PAMI_SUCCESS);
  return asked.value.intval;
}

TEST(PamiTypes, SizesOfPredefinedOnes) {
  EXPECT_EQ(attribute(PAMI_TYPE_BYTE, PAMI_TYPE_DATA_SIZE), 1u);
  EXPECT_EQ(attribute(PAMI_TYPE_LOGICAL8, PAMI_TYPE_DATA_SIZE), 8u);
  EXPECT_EQ(attribute(PAMI_TYPE_DOUBLE_COMPLEX, PAMI_TYPE_DATA_EXTENT), 16u);
  EXPECT_EQ(attribute(PAMI_TYPE_LOC_SHORT_INT, PAMI_TYPE_DATA_SIZE), 8u);
  EXPECT_EQ(attribute(PAMI_TYPE_LOC_DOUBLE_INT, PAMI_TYPE_ATOM_SIZE), 16u);
  pami_type_t byte = PAMI_TYPE_BYTE;
  EXPECT_EQ(PAMI_Type_destroy(&byte), PAMI_INVAL);
}

TEST(PamiTypes, TheCursorMakesTheExtent) {
  pami_type_t type = nullptr;
  PAMI_Type_create(&type);
  EXPECT_EQ(PAMI_Type_add_simple(type, 8, 8, 3, 24), PAMI_SUCCESS);
  EXPECT_EQ(PAMI_Type_add_simple(type, 4, static_cast<size_t>(-16), 1, 8), PAMI_SUCCESS);
  EXPECT_EQ(PAMI_Type_complete(type, 8), PAMI_INVAL) << "8 does not divide a piece of 4";
  pami_configuration_t asked{};
  asked.name = PAMI_TYPE_DATA_SIZE;
  EXPECT_EQ(PAMI_Type_query(type, &asked, 1), PAMI_INVAL) << "it is not complete";
  EXPECT_EQ(PAMI_Type_complete(type, 4), PAMI_SUCCESS);
  EXPECT_EQ(attribute(type, PAMI_TYPE_DATA_SIZE), 28u);
  EXPECT_EQ(attribute(type, PAMI_TYPE_DATA_EXTENT), 8u + 72 - 16 + 8);
  EXPECT_EQ(PAMI_Type_add_simple(type, 4, 0, 1, 4), PAMI_INVAL) << "it is complete";
  EXPECT_EQ(PAMI_Type_destroy(&type), PAMI_SUCCESS);
  EXPECT_EQ(type, PAMI_TYPE_NULL);
}

/// A type and, by its definition, where each byte of its data lies.
struct Model {
  pami_type_t type = nullptr;
  std::vector<std::ptrdiff_t> bytes;
  std::ptrdiff_t cursor = 0;

  void simple(size_t size, std::ptrdiff_t offset, size_t count, std::ptrdiff_t stride) {
    ASSERT_EQ(PAMI_Type_add_simple(type, size, static_cast<size_t>(offset), count, static_cast<size_t>(stride)),
              PAMI_SUCCESS);
    cursor += offset;
    for (; count; --count, cursor += stride) {
      for (size_t i = 0; i < size; ++i) bytes.push_back(cursor + static_cast<std::ptrdiff_t>(i));
    }
  }
  void typed(const Model& part, std::ptrdiff_t offset, size_t count, std::ptrdiff_t stride) {
    ASSERT_EQ(PAMI_Type_add_typed(type, part.type, static_cast<size_t>(offset), count, static_cast<size_t>(stride)),
              PAMI_SUCCESS);
    cursor += offset;
    for (; count; --count, cursor += stride) {
      for (const std::ptrdiff_t at : part.bytes) bytes.push_back(cursor + at);
    }
  }
  std::ptrdiff_t at(size_t byte) const {
    return static_cast<std::ptrdiff_t>(byte / bytes.size()) * cursor + bytes[byte % bytes.size()];
  }
};

/// Pieces that do not overlap, of random shapes; `part` is among them if there is one.
Model random_type(std::mt19937& random, const Model* part) {
  Model model;
  PAMI_Type_create(&model.type);
  const auto draw = [&](unsigned most) { return static_cast<unsigned>(random() % most); };
  for (unsigned piece = 0, pieces = 1 + draw(4); piece < pieces; ++piece) {
    const std::ptrdiff_t gap = draw(5);
    if (part && draw(2)) {
      const std::ptrdiff_t room = part->cursor + static_cast<std::ptrdiff_t>(draw(9));
      model.typed(*part, gap, draw(4), room);
    } else {
      const size_t size = draw(20);
      model.simple(size, gap, draw(5), static_cast<std::ptrdiff_t>(size + draw(6)));
    }
  }
  model.simple(3, 1, 1, 4);
  EXPECT_EQ(PAMI_Type_complete(model.type, 1), PAMI_SUCCESS);
  return model;
}

TEST(PamiTypes, RandomOnesMoveEachByteWhereTheirDefinitionSays) {
  std::mt19937 random(42);
  for (int round = 0; round < 300; ++round) {
    Model inner = random_type(random, nullptr), from = random_type(random, &inner), to = random_type(random, &inner);
    const size_t bytes = random() % (3 * from.bytes.size()), skipped = random() % from.bytes.size(),
                 ahead = random() % to.bytes.size();
    std::vector<char> source(4 * static_cast<size_t>(from.cursor) + 100), target, expected;
    for (char& byte : source) byte = static_cast<char>(random());
    target.assign(static_cast<size_t>(to.at(ahead + bytes) + to.cursor) + 100, 'x');
    expected = target;
    for (size_t i = 0; i < bytes; ++i) {
      expected[static_cast<size_t>(to.at(ahead + i))] = source[static_cast<size_t>(from.at(skipped + i))];
    }
    ASSERT_EQ(PAMI_Type_transform_data(source.data(), from.type, skipped, target.data(), to.type, ahead, bytes,
                                       PAMI_DATA_COPY, nullptr),
              PAMI_SUCCESS);
    ASSERT_EQ(target, expected) << round;

    // The same by contiguous memory, with a copy of the type that has travelled as bytes.
    void* address = nullptr;
    size_t size = 0;
    ASSERT_EQ(PAMI_Type_serialize(from.type, &address, &size), PAMI_SUCCESS);
    std::vector<char> travelled(static_cast<char*>(address), static_cast<char*>(address) + size);
    pami_type_t copy = nullptr;
    ASSERT_EQ(PAMI_Type_deserialize(&copy, travelled.data(), size), PAMI_SUCCESS);
    std::vector<char> packed(bytes + 1);
    pami_type_pack(packed.data(), source.data(), copy, skipped, bytes);
    std::fill(target.begin(), target.end(), 'x');
    pami_type_unpack(target.data(), to.type, ahead, packed.data(), bytes);
    ASSERT_EQ(target, expected) << round;

    for (pami_type_t* type : {&inner.type, &from.type, &to.type, &copy}) PAMI_Type_destroy(type);
  }
}

TEST(PamiTypes, BytesThatAreNoTypeAreRefused) {
  std::mt19937 random(7);
  Model model = random_type(random, nullptr);
  void* address = nullptr;
  size_t size = 0;
  ASSERT_EQ(PAMI_Type_serialize(model.type, &address, &size), PAMI_SUCCESS);
  const std::vector<char> good(static_cast<char*>(address), static_cast<char*>(address) + size);
  pami_type_t made = nullptr;
  for (size_t cut = 0; cut < size; cut += 8) {
    auto bytes = good;
    EXPECT_EQ(PAMI_Type_deserialize(&made, bytes.data(), cut), PAMI_INVAL) << cut;
  }
  for (size_t wrong : {0, 4, 8, 16, 32, 40, 48}) {
    auto bytes = good;
    std::memset(&bytes[wrong], 0x7F, 4);
    pami_type_t type = nullptr;
    const pami_result_t result = PAMI_Type_deserialize(&type, bytes.data(), size);
    if (result == PAMI_SUCCESS) PAMI_Type_destroy(&type);  // a field that a walk does not rely on
  }
  PAMI_Type_destroy(&model.type);
}

TEST(PamiTypes, FunctionsCombineWholeElements) {
  double target[4] = {1, 2, 3, 4}, source[2] = {10, 20};
  pami_type_t every_second = nullptr;
  PAMI_Type_create(&every_second);
  PAMI_Type_add_typed(every_second, PAMI_TYPE_DOUBLE, 0, 1, 16);
  PAMI_Type_complete(every_second, 8);
  EXPECT_EQ(PAMI_Type_transform_data(source, PAMI_TYPE_DOUBLE, 0, target, every_second, 0, 16, PAMI_DATA_SUM, nullptr),
            PAMI_SUCCESS);
  EXPECT_EQ(std::vector<double>(target, target + 4), (std::vector<double>{11, 2, 23, 4}));
  EXPECT_EQ(PAMI_Type_transform_data(source, PAMI_TYPE_DOUBLE, 0, target, every_second, 4, 8, PAMI_DATA_SUM, nullptr),
            PAMI_INVAL)
      << "it cuts an element in two";
  EXPECT_EQ(PAMI_Type_transform_data(source, PAMI_TYPE_DOUBLE, 0, target, every_second, 0, 8, PAMI_DATA_BAND, nullptr),
            PAMI_INVAL)
      << "bits of doubles have no meaning";
  PAMI_Type_destroy(&every_second);
}

}  // namespace
