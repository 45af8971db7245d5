import Keys
import Market
import Support
import SwiftProtobuf
import Testing
import WireMessages

/// Notes of moves as bodies of mail.
struct MailNoteTests {
    private static func note(_ text: String) throws -> MailNote {
        let address = try #require(Address([UInt8](repeating: 1, count: 20)))
        let contract = ContractReference(chain: ChainID(31_337), address: address)
        let sale = SaleReference(contract: contract, id: SaleID(Bytes32(repeating: 2)))
        return try MailNote(for: sale, transaction: Bytes32(repeating: 3), text: text)
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
        func fault(_ change: (inout WireMailNote) -> Void) throws -> MailFault? {
            var wire = WireMailNote()
            (wire.chain, wire.text) = (31_337, "DHL 0034")
            wire.contract = .init([UInt8](repeating: 1, count: 20))
            wire.sale = .init([UInt8](repeating: 2, count: 32))
            wire.transaction = .init([UInt8](repeating: 3, count: 32))
            change(&wire)
            return try MailBodySamples.fault(MailNote.field, CanonicalMessage.bytes(of: wire))
        }
        #expect(try fault { _ in } == nil)
        let most = String(repeating: "x", count: MailNote.textByteCountMax)
        #expect(try fault { $0.text = most } == nil)
        #expect(try fault { $0.text = most + "x" } == .malformed)
        #expect(try fault { $0.text = "" } == .malformed)
        #expect(try fault { $0.text = " \n" } == .malformed)
        #expect(try fault { $0.text = "a\u{202E}b" } == .malformed)
        #expect(try fault { $0.transaction = .init([]) } == .malformed)
        #expect(
            try fault { $0.transaction = .init([UInt8](repeating: 3, count: 33)) } == .malformed
        )
    }
}
