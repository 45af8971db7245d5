package import Keys
package import Market

/// A peer's addresses, signed by the peer.
///
/// Source: libp2p RFC 0003 "Peer routing records".
package struct PeerRecord: Hashable, Sendable {
    /// Why a peer's record is rejected.
    package enum Refusal: Error, Hashable, Sendable {
        case envelope(SignedEnvelope.Refusal)
        case malformed
        /// It names a peer other than its signer.
        case wrongPeer
    }

    private static let domain = "libp2p-peer-record"
    private static let payloadType: [UInt8] = [0x03, 0x01]

    package let peer: PeerID
    /// Increases with each record of a peer; the record with the greatest sequence is valid.
    package let sequence: UInt64
    /// The peer's addresses that Stoa can dial.
    package let addresses: [Multiaddr]

    package init(peer: PeerID, sequence: UInt64, addresses: [Multiaddr]) {
        (self.peer, self.sequence, self.addresses) = (peer, sequence, addresses)
    }

    /// Returns the sequence of a record that is made at a second of Unix time.
    package static func sequence(at seconds: Int64) -> UInt64 { UInt64(max(0, seconds)) << 20 }

    /// When a node of this program made the record by its own clock, in seconds of Unix time.
    ///
    /// Source: Docs/protocol.md, section 7.8.
    package var madeAt: Int64 { Int64(sequence >> 20) }

    /// Reads a record from its envelope, and verifies that the peer itself signed it.
    package init(envelope bytes: [UInt8]) throws(Refusal) {
        let envelope: SignedEnvelope
        do throws(SignedEnvelope.Refusal) {
            envelope = try SignedEnvelope(bytes, domain: Self.domain, type: Self.payloadType)
        } catch {
            throw .envelope(error)
        }
        guard let fields = ProtobufFields(envelope.payload), let name = fields.bytes(1),
            let peer = PeerIDText.peer(multihash: name)
        else { throw .malformed }
        guard peer == envelope.key.peer else { throw .wrongPeer }
        self.peer = peer
        sequence = fields.number(2) ?? 0
        addresses = fields.repeated(3).compactMap { info in
            ProtobufFields(info, fieldsMax: 4)?.bytes(1).flatMap(Multiaddr.init(bytes:))
        }
    }

    /// Encodes the record in an envelope signed with the peer's key.
    package func sealed(with key: PrivateKey) -> [UInt8] {
        var payload = WireWriter()
        payload.member(1, peer.multihash)
        payload.member(2, sequence)
        for address in addresses {
            var info = WireWriter()
            info.member(1, address.bytes)
            payload.member(3, info.bytes)
        }
        return SignedEnvelope.seal(
            payload.bytes,
            domain: Self.domain,
            type: Self.payloadType,
            with: key
        )
    }
}
