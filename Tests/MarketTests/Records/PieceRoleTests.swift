import Keys
import Market
import Testing

/// Listings of several pieces of one thing.
struct PieceRoleTests {
    private static let first = Samples.slot

    private static func record(
        _ pieces: PieceRole?,
        in slot: Bytes32
    ) throws -> SignedRecord {
        let listing = try Samples.listing().with(pieces)
        return try RecordDraft(
            network: Samples.network,
            author: Samples.ana.address,
            content: .listing(listing),
            slot: slot,
            createdAt: Samples.now
        ).signed(by: Samples.ana)
    }

    @Test func `reads back the role of a piece from its bytes`() throws {
        let numbers = 1..<PieceRole.countMax
        let slots = numbers.map { PieceRole.slot($0, of: Self.first) }
        #expect(Set(slots + [Self.first]).count == PieceRole.countMax)
        let roles = [(PieceRole.first(count: 2), Self.first), (.first(count: 20), Self.first)]
        for (pieces, slot) in roles + slots.map({ (.further(of: Self.first), $0) }) {
            let record = try Self.record(pieces, in: slot)
            #expect(record.content == .listing(try Samples.listing().with(pieces)))
            #expect(try UnverifiedRecord(record.bytes).verified() == record)
        }
    }

    /// - From peers: a listing that says that it is a piece of another one, in a slot that does not
    ///   follow from that → ignored
    @Test func `a further piece is only in a slot that follows from the first one`() throws {
        let other = PieceRole.slot(1, of: Keccak256.hash("other".utf8))
        for slot in [Self.first, other] {
            #expect(throws: RecordFault.wrongSlot) {
                try Self.record(.further(of: Self.first), in: slot)
            }
        }
        #expect(RecordFault.wrongSlot.verdict == .ignore)
    }

    /// - From peers: a listing of one piece, or of more than 20 → ignored
    @Test(arguments: [1, 21, 4_000_000_000])
    func `refuses a number of pieces out of its range`(count: Int) throws {
        let fault: RuleFault =
            count == 1 ? .malformed(.pieces) : .tooMany(.pieces, countMax: PieceRole.countMax)
        let payload = RecordContent.listing(try Samples.listing().with(.first(count: count)))
            .payload
        #expect(throws: RecordFault.ruleBroken(fault)) {
            try RecordContent(kind: .listing, payload: payload[...])
        }
    }

    @Test func `the promise of a piece is that of a single thing in its slot`() throws {
        let slot = PieceRole.slot(3, of: Self.first)
        let plain = ListingCommitment(of: try Samples.listing(), slot: slot)
        let piece = try Samples.listing().with(.further(of: Self.first))
        #expect(ListingCommitment(of: piece, slot: slot).hash == plain.hash)
    }
}
