package import Keys
import SwiftProtobuf

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

    /// Creates a bundle, signed with the device's key.
    package init(
        network: String,
        account: Address,
        createdAt: Timestamp,
        keys: [Key],
        signedBy device: PrivateKey
    ) throws(MailFault) {
        var wire = WirePrekeyStatement()
        wire.network = network
        wire.account = account.data
        wire.device = device.publicKey.compressed.data
        wire.createdAtMs = createdAt.milliseconds
        wire.prekeys = keys.map(\.wire)
        let statement = CanonicalMessage.bytes(of: wire)
        var bundle = WirePrekeyBundle()
        bundle.statement = statement.data
        bundle.signature = device.sign(statement, as: .prekeys).bytes.data
        try self.init(CanonicalMessage.bytes(of: bundle))
    }

    /// Reads a bundle and verifies the device's signature.
    ///
    /// The caller must check that the account certified the device.
    ///
    /// - Throws: ``MailFault/noKey`` if one of the keys is none that mail can be sealed to.
    package init(_ bytes: [UInt8]) throws(MailFault) {
        guard let bundle = CanonicalMessage.read(bytes, as: WirePrekeyBundle.self),
            let signature = Signature(bundle.signature),
            let wire = CanonicalMessage.read(bundle.statement, as: WirePrekeyStatement.self),
            let account = Address(wire.account), wire.device.count == 33,
            let device = PublicKey([UInt8](wire.device)),
            (1...Self.keysMax).contains(wire.prekeys.count),
            // Homes store it as it came, so it must contain nothing else.
            bundle.unknownFields.data.isEmpty, wire.unknownFields.data.isEmpty,
            wire.prekeys.allSatisfy({ $0.unknownFields.data.isEmpty })
        else { throw .malformed }
        guard device.verifies(signature, of: [UInt8](bundle.statement), as: .prekeys) else {
            throw .wrongSignature
        }
        var keys: [Key] = []
        for prekey in wire.prekeys { keys.append(try Key(wire: prekey)) }
        guard Set(keys.map(\.id)).count == keys.count else { throw .malformed }
        network = wire.network
        self.account = account
        self.device = device
        createdAt = Timestamp(milliseconds: wire.createdAtMs)
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
    init(wire: WirePrekey) throws(MailFault) {
        do {
            self.init(
                id: wire.id,
                key: try SealingKey([UInt8](wire.key)),
                validUntil: Timestamp(milliseconds: wire.validUntilMs),
                isLastResort: wire.isLastResort
            )
        } catch {
            throw .noKey
        }
    }

    var wire: WirePrekey {
        var wire = WirePrekey()
        wire.id = id
        wire.key = key.bytes.data
        wire.validUntilMs = validUntil.milliseconds
        wire.isLastResort = isLastResort
        return wire
    }
}
