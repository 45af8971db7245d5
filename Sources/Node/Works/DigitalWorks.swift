import Client
import Concurrency
import Foundation
import Gossip
import Keys
import Market
import NIOCore
import Storage

/// The digital works of the node's accounts: takes their files, keeps them encrypted, and gives
/// those that were bought to their buyers.
///
/// Source: Docs/protocol.md, section 17.
struct DigitalWorks: Sendable {
    /// The maximum number of works of an account.
    static let countMax = 1_000
    /// The files that are in memory at a time on their way to the node; of one account.
    private static let uploads = FilePermits(permitsMax: 8, accountPermitsMax: 2)
    /// The same of files on their way to their buyers.
    private static let downloads = FilePermits(permitsMax: 8, accountPermitsMax: 2)

    let chat: Chat
    let media: NodeMedia
    /// `nil` on a node without a chain.
    let saleIndexes: SaleIndexes?

    private var store: Store { chat.store }

    /// Takes a file, and keeps it encrypted under a key of its own.
    ///
    /// - Parameters:
    ///   - body: The file in pieces.
    ///   - name: What it is called.
    ///   - account: The account that it is of.
    /// - Returns: What a listing names it by.
    /// - Throws: ``Refusal``: `malformed_value`, `body_too_large`, `not_allowed`, `media_no_room`,
    ///   `too_many_tries`, `needs_unlock`, `signs_elsewhere`.
    func add(
        _ body: some AsyncSequence<ByteBuffer, any Error> & Sendable,
        named name: String,
        by account: Address
    ) async throws -> Work {
        let unlocked = try await chat.services.unlockedAccount(account)
        do { try MailWork.checked(name: name) } catch {
            throw Refusal(
                .malformedValue,
                "The name of a file is one line of 1 to \(MailWork.nameByteCountMax) bytes without a "
                    + "slash.",
                field: "name"
            )
        }
        let permit = try Self.uploads.take(for: account)
        defer { withExtendedLifetime(permit) {} }
        let clear = try await Self.received(body)
        let (file, key, sealed) = try await Self.encrypted(clear)
        let count = try store.read { try $0.keys(Works.self, .prefix(account)).count }
        guard count < Self.countMax else {
            throw Refusal(.notAllowed, "An account can have at most \(Self.countMax) works.")
        }
        if let known = try work(file, of: unlocked) { return Self.shown(known) }
        let kept: Media
        do { kept = try await media.add(sealed, form: .sealed, by: account) } catch let fault
            as BlobFault
        {
            throw Refusal(fault)
        }
        let work = StoredWork(
            file: file,
            blob: kept.id,
            byteCount: kept.byteCount,
            key: key,
            name: name
        )
        try await put(work, file, kept.id, of: unlocked)
        return Self.shown(work)
    }

    /// Returns the works of an account, by their identifiers.
    ///
    /// - Throws: ``Refusal`` with `needs_unlock`, `signs_elsewhere`.
    func works(of account: Address) async throws -> [Work] {
        let unlocked = try await chat.services.unlockedAccount(account)
        let rows = try store.read { try $0.entries(Works.self, .prefix(account)) }
        return try rows.map { key, sealed in
            Self.shown(try unlocked.seal.open(StoredWork.self, sealed, for: .work(key.second)))
        }
    }

    /// Returns the file of a sale to its buyer, once the seller has delivered its key.
    ///
    /// The file is checked against the identifier that the seller committed to on the chain.
    ///
    /// - Throws: ``Refusal``: `unknown_sale`, `not_your_sale`, `not_found` while the key has not
    ///   come, `unknown_media` while no peer gives the file, `not_as_promised` if it is another one,
    ///   `media_no_room`, `needs_unlock`, `signs_elsewhere`, `chain_away`.
    func bought(_ id: String, by account: Address) async throws -> BoughtWork {
        guard let saleIndexes else {
            throw Refusal(.chainAway, "This node is in no market.")
        }
        let sale = try saleIndexes.view(entered: id).sale
        guard sale.buyer == account, sale.seller != account else {
            throw Refusal(.notYourSale, "Only the buyer of a sale gets its file.")
        }
        let unlocked = try await chat.services.unlockedAccount(account)
        let subject = StoredTradeNote.subject(ofWork: sale.reference, from: sale.seller)
        guard let promised = try store.promise(of: sale)?.identifier.text else {
            throw Refusal(
                .unknownListing,
                "This node does not have what the seller promised, and cannot check the file."
            )
        }
        let note = try store.read { try $0.tradeNote(on: subject, of: unlocked) }?.note
        // What was checked once stays the account's, also without the message that brought it.
        let own = try Bytes32(hex: "0x" + promised).flatMap { try self.work($0, of: unlocked) }
        guard let work = own ?? note?.work, let sealed = work.media else {
            throw Refusal(
                .notFound,
                "The seller's node has not delivered the key of the file yet. It does so by itself once "
                    + "the item is handed over, while it is up and the seller is signed in."
            )
        }
        // A key says which of the account's works it opens, so one for another would take its place.
        guard let file = Bytes32(hex: work.file),
            ItemIdentifier(fileHash: file).text == promised
        else { throw Self.notAsPromised(promised) }
        let permit = try Self.downloads.take(for: account)
        defer { withExtendedLifetime(permit) {} }
        await reach(sale.seller)
        let bytes = try await fetched(sealed, by: account)
        guard let clear = await Self.decrypted(bytes, work, promised) else {
            try await media.releaseSealed(sealed.id, by: account)
            throw Self.notAsPromised(promised)
        }
        if own == nil { try await put(work, file, sealed.id, of: unlocked) }
        return BoughtWork(name: work.name, bytes: clear)
    }

    private static func notAsPromised(_ promised: String) -> Refusal {
        Refusal(
            .notAsPromised,
            "The file that the seller delivered is not the one that was promised: it does not open, "
                + "or its SHA-256 is not \(promised). Ask the seller, or open a dispute."
        )
    }

    /// Returns a work of an account; `nil` if it has none of this hash.
    func work(_ file: Bytes32, of unlocked: UnlockedAccount) throws -> StoredWork? {
        let key = CompositeKey(unlocked.account, file)
        return try store.read { try $0.get(Works.self, key) }.map {
            try unlocked.seal.open(StoredWork.self, $0, for: .work(file))
        }
    }

    private func put(
        _ work: StoredWork,
        _ file: Bytes32,
        _ blob: Bytes32,
        of unlocked: UnlockedAccount
    ) async throws {
        let sealed = try unlocked.seal.seal(work, for: .work(file))
        try await store.write { transaction in
            guard try transaction.contains(AccountEntries.self, unlocked.account) else {
                throw Refusal.locked(unlocked.account)
            }
            try transaction.putWork(file, of: unlocked.account, sealed: sealed, blob: blob)
        }
    }

    /// Links to the homes of the seller, one of which has the file.
    private func reach(_ seller: Address) async {
        let services = chat.services
        for lease in (try? services.homeLeases(of: seller)) ?? []
        where lease.peer != services.exchange.localPeer {
            // Another peer may have it; the fetch says if none has.
            try? await chat.client.request(
                lease,
                own: false,
                within: services.settings.requestTimeMax
            ) {}
        }
    }

    private func fetched(_ sealed: Media, by account: Address) async throws -> [UInt8] {
        do {
            guard let bytes = try await media.sealed(sealed, for: account) else {
                throw Refusal(
                    .unknownMedia,
                    "No peer gives the encrypted file now. The seller's node has it: try again when it "
                        + "is up."
                )
            }
            return bytes
        } catch let fault as BlobFault {
            throw Refusal(fault)
        }
    }

    private static func shown(_ work: StoredWork) -> Work {
        Work(
            identifier: Bytes32(hex: work.file).map { ItemIdentifier(fileHash: $0).text } ?? "",
            name: work.name,
            length: work.byteCount - min(work.byteCount, StoredWork.overhead)
        )
    }

    @concurrent
    private static func received(
        _ body: some AsyncSequence<ByteBuffer, any Error> & Sendable
    ) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await piece in body {
            guard UInt64(bytes.count + piece.readableBytes) <= StoredWork.fileByteCountMax else {
                throw Refusal.workTooLarge
            }
            bytes += piece.readableBytesView
        }
        guard !bytes.isEmpty else {
            throw Refusal(.malformedValue, "The file is empty.")
        }
        return bytes
    }

    @concurrent
    private static func encrypted(
        _ bytes: [UInt8]
    ) async throws -> (file: Bytes32, key: Bytes32, sealed: [UInt8]) {
        try StoredWork.encrypt(bytes)
    }

    @concurrent
    private static func decrypted(
        _ bytes: [UInt8],
        _ work: StoredWork,
        _ identifier: String
    ) async -> [UInt8]? {
        work.decrypt(bytes, expecting: identifier)
    }
}
