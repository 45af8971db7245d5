// Keccak-256 written from the Keccak reference, version 3.0, section 1.
#include "limits.h"

#include <string.h>

#define RATE 136
#define TURN(lane, bits) turn(lane, bits)

static inline uint64_t turn(uint64_t lane, int bits) {
    return lane << bits | lane >> (64 - bits);
}

static const uint64_t constants[24] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
    0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
    0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
    0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
    0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
};

static void permute(uint64_t s[25]) {
    uint64_t a0 = s[0], a1 = s[1], a2 = s[2], a3 = s[3], a4 = s[4], a5 = s[5], a6 = s[6], a7
        = s[7], a8 = s[8], a9 = s[9], a10 = s[10], a11 = s[11], a12 = s[12], a13 = s[13],
        a14 = s[14], a15 = s[15], a16 = s[16], a17 = s[17], a18 = s[18], a19 = s[19], a20 =
        s[20], a21 = s[21], a22 = s[22], a23 = s[23], a24 = s[24];
    uint64_t e0, e1, e2, e3, e4, e5, e6, e7, e8, e9, e10, e11, e12, e13, e14, e15, e16, e17,
        e18, e19, e20, e21, e22, e23, e24;
    uint64_t b0, b1, b2, b3, b4;
    for (int round = 0; round < 24; round++) {
        uint64_t c0 = a0 ^ a5 ^ a10 ^ a15 ^ a20;
        uint64_t c1 = a1 ^ a6 ^ a11 ^ a16 ^ a21;
        uint64_t c2 = a2 ^ a7 ^ a12 ^ a17 ^ a22;
        uint64_t c3 = a3 ^ a8 ^ a13 ^ a18 ^ a23;
        uint64_t c4 = a4 ^ a9 ^ a14 ^ a19 ^ a24;
        uint64_t d0 = c4 ^ TURN(c1, 1);
        uint64_t d1 = c0 ^ TURN(c2, 1);
        uint64_t d2 = c1 ^ TURN(c3, 1);
        uint64_t d3 = c2 ^ TURN(c4, 1);
        uint64_t d4 = c3 ^ TURN(c0, 1);
        b0 = a0 ^ d0;
        b1 = TURN(a6 ^ d1, 44);
        b2 = TURN(a12 ^ d2, 43);
        b3 = TURN(a18 ^ d3, 21);
        b4 = TURN(a24 ^ d4, 14);
        e0 = b0 ^ (~b1 & b2) ^ constants[round];
        e1 = b1 ^ (~b2 & b3);
        e2 = b2 ^ (~b3 & b4);
        e3 = b3 ^ (~b4 & b0);
        e4 = b4 ^ (~b0 & b1);
        b0 = TURN(a3 ^ d3, 28);
        b1 = TURN(a9 ^ d4, 20);
        b2 = TURN(a10 ^ d0, 3);
        b3 = TURN(a16 ^ d1, 45);
        b4 = TURN(a22 ^ d2, 61);
        e5 = b0 ^ (~b1 & b2);
        e6 = b1 ^ (~b2 & b3);
        e7 = b2 ^ (~b3 & b4);
        e8 = b3 ^ (~b4 & b0);
        e9 = b4 ^ (~b0 & b1);
        b0 = TURN(a1 ^ d1, 1);
        b1 = TURN(a7 ^ d2, 6);
        b2 = TURN(a13 ^ d3, 25);
        b3 = TURN(a19 ^ d4, 8);
        b4 = TURN(a20 ^ d0, 18);
        e10 = b0 ^ (~b1 & b2);
        e11 = b1 ^ (~b2 & b3);
        e12 = b2 ^ (~b3 & b4);
        e13 = b3 ^ (~b4 & b0);
        e14 = b4 ^ (~b0 & b1);
        b0 = TURN(a4 ^ d4, 27);
        b1 = TURN(a5 ^ d0, 36);
        b2 = TURN(a11 ^ d1, 10);
        b3 = TURN(a17 ^ d2, 15);
        b4 = TURN(a23 ^ d3, 56);
        e15 = b0 ^ (~b1 & b2);
        e16 = b1 ^ (~b2 & b3);
        e17 = b2 ^ (~b3 & b4);
        e18 = b3 ^ (~b4 & b0);
        e19 = b4 ^ (~b0 & b1);
        b0 = TURN(a2 ^ d2, 62);
        b1 = TURN(a8 ^ d3, 55);
        b2 = TURN(a14 ^ d4, 39);
        b3 = TURN(a15 ^ d0, 41);
        b4 = TURN(a21 ^ d1, 2);
        e20 = b0 ^ (~b1 & b2);
        e21 = b1 ^ (~b2 & b3);
        e22 = b2 ^ (~b3 & b4);
        e23 = b3 ^ (~b4 & b0);
        e24 = b4 ^ (~b0 & b1);
        a0 = e0; a1 = e1; a2 = e2; a3 = e3; a4 = e4;
        a5 = e5; a6 = e6; a7 = e7; a8 = e8; a9 = e9;
        a10 = e10; a11 = e11; a12 = e12; a13 = e13; a14 = e14;
        a15 = e15; a16 = e16; a17 = e17; a18 = e18; a19 = e19;
        a20 = e20; a21 = e21; a22 = e22; a23 = e23; a24 = e24;
    }
    s[0] = a0; s[1] = a1; s[2] = a2; s[3] = a3; s[4] = a4;
    s[5] = a5; s[6] = a6; s[7] = a7; s[8] = a8; s[9] = a9;
    s[10] = a10; s[11] = a11; s[12] = a12; s[13] = a13; s[14] = a14;
    s[15] = a15; s[16] = a16; s[17] = a17; s[18] = a18; s[19] = a19;
    s[20] = a20; s[21] = a21; s[22] = a22; s[23] = a23; s[24] = a24;
}

static void absorb(uint64_t s[25], const uint8_t block[RATE]) {
    for (int lane = 0; lane < RATE / 8; lane++) {
        uint64_t word;
        memcpy(&word, block + lane * 8, 8);
        s[lane] ^= word;
    }
    permute(s);
}

void limits_keccak256(const uint8_t *message, size_t count, uint8_t *hash) {
    uint64_t s[25] = {0};
    for (; count >= RATE; message += RATE, count -= RATE) absorb(s, message);
    uint8_t last[RATE] = {0};
    memcpy(last, message, count);
    last[count] = 0x01;
    last[RATE - 1] |= 0x80;
    absorb(s, last);
    memcpy(hash, s, 32);
}

uint8_t limits_keccak_loop(uint8_t *message, size_t count, int rounds) {
    for (int round = 0; round < rounds; round++) limits_keccak256(message, count, message);
    return message[0];
}
