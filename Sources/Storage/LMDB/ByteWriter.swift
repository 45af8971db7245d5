package import Keys
package import Market

/// Lays out one key or value, integers most significant byte first, so that the order of the
/// bytes is the order of the numbers.
///
/// Writes straight into LMDB's page or a buffer on the stack. What does not fit is dropped and
/// told by `isOverflown`.
@safe
package struct ByteWriter: ~Copyable {
    private let buffer: UnsafeMutableRawBufferPointer
    private(set) var count = 0
    private(set) var isOverflown = false

    init(buffer: UnsafeMutableRawBufferPointer) {
        unsafe self.buffer = buffer
    }

    package mutating func append<Number: FixedWidthInteger & BitwiseCopyable>(
        _ number: Number
    ) {
        let byteCount = Number.bitWidth / 8
        guard reserve(byteCount) else { return }
        unsafe buffer.storeBytes(
            of: number.bigEndian,
            toByteOffset: count - byteCount,
            as: Number.self
        )
    }

    package mutating func append(_ bytes: [UInt8]) {
        guard reserve(bytes.count) else { return }
        unsafe bytes.withUnsafeBytes { source in
            let place = count - source.count
            unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[place...]).copyMemory(
                from: source
            )
        }
    }

    package mutating func append(_ number: Bytes32) {
        let (word0, word1, word2, word3) = number.words
        append(word0)
        append(word1)
        append(word2)
        append(word3)
    }

    package mutating func append(_ address: Address) {
        let (word0, word1, word2) = address.words
        append(word0)
        append(word1)
        append(word2)
    }

    package mutating func append(_ id: RecordID) { append(id.digest) }

    /// At most 255 bytes behind one byte of length, for fields in the middle of a key.
    package mutating func append(short bytes: [UInt8]) {
        guard let length = UInt8(exactly: bytes.count) else {
            isOverflown = true
            return
        }
        append(length)
        append(bytes)
    }

    /// Any number of bytes behind four bytes of length, for fields in the middle of a value.
    package mutating func append(long bytes: [UInt8]) {
        append(UInt32(bytes.count))
        append(bytes)
    }

    private mutating func reserve(_ byteCount: Int) -> Bool {
        guard unsafe count + byteCount <= buffer.count else {
            isOverflown = true
            return false
        }
        count += byteCount
        return true
    }
}
