#include "core/digest.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace maxwell_dg {

namespace {

// FIPS 180-4, section 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> round_constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t load_big_endian(const std::uint8_t* p) {
  return std::uint32_t{p[0]} << 24 | std::uint32_t{p[1]} << 16 | std::uint32_t{p[2]} << 8 | std::uint32_t{p[3]};
}

}  // namespace

void Sha256::update(std::span<const std::byte> bytes) {
  const auto* from = reinterpret_cast<const std::uint8_t*>(bytes.data());
  std::size_t left = bytes.size();
  while (left > 0) {
    const std::size_t used = length_ % block_.size();
    const std::size_t take = std::min(left, block_.size() - used);
    std::memcpy(block_.data() + used, from, take);
    length_ += take;
    from += take;
    left -= take;
    if (used + take == block_.size()) compress(block_.data());
  }
}

void Sha256::add_field(std::span<const std::byte> bytes) {
  std::array<std::uint8_t, 8> length{};
  for (unsigned i = 0; i < 8; ++i) length[i] = static_cast<std::uint8_t>(bytes.size() >> (8 * i));
  update(std::as_bytes(std::span(length)));
  update(bytes);
}

// Section 5.1.1: a one bit, zeros up to 56 modulo 64, and the length in bits, big endian.
void Sha256::pad() {
  const std::uint64_t bits = length_ * 8;
  std::array<std::uint8_t, 72> tail{0x80};
  const std::size_t zeros_end = (length_ % 64 < 56 ? 56 : 120) - length_ % 64;
  for (unsigned i = 0; i < 8; ++i) tail[zeros_end + i] = static_cast<std::uint8_t>(bits >> (56 - 8 * i));
  update(std::as_bytes(std::span(tail).first(zeros_end + 8)));
}

Sha256::Value Sha256::value() const {
  Sha256 padded = *this;
  padded.pad();
  Value out{};
  for (unsigned i = 0; i < out.size(); ++i) {
    out[i] = static_cast<std::uint8_t>(padded.state_[i / 4] >> (24 - 8 * (i % 4)));
  }
  return out;
}

std::string Sha256::hex() const {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (const std::uint8_t byte : value()) {
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
  return out;
}

// Section 6.2.2, with the names used there.
void Sha256::compress(const std::uint8_t* block) {
  using std::rotr;
  std::array<std::uint32_t, 64> w{};
  for (unsigned t = 0; t < 16; ++t) w[t] = load_big_endian(block + 4 * t);
  for (unsigned t = 16; t < 64; ++t) {
    const std::uint32_t sigma0 = rotr(w[t - 15], 7) ^ rotr(w[t - 15], 18) ^ (w[t - 15] >> 3);
    const std::uint32_t sigma1 = rotr(w[t - 2], 17) ^ rotr(w[t - 2], 19) ^ (w[t - 2] >> 10);
    w[t] = sigma1 + w[t - 7] + sigma0 + w[t - 16];
  }
  auto [a, b, c, d, e, f, g, h] = state_;
  for (unsigned t = 0; t < 64; ++t) {
    const std::uint32_t Sigma1 = rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25);
    const std::uint32_t T1 = h + Sigma1 + ((e & f) ^ (~e & g)) + round_constants[t] + w[t];
    const std::uint32_t Sigma0 = rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22);
    const std::uint32_t T2 = Sigma0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + T1, d = c, c = b, b = a, a = T1 + T2;
  }
  const std::array<std::uint32_t, 8> working{a, b, c, d, e, f, g, h};
  for (unsigned i = 0; i < 8; ++i) state_[i] += working[i];
}

std::string sha256_hex(std::string_view text) {
  return sha256_hex(std::as_bytes(std::span(text)));
}

std::string sha256_hex(std::span<const std::byte> bytes) {
  Sha256 digest;
  digest.update(bytes);
  return digest.hex();
}

}  // namespace maxwell_dg
