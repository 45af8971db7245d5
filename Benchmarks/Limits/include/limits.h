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

// A signed record as the C pipeline takes it: where its bytes lie, the digest that was signed, the
// signature (r, s, recovery id) and the author it must come from.
struct limits_record {
    size_t offset;
    size_t count;
    uint8_t digest[32];
    uint8_t signature[65];
    uint8_t author[20];
};

// Hashes, recovers and stores records with four indexes in a new LMDB folder: two threads, a
// durable commit for each `batch`. Returns how many had the right author.
int limits_ingest(
    const char *folder, const uint8_t *bytes, const struct limits_record *items, int count, int batch);

// The 32 bytes that stand for a number, spread evenly.
void limits_key(uint64_t number, uint8_t key[32]);

// LMDB with one table of 500-byte values under 32-byte keys.
void *limits_store_open(const char *folder);
void limits_store_close(void *environment);

// Puts `count` values in durable commits of `batch`.
void limits_store_put(void *environment, uint64_t first, int count, int batch);

// Gets `count` values at random of `present`, each in a transaction of its own.
uint64_t limits_store_get(void *environment, uint64_t present, int count);

// Visits every value.
uint64_t limits_store_scan(void *environment);

// Inserts rows of `columns` texts each into a new FTS5 table with these options, in commits of
// `batch`; also, if wanted, a row with the indexed properties that a listing has, of which the third
// text is one. Returns how many.
int limits_search_index(
    const char *path, const char *options, int has_properties, const char *const *texts, int columns,
    int count, int batch);

// Another process that answers messages of `count` bytes over loopback, once each is in the file at
// `path` and synced; NULL where there can be none.
void *limits_echo_open(const char *path, int count);

// Sends one message and waits for its echo; 0 where the other process is gone.
int limits_echo(void *echo, const uint8_t *bytes, int count);

// Ends the other process.
void limits_echo_close(void *echo);

// Gives the loopback interface of this network namespace one more IPv4 address, its `number`th, and
// brings it up. Returns 1 if that is done.
int limits_own_address(int number, const char *address);

// Seconds of processor time that this process has used.
double limits_processor_seconds(void);

// Gives memory that was freed back to the system.
void limits_trim_memory(void);

// Where the bytes of a request lie, as it is sent.
struct limits_request {
    size_t offset;
    size_t count;
};

// Sends `count` requests over HTTP/1.1 to a port of this machine, of `kinds` by turns, as many at one
// time as there are connections, and writes how long each took. Returns how many were answered, -1
// if one was refused or not answered.
int limits_http(
    uint16_t port, const uint8_t *bytes, const struct limits_request *requests, int kinds, int connections,
    int count, double *milliseconds);

#endif
