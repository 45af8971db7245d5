package import Keys

/// A device's public keys for receiving mail, signed by the device; the newest bundle is valid.
///
/// Source: Docs/protocol.md, section 10.4.
package struct PrekeyBundle: Hashable, Sendable {
    package static let keysMax = 8

    /// One public key to which mail is sealed.
    package struct Key: Hashable, Sendable {
        package let id: UInt32
        package let key: SealingKey
        package let validUntil: Timestamp
        /// Used if no other key is valid.
        package let isLastResort: Bool

        package init(id: UInt32, key: SealingKey, validUntil: Timestamp, isLastResort: Bool) {
            self.id = id
            self.key = key
            self.validUntil = validUntil
            self.isLastResort = isLastResort
        }
    }

    package let network: String
    package let account: Address
    package let device: PublicKey
    package let createdAt: Timestamp
    package let keys: [Key]
    /// The bytes as received.
    package let bytes: [UInt8]

    static let wireSchema = WireSchema(.bytes, .bytes)
    static let statementSchema = WireSchema(
        .text,
        .bytes,
        .bytes,
        .uint64,
        .repeated(.message(Key.wireSchema))
    )

    /// Creates a bundle, signed with the device's key.
    package init(
        network: String,
        account: Address,
        createdAt: Timestamp,
        keys: [Key],
        signedBy device: PrivateKey
    ) throws(MailFault) {
        var statement = WireWriter()
        statement.write(1, network)
        statement.write(2, account.bytes)
        statement.write(3, device.publicKey.compressed)
        statement.write(4, createdAt.milliseconds)
        statement.write(5, all: keys.map(\.wire))
        var bundle = WireWriter()
        bundle.write(1, statement.bytes)
        bundle.write(2, device.sign(statement.bytes, as: .prekeys).bytes)
        try self.init(bundle.bytes)
    }

    /// Reads a bundle and verifies the device's signature.
    ///
    /// The caller must check that the account certified the device.
    ///
    /// - Throws: ``MailFault/noKey`` if mail cannot be sealed to one of the keys.
    package init(_ bytes: [UInt8]) throws(MailFault) {
        guard let bundle = WireFields(bytes, Self.wireSchema),
            let signature = Signature(bundle.bytes(2)),
            let wire = WireFields(bundle.bytes(1), Self.statementSchema),
            let account = Address(wire.bytes(2)), let device = PublicKey(wire: wire.bytes(3)),
            (1...Self.keysMax).contains(wire.messages(5).count),
            // Homes store it unchanged, so it must contain nothing else.
            !bundle.hasUnknown, !wire.hasUnknown
        else { throw .malformed }
        guard device.verifies(signature, of: [UInt8](bundle.bytes(1)), as: .prekeys) else {
            throw .wrongSignature
        }
        var keys: [Key] = []
        for prekey in wire.messages(5) { keys.append(try Key(wire: prekey)) }
        guard Set(keys.map(\.id)).count == keys.count else { throw .malformed }
        network = wire.text(1)
        self.account = account
        self.device = device
        createdAt = Timestamp(milliseconds: wire.number(4))
        self.keys = keys
        self.bytes = bytes
    }

    /// Returns the key to seal to: the valid one that lasts longest, else the last resort.
    package func key(at now: Timestamp) -> Key? {
        keys.filter { !$0.isLastResort && $0.validUntil > now }
            .max { $0.validUntil < $1.validUntil }
            ?? keys.first { $0.isLastResort && $0.validUntil > now }
    }
}

extension PrekeyBundle.Key {
    static let wireSchema = WireSchema(.uint32, .bytes, .uint64, .bool)

    init(wire: WireFields) throws(MailFault) {
        do {
            self.init(
                id: wire.uint32(1),
                key: try SealingKey([UInt8](wire.bytes(2))),
                validUntil: Timestamp(milliseconds: wire.number(3)),
                isLastResort: wire.flag(4)
            )
        } catch {
            throw .noKey
        }
    }

    var wire: [UInt8] {
        var wire = WireWriter()
        wire.write(1, UInt64(id))
        wire.write(2, key.bytes)
        wire.write(3, validUntil.milliseconds)
        wire.write(4, isLastResort ? 1 : 0)
        return wire.bytes
    }
}
