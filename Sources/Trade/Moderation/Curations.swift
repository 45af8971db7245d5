package import AccountAccess
import Answers
package import Client
package import Concurrency
import Foundation
package import Keys
import Market
package import Records
import Setup
package import Storage

/// Lists of curators: published by accounts, and followed by others from whom they hide listings.
///
/// Source: Docs/protocol.md, section 14.
package struct Curations: Sendable {
    /// The maximum number of lists that an account follows.
    package static let followedMax = 16
    /// The maximum number of lists of one account, those aside that it has withdrawn.
    package static let ownMax = 4

    let store: Store
    package let blocks: Blocks
    private let recordService: RecordService
    private let accounts: Accounts
    private let clock: any WallClock

    package init(
        store: Store,
        recordService: RecordService,
        accounts: Accounts,
        blocks: Blocks,
        clock: any WallClock = .system
    ) {
        (self.store, self.recordService, self.accounts) = (store, recordService, accounts)
        (self.blocks, self.clock) = (blocks, clock)
    }

    /// Publishes a list, instead of the account's earlier one of the same name.
    ///
    /// - Throws: ``Refusal``: `malformed_value`, `bad_address`, `unknown_listing`, `not_allowed`
    ///   for a fifth list, `needs_unlock`, `signs_elsewhere`.
    package func publish(
        _ draft: CurationDraft,
        by account: Address
    ) async throws -> Client.Curation {
        let list = try list(draft, by: account)
        let key = try await key(of: account)
        let record = try await recordService.publish(.curation(list), by: key)
        return try shown(record.key, for: account) ?? .init(list, record, isFollowed: false)
    }

    /// Returns what publishing the list would sign, with the same checks.
    ///
    /// - Throws: As ``publish(_:by:)``.
    package func preview(_ draft: CurationDraft, by account: Address) throws -> ActionPreview {
        let list = try list(draft, by: account)
        let place = RecordKey(
            author: account,
            kind: .curation,
            slot: Market.Curation.slot(of: list.name)
        )
        let old = try store.read { try $0.record(in: place) }?.curation
        return ActionPreview(
            action: "publish_list",
            subject: ListID(place).text,
            summary: [
                Sentence("list.publish", ["name": list.name, "entries": "\(list.entries.count)"])
            ],
            explanation: [
                Sentence("preview.public"), Sentence("list.hides"),
                old == nil ? Sentence("list.new") : Sentence("list.replaces"),
            ]
        )
    }

    /// Withdraws one of the account's lists, so that it no longer hides anything.
    ///
    /// - Throws: ``Refusal`` with `not_found`, `not_allowed`, `needs_unlock`, `signs_elsewhere`.
    package func withdraw(_ text: String, by account: Address) async throws {
        let place = try ListID(entered: text).place
        guard place.author == account else {
            throw Refusal(
                .notAllowed,
                Sentence("refusal.listOfOther", ["account": "\(place.author)"])
            )
        }
        guard try store.read({ try $0.record(in: place) })?.curation != nil else {
            throw Self.unknown(text)
        }
        let key = try await key(of: account)
        _ = try await recordService.publish(.withdrawal(.curation), slot: place.slot, by: key)
    }

    /// Returns a list that is here.
    ///
    /// - Throws: ``Refusal`` with `not_found`.
    package func list(_ text: String, for caller: Address?) throws -> Client.Curation {
        guard let list = try shown(ListID(entered: text).place, for: caller) else {
            throw Self.unknown(text)
        }
        return list
    }

    /// Returns one page of the lists that are here, or of one author, the latest first.
    ///
    /// - Throws: ``Refusal`` with `malformed_value`.
    package func page(
        by author: Address?,
        for caller: Address?,
        after: String?,
        limit: Int
    ) throws -> Page<Client.Curation> {
        let place = try after.map { try PageCursor(entered: $0) }
        return try store.read { transaction in
            let all: [StoredRecord]
            if let author {
                let most = RecordKind.curation.slotsMax
                all = try transaction.records(of: .curation, by: author, limit: most)
            } else {
                all = try transaction.records(of: .curation, limit: Self.listedMax)
            }
            let (lists, next) = all.filter { $0.curation != nil }
                .page(after: place, limit: limit) {
                    PageCursor($0.orderTime.milliseconds, id: $0.version.id.digest)
                }
            return Page(
                items: try lists.compactMap {
                    try transaction.shown($0.version.key, for: caller)
                },
                next: next?.text
            )
        }
    }

    /// Follows a list: from now on it hides listings from the account.
    ///
    /// - Throws: ``Refusal`` with `not_found`, `not_allowed` if the account follows too many.
    package func follow(_ text: String, by account: Address) async throws -> Client.Curation {
        let place = try ListID(entered: text).place
        let now = clock.timestamp.milliseconds
        try await store.add { transaction in
            guard try transaction.record(in: place)?.curation != nil else {
                throw Self.unknown(text)
            }
            let followed = try transaction.subscriptions(of: account)
            if followed.contains(place) { return }
            guard followed.count < Self.followedMax else {
                throw Refusal(
                    .notAllowed,
                    Sentence("refusal.followedFull", ["most": "\(Self.followedMax)"])
                )
            }
            let list = CompositeKey(place.author, place.slot)
            try transaction.put(CurationSubscribers.self, CompositeKey(list, account), now)
        }
        return try list(text, for: account)
    }

    /// Stops following a list, which then hides nothing from the account.
    ///
    /// - Throws: ``Refusal`` with `not_found` if the account does not follow it.
    package func leave(_ text: String, by account: Address) async throws {
        let place = try ListID(entered: text).place
        try await store.write { transaction in
            let key = CompositeKey(CompositeKey(place.author, place.slot), account)
            guard try transaction.contains(CurationSubscribers.self, key) else {
                throw Refusal(.notFound, Sentence("refusal.notFollowed", ["list": text.quoted]))
            }
            try transaction.remove(CurationSubscribers.self, key)
        }
    }

    /// Returns the lists that the account follows and that are here.
    package func followed(by account: Address) throws -> [Client.Curation] {
        try store.read { transaction in
            try transaction.subscriptions(of: account).compactMap {
                try transaction.shown($0, for: account)
            }
        }
    }

    /// Lists without a search go no further back than this.
    private static let listedMax = 1_000

    private func key(of account: Address) async throws -> PrivateKey {
        guard try await !accounts.signsElsewhere(account) else {
            throw Refusal(.signsElsewhere, Sentence("refusal.mustSignHere"))
        }
        guard let key = await accounts.key(of: account) else {
            throw Refusal(.nodeLocked, Sentence("refusal.signInToSign"))
        }
        return key
    }

    private func shown(_ place: RecordKey, for caller: Address?) throws -> Client.Curation? {
        try store.read { try $0.shown(place, for: caller) }
    }

    private static func unknown(_ text: String) -> Refusal {
        Refusal(.notFound, Sentence("refusal.unknownList", ["list": text.quoted]))
    }
}

/// The id of a list through all its versions: its author and its slot.
struct ListID: Hashable, Sendable {
    let place: RecordKey

    init(_ place: RecordKey) { self.place = place }

    /// Reads the API's form, `<author's address>.<64 hexadecimal digits>`.
    ///
    /// - Throws: ``Refusal`` with `not_found`.
    init(entered text: String) throws(Refusal) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let author = try? Address(text: parts[0]),
            let slot = Bytes32(hex: "0x" + parts[1])
        else {
            throw Refusal(.notFound, Sentence("refusal.notAListID", ["list": text.quoted]))
        }
        place = RecordKey(author: author, kind: .curation, slot: slot)
    }

    var text: String { "\(place.author.checksummed).\(place.slot.hex.dropFirst(2))" }
}

extension StoredRecord {
    /// The list; `nil` for its withdrawal, and for other records.
    var curation: Market.Curation? {
        guard case .curation(let list) = readable()?.content else { return nil }
        return list
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// Returns a list in the API's form; `nil` if it is not here or withdrawn.
    fileprivate func shown(_ place: RecordKey, for caller: Address?) throws -> Client.Curation? {
        guard let record = try record(in: place)?.readable(),
            case .curation(let list) = record.content
        else { return nil }
        let key = caller.map { CompositeKey(CompositeKey(place.author, place.slot), $0) }
        let isFollowed = try key.map { try contains(CurationSubscribers.self, $0) } ?? false
        return Client.Curation(list, record, isFollowed: isFollowed)
    }
}

extension Client.Curation {
    fileprivate init(_ list: Market.Curation, _ record: SignedRecord, isFollowed: Bool) {
        self.init(
            id: ListID(record.key).text,
            author: record.author.checksummed,
            name: list.name,
            about: list.about,
            entries: list.entries.map { entry in
                CurationEntry(
                    account: entry.account.checksummed,
                    listing: entry.listing.map {
                        ListingID(author: entry.account, slot: $0).description
                    },
                    reason: entry.reason
                )
            },
            createdAt: record.createdAt.date,
            isFollowed: isFollowed
        )
    }
}
