package import Keys

/// A sealed message in transit and at homes.
///
/// It reveals only the recipient, which of the recipient's keys opens it, and when it expires.
///
/// Source: Docs/protocol.md, section 10.1.
package struct MailEnvelope: Hashable, Sendable {
    package static let byteCountMax = 80_000
    /// The purpose of the sealing, HPKE's `info`.
    package static let sealingInfo = Array("stoa mail 1".utf8)
    /// The longest time that a home keeps an envelope.
    package static let lifetimeMax = Duration.days(30)

    /// The public part; it is the associated data of the sealing.
    package struct Header: Hashable, Sendable {
        package let recipient: Address
        /// The slot of the recipient's device record.
        package let device: Bytes32
        /// The id of the device's prekey that opens it.
        package let prekey: UInt32
        package let expiresAt: Timestamp

        package init(
            recipient: Address,
            device: Bytes32,
            prekey: UInt32,
            expiresAt: Timestamp
        ) {
            self.recipient = recipient
            self.device = device
            self.prekey = prekey
            self.expiresAt = expiresAt
        }

        /// The bytes that the sealing authenticates.
        package var bytes: [UInt8] { wire.bytes }

        fileprivate var wire: WireWriter {
            var wire = WireWriter()
            wire.write(1, recipient.bytes)
            wire.write(2, device.bytes)
            wire.write(3, UInt64(prekey))
            wire.write(4, expiresAt.milliseconds)
            return wire
        }
    }

    static let wireSchema = WireSchema(.bytes, .bytes, .uint32, .uint64, .bytes)

    package let header: Header
    /// The encapsulated key, the ciphertext and its tag.
    package let sealed: [UInt8]
    /// The canonical encoding.
    package let bytes: [UInt8]
    /// The envelope's id for homes and senders: the hash of its bytes.
    package let hash: Bytes32

    package init(header: Header, sealed: [UInt8]) {
        var wire = header.wire
        wire.write(5, sealed)
        self.init(header: header, sealed: sealed, bytes: wire.bytes)
    }

    private init(header: Header, sealed: [UInt8], bytes: [UInt8]) {
        (self.header, self.sealed, self.bytes) = (header, sealed, bytes)
        hash = Keccak256.hash(bytes)
    }

    /// Reads an envelope in its canonical form.
    package init(_ bytes: [UInt8]) throws(MailFault) {
        guard bytes.count <= Self.byteCountMax else { throw .tooLong }
        guard let wire = WireFields(bytes, Self.wireSchema), !wire.hasUnknown,
            let recipient = Address(wire.bytes(1)), let device = Bytes32(wire.bytes(2)),
            wire.bytes(5).count > Sealing.overheadBytes,
            MailPadding.buckets.contains(wire.bytes(5).count - Sealing.overheadBytes)
        else { throw .malformed }
        let header = Header(
            recipient: recipient,
            device: device,
            prekey: wire.uint32(3),
            expiresAt: Timestamp(milliseconds: wire.number(4))
        )
        self.init(header: header, sealed: [UInt8](wire.bytes(5)), bytes: bytes)
    }

    /// Seals a message to one prekey.
    ///
    /// - Throws: ``MailFault/tooLong`` if the message exceeds the largest bucket,
    ///   ``MailFault/noKey`` if the prekey is invalid.
    package static func seal(
        _ message: SignedMail,
        under header: Header,
        to key: SealingKey
    ) throws(MailFault) -> MailEnvelope {
        guard let padded = MailPadding.pad(message.bytes) else { throw .tooLong }
        do {
            let sealed = try Sealing.seal(padded, to: key, info: sealingInfo, aad: header.bytes)
            return MailEnvelope(header: header, sealed: sealed)
        } catch {
            throw .noKey
        }
    }

    /// Opens the envelope; only ``SignedMail/verified(for:network:)`` proves the sender.
    package func opened(with prekey: Prekey) throws(MailFault) -> SignedMail {
        let padded: [UInt8]
        do {
            padded = try prekey.open(sealed, info: Self.sealingInfo, aad: header.bytes)
        } catch {
            throw .notOpened
        }
        guard let bytes = MailPadding.unpad(padded) else { throw .malformed }
        return try SignedMail(bytes)
    }
}

/// Why a message or a prekey bundle is refused.
package enum MailFault: Error, Equatable, Sendable {
    case tooLong
    /// Not in its canonical form.
    case malformed
    case noKey
    /// No stored key opens it; the answer contains fresh keys, so that the sender sends it again.
    case notOpened
    case wrongSignature
    /// It names another network, account or conversation than it belongs to.
    case misdirected
}
