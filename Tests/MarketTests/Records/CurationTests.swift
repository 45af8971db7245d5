import Keys
import Market
import Support
import Testing

struct CurationTests {
    private static let ana = testKey(1)

    private static func entry(_ number: UInt8, _ reason: String = "A copy.") throws
        -> Curation.Entry
    {
        try Curation.Entry(
            account: testKey(2).address,
            listing: Bytes32(repeating: number),
            reason: reason
        )
    }

    private static func record(_ content: RecordContent, slot: Bytes32 = .zero) throws
        -> SignedRecord
    {
        try RecordDraft(
            network: "test",
            author: ana.address,
            content: content,
            slot: slot,
            createdAt: Timestamp(milliseconds: 1_763_700_000_000)
        ).signed(by: ana)
    }

    @Test func `reads back a list from its record, in the slot of its name`() throws {
        let whole = try Curation.Entry(account: testKey(3).address, reason: "Cheats.")
        let list = try Curation(
            name: "Copies",
            about: "Of works.",
            entries: [Self.entry(1), whole]
        )
        let record = try Self.record(.curation(list))
        let read = try UnverifiedRecord(record.bytes).verified()
        #expect(read.content == .curation(list))
        #expect(read.slot == Keccak256.hash("Copies".utf8) && read.kind.rawValue == 5)
        #expect(read.unverified.draft.summary == "Publish list 'Copies' with 2 entries to hide")
        let one = try Curation(name: "Copies", entries: [whole])
        #expect(
            RecordContent.curation(one).summary(slot: .zero)
                == "Publish list 'Copies' with one entry to hide"
        )
        let gone = try Self.record(.withdrawal(.curation), slot: read.slot)
        let withdrawal = try UnverifiedRecord(gone.bytes).verified()
        #expect(withdrawal.isWithdrawal && withdrawal.key == record.key)
        #expect(withdrawal.unverified.draft.summary == "Withdraw list \(read.slot)")
    }

    @Test func `refuses a list that breaks a rule of its fields`() throws {
        func list(
            _ name: String = "Copies",
            about: String = "",
            _ entries: [Curation.Entry] = []
        ) throws -> Curation {
            try Curation(name: name, about: about, entries: entries)
        }
        #expect(throws: RuleFault.missing(.name)) { try list("") }
        #expect(throws: RuleFault.malformed(.name)) { try list("a\u{200B}") }
        #expect(throws: RuleFault.tooLong(.name, byteCountMax: 64)) {
            try list(String(repeating: "x", count: 65))
        }
        #expect(throws: RuleFault.tooLong(.about, byteCountMax: 1_024)) {
            try list(about: String(repeating: "x", count: 1_025))
        }
        let entries = try (0..<251).map { number in
            try Curation.Entry(
                account: testKey(2).address,
                listing: Bytes32(words: 0, 0, 0, UInt64(number)),
                reason: "x"
            )
        }
        #expect(try list("Copies", Array(entries.dropLast())).entries.count == 250)
        #expect(throws: RuleFault.tooMany(.entries, countMax: 250)) { try list("Copies", entries) }
        #expect(throws: RuleFault.repeated(.entries)) {
            try list("Copies", [Self.entry(1), Self.entry(1, "Again.")])
        }
        #expect(throws: RuleFault.missing(.reason)) { try Self.entry(1, "") }
        #expect(throws: RuleFault.malformed(.reason)) { try Self.entry(1, "two\nlines") }
        #expect(throws: RuleFault.tooLong(.reason, byteCountMax: 160)) {
            try Self.entry(1, String(repeating: "x", count: 161))
        }
        #expect(throws: RuleFault.malformed(.entries)) {
            try Curation.Entry(account: .zero, reason: "x")
        }
    }

    @Test func `a list is always an open record and has its own length limit`() throws {
        let entries = try (1...250).map { number in
            try Curation.Entry(
                account: testKey(2).address,
                listing: Bytes32(words: 0, 0, 0, UInt64(number)),
                reason: "A copy of somebody else's."
            )
        }
        let long = try Self.record(.curation(Curation(name: "Long", entries: entries)))
        #expect(throws: OpenLaneFault.self) { try OpenLaneRules.light.stamped(long) }
        let short = try Self.record(
            .curation(Curation(name: "Short", entries: Array(entries.prefix(150))))
        )
        #expect(short.bytes.count > OpenLaneRules.byteCountMax)
        let stamped = try OpenLaneRules.light.stamped(short)
        #expect(throws: Never.self) { try OpenLaneRules.light.check(stamped.unverified) }
    }
}
