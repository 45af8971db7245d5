/// The Keccak-256 hash as Ethereum uses it: with the original padding, not SHA-3's.
///
/// The message is absorbed directly from its memory, without a buffer.
///
/// Source: the Keccak reference, version 3.0 (2011); Ethereum Yellow Paper, appendix on hashing.
package struct Keccak256: Sendable {
    private static let rateBytes = 136

    private var state = KeccakState()
    /// Bytes absorbed into the current block; less than the rate between calls.
    private var filled = 0

    package init() {}

    /// Absorbs more of the message.
    package mutating func update(_ bytes: some Sequence<UInt8>) {
        let isTaken: Void? = bytes.withContiguousStorageIfAvailable { buffer in
            unsafe absorb(UnsafeRawBufferPointer(buffer))
        }
        if isTaken == nil { for byte in bytes { absorb(byte) } }
    }

    /// Absorbs more of the message, from an array.
    package mutating func update(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { buffer in unsafe absorb(buffer) }
    }

    /// Absorbs more of the message, from borrowed memory.
    package mutating func update(_ bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes { buffer in unsafe absorb(buffer) }
    }

    /// Absorbs the 32 bytes of a hash or word.
    package mutating func update(_ word: Bytes32) {
        unsafe word.withBytes { buffer in unsafe absorb(buffer) }
    }

    /// Ends the message and returns its hash.
    package consuming func finalize() -> Bytes32 {
        state.mix(0x01, at: filled)
        state.mix(0x80, at: Self.rateBytes - 1)
        state.permute()
        return state.first32Bytes
    }

    /// Returns the hash of one message.
    package static func hash(_ bytes: some Sequence<UInt8>) -> Bytes32 {
        var hasher = Keccak256()
        hasher.update(bytes)
        return hasher.finalize()
    }

    /// Returns the hash of one message in an array.
    package static func hash(_ bytes: [UInt8]) -> Bytes32 {
        var hasher = Keccak256()
        hasher.update(bytes)
        return hasher.finalize()
    }

    /// Returns the hash of one message in borrowed memory.
    package static func hash(_ bytes: RawSpan) -> Bytes32 {
        var hasher = Keccak256()
        hasher.update(bytes)
        return hasher.finalize()
    }

    private mutating func absorb(_ byte: UInt8) {
        state.mix(byte, at: filled)
        filled += 1
        if filled == Self.rateBytes {
            state.permute()
            filled = 0
        }
    }

    private mutating func absorb(_ bytes: UnsafeRawBufferPointer) {
        var next = 0
        while next < bytes.count {
            let left = bytes.count - next
            if filled == 0, left >= Self.rateBytes {
                unsafe state.mixBlock(bytes, from: next)
                state.permute()
                next += Self.rateBytes
            } else if left >= 8, filled.isMultiple(of: 8) {
                let word = unsafe bytes.loadUnaligned(fromByteOffset: next, as: UInt64.self)
                state.mix(word: UInt64(littleEndian: word), at: filled / 8)
                next += 8
                filled += 8
                if filled == Self.rateBytes {
                    state.permute()
                    filled = 0
                }
            } else {
                unsafe absorb(bytes[next])
                next += 1
            }
        }
    }
}
