package import Keys
package import Market

/// Sealed mail that waits here for a device to collect it.
enum Envelopes: Table {
    typealias Key = EnvelopeKey
    typealias Value = StoredEnvelope
    static let name = "envelopes"
}

/// Envelopes by the hash of their bytes, so that a resend is not kept twice.
enum EnvelopesByHash: Table {
    typealias Key = Bytes32
    typealias Value = EnvelopeKey
    static let name = "envelopes-by-hash"
}

/// Envelopes by when they are dropped.
enum EnvelopesByExpiry: Table {
    typealias Key = Pair<Timestamp, EnvelopeKey>
    typealias Value = Nothing
    static let name = "envelopes-by-expiry"
}

/// What waits for a recipient, or from a depositor.
enum MailUsage: Table {
    typealias Key = Pair<UInt8, Bytes32>
    typealias Value = MailLoad
    static let name = "mail-usage"

    static func recipient(_ account: Address) -> Key {
        let (word0, word1, word2) = account.words
        return Pair(1, Bytes32(words: 0, word0, word1, UInt64(word2)))
    }

    static func depositor(_ name: Bytes32) -> Key { Pair(2, name) }
}

/// A recipient's device, then the order of arrival.
package struct EnvelopeKey: TableKey, TableValue, Hashable {
    package let recipient: Address
    package let device: Bytes32
    package let number: UInt64

    package init(recipient: Address, device: Bytes32, number: UInt64) {
        (self.recipient, self.device, self.number) = (recipient, device, number)
    }

    package var storedByteCount: Int { 60 }

    package func write(to writer: inout ByteWriter) {
        writer.append(recipient)
        writer.append(device)
        writer.append(number)
    }

    package init(from reader: inout ByteReader) throws(FormError) {
        recipient = try reader.readAddress()
        device = try reader.readBytes32()
        number = try reader.read()
    }
}

/// An envelope as deposited, with what this node reckons by.
package struct StoredEnvelope: TableValue, Equatable {
    package let hash: Bytes32
    /// Who is answerable for it here: the hash of a peer's or a grant's name.
    package let depositor: Bytes32
    package let expiresAt: Timestamp
    package let bytes: [UInt8]

    package init(hash: Bytes32, depositor: Bytes32, expiresAt: Timestamp, bytes: [UInt8]) {
        (self.hash, self.depositor) = (hash, depositor)
        (self.expiresAt, self.bytes) = (expiresAt, bytes)
    }

    package var storedByteCount: Int { 72 + bytes.count }

    package func write(to writer: inout ByteWriter) {
        writer.append(hash)
        writer.append(depositor)
        writer.append(expiresAt.milliseconds)
        writer.append(bytes)
    }

    package init(from reader: inout ByteReader) throws(FormError) {
        hash = try reader.readBytes32()
        depositor = try reader.readBytes32()
        expiresAt = Timestamp(milliseconds: try reader.read())
        bytes = reader.readRest()
    }
}

/// How many envelopes wait, and the bytes they take.
struct MailLoad: TableValue, Equatable {
    var envelopes: UInt64 = 0
    var bytes: UInt64 = 0

    init() {}

    var storedByteCount: Int { 16 }

    func write(to writer: inout ByteWriter) {
        writer.append(envelopes)
        writer.append(bytes)
    }

    init(from reader: inout ByteReader) throws(FormError) {
        envelopes = try reader.read()
        bytes = try reader.read()
    }
}
