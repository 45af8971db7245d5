// LMDB with nothing around it: what the store is measured beside.
#include "limits.h"

#include <lmdb.h>
#include <pthread.h>
#include <secp256k1.h>
#include <secp256k1_recovery.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(int code) {
    if (code == 0) return;
    fprintf(stderr, "LMDB: %s\n", mdb_strerror(code));
    exit(1);
}

static MDB_env *opened(const char *folder) {
    MDB_env *environment;
    check(mdb_env_create(&environment));
    check(mdb_env_set_mapsize(environment, (size_t)16 << 30));
    check(mdb_env_set_maxdbs(environment, 8));
    check(mdb_env_open(environment, folder, MDB_NOTLS, 0600));
    return environment;
}

static MDB_dbi table(MDB_env *environment, const char *name) {
    MDB_txn *transaction;
    MDB_dbi table;
    check(mdb_txn_begin(environment, NULL, 0, &transaction));
    check(mdb_dbi_open(transaction, name, MDB_CREATE, &table));
    check(mdb_txn_commit(transaction));
    return table;
}

static uint64_t mixed(uint64_t word) {
    word += 0x9E3779B97F4A7C15u;
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
    return word ^ (word >> 31);
}

void limits_key(uint64_t number, uint8_t key[32]) {
    for (int part = 0; part < 4; part++) {
        uint64_t word = __builtin_bswap64(mixed(number * 4 + part + 1));
        memcpy(key + 8 * part, &word, 8);
    }
}

void *limits_store_open(const char *folder) {
    MDB_env *environment = opened(folder);
    table(environment, "values");
    return environment;
}

void limits_store_close(void *environment) { mdb_env_close(environment); }

void limits_store_put(void *environment, uint64_t first, int count, int batch) {
    MDB_dbi values = table(environment, "values");
    uint8_t key[32], value[500];
    memset(value, 7, sizeof value);
    for (int done = 0; done < count;) {
        MDB_txn *transaction;
        check(mdb_txn_begin(environment, NULL, 0, &transaction));
        for (int part = 0; part < batch && done < count; part++, done++) {
            limits_key(first + done, key);
            memcpy(value, key, 32);
            MDB_val k = {32, key}, v = {sizeof value, value};
            check(mdb_put(transaction, values, &k, &v, 0));
        }
        check(mdb_txn_commit(transaction));
    }
}

uint64_t limits_store_get(void *environment, uint64_t present, int count) {
    MDB_dbi values = table(environment, "values");
    uint8_t key[32];
    uint64_t sum = 0;
    for (int done = 0; done < count; done++) {
        MDB_txn *transaction;
        MDB_val v;
        check(mdb_txn_begin(environment, NULL, MDB_RDONLY, &transaction));
        limits_key(mixed(done) % present, key);
        MDB_val k = {32, key};
        check(mdb_get(transaction, values, &k, &v));
        sum += ((uint8_t *)v.mv_data)[100];
        mdb_txn_abort(transaction);
    }
    return sum;
}

uint64_t limits_store_scan(void *environment) {
    MDB_dbi values = table(environment, "values");
    MDB_txn *transaction;
    MDB_cursor *cursor;
    MDB_val k, v;
    uint64_t sum = 0;
    check(mdb_txn_begin(environment, NULL, MDB_RDONLY, &transaction));
    check(mdb_cursor_open(transaction, values, &cursor));
    while (mdb_cursor_get(cursor, &k, &v, MDB_NEXT) == 0) sum += ((uint8_t *)v.mv_data)[0];
    mdb_cursor_close(cursor);
    mdb_txn_abort(transaction);
    return sum;
}

// The pipeline: hash, recover the signer, compare, put with four indexes; two threads, one writer
// at a time, a durable commit a batch.
struct pipeline {
    MDB_env *environment;
    MDB_dbi records, indexes[4];
    const uint8_t *bytes;
    const struct limits_record *items;
    int count, batch;
    atomic_int next, good;
    pthread_mutex_t writer;
};

static void put(struct pipeline *all, MDB_txn *transaction, int place, uint8_t id[32]) {
    const struct limits_record *item = &all->items[place];
    uint8_t key[48];
    MDB_val k = {32, id}, v = {item->count, (void *)(all->bytes + item->offset)};
    check(mdb_put(transaction, all->records, &k, &v, MDB_NOOVERWRITE));
    uint64_t time = __builtin_bswap64(1700000000u + place);
    for (int index = 0; index < 4; index++) {
        memset(key, index, 8);
        memcpy(key + 8, index > 1 ? item->author : id, 20);
        memcpy(key + 28, &time, 8);
        memcpy(key + 36, id, 12);
        MDB_val ik = {48, key}, iv = {32, id};
        check(mdb_put(transaction, all->indexes[index], &ik, &iv, 0));
    }
}

static void *work(void *argument) {
    struct pipeline *all = argument;
    secp256k1_context *context = secp256k1_context_create(SECP256K1_CONTEXT_NONE);
    uint8_t(*ids)[32] = malloc(32 * all->batch);
    for (;;) {
        int first = atomic_fetch_add(&all->next, all->batch);
        if (first >= all->count) break;
        int count = all->count - first < all->batch ? all->count - first : all->batch;
        for (int part = 0; part < count; part++) {
            const struct limits_record *item = &all->items[first + part];
            uint8_t point[65], hash[32];
            size_t length = 65;
            secp256k1_ecdsa_recoverable_signature signature;
            secp256k1_pubkey key;
            limits_keccak256(all->bytes + item->offset, item->count, ids[part]);
            if (!secp256k1_ecdsa_recoverable_signature_parse_compact(
                    context, &signature, item->signature, item->signature[64]) ||
                !secp256k1_ecdsa_recover(context, &key, &signature, item->digest))
                continue;
            secp256k1_ec_pubkey_serialize(context, point, &length, &key, SECP256K1_EC_UNCOMPRESSED);
            limits_keccak256(point + 1, 64, hash);
            if (memcmp(hash + 12, item->author, 20) == 0) atomic_fetch_add(&all->good, 1);
        }
        pthread_mutex_lock(&all->writer);
        MDB_txn *transaction;
        check(mdb_txn_begin(all->environment, NULL, 0, &transaction));
        for (int part = 0; part < count; part++) put(all, transaction, first + part, ids[part]);
        check(mdb_txn_commit(transaction));
        pthread_mutex_unlock(&all->writer);
    }
    free(ids);
    secp256k1_context_destroy(context);
    return NULL;
}

int limits_ingest(
    const char *folder, const uint8_t *bytes, const struct limits_record *items, int count, int batch) {
    struct pipeline all = {.environment = opened(folder), .bytes = bytes, .items = items, .count = count};
    const char *names[4] = {"i0", "i1", "i2", "i3"};
    all.batch = batch;
    all.records = table(all.environment, "records");
    for (int index = 0; index < 4; index++) all.indexes[index] = table(all.environment, names[index]);
    pthread_mutex_init(&all.writer, NULL);
    pthread_t threads[2];
    for (int thread = 0; thread < 2; thread++) pthread_create(&threads[thread], NULL, work, &all);
    for (int thread = 0; thread < 2; thread++) pthread_join(threads[thread], NULL);
    mdb_env_close(all.environment);
    return all.good;
}
