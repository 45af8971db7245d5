import Support
import Testing

@testable import Storage

struct SchemaTests {
    private func open(_ folder: TemporaryFolder, _ number: UInt64, _ oldest: UInt64) throws {
        _ = try Environment(
            folder: folder.path,
            mapBytes: 1 << 20,
            schema: Schema(number: number, oldest: oldest, trees: [.own(Words.self)])
        )
    }

    /// The tables of shared trees in the order of version 19: a key in a store has its table's place.
    private static let places = [
        "record-indexes": """
        counters record-shelves record-shares record-shares-by-size record-slots
        records-by-kind records-by-author records-by-subject records-by-expiry
        anchored-by-weight open-lane-origins open-lane-by-origin given-up-by-expiry
        forgotten-by-expiry held-by-time held-by-origin held-by-subject held-by-author
        revoked-devices-by-time revoked-devices-by-share changes
        """,
        "account-work": """
        settings chain-checkpoints notified-heights notified-sales chain-events
        transaction-journal idempotency-keys idempotency-by-expiry operations account-events
        deadline-notices attendance curation-subscribers wallet-entries wallet-places
        vault-segments works sealed-files delivered-works reopening-consents
        """,
        "account-mail": """
        mail-usage home-leases homed-origins mail-grants prekeys prekey-bundles contacts
        blocked-contacts mail-requests receipts-due conversations conversations-with
        deleted-conversations deleted-conversations-by-time report-messages envelopes
        envelopes-by-hash envelopes-by-expiry outbox outbox-by-time messages
        messages-by-number unknown-messages trade-notes acceptances-due conversation-files
        price-offer-notes
        """,
        "media-pins": "media-pins media-of-accounts",
    ].mapValues { $0.split(whereSeparator: \.isWhitespace).map(String.init) }

    @Test func `tables of shared trees keep their positions in existing stores`() {
        let shared = Schema.current.trees.filter(\.isShared)
        #expect(Set(shared.map(\.name)) == Set(Self.places.keys))
        for tree in shared {
            let known = Self.places[tree.name] ?? []
            #expect(tree.tables.prefix(known.count).map { $0.name } == known, "\(tree.name)")
        }
    }

    /// - From commands: a store written by a newer program → exit 6
    @Test func `refuses a newer program's store`() throws {
        let folder = try TemporaryFolder()
        try open(folder, 3, 1)

        #expect(throws: StorageError.schemaTooNew(found: 3, known: 2)) { try open(folder, 2, 1) }
        try open(folder, 3, 1)
    }

    @Test func `refuses a store that is too old, and upgrades newer ones`() throws {
        let folder = try TemporaryFolder()
        try open(folder, 1, 1)
        try open(folder, 2, 1)

        #expect(throws: StorageError.schemaTooNew(found: 2, known: 1)) { try open(folder, 1, 1) }
        #expect(throws: StorageError.schemaTooOld(found: 2, oldest: 3)) { try open(folder, 3, 3) }
    }
}
