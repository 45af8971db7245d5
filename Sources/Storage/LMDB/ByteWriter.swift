/// Encodes a key or value; integers are big-endian, so that bytes sort like numbers.
///
/// It writes directly into LMDB's page or a buffer on the stack. If something does not fit, it is
/// dropped and `isOverflown` is set.
@safe
package struct ByteWriter: ~Copyable {
    private let buffer: UnsafeMutableRawBufferPointer
    private(set) var count = 0
    private(set) var isOverflown = false

    init(buffer: UnsafeMutableRawBufferPointer) { unsafe self.buffer = buffer }

    /// Appends the fields of a key or value, one after the other.
    package mutating func write<each Form: StoredForm>(_ forms: repeat each Form) {
        repeat (each forms).write(to: &self)
    }

    mutating func append<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number) {
        let byteCount = Number.bitWidth / 8
        guard reserve(byteCount) else { return }
        unsafe buffer.storeBytes(
            of: number.bigEndian,
            toByteOffset: count - byteCount,
            as: Number.self
        )
    }

    mutating func append(_ bytes: [UInt8]) {
        guard reserve(bytes.count) else { return }
        unsafe bytes.withUnsafeBytes { source in
            let place = count - source.count
            unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[place...]).copyMemory(
                from: source
            )
        }
    }

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
