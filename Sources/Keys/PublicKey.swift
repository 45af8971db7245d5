import CSecp256k1

/// A secp256k1 public key, a verified point of the curve.
///
/// Source: SEC 1, version 2, section 2.3.
@safe
package struct PublicKey: Sendable {
    let point: secp256k1_pubkey

    init(point: secp256k1_pubkey) {
        self.point = point
    }

    /// Reads SEC 1 bytes, 33 compressed or 65 uncompressed; `nil` for a point not on the curve.
    package init?(_ bytes: [UInt8]) {
        var point = secp256k1_pubkey()
        let isPoint = unsafe secp256k1_ec_pubkey_parse(
            Secp256k1.context,
            &point,
            bytes,
            bytes.count
        )
        guard isPoint == 1 else { return nil }
        self.point = point
    }

    /// The 33-byte form that peers exchange.
    package var compressed: [UInt8] {
        serialized(
            count: 33,
            UInt32(SECP256K1_FLAGS_TYPE_COMPRESSION | SECP256K1_FLAGS_BIT_COMPRESSION)
        )
    }

    /// The 65-byte form, whose first byte is 4.
    package var uncompressed: [UInt8] {
        serialized(count: 65, UInt32(SECP256K1_FLAGS_TYPE_COMPRESSION))
    }

    /// The account this key controls: the last 20 bytes of the point's hash.
    package var address: Address {
        let hash = Keccak256.hash(uncompressed.dropFirst())
        return Address(hash.bytes.suffix(20)) ?? .zero
    }

    /// Whether `signature` over `hash` was made with this key's private half.
    ///
    /// Only the low half of `s` is accepted, as everywhere in Stoa.
    package func verifies(_ signature: Signature, of hash: Bytes32) -> Bool {
        guard signature.isLowS, var parsed = signature.compact else { return false }
        var point = point
        return unsafe hash.withBytes { hash in
            unsafe secp256k1_ecdsa_verify(Secp256k1.context, &parsed, start(of: hash), &point) == 1
        }
    }

    private func serialized(count: Int, _ flags: UInt32) -> [UInt8] {
        var point = point
        var bytes = [UInt8](repeating: 0, count: count)
        var written = count
        unsafe secp256k1_ec_pubkey_serialize(Secp256k1.context, &bytes, &written, &point, flags)
        return bytes
    }
}

extension PublicKey: Hashable {
    package static func == (left: PublicKey, right: PublicKey) -> Bool {
        left.compressed == right.compressed
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(compressed)
    }
}
