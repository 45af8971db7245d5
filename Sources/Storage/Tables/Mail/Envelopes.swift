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
    typealias Key = CompositeKey<Timestamp, EnvelopeKey>
    typealias Value = EmptyValue
    static let name = "envelopes-by-expiry"
}

/// Whose quotas an envelope counts against.
package enum MailSource: Hashable, Sendable {
    /// Deposited under a grant of the recipient's.
    case contact(grant: Bytes32)
    /// Deposited by a sender that the home cannot distinguish from a stranger; `origin` names its
    /// address.
    case stranger(origin: Bytes32)
    /// A stranger's, opened by its account, from a sender that is not proved yet.
    case unproved(origin: Bytes32)

    fileprivate var number: UInt8 {
        switch self {
        case .contact: 1
        case .stranger: 2
        case .unproved: 3
        }
    }

    /// The grant or the origin.
    package var name: Bytes32 {
        switch self {
        case .contact(let name), .stranger(let name), .unproved(let name): name
        }
    }

    fileprivate init?(_ number: UInt8, _ name: Bytes32) {
        switch number {
        case 1: self = .contact(grant: name)
        case 2: self = .stranger(origin: name)
        case 3: self = .unproved(origin: name)
        default: return nil
        }
    }
}

/// By what right a recipient's mail is kept here.
enum MailHost: Hashable, Sendable {
    /// An account of this node.
    case own
    /// A guest, whose lease was requested from the address that `origin` names.
    case leased(origin: Bytes32)
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

    package func write(to writer: inout ByteWriter) { writer.write(recipient, device, number) }

    package init(from reader: inout ByteReader) throws(FormError) {
        (recipient, device, number) = try (reader.read(), reader.read(), reader.read())
    }
}

/// An envelope as deposited, with this node's accounting data for it.
package struct StoredEnvelope: TableValue, Equatable {
    package let hash: Bytes32
    package let source: MailSource
    package let expiresAt: Timestamp
    package let bytes: [UInt8]
    /// Set at the deposit, so that its count does not change with the lease.
    var host = MailHost.own

    /// The same envelope, counted against other quotas.
    func counted(as source: MailSource) -> StoredEnvelope {
        var other = StoredEnvelope(hash: hash, source: source, expiresAt: expiresAt, bytes: bytes)
        other.host = host
        return other
    }

    package init(hash: Bytes32, source: MailSource, expiresAt: Timestamp, bytes: [UInt8]) {
        (self.hash, self.source) = (hash, source)
        (self.expiresAt, self.bytes) = (expiresAt, bytes)
    }

    /// With the source's number if the host is a leased account, whose origin follows.
    private static let leasedFlag: UInt8 = 0x80

    package var storedByteCount: Int { (host == .own ? 73 : 105) + bytes.count }

    package func write(to writer: inout ByteWriter) {
        writer.write(hash)
        switch host {
        case .own: writer.write(source.number)
        case .leased(let origin): writer.write(source.number | Self.leasedFlag, origin)
        }
        writer.write(source.name, expiresAt, bytes)
    }

    package init(from reader: inout ByteReader) throws(FormError) {
        hash = try reader.read()
        let number: UInt8 = try reader.read()
        if number & Self.leasedFlag != 0 { host = .leased(origin: try reader.read()) }
        let name: Bytes32 = try reader.read()
        guard let source = MailSource(number & ~Self.leasedFlag, name) else { throw FormError() }
        self.source = source
        expiresAt = try reader.read()
        bytes = reader.readRest()
    }

    /// The envelope's weight in every quota.
    var weight: UInt64 { MailLoad.weight(ofEnvelope: bytes.count) }
}
