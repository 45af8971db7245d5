package import Keys

/// A node's signed promise to keep an account's mail until a given time.
///
/// Source: Docs/protocol.md, section 10.
package struct HomeLease: Hashable, Sendable {
    package static let addressesMax = 8
    package static let addressByteCountMax = 256

    /// The home, whose key is a secp256k1 key, so that the peer id contains it.
    package let peer: PeerID
    /// Addresses to dial, as text multiaddresses without the peer id.
    package let addresses: [String]
    /// Bytes of mail that it keeps for the account.
    package let quotaByteCount: UInt64
    package let until: Timestamp
    /// The signature of the home's node key.
    package let signature: Signature

    /// Grants a lease, signed by the node's `key`.
    package init(
        peer: PeerID,
        addresses: [String],
        quotaByteCount: UInt64,
        until: Timestamp,
        account: Address,
        key: PrivateKey
    ) throws(RuleFault) {
        let lease = Self.statement(
            account: account,
            peer: peer,
            addresses: addresses,
            quotaByteCount: quotaByteCount,
            until: until
        )
        try self.init(
            peer: peer,
            addresses: addresses,
            quotaByteCount: quotaByteCount,
            until: until,
            signature: key.sign(lease, as: .home)
        )
    }

    private init(
        peer: PeerID,
        addresses: [String],
        quotaByteCount: UInt64,
        until: Timestamp,
        signature: Signature
    ) throws(RuleFault) {
        guard NodeKey.publicKey(of: peer) != nil else { throw .malformed(.homes) }
        guard addresses.count <= Self.addressesMax else {
            throw .tooMany(.homes, countMax: Self.addressesMax)
        }
        for address in addresses {
            _ = try PlainText.line(address, .homes, byteCountMax: Self.addressByteCountMax)
        }
        self.peer = peer
        self.addresses = addresses
        self.quotaByteCount = quotaByteCount
        self.until = until
        self.signature = signature
    }

    static let wireSchema = WireSchema(.bytes, .repeated(.text), .uint64, .uint64, .bytes)

    init(wire: WireFields) throws(RuleFault) {
        guard let signature = Signature(wire.bytes(5)) else { throw .malformed(.homes) }
        try self.init(
            peer: PeerID(multihash: [UInt8](wire.bytes(1))),
            addresses: wire.texts(2),
            quotaByteCount: wire.number(3),
            until: Timestamp(milliseconds: wire.number(4)),
            signature: signature
        )
    }

    /// Whether the home itself granted this to `account`.
    package func isGranted(to account: Address) -> Bool {
        let lease = Self.statement(
            account: account,
            peer: peer,
            addresses: addresses,
            quotaByteCount: quotaByteCount,
            until: until
        )
        return NodeKey.publicKey(of: peer)?.verifies(signature, of: lease, as: .home) ?? false
    }

    /// The canonical form, with the home's signature.
    package var bytes: [UInt8] {
        var wire = Self.unsignedWire(peer, addresses, quotaByteCount, until)
        wire.write(5, signature.bytes)
        return wire.bytes
    }

    private static func unsignedWire(
        _ peer: PeerID,
        _ addresses: [String],
        _ quotaByteCount: UInt64,
        _ until: Timestamp
    ) -> WireWriter {
        var wire = WireWriter()
        wire.write(1, peer.multihash)
        wire.write(2, all: addresses.map(\.utf8))
        wire.write(3, quotaByteCount)
        wire.write(4, until.milliseconds)
        return wire
    }

    /// Returns the bytes that the home signs: the account, then the lease without its signature.
    private static func statement(
        account: Address,
        peer: PeerID,
        addresses: [String],
        quotaByteCount: UInt64,
        until: Timestamp
    ) -> [UInt8] {
        account.bytes + unsignedWire(peer, addresses, quotaByteCount, until).bytes
    }
}

extension HomeLease {
    /// Reads a separate lease in canonical form; `nil` for anything else.
    package init?(bytes: [UInt8]) {
        guard let wire = WireFields(bytes, Self.wireSchema), !wire.hasUnknown,
            // The rule that a lease breaks does not matter to the account that asked for it.
            let lease = try? HomeLease(wire: wire)
        else { return nil }
        self = lease
    }
}
