import Keys
import Market
import SwiftProtobuf
import Testing
import WireMessages

struct SignedRecordTests {
    @Test func `reads back a signed listing from its bytes`() throws {
        let content = RecordContent.listing(try Samples.listing())
        let signed = try Samples.draft(content).signed(by: Samples.ana)
        let received = try UnverifiedRecord(signed.bytes)

        #expect(try received.admitted(to: Samples.network, at: Samples.now) == .listing)
        #expect(try received.verified() == signed)
        #expect(try SignedRecord(stored: signed.bytes) == signed)
        #expect(signed.content == content)
        #expect(signed.summary == "List 'Red bicycle' for 0.5 ETH by escrow")
        #expect(signed.author == Samples.ana.address)
    }

    @Test func `accepts only the author's signature`() throws {
        let draft = Samples.draft(.withdrawal(.listing))
        #expect(throws: RecordFault.wrongSigner) { try draft.signed(by: Samples.bo) }
    }

    @Test func `SwiftProtobuf writes the canonical form`() throws {
        let signed = try Samples.draft(.listing(Samples.listing())).signed(by: Samples.ana)
        let wire = try WireRecord(serializedBytes: signed.bytes)

        #expect(wire.network == Samples.network)
        let again: [UInt8] = try wire.serializedBytes()
        #expect(again == signed.bytes)
    }
}
