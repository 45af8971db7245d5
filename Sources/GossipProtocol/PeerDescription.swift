package import Market

/// A peer's description of itself in identify: protocols, addresses, program.
///
/// Source: libp2p specs, "identify", message `Identify`.
package struct PeerDescription: Hashable, Sendable {
    /// Why a peer's description is rejected.
    package enum Refusal: Error, Hashable, Sendable {
        case malformed
        /// The key differs from the one that secured the link.
        case wrongKey
        case record(PeerRecord.Refusal)
    }

    private static let protocolsMax = 128
    private static let addressesMax = 64
    private static let textBytesMax = 256

    package var protocols: [String]
    /// The listening addresses that Stoa can dial; not proved.
    package var addresses: [Multiaddr]
    /// This node's address as the peer sees it.
    package var observedAddress: Multiaddr?
    package var protocolVersion: String
    package var agentVersion: String
    /// The envelope of its signed record, and the record's content.
    package var sealedRecord: [UInt8]?
    package var record: PeerRecord?

    package init(
        protocols: [String],
        addresses: [Multiaddr],
        observedAddress: Multiaddr?,
        protocolVersion: String,
        agentVersion: String,
        sealedRecord: [UInt8]? = nil,
        record: PeerRecord? = nil
    ) {
        self.protocols = protocols
        self.addresses = addresses
        self.observedAddress = observedAddress
        self.protocolVersion = protocolVersion
        self.agentVersion = agentVersion
        self.sealedRecord = sealedRecord
        self.record = record
    }

    /// Reads the description that `peer` sent over its own link.
    package init(_ bytes: [UInt8], from peer: PeerID) throws(Refusal) {
        guard let fields = ProtobufFields(bytes) else { throw .malformed }
        if let message = fields.bytes(1) {
            // A key of an unsupported kind cannot be the link's.
            guard (try? HostKey(message: message))?.peer == peer else { throw .wrongKey }
        }
        protocols = fields.repeated(3).prefix(Self.protocolsMax).compactMap(Self.text)
        addresses = fields.repeated(2).prefix(Self.addressesMax).compactMap(Multiaddr.init(bytes:))
        observedAddress = fields.bytes(4).flatMap(Multiaddr.init(bytes:))
        protocolVersion = fields.bytes(5).flatMap(Self.text) ?? ""
        agentVersion = fields.bytes(6).flatMap(Self.text) ?? ""
        sealedRecord = fields.bytes(8)
        guard let sealedRecord else { return }
        do throws(PeerRecord.Refusal) {
            let record = try PeerRecord(envelope: sealedRecord)
            guard record.peer == peer else { throw .wrongPeer }
            self.record = record
        } catch {
            throw .record(error)
        }
    }

    /// Returns this description with the signed record of an earlier one, or with none.
    package func withRecord(of earlier: PeerDescription?) -> PeerDescription {
        var description = self
        (description.sealedRecord, description.record) = (earlier?.sealedRecord, earlier?.record)
        return description
    }

    /// Encodes the message; `key` is the node's own.
    package func message(key: HostKey) -> [UInt8] {
        var message = WireWriter()
        message.member(1, key.message)
        message.write(2, all: addresses.map(\.bytes))
        message.write(3, all: protocols.map { Array($0.utf8) })
        if let observedAddress { message.member(4, observedAddress.bytes) }
        message.member(5, Array(protocolVersion.utf8))
        message.member(6, Array(agentVersion.utf8))
        if let sealedRecord { message.member(8, sealedRecord) }
        return message.bytes
    }

    private static func text(_ bytes: [UInt8]) -> String? {
        guard bytes.count <= textBytesMax else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}
