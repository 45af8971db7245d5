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

/// How much of the stored mail counts against each quota.
///
/// Each stored envelope counts once against every quota that its source has; nothing else does.
enum MailUsage: Table {
    typealias Key = Pair<UInt8, Bytes32>
    typealias Value = MailLoad
    static let name = "mail-usage"

    /// Mail under grants that waits for an account.
    static func contacts(of account: Address) -> Key { Pair(1, padded(account)) }
    /// Mail of strangers that waits for an account.
    static func strangers(of account: Address) -> Key { Pair(2, padded(account)) }
    /// Mail under one grant of an account.
    static func grant(_ id: Bytes32, of account: Address) -> Key {
        Pair(3, Keccak256.hash(account.bytes + id.bytes))
    }
    /// Strangers' mail from one origin to one account.
    static func origin(_ origin: Bytes32, to account: Address) -> Key {
        Pair(4, Keccak256.hash(account.bytes + origin.bytes))
    }
    /// Strangers' mail from one origin, whoever it is for.
    static func origin(_ origin: Bytes32) -> Key { Pair(5, origin) }
    /// All mail under grants, and all of strangers.
    static let allContacts = Key(6, .zero)
    static let allStrangers = Key(7, .zero)

    private static func padded(_ account: Address) -> Bytes32 {
        let (word0, word1, word2) = account.words
        return Bytes32(words: 0, word0, word1, UInt64(word2))
    }
}

/// Whose quotas an envelope counts against.
package enum MailSource: Hashable, Sendable {
    /// Deposited under a grant of the recipient's.
    case contact(grant: Bytes32)
    /// Deposited by somebody whom the home cannot tell from a stranger; `origin` names the address
    /// it came from.
    case stranger(origin: Bytes32)

    /// The quotas' keys in ``MailUsage``.
    func quotas(of recipient: Address) -> [MailUsage.Key] {
        switch self {
        case .contact(let grant):
            [
                MailUsage.contacts(of: recipient), MailUsage.grant(grant, of: recipient),
                MailUsage.allContacts,
            ]
        case .stranger(let origin):
            [
                MailUsage.strangers(of: recipient), MailUsage.origin(origin, to: recipient),
                MailUsage.origin(origin), MailUsage.allStrangers,
            ]
        }
    }

    fileprivate var number: UInt8 { if case .contact = self { 1 } else { 2 } }

    fileprivate var name: Bytes32 {
        switch self {
        case .contact(let name), .stranger(let name): name
        }
    }

    fileprivate init?(_ number: UInt8, _ name: Bytes32) {
        switch number {
        case 1: self = .contact(grant: name)
        case 2: self = .stranger(origin: name)
        default: return nil
        }
    }
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

/// An envelope as deposited, with what this node needs to account for it.
package struct StoredEnvelope: TableValue, Equatable {
    package let hash: Bytes32
    package let source: MailSource
    package let expiresAt: Timestamp
    package let bytes: [UInt8]

    package init(hash: Bytes32, source: MailSource, expiresAt: Timestamp, bytes: [UInt8]) {
        (self.hash, self.source) = (hash, source)
        (self.expiresAt, self.bytes) = (expiresAt, bytes)
    }

    package var storedByteCount: Int { 73 + bytes.count }

    package func write(to writer: inout ByteWriter) {
        writer.append(hash)
        writer.append(source.number)
        writer.append(source.name)
        writer.append(expiresAt.milliseconds)
        writer.append(bytes)
    }

    package init(from reader: inout ByteReader) throws(FormError) {
        hash = try reader.readBytes32()
        let number: UInt8 = try reader.read()
        guard let source = MailSource(number, try reader.readBytes32()) else { throw FormError() }
        self.source = source
        expiresAt = Timestamp(milliseconds: try reader.read())
        bytes = reader.readRest()
    }
}

/// How many envelopes wait, and the bytes they take.
package struct MailLoad: TableValue, Equatable, Sendable {
    package var envelopes: UInt64 = 0
    package var bytes: UInt64 = 0

    package init(envelopes: UInt64 = 0, bytes: UInt64 = 0) {
        (self.envelopes, self.bytes) = (envelopes, bytes)
    }

    /// Whether one more envelope of `byteCount` bytes keeps to both limits.
    func fits(_ byteCount: UInt64, envelopesMax: UInt64, bytesMax: UInt64) -> Bool {
        envelopes < envelopesMax && bytes + byteCount <= bytesMax
    }

    package var storedByteCount: Int { 16 }

    package func write(to writer: inout ByteWriter) {
        writer.append(envelopes)
        writer.append(bytes)
    }

    package init(from reader: inout ByteReader) throws(FormError) {
        envelopes = try reader.read()
        bytes = try reader.read()
    }
}
