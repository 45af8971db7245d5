package import Keys
import Market

/// A payload signed with a peer's host key for one purpose.
///
/// Source: libp2p RFC 0002 "Signed envelopes".
package struct SignedEnvelope: Hashable, Sendable {
    /// Why an envelope is rejected.
    package enum Refusal: Error, Hashable, Sendable {
        case malformed
        case key(HostKeyError)
        /// It was made for another purpose.
        case wrongType
        case wrongSignature
    }

    package let key: HostKey
    package let payload: [UInt8]

    /// Reads an envelope and verifies its signature over `domain`, the type and the payload.
    package init(_ bytes: [UInt8], domain: String, type: [UInt8]) throws(Refusal) {
        guard let fields = ProtobufFields(bytes, fieldsMax: 8), let keyMessage = fields.bytes(1),
            let payloadType = fields.bytes(2), let payload = fields.bytes(3),
            let signature = fields.bytes(5)
        else { throw .malformed }
        do throws(HostKeyError) {
            key = try HostKey(message: keyMessage)
        } catch {
            throw .key(error)
        }
        guard payloadType == type else { throw .wrongType }
        let content = Self.content(domain: domain, type: type, payload: payload)
        guard key.verifies(signature, of: content) else { throw .wrongSignature }
        self.payload = payload
    }

    /// Signs `payload` and encodes the envelope.
    package static func seal(
        _ payload: [UInt8],
        domain: String,
        type: [UInt8],
        with key: PrivateKey
    ) -> [UInt8] {
        let signature = HostKey.sign(
            content(domain: domain, type: type, payload: payload),
            with: key
        )
        var envelope = WireWriter()
        envelope.member(1, HostKey(key.publicKey).message)
        envelope.member(2, type)
        envelope.member(3, payload)
        envelope.member(5, signature)
        return envelope.bytes
    }

    private static func content(domain: String, type: [UInt8], payload: [UInt8]) -> [UInt8] {
        [Array(domain.utf8), type, payload].flatMap { Varint.encode($0.count) + $0 }
    }
}
