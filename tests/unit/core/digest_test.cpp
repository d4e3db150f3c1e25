#include "core/digest.hpp"

#include <string>

#include <gtest/gtest.h>

namespace maxwell_dg {
namespace {

// Vectors: NIST, "Descriptions of SHA-256" (FIPS 180-4 examples) and the SHA validation suite's million-a message.
TEST(Digest, published_vectors_are_reproduced) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_hex("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnop"
                       "qrsmnopqrstnopqrstu"),
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
  EXPECT_EQ(sha256_hex(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Digest, feeding_in_pieces_changes_nothing) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += static_cast<char>(i * 7);
  for (std::size_t length = 0; length < text.size(); ++length) {
    Sha256 digest;
    const std::string_view part = std::string_view(text).substr(0, length);
    for (std::size_t at = 0; at < length; at += 13) digest.update(part.substr(at, 13));
    ASSERT_EQ(digest.hex(), sha256_hex(part)) << "length " << length;
  }
}

TEST(Digest, taking_the_value_does_not_end_the_feeding) {
  Sha256 digest;
  digest.update("ab");
  EXPECT_EQ(digest.hex(), sha256_hex("ab"));
  digest.update("c");
  EXPECT_EQ(digest.hex(), sha256_hex("abc"));
}

TEST(Digest, fields_cannot_be_mistaken_for_each_other) {
  Sha256 first;
  first.add_field("ab");
  first.add_field("c");
  Sha256 second;
  second.add_field("a");
  second.add_field("bc");
  EXPECT_NE(first.hex(), second.hex());
  Sha256 with_empty;
  with_empty.add_field("ab");
  with_empty.add_field("c");
  with_empty.add_field("");
  EXPECT_NE(first.hex(), with_empty.hex());
}

}  // namespace
}  // namespace maxwell_dg
