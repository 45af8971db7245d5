import CSecp256k1

/// An ECDSA signature over secp256k1 from which the signer's key can be recovered.
///
/// Source: SEC 1, version 2, section 4.1.6; EIP-2 for the low `s`.
@safe
package struct Signature: Hashable, Sendable {
    package static let byteCount = 65

    /// Half of the curve's order: the greatest `s` that is accepted.
    private static let halfOrder = Bytes32(
        words: 0x7FFF_FFFF_FFFF_FFFF,
        0xFFFF_FFFF_FFFF_FFFF,
        0x5D57_6E73_57A4_501D,
        0xDFE9_2F46_681B_20A0
    )

    package let r: Bytes32
    package let s: Bytes32
    /// 0 or 1: which of the two points with this `r` is meant.
    package let recoveryID: UInt8

    /// Takes the parts; `nil` for a recovery id other than 0 or 1.
    package init?(r: Bytes32, s: Bytes32, recoveryID: UInt8) {
        guard recoveryID <= 1 else { return nil }
        (self.r, self.s, self.recoveryID) = (r, s, recoveryID)
    }

    /// Reads `r ‖ s ‖ v` with `v` 27 or 28, the form that wallets and records use.
    package init?(_ bytes: some Collection<UInt8>) {
        let bytes = [UInt8](bytes)
        guard bytes.count == Self.byteCount, bytes[64] == 27 || bytes[64] == 28,
            let r = Bytes32(bytes[..<32]), let s = Bytes32(bytes[32..<64])
        else { return nil }
        (self.r, self.s, recoveryID) = (r, s, bytes[64] - 27)
    }

    /// `r ‖ s ‖ v` with `v` 27 or 28.
    package var bytes: [UInt8] { r.bytes + s.bytes + [27 + recoveryID] }

    /// Whether `s` is in the lower half, which rules out a second form of the signature.
    package var isLowS: Bool { s <= Self.halfOrder }

    /// Recovers the key that signed `hash`.
    ///
    /// - Returns: The key; `nil` for a high `s` or numbers that are not a signature.
    package func signer(of hash: Bytes32) -> PublicKey? {
        guard isLowS else { return nil }
        var recoverable = secp256k1_ecdsa_recoverable_signature()
        var point = secp256k1_pubkey()
        let isParsed = unsafe withCompact { compact in
            unsafe secp256k1_ecdsa_recoverable_signature_parse_compact(
                Secp256k1.context,
                &recoverable,
                compact,
                Int32(recoveryID)
            )
        }
        guard isParsed == 1 else { return nil }
        let isFound = unsafe hash.withBytes { hash in
            unsafe secp256k1_ecdsa_recover(Secp256k1.context, &point, &recoverable, start(of: hash))
        }
        return isFound == 1 ? PublicKey(point: point) : nil
    }

    /// Takes the library's signature; `nil` for a recovery id other than 0 or 1.
    init?(_ recoverable: secp256k1_ecdsa_recoverable_signature) {
        var recoverable = recoverable
        var recoveryID: Int32 = 0
        var compact = (Bytes32.zero, Bytes32.zero)
        let (r, s) = unsafe withUnsafeMutableBytes(of: &compact) { compact in
            unsafe secp256k1_ecdsa_recoverable_signature_serialize_compact(
                Secp256k1.context,
                mutableStart(of: compact),
                &recoveryID,
                &recoverable
            )
            return unsafe (
                Bytes32(loading: UnsafeRawBufferPointer(rebasing: compact[..<32])),
                Bytes32(loading: UnsafeRawBufferPointer(rebasing: compact[32...]))
            )
        }
        self.init(r: r, s: s, recoveryID: UInt8(truncatingIfNeeded: recoveryID))
    }

    /// The signature in the library's form; `nil` for numbers that are not below the order.
    var compact: secp256k1_ecdsa_signature? {
        var parsed = secp256k1_ecdsa_signature()
        let isParsed = unsafe withCompact { compact in
            unsafe secp256k1_ecdsa_signature_parse_compact(Secp256k1.context, &parsed, compact)
        }
        return isParsed == 1 ? parsed : nil
    }

    /// Lends `r ‖ s` as 64 bytes.
    private func withCompact<Value>(_ body: (UnsafePointer<UInt8>) -> Value) -> Value {
        unsafe r.withBytes { r in
            unsafe s.withBytes { s in
                unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { both in
                    unsafe both.copyMemory(from: r)
                    unsafe UnsafeMutableRawBufferPointer(rebasing: both[32...]).copyMemory(from: s)
                    return unsafe body(mutableStart(of: both))
                }
            }
        }
    }
}
