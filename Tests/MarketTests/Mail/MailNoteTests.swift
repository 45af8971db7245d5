import Keys
import Market
import Support
import SwiftProtobuf
import Testing
import WireMessages

/// Notes of moves as bodies of mail.
struct MailNoteTests {
    private static func note(_ text: String, _ pictures: [MailPicture] = []) throws -> MailNote {
        let address = try #require(Address([UInt8](repeating: 1, count: 20)))
        let contract = ContractReference(chain: ChainID(31_337), address: address)
        let sale = SaleReference(contract: contract, id: SaleID(Bytes32(repeating: 2)))
        return try MailNote(
            for: sale,
            transaction: Bytes32(repeating: 3),
            text: text,
            pictures: pictures
        )
    }

    private static func picture(_ number: UInt8, byteCount: UInt64 = 29) throws -> MailPicture {
        let (blob, key) = (Bytes32(repeating: number), Bytes32(repeating: 5))
        return try MailPicture(blob: blob, byteCount: byteCount, key: key)
    }

    /// A message with a note, as another program writes it, and as far as a change goes wrong.
    private static func fault(_ change: (inout WireMailNote) -> Void) throws -> MailFault? {
        var wire = WireMailNote()
        (wire.chain, wire.text) = (31_337, "DHL 0034")
        wire.contract = .init([UInt8](repeating: 1, count: 20))
        wire.sale = .init([UInt8](repeating: 2, count: 32))
        wire.transaction = .init([UInt8](repeating: 3, count: 32))
        change(&wire)
        return try MailBodySamples.fault(MailNote.field, CanonicalMessage.bytes(of: wire))
    }

    @Test func `reads back a note from its bytes, which others pass on`() throws {
        let note = try Self.note("DHL 0034\nAt the neighbour's")
        try MailBodySamples.expectsReading(.note(note), from: note.body)
    }

    /// The test vector of Docs/protocol.md, section 18.
    @Test func `a note has the bytes that the protocol shows`() throws {
        let bytes = try Self.note("DHL 0034").body.content
        let parts = [
            "08e9f401", "1214" + String(repeating: "01", count: 20),
            "1a20" + String(repeating: "02", count: 32),
            "2220" + String(repeating: "03", count: 32), "2a0844484c2030303334",
        ]
        #expect(Hex.encode(bytes) == parts.joined())
        #expect(try Self.note("DHL 0034").body.field == 47)
    }

    /// - From peers: a note of a move that is empty, has more than 2,048 bytes or hidden characters, or
    ///   names no transaction → dropped as malformed
    @Test func `refuses a note whose content breaks a rule`() throws {
        #expect(try Self.fault { _ in } == nil)
        let most = String(repeating: "x", count: MailNote.textByteCountMax)
        #expect(try Self.fault { $0.text = most } == nil)
        #expect(try Self.fault { $0.text = most + "x" } == .malformed)
        #expect(try Self.fault { $0.text = "" } == .malformed)
        #expect(try Self.fault { $0.text = " \n" } == .malformed)
        #expect(try Self.fault { $0.text = "a\u{202E}b" } == .malformed)
        #expect(try Self.fault { $0.transaction = .init([]) } == .malformed)
        #expect(
            try Self.fault { $0.transaction = .init([UInt8](repeating: 3, count: 33)) }
                == .malformed
        )
    }

    @Test func `reads back the pictures of a note, which others pass on`() throws {
        let pictures = try (1...6).map { try Self.picture($0, byteCount: UInt64($0) * 1_000) }
        let note = try Self.note("Broken", pictures)
        try MailBodySamples.expectsReading(.note(note), from: note.body)
        #expect(pictures.map { MailPicture($0.bytes) } == pictures)
        #expect(MailPicture([0xFF]) == nil && MailPicture([]) == nil)
    }

    /// The test vector of Docs/protocol.md, section 18.
    @Test func `a picture has the bytes that the protocol shows`() throws {
        let picture = try MailPicture(
            blob: Bytes32(repeating: 4),
            byteCount: 1_000,
            key: Bytes32(repeating: 5)
        )
        let parts = [
            "0a20" + String(repeating: "04", count: 32), "10e807",
            "1a20" + String(repeating: "05", count: 32),
        ]
        #expect(Hex.encode(picture.bytes) == parts.joined())
        let bare = Hex.encode(try Self.note("DHL 0034").body.content)
        let whole = Hex.encode(try Self.note("DHL 0034", [picture]).body.content)
        #expect(whole == bare + "3247" + parts.joined())
    }

    @Test func `a version without pictures reads the text of a note with some`() throws {
        let bytes = try Self.note("Broken", [try Self.picture(4)]).body.content
        let before = WireSchema(.uint64, .bytes, .bytes, .bytes, .text)
        let read = try #require(WireFields(bytes, before))
        #expect(read.text(5) == "Broken" && read.hasUnknownItself)
    }

    /// - From peers: a note of a move with more than six pictures, with one twice, or with one that has
    ///   no id, no key, or a length that no encrypted file has → dropped as malformed
    @Test func `refuses a note whose pictures break a rule`() throws {
        func fault(
            _ count: Int = 1,
            _ change: (inout WireMailPicture) -> Void = { _ in }
        ) throws -> MailFault? {
            try Self.fault { note in
                note.pictures = (0..<count).map { number in
                    var picture = WireMailPicture()
                    picture.blob = .init([UInt8](repeating: UInt8(number), count: 32))
                    picture.key = .init([UInt8](repeating: 5, count: 32))
                    picture.length = 29
                    change(&picture)
                    return picture
                }
            }
        }
        #expect(try fault() == nil)
        #expect(try fault(6) == nil)
        #expect(try fault(7) == .malformed)
        #expect(try fault(2) { $0.blob = .init([UInt8](repeating: 4, count: 32)) } == .malformed)
        for byteCount in [0, 31, 33] {
            let wrong = [UInt8](repeating: 4, count: byteCount)
            #expect(try fault { $0.blob = .init(wrong) } == .malformed)
            #expect(try fault { $0.key = .init(wrong) } == .malformed)
        }
        for length in [0, 28, Media.byteCountMax + 1, .max] {
            #expect(try fault { $0.length = length } == .malformed)
        }
        #expect(try fault { $0.length = Media.byteCountMax } == nil)
        #expect(try Self.fault { $0.pictures = [WireMailPicture()] } == .malformed)
    }
}
