// Signing and recovering by bare libsecp256k1, with nothing around it.
#include "limits.h"

#include <secp256k1.h>
#include <secp256k1_recovery.h>
#include <stdlib.h>
#include <string.h>

static secp256k1_context *context(void) {
    static secp256k1_context *made = NULL;
    if (made == NULL) made = secp256k1_context_create(SECP256K1_CONTEXT_NONE);
    return made;
}

int limits_sign_loop(const uint8_t *key, uint8_t *hash, int rounds) {
    int count = 0;
    for (int round = 0; round < rounds; round++) {
        secp256k1_ecdsa_recoverable_signature signature;
        uint8_t compact[64];
        int id = 0;
        count += secp256k1_ecdsa_sign_recoverable(context(), &signature, hash, key, NULL, NULL);
        secp256k1_ecdsa_recoverable_signature_serialize_compact(context(), compact, &id, &signature);
        hash[0] ^= compact[0];
    }
    return count;
}

int limits_recover_loop(const uint8_t *bytes, const uint8_t *hash, int rounds) {
    int count = 0;
    for (int round = 0; round < rounds; round++) {
        secp256k1_ecdsa_recoverable_signature signature;
        secp256k1_pubkey point;
        secp256k1_ecdsa_recoverable_signature_parse_compact(context(), &signature, bytes, bytes[64]);
        count += secp256k1_ecdsa_recover(context(), &point, &signature, hash);
    }
    return count;
}
