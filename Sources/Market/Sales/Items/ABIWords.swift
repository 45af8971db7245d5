import Keys

extension Address {
    /// The address as a word, padded with leading zeros as in the ABI.
    var word: Bytes32 { paddedInFront(bytes) }
}

extension Bytes32 {
    /// Creates the word for a number.
    init(number: UInt64) { self.init(words: 0, 0, 0, number) }
}

extension Amount {
    /// The number as 32 big-endian bytes.
    var word: Bytes32 { paddedInFront(minimalBytes) }
}

private func paddedInFront(_ bytes: [UInt8]) -> Bytes32 {
    let zeros = [UInt8](repeating: 0, count: Bytes32.byteCount - bytes.count)
    guard let word = Bytes32(zeros + bytes) else {
        preconditionFailure("an amount or address has at most 32 bytes")
    }
    return word
}
