package import Keys
package import Market

/// Encodes a key or value; integers are big-endian, so that bytes sort like numbers.
///
/// It writes directly into LMDB's page or a buffer on the stack. If something does not fit, it is
/// dropped and `isOverflown` is set.
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

    /// Appends at most 255 bytes after one byte of length, for fields in the middle of a key.
    package mutating func append(short bytes: [UInt8]) {
        guard let length = UInt8(exactly: bytes.count) else {
            isOverflown = true
            return
        }
        append(length)
        append(bytes)
    }

    /// Appends bytes after four bytes of length, for fields in the middle of a value.
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
