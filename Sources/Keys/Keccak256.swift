/// Keccak-256 as Ethereum uses it: the original padding, not SHA-3's.
///
/// Source: the Keccak reference, version 3.0 (2011); Ethereum Yellow Paper, appendix on hashing.
package struct Keccak256: Sendable {
    private static let rateBytes = 136

    private var state = KeccakState()
    private var block: [UInt8] = []

    package init() {
        block.reserveCapacity(Self.rateBytes)
    }

    /// Takes in more of the message.
    package mutating func update(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            block.append(byte)
            if block.count == Self.rateBytes { absorb() }
        }
    }

    /// Ends the message and gives its hash.
    package consuming func finalize() -> Bytes32 {
        block.append(0x01)
        block.append(contentsOf: repeatElement(0, count: Self.rateBytes - block.count))
        block[Self.rateBytes - 1] |= 0x80
        absorb()
        return state.first32Bytes
    }

    /// The hash of one message.
    package static func hash(_ bytes: some Sequence<UInt8>) -> Bytes32 {
        var hasher = Keccak256()
        hasher.update(bytes)
        return hasher.finalize()
    }

    private mutating func absorb() {
        for lane in 0..<(Self.rateBytes / 8) {
            var word: UInt64 = 0
            for byte in (0..<8).reversed() { word = word << 8 | UInt64(block[lane * 8 + byte]) }
            state.lanes[lane] ^= word
        }
        state.permute()
        block.removeAll(keepingCapacity: true)
    }
}
