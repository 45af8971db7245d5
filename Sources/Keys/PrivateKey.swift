import CSecp256k1

/// A secp256k1 private key: an account's, a node's or a device's.
@safe
package struct PrivateKey: Sendable {
    private let secret: SecretBytes

    package let publicKey: PublicKey

    /// Takes 32 secret bytes; `nil` for zero and for numbers not below the curve's order.
    package init?(_ secret: SecretBytes) {
        guard secret.count == 32 else { return nil }
        var point = secp256k1_pubkey()
        let isValid = unsafe secret.withBytes { bytes in
            unsafe secp256k1_ec_pubkey_create(
                Secp256k1.context,
                &point,
                start(of: bytes)
            )
        }
        guard isValid == 1 else { return nil }
        self.secret = secret
        publicKey = PublicKey(point: point)
    }

    /// A new key from the system's random source.
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
        let isSigned = unsafe secret.withBytes { bytes in
            unsafe secp256k1_ecdsa_sign_recoverable(
                Secp256k1.context,
                &recoverable,
                hash.bytes,
                start(of: bytes),
                nil,
                nil
            )
        }
        precondition(isSigned == 1, "a checked key always signs")
        var recoveryID: Int32 = 0
        var compact = [UInt8](repeating: 0, count: 64)
        unsafe secp256k1_ecdsa_recoverable_signature_serialize_compact(
            Secp256k1.context,
            &compact,
            &recoveryID,
            &recoverable
        )
        guard let r = Bytes32(compact[..<32]), let s = Bytes32(compact[32...]),
            let signature = Signature(r: r, s: s, recoveryID: UInt8(recoveryID))
        else { preconditionFailure("r is below the order in practice, so the id is 0 or 1") }
        return signature
    }

    /// Lends the key's 32 bytes to `body`, for sealing it into a keystore.
    package func withBytes<Value>(
        _ body: (UnsafeRawBufferPointer) throws -> Value
    ) rethrows -> Value {
        try unsafe secret.withBytes(body)
    }
}

/// Where 32 checked bytes begin, as the library takes them.
private func start(of bytes: UnsafeRawBufferPointer) -> UnsafePointer<UInt8> {
    guard let start = unsafe bytes.assumingMemoryBound(to: UInt8.self).baseAddress else {
        preconditionFailure("a key has 32 bytes, so they lie somewhere")
    }
    return unsafe start
}
