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
import Trade

/// Lists of curators on nodes in memory: Bo on node two publishes, Ana on node one follows.
@Suite(.timeLimit(.minutes(5)))
struct CurationsTests {
    private static let seller = testKey(7).address
    private static let listing = "\(seller.checksummed).\(String(repeating: "ab", count: 32))"

    private static func code(_ body: () async throws -> some Sendable) async -> ProblemCode? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? Refusal)?.code
        }
    }

    private static func curations(_ node: ChatNode, _ harness: ChatHarness) -> Curations {
        Curations(
            store: node.store,
            recordService: node.recordService,
            accounts: node.accounts,
            blocks: Blocks(chat: node.chat),
            clock: harness.clock
        )
    }

    private static func draft(_ name: String = "Copies", _ entries: [CurationEntry]? = nil)
        -> CurationDraft
    {
        CurationDraft(
            name: name,
            entries: entries ?? [CurationEntry(listing: listing, reason: "A copy.")]
        )
    }

    @Test func `a list hides items from its followers, says why, and can be left`() async throws {
        try await ChatHarness.pair { harness, one, two, ana, bo in
            let (mine, theirs) = (Self.curations(one, harness), Self.curations(two, harness))
            let published = try await theirs.publish(Self.draft(), by: bo)
            #expect(published.author == bo.checksummed && published.name == "Copies")
            #expect(published.entries.map(\.listing) == [Self.listing])
            // It came to node one by gossip, and hides nothing there by itself.
            #expect(try mine.list(published.id, for: ana).isFollowed == false)
            #expect(try await mine.hidden(from: ana).isEmpty)

            let followed = try await mine.follow(published.id, by: ana)
            #expect(followed.isFollowed && followed.entries == published.entries)
            let id = try ListingID(Self.listing)
            #expect(try await mine.hidden(from: ana).hides(id))
            #expect(try await mine.hidden(from: bo).isEmpty)
            #expect(
                try await mine.reasons(for: ana) == [
                    HiddenEntry(
                        account: Self.seller.checksummed,
                        listing: Self.listing,
                        list: published.id,
                        by: bo.checksummed,
                        reason: "A copy."
                    )
                ]
            )

            // A later version counts at once; of the follower itself nothing is hidden.
            harness.clock.advance(by: 1)
            let entries = [
                CurationEntry(account: Self.seller.checksummed, reason: "Cheats."),
                CurationEntry(account: ana.checksummed, reason: "Everybody."),
            ]
            _ = try await theirs.publish(Self.draft("Copies", entries), by: bo)
            let hidden = try await mine.hidden(from: ana)
            #expect(hidden.sellers == [Self.seller] && hidden.hides(id))
            #expect(try mine.followed(by: ana).map(\.id) == [published.id])

            try await mine.leave(published.id, by: ana)
            #expect(try await mine.hidden(from: ana).isEmpty)
            #expect(try await mine.reasons(for: ana).isEmpty)
        }
    }

    /// - From people: the withdrawal of somebody else's list → not_allowed
    @Test func `a withdrawn list hides nothing, and its author can restart it`() async throws {
        try await ChatHarness.pair { harness, one, two, ana, bo in
            let (mine, theirs) = (Self.curations(one, harness), Self.curations(two, harness))
            let published = try await theirs.publish(Self.draft(), by: bo)
            _ = try await mine.follow(published.id, by: ana)
            harness.clock.advance(by: 1)
            let foreign = await Self.code { try await mine.withdraw(published.id, by: ana) }
            #expect(foreign == .notAllowed)
            try await theirs.withdraw(published.id, by: bo)
            #expect(try await mine.hidden(from: ana).isEmpty)
            #expect(try mine.page(by: nil, for: ana, after: nil, limit: 9).items.isEmpty)
            let again = await Self.code { try await theirs.withdraw(published.id, by: bo) }
            #expect(again == .notFound)
            harness.clock.advance(by: 1)
            _ = try await theirs.publish(Self.draft(), by: bo)
            #expect(try await mine.hidden(from: ana).isEmpty == false)
        }
    }

    @Test func `keeps followed lists and drops others after a week`()
        async throws
    {
        try await ChatHarness.pair { harness, one, two, ana, bo in
            let (mine, theirs) = (Self.curations(one, harness), Self.curations(two, harness))
            let followed = try await theirs.publish(Self.draft("Followed"), by: bo)
            let other = try await theirs.publish(Self.draft("Other"), by: bo)
            _ = try await mine.follow(followed.id, by: ana)
            harness.clock.advance(by: 5 * 86_400)
            let now = harness.now
            let due = try one.store.read { try $0.recordsToRenew(at: now, limit: 100) }
            #expect(due.count { $0.version.key.kind == .curation } == 1)
            let own = try two.store.read { try $0.recordsToRenew(at: now, limit: 100) }
            #expect(own.count { $0.version.key.kind == .curation } == 2)
            for record in due {
                _ = try await one.store.write { try $0.renew(record.version.id, at: now) }
            }
            harness.clock.advance(by: 3 * 86_400)
            let later = harness.now
            while try await one.store.write({ try $0.sweepRecords(at: later) }) > 0 {}
            #expect(try mine.list(followed.id, for: ana).name == "Followed")
            let gone = await Self.code { try mine.list(other.id, for: ana) }
            #expect(gone == .notFound)
        }
    }

    @Test func `hides blocked accounts until they are unblocked`() async throws {
        try await ChatHarness.pair { harness, one, _, ana, bo in
            let (mine, blocks) = (Self.curations(one, harness), Blocks(chat: one.chat))
            let blocked = try await blocks.add(bo.checksummed, by: ana)
            #expect(try await blocks.all(by: ana) == [blocked])
            #expect(try await mine.hidden(from: ana).sellers == [bo])
            #expect(
                try await mine.reasons(for: ana) == [
                    HiddenEntry(account: bo.checksummed, by: ana.checksummed)
                ]
            )
            try await blocks.remove(bo.checksummed, by: ana)
            #expect(try await mine.hidden(from: ana).isEmpty)
            // Of a locked account nobody knows whom it has blocked, and lists are shown all the same.
            await one.signOut()
            #expect(try await mine.hidden(from: ana).isEmpty)
        }
    }

    /// - From people: a list without a name, or with an entry that names nothing, two things or the
    ///   same as another one, or whose reason is missing, longer than 160 bytes or not one line →
    ///   malformed_value, unknown_listing, bad_address
    /// - From people: a list of more than 16,384 bytes → malformed_value
    /// - From people: a fifth list of an account → not_allowed
    /// - From people: showing, following, leaving or withdrawing a list that is not here →
    ///   not_found
    @Test func `refuses a list that breaks a rule, with a message`() async throws {
        try await ChatHarness.pair { harness, one, two, ana, bo in
            let theirs = Self.curations(two, harness)
            let other = testKey(8).address.checksummed
            for (entry, expected) in [
                (CurationEntry(reason: "x"), .malformedValue),
                (CurationEntry(listing: "bicycle", reason: "x"), .unknownListing),
                (CurationEntry(account: "0x12", reason: "x"), .badAddress),
                (
                    CurationEntry(account: other, listing: Self.listing, reason: "x"),
                    .malformedValue
                ),
                (CurationEntry(listing: Self.listing, reason: ""), .malformedValue),
                (CurationEntry(listing: Self.listing, reason: "a\nb"), .malformedValue),
                (
                    CurationEntry(
                        listing: Self.listing,
                        reason: String(repeating: "x", count: 161)
                    ), .malformedValue
                ),
            ] as [(CurationEntry, ProblemCode)] {
                let draft = Self.draft("Copies", [entry])
                #expect(await Self.code { try theirs.preview(draft, by: bo) } == expected)
                #expect(await Self.code { try await theirs.publish(draft, by: bo) } == expected)
            }
            let twice = [
                CurationEntry(listing: Self.listing, reason: "x"),
                CurationEntry(listing: Self.listing, reason: "y"),
            ]
            let repeated = await Self.code { try theirs.preview(Self.draft("A", twice), by: bo) }
            #expect(repeated == .malformedValue)
            #expect(
                await Self.code { try theirs.preview(Self.draft(""), by: bo) } == .malformedValue
            )
            let long = (1...250).map { number in
                let digits = String(format: "%064x", number)
                return CurationEntry(
                    listing: "\(Self.seller.checksummed).\(digits)",
                    reason: String(repeating: "x", count: 160)
                )
            }
            let tooLong = await Self.code {
                try await theirs.publish(Self.draft("A", long), by: bo)
            }
            #expect(tooLong == .malformedValue)

            for name in ["A", "B", "C", "D"] {
                _ = try await theirs.publish(Self.draft(name), by: bo)
            }
            #expect(await Self.code { try theirs.preview(Self.draft("E"), by: bo) } == .notAllowed)
            #expect(await Self.code { try theirs.preview(Self.draft("A"), by: bo) } == nil)

            let absent = "\(bo.checksummed).\(String(repeating: "0f", count: 32))"
            for id in ["x", absent] {
                #expect(await Self.code { try theirs.list(id, for: nil) } == .notFound)
                #expect(await Self.code { try await theirs.follow(id, by: bo) } == .notFound)
                #expect(await Self.code { try await theirs.leave(id, by: bo) } == .notFound)
            }
            await two.signOut()
            let locked = await Self.code { try await theirs.publish(Self.draft("A"), by: bo) }
            #expect(locked == .nodeLocked)
        }
    }

    /// - From people: a seventeenth name for an account's lists, including withdrawn ones →
    ///   not_allowed
    @Test func `an account can have lists under sixteen names`() async throws {
        try await ChatHarness.pair { harness, _, two, _, bo in
            let theirs = Self.curations(two, harness)
            for number in 1...16 {
                let list = try await theirs.publish(Self.draft("List \(number)"), by: bo)
                harness.clock.advance(by: 1)
                if number > 1 { try await theirs.withdraw(list.id, by: bo) }
            }
            // The first one would go for a seventeenth.
            let code = await Self.code { try theirs.preview(Self.draft("List 17"), by: bo) }
            #expect(code == .notAllowed)
            #expect(try theirs.preview(Self.draft("List 9"), by: bo).action == "publish_list")
            #expect(try theirs.page(by: bo, for: bo, after: nil, limit: 9).items.count == 1)
        }
    }

    /// - From people: a seventeenth list that an account follows → not_allowed
    @Test func `an account can follow sixteen lists`() async throws {
        try await ChatHarness.pair { harness, one, two, ana, bo in
            let mine = Self.curations(one, harness)
            var ids: [String] = []
            for number in 1...17 as ClosedRange<UInt8> {
                let curator = testKey(100 + number)
                let list = try Curation(name: "List", entries: [])
                let record = try RecordDraft(
                    network: "test",
                    author: curator.address,
                    content: .curation(list),
                    slot: .zero,
                    createdAt: harness.now
                ).signed(by: curator)
                _ = try await one.store.ingest([RecordEntry(record, lane: .open)], at: harness.now)
                ids.append("\(curator.address.checksummed).\(record.slot.hex.dropFirst(2))")
            }
            for id in ids.prefix(16) { _ = try await mine.follow(id, by: ana) }
            let more = await Self.code { try await mine.follow(ids[16], by: ana) }
            #expect(more == .notAllowed)
            // Once more is no more.
            #expect(try await mine.follow(ids[0], by: ana).isFollowed)
            try await mine.leave(ids[0], by: ana)
            #expect(try await mine.follow(ids[16], by: ana).isFollowed)

            var (found, next): ([String], String?) = ([], nil)
            repeat {
                let page = try mine.page(by: nil, for: nil, after: next, limit: 5)
                found += page.items.map(\.id)
                next = page.next
            } while next != nil
            #expect(Set(found) == Set(ids) && found.count == ids.count)
        }
    }
}
