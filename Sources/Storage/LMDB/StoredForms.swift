package import Keys
package import Market

extension UInt8: TableKey, TableValue {
    package var storedByteCount: Int { 1 }
    package func write(to writer: inout ByteWriter) { writer.append(self) }
    package init(from reader: inout ByteReader) throws(FormError) { self = try reader.read() }
}

extension UInt32: TableKey, TableValue {
    package var storedByteCount: Int { 4 }
    package func write(to writer: inout ByteWriter) { writer.append(self) }
    package init(from reader: inout ByteReader) throws(FormError) { self = try reader.read() }
}

extension UInt64: TableKey, TableValue {
    package var storedByteCount: Int { 8 }
    package func write(to writer: inout ByteWriter) { writer.append(self) }
    package init(from reader: inout ByteReader) throws(FormError) { self = try reader.read() }
}

extension Bytes32: TableKey, TableValue {
    package var storedByteCount: Int { Self.byteCount }
    package func write(to writer: inout ByteWriter) { writer.append(self) }
    package init(from reader: inout ByteReader) throws(FormError) {
        self = try reader.readBytes32()
    }
}

extension Address: TableKey, TableValue {
    package var storedByteCount: Int { Self.byteCount }
    package func write(to writer: inout ByteWriter) { writer.append(self) }
    package init(from reader: inout ByteReader) throws(FormError) {
        self = try reader.readAddress()
    }
}

extension RecordID: TableKey, TableValue {
    package var storedByteCount: Int { Bytes32.byteCount }
    package func write(to writer: inout ByteWriter) { writer.append(self) }
    package init(from reader: inout ByteReader) throws(FormError) {
        self = try reader.readRecordID()
    }
}

extension ChainID: TableKey, TableValue {
    package var storedByteCount: Int { 8 }
    package func write(to writer: inout ByteWriter) { writer.append(number) }
    package init(from reader: inout ByteReader) throws(FormError) {
        self.init(try reader.read())
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
extension [UInt8]: KeyedValue, TableValue {
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
