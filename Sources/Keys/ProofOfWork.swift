import Crypto

/// A proof of work: a nonce that makes a hash small; many tries to find, one hash to check.
///
/// The hash is SHA-256, because processors and libraries compute it fast, so special hardware gains
/// least over the verifier. Work is a price, not an identity: rate limits apply too.
///
/// Source: Back, "Hashcash", 2002; Docs/protocol.md, section 4.10.
package struct ProofOfWork: Sendable {
    private static let nonceByteCount = 8

    /// The hashed bytes: tag, subject, and room for a nonce.
    private let form: [UInt8]

    /// Creates work for `subject`; `tag` names the purpose, for which alone the work is valid.
    package init(_ tag: StaticString, for subject: Bytes32) {
        form =
            Array("\(tag)".utf8) + subject.bytes
            + [UInt8](repeating: 0, count: Self.nonceByteCount)
    }

    /// Whether `nonce` meets a target that takes `tries` tries to reach on average.
    package func isDone(by nonce: UInt64, tries: UInt64) -> Bool {
        var bytes = form
        return Self.value(of: nonce, &bytes) <= Self.valueMax(tries)
    }

    /// Searches for a nonce; takes `tries` hashes on average.
    package func nonce(tries: UInt64) -> UInt64 {
        let valueMax = Self.valueMax(tries)
        var bytes = form
        var nonce: UInt64 = 0
        while Self.value(of: nonce, &bytes) > valueMax { nonce += 1 }
        return nonce
    }

    /// Searches `count` nonces from `first`; `nil` if none meets the target.
    ///
    /// The caller can then continue after them or give up.
    package func nonce(tries: UInt64, from first: UInt64, count: UInt64) -> UInt64? {
        let valueMax = Self.valueMax(tries)
        var bytes = form
        return (first..<first + count).first { Self.value(of: $0, &bytes) <= valueMax }
    }

    private static func valueMax(_ tries: UInt64) -> UInt64 { .max / max(tries, 1) }

    private static func value(of nonce: UInt64, _ bytes: inout [UInt8]) -> UInt64 {
        let start = bytes.count - nonceByteCount
        return unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe buffer.storeBytes(of: nonce.bigEndian, toByteOffset: start, as: UInt64.self)
            var hasher = SHA256()
            unsafe hasher.update(bufferPointer: UnsafeRawBufferPointer(buffer))
            return unsafe hasher.finalize().withUnsafeBytes { digest in
                UInt64(bigEndian: unsafe digest.loadUnaligned(as: UInt64.self))
            }
        }
    }
}
