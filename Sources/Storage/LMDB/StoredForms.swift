package import Keys
package import Market

extension UInt8: TableKey, TableValue {
    package var storedByteCount: Int { 1 }
    package func write(to writer: inout ByteWriter) { writer.append(self) }
    package init(from reader: inout ByteReader) throws(FormError) { self = try reader.readNumber() }
}

extension UInt32: TableKey, TableValue {
    package var storedByteCount: Int { 4 }
    package func write(to writer: inout ByteWriter) { writer.append(self) }
    package init(from reader: inout ByteReader) throws(FormError) { self = try reader.readNumber() }
}

extension UInt64: TableKey, TableValue {
    package var storedByteCount: Int { 8 }
    package func write(to writer: inout ByteWriter) { writer.append(self) }
    package init(from reader: inout ByteReader) throws(FormError) { self = try reader.readNumber() }
}

extension Bytes32: TableKey, TableValue {
    package var storedByteCount: Int { Self.byteCount }
    package func write(to writer: inout ByteWriter) {
        let (word0, word1, word2, word3) = words
        writer.append(word0)
        writer.append(word1)
        writer.append(word2)
        writer.append(word3)
    }
    package init(from reader: inout ByteReader) throws(FormError) {
        try self.init(
            words: reader.readNumber(),
            reader.readNumber(),
            reader.readNumber(),
            reader.readNumber()
        )
    }
}

extension Address: TableKey, TableValue {
    package var storedByteCount: Int { Self.byteCount }
    package func write(to writer: inout ByteWriter) {
        let (word0, word1, word2) = words
        writer.append(word0)
        writer.append(word1)
        writer.append(word2)
    }
    package init(from reader: inout ByteReader) throws(FormError) {
        try self.init(words: reader.readNumber(), reader.readNumber(), reader.readNumber())
    }
}

extension RecordID: TableKey, TableValue {
    package var storedByteCount: Int { Bytes32.byteCount }
    package func write(to writer: inout ByteWriter) { digest.write(to: &writer) }
    package init(from reader: inout ByteReader) throws(FormError) {
        self.init(try reader.read() as Bytes32)
    }
}

extension ChainID: TableKey, TableValue {
    package var storedByteCount: Int { 8 }
    package func write(to writer: inout ByteWriter) { writer.append(number) }
    package init(from reader: inout ByteReader) throws(FormError) {
        self.init(try reader.read() as UInt64)
    }
}

/// A peer id in a key, after its length, so that no peer's key is a prefix of another's.
extension PeerID: TableKey {
    package func write(to writer: inout ByteWriter) { writer.append(short: multihash) }
    package init(from reader: inout ByteReader) throws(FormError) {
        self.init(multihash: try reader.readShort())
    }
}

/// A string in a key, after its length: at most 255 bytes of UTF-8, ordered by length first.
extension String: TableKey {
    package func write(to writer: inout ByteWriter) { writer.append(short: [UInt8](utf8)) }
    package init(from reader: inout ByteReader) throws(FormError) {
        self.init(decoding: try reader.readShort(), as: UTF8.self)
    }
}

/// Bytes as a value, stored unchanged.
extension [UInt8]: StoredForm, KeyedValue, TableValue {
    package var storedByteCount: Int { count }
    package func write(to writer: inout ByteWriter) { writer.append(self) }
    package init(from reader: inout ByteReader) { self = reader.readRest() }
}

extension Timestamp: TableKey, TableValue {
    package var storedByteCount: Int { 8 }
    package func write(to writer: inout ByteWriter) { writer.append(milliseconds) }
    package init(from reader: inout ByteReader) throws(FormError) {
        self.init(milliseconds: try reader.read())
    }
}

/// A case by its number.
extension TableKey where Self: RawRepresentable, RawValue: TableKey {
    package func write(to writer: inout ByteWriter) { rawValue.write(to: &writer) }
    package init(from reader: inout ByteReader) throws(FormError) {
        guard let value = Self(rawValue: try reader.read()) else { throw FormError() }
        self = value
    }
}

extension RecordKind: TableKey {}
