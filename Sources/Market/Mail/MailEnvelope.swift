package import Keys
import SwiftProtobuf

/// A sealed message as it travels and as homes keep it: it shows to whom, for which of the
/// recipient's keys, and until when, and no more.
///
/// Source: Docs/protocol.md, section 10.1.
package struct MailEnvelope: Hashable, Sendable {
    package static let byteCountMax = 80_000
    /// What the sealing is for, as HPKE's `info`.
    package static let sealingInfo = Array("stoa mail 1".utf8)
    /// How long a home keeps an envelope at most.
    package static let lifetimeMax = Duration.days(30)

    /// All that is shown: the associated data of the sealing.
    package struct Header: Hashable, Sendable {
        package let recipient: Address
        /// The slot of the recipient's device record.
        package let device: Bytes32
        /// Which of the device's prekeys opens it.
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

        /// What the sealing authenticates.
        package var bytes: [UInt8] { CanonicalMessage.bytes(of: wire) }

        var wire: WireMailEnvelope {
            var wire = WireMailEnvelope()
            wire.recipient = recipient.data
            wire.device = device.data
            wire.prekey = prekey
            wire.expiresAtMs = expiresAt.milliseconds
            return wire
        }
    }

    package let header: Header
    /// The encapsulated key, the ciphertext and its tag.
    package let sealed: [UInt8]
    /// The canonical encoding.
    package let bytes: [UInt8]
    /// Names the envelope to homes and couriers: the hash of its bytes.
    package let hash: Bytes32

    package init(header: Header, sealed: [UInt8]) {
        var wire = header.wire
        wire.sealed = sealed.data
        self.init(header: header, sealed: sealed, bytes: CanonicalMessage.bytes(of: wire))
    }

    private init(header: Header, sealed: [UInt8], bytes: [UInt8]) {
        (self.header, self.sealed, self.bytes) = (header, sealed, bytes)
        hash = Keccak256.hash(bytes)
    }

    /// Reads an envelope in its canonical form.
    package init(_ bytes: [UInt8]) throws(MailFault) {
        guard bytes.count <= Self.byteCountMax else { throw .tooLong }
        guard let wire = CanonicalMessage.read(bytes, as: WireMailEnvelope.self),
            wire.unknownFields.data.isEmpty,
            let recipient = Address(wire.recipient), let device = Bytes32(wire.device),
            wire.sealed.count > Sealing.overheadBytes,
            MailPadding.buckets.contains(wire.sealed.count - Sealing.overheadBytes)
        else { throw .malformed }
        let header = Header(
            recipient: recipient,
            device: device,
            prekey: wire.prekey,
            expiresAt: Timestamp(milliseconds: wire.expiresAtMs)
        )
        self.init(header: header, sealed: [UInt8](wire.sealed), bytes: bytes)
    }

    /// Seals a message to one prekey.
    ///
    /// - Throws: ``MailFault/tooLong`` for a message over the largest bucket, ``MailFault/noKey``
    ///   for a prekey that cannot be used.
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

    /// Opens the envelope; who wrote is not proved before ``SignedMail/verified(for:network:)``.
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

/// Why a message or a prekey bundle is not taken.
package enum MailFault: Error, Equatable, Sendable {
    case tooLong
    /// Not in its canonical form.
    case malformed
    case noKey
    /// No key at hand opens it: answered with fresh keys, so that it is sent again.
    case notOpened
    case wrongSignature
    /// For another network, account or conversation than it came by.
    case misdirected
}
