package import AccountAccess
import Answers
import Client
package import Concurrency
import Foundation
import Keys
import Market
import Storage

/// Reports new listings that match saved searches to signed-in accounts.
///
/// It follows the store's feed of changes from a mark of each account, so that listings that
/// arrived while the account was locked are reported once it is not. Each listing is reported once
/// for each search, as long as it is among the last ``rememberedMax``.
package struct SearchWatcher: Sendable {
    /// The minimum time between two looks.
    private static let pause = Duration.seconds(1)
    /// The maximum number of changes that one look reads.
    private static let changesMax = 400
    /// The maximum number of events in one transaction: less than the reserve of a full store.
    private static let eventsMax = 256

    let searches: SavedSearches
    let searcher: ListingSearcher
    let curations: Curations
    let accounts: Accounts
    let events: AccountEventLog
    let clock: any MonotonicClock
    let errors: LoopErrors

    private var store: Store { searcher.store }

    package init(
        searches: SavedSearches,
        searcher: ListingSearcher,
        curations: Curations,
        accounts: Accounts,
        events: AccountEventLog,
        clock: any MonotonicClock,
        errors: LoopErrors
    ) {
        (self.searches, self.searcher, self.curations) = (searches, searcher, curations)
        (self.accounts, self.events) = (accounts, events)
        (self.clock, self.errors) = (clock, errors)
    }

    /// Watches until cancelled.
    package func run() async throws {
        let (due, signal) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        try await withThrowingTaskGroup { group in
            group.addTask { [store] in
                for await _ in store.changeNumbers() { signal.yield() }
            }
            group.addTask { [accounts] in
                for await _ in accounts.unlockings() { signal.yield() }
            }
            group.addTask {
                for await _ in due {
                    for account in await accounts.unlocked {
                        // It is looked at again with the next change.
                        await errors.item("searches of account \(account)") {
                            if try await look(for: account) { signal.yield() }
                        }
                    }
                    try await clock.wait(Self.pause)
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Looks at the next changes for an account.
    ///
    /// - Returns: Whether there is more to look at.
    func look(for account: Address) async throws -> Bool {
        do {
            return try await step(for: account)
        } catch is Refusal {
            // It was locked in the meantime.
            return false
        }
    }

    private func step(for account: Address) async throws -> Bool {
        let saved = try await searches.all(of: account)
        guard !saved.isEmpty else { return false }
        guard let secret = await accounts.localSecret(of: account) else { return false }
        let seal = LocalSeal(secret)
        let name = SearchMark.setting(of: account)
        let held = try store.read { try $0.get(Settings.self, name) }
        guard let held, let mark = SearchMark(held) else {
            // On a node that has received the searches from another one.
            try await SearchMark.begin(for: account, in: store)
            return false
        }
        let page = try store.changes(after: mark.number, limit: Self.changesMax)
        guard let last = page.changes.last?.number else { return false }
        let found = try store.read { transaction in
            try page.changes.compactMap { try transaction.listing(of: $0.record, notBy: account) }
        }
        var matches: [(search: String, listing: ListingID)] = []
        let hidden = try await curations.hidden(from: account)
        let isForAddress = saved.contains { $0.terms.reachesMe == true }
        let destination =
            isForAddress && !found.isEmpty ? try await destination(of: account) : nil
        for search in saved where !found.isEmpty {
            // If a search fails on a listing, it does not report that listing; the others must not
            // wait for it.
            var ids: [ListingID]? = []
            var passing: (any Error)?
            await errors.item("a search of account \(account)") {
                do { ids = try await matching(search, to: destination, among: found) } catch
                    where error.mayPassLater
                { passing = error }
            }
            // The mark stays, so that these listings are looked at again.
            if let passing { throw passing }
            guard let ids else { return true }
            matches += ids.filter { !hidden.hides($0) }.map { (search.name, $0) }
        }
        try await tell(matches, to: account, after: mark, through: last, seal)
        return last < page.last
    }

    /// Returns those of some listings that a search finds; `nil` while the index is being rebuilt.
    ///
    /// `destination` is the account's delivery address; only a search by delivery needs one.
    private func matching(
        _ search: SavedSearch,
        to destination: Destination?,
        among found: [FoundListing]
    ) async throws -> [ListingID]? {
        let time = searcher.saleIndexes.time(by: searcher.clock)
        // A search finds nothing that the rules for entering it no longer allow.
        let terms = ListingQuery(search.terms)
        guard let query = try? searcher.query(for: terms, at: time.wall) else { return [] }
        let since = Timestamp(search.since)
        var found = found.filter { $0.firstSeen >= since }
        if search.terms.reachesMe == true {
            guard let destination else { return [] }
            found.removeAll { $0.listing.delivery.refusal(to: destination) != nil }
        }
        let ids = found.map(\.record)
        guard let matching = try await searcher.catalogue.matching(query, among: ids) else {
            return nil
        }
        let wanted = Set(matching)
        return try found.filter {
            guard wanted.contains($0.record) else { return false }
            // Each is looked up: a skipped one would never be reported.
            var lookups = SellerStars.Lookups()
            return try searcher.hasStars($0.id.author, terms, &lookups)
        }.map(\.id)
    }

    /// Returns the account's delivery address; `nil` if it no longer has one, or has one in a place
    /// that this version does not know.
    private func destination(of account: Address) async throws -> Destination? {
        do {
            return try await searches.destination(of: account)
        } catch let refusal as Refusal
            where [.malformedValue, .shippingNotPossible].contains(refusal.code)
        {
            return nil
        }
    }

    /// Writes the events, and with the last of them how far the changes were checked.
    ///
    /// - Throws: Also ``StorageError/mapFull(_:)`` for events while the store has little room.
    private func tell(
        _ matches: [(search: String, listing: ListingID)],
        to account: Address,
        after mark: SearchMark,
        through number: UInt64,
        _ seal: LocalSeal
    ) async throws {
        var mark = mark
        var rest = matches[...]
        repeat {
            let part = rest.prefix(Self.eventsMax)
            rest = rest.dropFirst(part.count)
            if rest.isEmpty { mark.number = number }
            let fresh = part.filter { match in
                let bytes = Array(match.search.utf8) + [0] + match.listing.vaultName
                return mark.remember(seal.digest(bytes, for: .searchMatch))
            }
            try await write(fresh, mark, to: account)
        } while !rest.isEmpty
    }

    private func write(
        _ fresh: [(search: String, listing: ListingID)],
        _ told: SearchMark,
        to account: Address
    ) async throws {
        try await store.write(isAddition: !fresh.isEmpty) { [events] transaction in
            guard try transaction.contains(AccountEntries.self, account) else { return }
            try transaction.put(Settings.self, SearchMark.setting(of: account), told.bytes)
            for match in fresh {
                try events.note(
                    "listing_found",
                    subject: match.listing.description,
                    data: ["search": match.search],
                    for: account,
                    in: &transaction
                )
            }
        }
        if !fresh.isEmpty { events.signal() }
    }
}

/// How far the changes were checked for an account's saved searches, and the reported matches.
struct SearchMark: Equatable {
    /// The maximum number of remembered reports.
    static let rememberedMax = 1_024
    private static let digestBytes = 16

    /// The number of the last change that was looked at.
    var number: UInt64
    /// Digests of a search and a listing, the last reported at the end.
    private var told: [[UInt8]] = []

    init(number: UInt64) { self.number = number }

    /// Reads ``bytes``; `nil` if they are damaged.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 8, (bytes.count - 8).isMultiple(of: Self.digestBytes) else {
            return nil
        }
        number = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        told = stride(from: 8, to: bytes.count, by: Self.digestBytes).map {
            Array(bytes[$0..<$0 + Self.digestBytes])
        }
    }

    var bytes: [UInt8] {
        (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } + told.joined()
    }

    /// Remembers a report; returns whether it is new.
    mutating func remember(_ digest: Bytes32) -> Bool {
        let short = Array(digest.bytes.prefix(Self.digestBytes))
        guard !told.contains(short) else { return false }
        told.append(short)
        told.removeFirst(max(0, told.count - Self.rememberedMax))
        return true
    }

    /// The name of the setting that holds an account's mark.
    static func setting(of account: Address) -> String {
        Settings.key("search-mark", of: account)
    }

    /// Starts with the changes from now on, unless the account has a mark.
    static func begin(for account: Address, in store: Store) async throws {
        let mark = SearchMark(number: store.newestChange)
        try await store.write { transaction in
            let held = try transaction.get(Settings.self, setting(of: account))
            guard held.flatMap(SearchMark.init) == nil else { return }
            try transaction.put(Settings.self, setting(of: account), mark.bytes)
        }
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// Returns a record if it is a present listing of somebody else.
    fileprivate func listing(of id: RecordID, notBy account: Address) throws -> FoundListing? {
        guard let stored = try record(id), stored.version.key.author != account else { return nil }
        return FoundListing(stored)
    }
}

extension LocalSeal.Context {
    fileprivate static let searchMatch = Self(bytes: Array("search match".utf8))
}
