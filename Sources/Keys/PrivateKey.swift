import CSecp256k1

/// The secp256k1 private key of an account, a node or a device.
@safe
package struct PrivateKey: Sendable {
    private let secret: SecretBytes

    package let publicKey: PublicKey

    /// Takes 32 secret bytes; `nil` for zero and for numbers not below the curve's order.
    package init?(_ secret: SecretBytes) {
        guard secret.count == 32 else { return nil }
        var point = secp256k1_pubkey()
        let isValid = unsafe secret.withBytes { bytes in
            unsafe secp256k1_ec_pubkey_create(Secp256k1.context, &point, start(of: bytes))
        }
        guard isValid == 1 else { return nil }
        self.secret = secret
        publicKey = PublicKey(point: point)
    }

    /// Returns a new key from the system's random source.
    package static func random() -> PrivateKey {
        while true {
            if let key = PrivateKey(SecretBytes.random(count: 32)) { return key }
        }
    }

    package var address: Address { publicKey.address }

    /// Signs a hash, deterministically and with a low `s`.
    ///
    /// Source: RFC 6979; EIP-2.
    package func sign(_ hash: Bytes32) -> Signature {
        var recoverable = secp256k1_ecdsa_recoverable_signature()
        let isSigned = unsafe secret.withBytes { key in
            unsafe hash.withBytes { hash in
                unsafe secp256k1_ecdsa_sign_recoverable(
                    Secp256k1.context,
                    &recoverable,
                    start(of: hash),
                    start(of: key),
                    nil,
                    nil
                )
            }
        }
        precondition(isSigned == 1, "a checked key always signs")
        guard let signature = Signature(recoverable) else {
            preconditionFailure("r is below the order in practice, so the id is 0 or 1")
        }
        return signature
    }

    /// Returns the Diffie-Hellman secret shared with the holder of the other key.
    ///
    /// It is the SHA-256 of the shared point's compressed form, 32 bytes.
    ///
    /// Source: SEC 1, version 2, section 3.3.1; libsecp256k1, `secp256k1_ecdh`.
    package func sharedSecret(with other: PublicKey) -> SecretBytes {
        var point = other.point
        return unsafe SecretBytes(count: 32) { shared in
            let isShared = unsafe secret.withBytes { key in
                unsafe secp256k1_ecdh(
                    Secp256k1.context,
                    mutableStart(of: shared),
                    &point,
                    start(of: key),
                    nil,
                    nil
                )
            }
            precondition(isShared == 1, "two checked keys always share a point")
        }
    }

    /// Returns the key as hexadecimal digits and a line break, the content of a key file.
    package func hexadecimalLine() -> SecretBytes { secret.hexadecimalLine() }

    /// Lends the key's 32 bytes to `body`, for encryption into a keystore.
    package func withBytes<Value>(
        _ body: (UnsafeRawBufferPointer) throws -> Value
    ) rethrows -> Value {
        try unsafe secret.withBytes(body)
    }
}
