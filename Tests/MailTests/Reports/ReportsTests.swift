import Answers
import Client
import Foundation
import Keys
import Mail
import MailSupport
import Market
import Storage
import Support
import Testing

/// Reports from an account on node two to Ana on node one, whom the operator of node two names.
@Suite(.timeLimit(.minutes(5)))
struct ReportsTests {
    private static func code(_ body: () async throws -> some Sendable) async -> ProblemCode? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? Refusal)?.code
        }
    }

    /// Stores a record of a seller whom the nodes do not keep.
    private static func add(
        _ content: RecordContent,
        by seller: PrivateKey,
        slot: Bytes32 = .zero,
        on node: ChatNode,
        _ harness: ChatHarness
    ) async throws -> SignedRecord {
        let record = try RecordDraft(
            network: "test",
            author: seller.address,
            content: content,
            slot: slot,
            createdAt: harness.now
        ).signed(by: seller)
        _ = try await node.store.ingest([RecordEntry(record, lane: .open)], at: harness.now)
        return record
    }

    @Test func `a sealed report reaches the operator's account and is answered`()
        async throws
    {
        try await ChatHarness.pair(strangers: true) { harness, one, two, ana, bo in
            let seller = testKey(7)
            let slot = Bytes32(repeating: 5)
            let listing = try SampleSale(by: seller, slot: slot).listing
            for node in [one, two] {
                _ = try await Self.add(.listing(listing), by: seller, slot: slot, on: node, harness)
            }
            let id = "\(seller.address.checksummed).\(slot.hex.dropFirst(2))"
            let reports = Reports(chat: two.chat, reader: ana)
            let draft = ReportDraft(listing: id, text: "The picture is mine.")
            let sent = try await reports.send(draft, by: bo, key: "a")
            #expect(sent.listing == id && sent.account == seller.address.checksummed)
            #expect(sent.title == listing.title && sent.sender == bo.checksummed)
            #expect(sent.state == "queued" && sent.answer == nil)
            // The same call again sends nothing more.
            let again = try await reports.send(draft, by: bo, key: "a")
            #expect(again.id == sent.id)
            let other = ReportDraft(listing: id, text: "It is stolen.")
            let reused = await Self.code { try await reports.send(other, by: bo, key: "a") }
            #expect(reused == .keyReused)
            await harness.runAll()

            // What is read on node one needs no setting there.
            let office = Reports(chat: one.chat, reader: nil)
            let got = try await office.page(of: ana, isOwn: false, limit: 20)
            let report = try #require(got.items.first)
            #expect(got.items.count == 1 && got.next == nil)
            #expect(report.text == draft.text && report.listing == id)
            #expect(report.title == listing.title && report.sender == bo.checksummed)
            #expect(try await office.page(of: ana, isOwn: true, limit: 20).items.isEmpty)
            // A stranger's report is a request, as a stranger's text is.
            let request = try #require(try await one.requests(of: ana).first)
            #expect(request.id == report.conversation)
            #expect(request.lastMessage?.kind == "report")
            #expect(request.lastMessage?.text == draft.text)

            try await one.write("Thank you.", in: report.conversation, by: ana)
            await harness.runAll()
            let own = try await reports.page(of: bo, isOwn: true, limit: 20).items
            #expect(own.map(\.answer) == ["Thank you."] && own.map(\.state) == ["delivered"])
            let listed = try await office.page(of: ana, isOwn: false, limit: 20).items
            #expect(listed.map(\.answer) == ["Thank you."])

            // With the conversation the report goes.
            try await one.chat.delete(report.conversation, of: ana)
            #expect(try await office.page(of: ana, isOwn: false, limit: 20).items.isEmpty)
            let rows = try one.store.read { try $0.keys(ReportMessages.self, .prefix(ana)) }
            #expect(rows.isEmpty)
        }
    }

    @Test func `lists reports of accounts, reviews and the node in pages`()
        async throws
    {
        try await ChatHarness.pair(strangers: true) { harness, one, two, ana, bo in
            let seller = testKey(7)
            let review = try Review(
                sale: SaleReference(
                    contract: ContractReference(chain: ChainID(1), address: testKey(8).address),
                    id: SaleID(Bytes32(repeating: 6))
                ),
                stars: 1,
                text: "An insult.",
                outcome: .complete,
                currency: .native,
                price: Amount(small: 1)
            )
            let record = try await Self.add(.review(review), by: seller, on: two, harness)
            let reports = Reports(chat: two.chat, reader: ana)
            let account = seller.address.checksummed
            let drafts = [
                ReportDraft(account: account, text: "Cheats."),
                ReportDraft(review: record.id.digest.hex, text: "Insults."),
                ReportDraft(text: "The node is slow."),
            ]
            for (number, draft) in drafts.enumerated() {
                _ = try await reports.send(draft, by: bo, key: "\(number)")
                harness.clock.advance(by: 1)
            }
            await harness.runAll()
            var found: [Client.Report] = []
            var next: String?
            repeat {
                let page = try await Reports(chat: one.chat, reader: nil)
                    .page(of: ana, isOwn: false, after: next, limit: 1)
                #expect(page.items.count == 1)
                found += page.items
                next = page.next
            } while next != nil
            #expect(Set(found.map(\.text)) == Set(drafts.map(\.text)) && found.count == 3)
            let ofNode = try #require(found.first { $0.text == "The node is slow." })
            #expect(ofNode.account == nil && ofNode.listing == nil && ofNode.review == nil)
            let ofReview = try #require(found.first { $0.text == "Insults." })
            #expect(ofReview.review == record.id.digest.hex && ofReview.account == account)
        }
    }

    /// - From people: a seventeenth report before the reader has answered or accepted its sender →
    ///   not_allowed
    @Test func `limits a stranger's reports in the same way as texts`() async throws {
        try await ChatHarness.pair(strangers: true) { harness, one, two, ana, bo in
            let reports = Reports(chat: two.chat, reader: ana)
            for number in 0..<16 {
                let draft = ReportDraft(text: "Again \(number).")
                _ = try await reports.send(draft, by: bo, key: "\(number)")
            }
            let more = ReportDraft(text: "Again.")
            let code = await Self.code { try await reports.send(more, by: bo, key: "more") }
            #expect(code == .notAllowed)
            await harness.runAll()
            let got = try await Reports(chat: one.chat, reader: nil)
                .page(of: ana, isOwn: false, limit: 100)
            #expect(got.items.count == 16)
        }
    }

    /// - From people: a report on a node whose operator has named no account for reports →
    ///   reports_not_taken
    /// - From people: a report by the account that reads the reports; a report about oneself, one's
    ///   own listing or review → not_allowed
    /// - From people: a report that is about several things, empty, or longer than 4,096 bytes →
    ///   malformed_value
    /// - From people: a report about a listing or review that this node does not have →
    ///   unknown_listing, not_found
    @Test func `refuses a report without a reader or about an unknown subject`()
        async throws
    {
        try await ChatHarness.pair(strangers: true) { harness, one, two, ana, bo in
            let (reports, nobody) = (
                Reports(chat: two.chat, reader: ana), Reports(chat: two.chat, reader: nil)
            )
            let unread = await Self.code {
                try await nobody.send(ReportDraft(text: "Slow."), by: bo, key: "a")
            }
            #expect(unread == .reportsNotTaken)
            let itself = await Self.code {
                try await Reports(chat: one.chat, reader: ana)
                    .send(ReportDraft(text: "Slow."), by: ana, key: "a")
            }
            #expect(itself == .notAllowed)
            let seller = testKey(7).address.checksummed
            let listing = "\(seller).\(String(repeating: "ab", count: 32))"
            for (draft, expected) in [
                (ReportDraft(account: seller, listing: listing, text: "x"), .malformedValue),
                (ReportDraft(listing: listing, text: "x"), .unknownListing),
                (ReportDraft(listing: "bicycle", text: "x"), .unknownListing),
                (ReportDraft(review: Bytes32(repeating: 1).hex, text: "x"), .notFound),
                (ReportDraft(review: "none", text: "x"), .notFound),
                (ReportDraft(account: "0x12", text: "x"), .badAddress),
                (ReportDraft(account: bo.checksummed, text: "x"), .notAllowed),
                (ReportDraft(text: ""), .malformedValue),
                (ReportDraft(text: " blank"), .malformedValue),
                (ReportDraft(text: String(repeating: "x", count: 4_097)), .malformedValue),
            ] as [(ReportDraft, ProblemCode)] {
                let found = await Self.code { try await reports.send(draft, by: bo, key: "b") }
                #expect(found == expected, "\(draft)")
            }
            let place = await Self.code {
                try await reports.page(of: bo, isOwn: true, after: "x", limit: 1)
            }
            #expect(place == .malformedValue)
            await harness.runAll()
            let requests = try await one.requests(of: ana)
            #expect(requests.isEmpty)
        }
    }
}
