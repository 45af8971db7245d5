import Keys
import Market
import Support
import SwiftProtobuf
import Testing
import WireMessages

/// Mail as a later version would write it, and as this one reads it.
struct UnknownMailBodyTests {
    private static let prekey = Prekey.random()

    /// The encoding of a field of bytes.
    private static func field(_ number: UInt64, _ content: [UInt8]) -> [UInt8] {
        varint(number << 3 | 2) + varint(UInt64(content.count)) + content
    }

    private static func varint(_ number: UInt64) -> [UInt8] {
        number < 0x80
            ? [UInt8(number)] : [UInt8(number & 0x7F) | 0x80] + varint(number >> 7)
    }

    /// Signs a statement whose fields from 9 on are those in `fields`.
    private static func signed(_ fields: [UInt8]) throws -> [UInt8] {
        let text = try MailBodySamples.signed(.text("Hello"))
        let whole = try WireMailMessage(serializedBytes: text.bytes)
        let known = [UInt8](whole.statement).dropLast(field(9, field(1, Array("Hello".utf8))).count)
        let statement = known + fields
        var wire = WireMailMessage()
        wire.statement = .init(statement)
        wire.signature = .init(MailBodySamples.phone.sign(Array(statement), as: .mail).bytes)
        return CanonicalMessage.bytes(of: wire)
    }

    @Test func `a later version's message survives sealing byte for byte`() throws {
        let picture = Self.field(1, [0xFF, 0xD8]) + Self.field(7, [])
        // A grant, an addition of a later version, and a body.
        let bytes = try Self.signed(
            Self.field(11, [UInt8](repeating: 3, count: 64)) + Self.field(13, [1])
                + Self.field(40, picture)
        )
        let envelope = try MailEnvelope.seal(
            SignedMail(bytes),
            under: MailEnvelope.Header(
                recipient: Samples.bo.address,
                device: Samples.slot,
                prekey: 7,
                expiresAt: Samples.now
            ),
            to: Self.prekey.publicKey
        )
        let opened = try MailEnvelope(envelope.bytes).opened(with: Self.prekey)
        #expect(opened.bytes == bytes)
        let message = try opened.verified(for: Samples.bo.address, network: "test")
        #expect(message.body == .unknown(UnknownMailBody(field: 40, content: picture)))
        #expect(message.body.byteCount == picture.count)
        #expect(message.grant != nil)
    }

    @Test func `encodes an unknown kind as a later version does`() throws {
        let body = UnknownMailBody(field: 300, content: [UInt8](repeating: 7, count: 200))
        let signed = try MailBodySamples.signed(.unknown(body))
        #expect(signed.bytes == (try Self.signed(Self.field(300, body.content))))
        #expect(try SignedMail(signed.bytes).message.body == .unknown(body))
    }

    @Test func `limits a body of an unknown kind and additions to it`() throws {
        let most = [UInt8](repeating: 1, count: UnknownMailBody.byteCountMax)
        let addition = [UInt8](repeating: 1, count: UnknownMailBody.additionsByteCountMax - 3)
        _ = try SignedMail(Self.signed(Self.field(13, addition) + Self.field(32, most)))
        #expect(throws: MailFault.malformed) {
            try SignedMail(Self.signed(Self.field(32, most + [1])))
        }
        #expect(throws: MailFault.malformed) {
            try SignedMail(Self.signed(Self.field(13, addition + [1]) + Self.field(32, [])))
        }
        let body = UnknownMailBody(field: 32, content: most + [1])
        #expect(throws: MailFault.tooLong) {
            try MailBodySamples.signed(.unknown(body))
        }
    }

    @Test(
        arguments: [
            // No body: nothing, or an addition alone.
            [], field(13, [1]), field(31, [1]),
            // Two bodies.
            field(32, [1]) + field(33, [1]), field(32, [1]) + field(32, [1]),
            field(9, field(1, [0x41])) + field(32, [1]), field(9, field(1, [0x41])) + field(10, []),
            // Fields that fall.
            field(33, [1]) + field(13, [1]), field(32, [1]) + field(9, field(1, [0x41])),
            // A body that is a number, a group or of fixed length.
            varint(32 << 3) + [1], varint(32 << 3 | 3) + varint(32 << 3 | 4),
            varint(32 << 3 | 5) + [1, 2, 3, 4],
            // A known field of another type.
            varint(9 << 3) + [1] + field(32, [1]),
            // A tag and a length that are longer than needed.
            [0x82, 0x82, 0x00, 1, 1], [0x82, 0x02, 0x81, 0x00, 1],
            // Known bodies that are malformed.
            field(9, []), field(10, []),
        ] as [[UInt8]]
    )
    func `refuses other bytes in the place of a body`(fields: [UInt8]) throws {
        #expect(throws: MailFault.malformed) { try SignedMail(Self.signed(fields)) }
    }

    @Test func `a receipt lists messages delivered but not understood`() throws {
        let mark = MailMark(
            device: Samples.slot,
            delivered: .of([1, 2, 3, 7]),
            notUnderstood: .of([2, 7]),
            readThrough: 2
        )
        let signed = try MailBodySamples.signed(.receipt([mark]))
        #expect(try SignedMail(signed.bytes).message.body == .receipt([mark]))
        #expect(throws: MailFault.malformed) {
            let wrong = MailMark(
                device: Samples.slot,
                delivered: .of([1, 2]),
                notUnderstood: .of([2, 3]),
                readThrough: 0
            )
            _ = try MailBodySamples.signed(.receipt([wrong]))
        }
        let range = Self.field(2, [0x08, 1, 0x10, 9])
        for notUnderstood in [
            // Beyond the delivered, two that touch, out of order, and none.
            [[0x08, 8, 0x10, 10]], [[0x08, 1, 0x10, 2], [0x08, 3, 0x10, 3]],
            [[0x08, 5, 0x10, 5], [0x08, 1, 0x10, 1]], [[]],
        ] as [[[UInt8]]] {
            let content =
                Self.field(1, Samples.slot.bytes) + range
                + notUnderstood.flatMap { Self.field(4, $0) }
            #expect(throws: MailFault.malformed) {
                try SignedMail(Self.signed(Self.field(10, Self.field(1, content))))
            }
        }
    }

    @Test func `a version reads a mark without a field that it does not know`() throws {
        // To this version field 5 is what `not_understood` is to one before it.
        let content =
            Self.field(1, Samples.slot.bytes) + Self.field(2, [0x08, 1, 0x10, 9])
            + Self.field(5, [0x08, 1, 0x10, 1])
        let mail = try SignedMail(Self.signed(Self.field(10, Self.field(1, content))))
        let delivered = try #require(NumberRanges([1...9]))
        let mark = MailMark(device: Samples.slot, delivered: delivered, readThrough: 0)
        #expect(mail.message.body == .receipt([mark]))
    }
}
