/// Decodes a key or value directly from LMDB's memory; the decoded values are owned copies.
///
/// It must not outlive the call that it is passed to, so it cannot be copied and is passed `inout`.
@safe
package struct ByteReader: ~Copyable {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(bytes: UnsafeRawBufferPointer) {
        unsafe self.bytes = bytes
    }

    /// The number of bytes that are not read yet.
    package var remaining: Int { unsafe bytes.count - position }

    /// Reads the next field of a key or value.
    package mutating func read<Form: TableKey>() throws(FormError) -> Form { try Form(from: &self) }

    mutating func readNumber<Number: FixedWidthInteger & BitwiseCopyable>(
        _: Number.Type = Number.self
    ) throws(FormError) -> Number {
        let start = try advance(by: Number.bitWidth / 8)
        return unsafe Number(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: Number.self))
    }

    package mutating func read(count: Int) throws(FormError) -> [UInt8] {
        let start = try advance(by: count)
        return unsafe [UInt8](bytes[start..<(start + count)])
    }

    /// Reads a field written with `append(short:)`.
    package mutating func readShort() throws(FormError) -> [UInt8] {
        try read(count: Int(readNumber(UInt8.self)))
    }

    /// Reads a field written with `append(long:)`.
    package mutating func readLong() throws(FormError) -> [UInt8] {
        try read(count: Int(readNumber(UInt32.self)))
    }

    /// Returns the byte at an index without moving the position; `nil` beyond the end.
    package func peek(at index: Int) -> UInt8? {
        unsafe bytes.indices.contains(index) ? bytes[index] : nil
    }

    /// Reads all remaining bytes.
    package mutating func readRest() -> [UInt8] {
        defer { unsafe position = bytes.count }
        return unsafe [UInt8](bytes[position...])
    }

    private mutating func advance(by count: Int) throws(FormError) -> Int {
        guard count >= 0, count <= remaining else { throw FormError() }
        defer { position += count }
        return position
    }
}

/// The error for stored bytes that do not have the form of their table.
package struct FormError: Error, Equatable, Sendable {
    package init() {}
}
