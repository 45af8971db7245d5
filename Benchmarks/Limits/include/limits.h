// What this machine does at best: the loops that the product is measured beside.
#ifndef LIMITS_H
#define LIMITS_H

#include <stddef.h>
#include <stdint.h>

// Keccak-256 with the original padding; `hash` has 32 bytes.
void limits_keccak256(const uint8_t *message, size_t count, uint8_t *hash);

// Hashes `message` `rounds` times, each over the last hash. Returns a byte, so that nothing is
// left out.
uint8_t limits_keccak_loop(uint8_t *message, size_t count, int rounds);

// Signs `hash` with `key` `rounds` times, recoverable, by bare libsecp256k1. Returns how many.
int limits_sign_loop(const uint8_t *key, uint8_t *hash, int rounds);

// Recovers the signer of `signature` (r, s, recovery id: 65 bytes) `rounds` times. Returns how many.
int limits_recover_loop(const uint8_t *signature, const uint8_t *hash, int rounds);

// Sends as many MiB over TLS 1.3 on loopback, from one thread to another. Returns how many.
int limits_tls_send_mebibytes(int32_t mebibytes);

// Sends 32 bytes over TLS 1.3 and waits for their echo, `rounds` times. Returns how many.
int limits_tls_echo(int32_t rounds);

// Connects over TLS 1.3, one side with a certificate, for one echo. Returns how many.
int limits_tls_connect(int32_t rounds);

#endif
