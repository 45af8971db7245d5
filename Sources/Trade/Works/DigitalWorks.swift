import AccountAccess
package import Answers
package import Client
import Foundation
package import Keys
package import Mail
import Market
package import MediaFiles
package import NIOCore
import Storage

/// The digital works of the node's accounts: takes their files, keeps them encrypted, and gives
/// those that were bought to their buyers.
///
/// Source: Docs/protocol.md, section 17.
package struct DigitalWorks: Sendable {
    /// The maximum number of works of an account.
    static let countMax = 1_000
    /// The files that are in memory at a time on their way to the node; of one account.
    private static let uploads = FilePermits(permitsMax: 8, accountPermitsMax: 2, hereMax: 2)
    /// The same of files on their way to their buyers.
    private static let downloads = FilePermits(permitsMax: 8, accountPermitsMax: 2)

    let chat: Chat
    package let media: NodeMedia
    /// `nil` on a node without a chain.
    let saleIndexes: SaleIndexes?

    package init(chat: Chat, media: NodeMedia, saleIndexes: SaleIndexes?) {
        (self.chat, self.media, self.saleIndexes) = (chat, media, saleIndexes)
    }

    var store: Store { chat.store }
    var vault: Vault { chat.vault }
    /// The messages about sales; `nil` on a node without a chain.
    var mail: SaleMail? {
        saleIndexes.map { SaleMail(chat: chat, media: media, saleIndexes: $0) }
    }

    /// Stores a file, encrypted under its own key.
    ///
    /// - Parameters:
    ///   - body: The file in pieces.
    ///   - name: Its name.
    ///   - account: The account that it is of.
    ///   - isElsewhere: Whether it comes from another machine.
    /// - Returns: The name by which a listing refers to it.
    /// - Throws: ``Refusal``: `malformed_value`, `body_too_large`, `not_allowed`, `media_no_room`,
    ///   `too_many_tries`, `needs_unlock`, `signs_elsewhere`.
    package func add(
        _ body: some AsyncSequence<ByteBuffer, any Error> & Sendable,
        named name: String,
        by account: Address,
        isElsewhere: Bool = false
    ) async throws -> Work {
        let unlocked = try await chat.unlockedAccount(account)
        try Self.check(name)
        return try await Self.uploads.with(for: account, isElsewhere: isElsewhere) { transfer in
            try await add(body, named: name, by: unlocked, transfer)
        }
    }

    private func add(
        _ body: some AsyncSequence<ByteBuffer, any Error> & Sendable,
        named name: String,
        by unlocked: UnlockedAccount,
        _ transfer: FilePermits.Transfer
    ) async throws -> Work {
        let account = unlocked.account
        let clear = try await Self.received(body, transfer)
        let (file, key, sealed) = try await Self.encrypted(clear)
        let count = try store.read { try $0.keys(Works.self, .prefix(account)).count }
        guard count < Self.countMax else {
            throw Refusal(.notAllowed, Sentence("refusal.worksFull", ["most": "\(Self.countMax)"]))
        }
        // If only its key is here, it is kept under another one.
        if let known = try work(file, of: unlocked), try await isHere(known, of: account) {
            return Self.shown(known, isHere: true)
        }
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
        do {
            try await tell([work], by: account)
            try await put(work, isHere: true, of: unlocked)
        } catch {
            try await media.releaseSealed(kept.id, by: account)
            throw error
        }
        return Self.shown(work, isHere: true)
    }

    /// Refuses a name that no file can have.
    static func check(_ name: String) throws(Refusal) {
        do { try MailWork.checked(name: name) } catch {
            throw Refusal(
                .malformedValue,
                Sentence("refusal.fileNameForm", ["bytes": "\(MailWork.nameByteCountMax)"]),
                field: "name"
            )
        }
    }

    /// Returns the works of an account, by their identifiers.
    ///
    /// - Throws: ``Refusal`` with `needs_unlock`, `signs_elsewhere`.
    package func works(of account: Address) async throws -> [Work] {
        let unlocked = try await chat.unlockedAccount(account)
        var shown: [Work] = []
        for work in try store.read({ try $0.works(of: unlocked) }) {
            shown.append(Self.shown(work, isHere: try await isHere(work, of: account)))
        }
        return shown
    }

    /// Whether the encrypted file of a work is on this node.
    func isHere(_ work: StoredWork, of account: Address) async throws -> Bool {
        guard let blob = Bytes32(hex: work.blob),
            try store.read({ try $0.isWorkFile(blob, of: account) })
        else { return false }
        return try await media.media(blob) != nil
    }

    /// Returns the file of a sale to its buyer, once the seller has delivered its key.
    ///
    /// The file is checked against the identifier that the seller committed to on the chain.
    ///
    /// - Throws: ``Refusal``: `unknown_sale`, `not_your_sale`, `not_found` while the key has not
    ///   arrived, `unknown_media` while no peer delivers the file, `not_as_promised` if it is
    ///   another one, `media_no_room`, `needs_unlock`, `signs_elsewhere`, `chain_away`.
    package func bought(_ id: String, by account: Address) async throws -> BoughtWork {
        guard let saleIndexes else {
            throw Refusal(.chainAway, Sentence("refusal.noMarket"))
        }
        let sale = try saleIndexes.view(entered: id).sale
        guard sale.buyer == account, sale.seller != account else {
            throw Refusal(.notYourSale, Sentence("refusal.workOfBuyer"))
        }
        let unlocked = try await chat.unlockedAccount(account)
        let subject = StoredTradeNote.subject(ofWork: sale.reference, from: sale.seller)
        guard let promised = try store.promise(of: sale)?.identifier.text else {
            throw Refusal(.unknownListing, Sentence("refusal.promiseUnknown"))
        }
        let note = try store.read { try $0.tradeNote(on: subject, of: unlocked) }?.note
        // A work that was checked once stays the account's, even without the message that brought
        // it.
        let own = try Bytes32(hex: "0x" + promised).flatMap { try self.work($0, of: unlocked) }
        guard let work = own ?? note?.work else {
            throw Refusal(.notFound, Sentence("refusal.keyNotDelivered"))
        }
        // A key names the account's work that it opens, so a key for another work would replace it.
        guard Self.identifier(of: work) == promised else { throw Self.notAsPromised(promised) }
        let (told, isOwn) = (note?.work, own != nil)
        return try await Self.downloads.with(for: account) { transfer in
            // It comes from peers, whose pace is not the account's.
            transfer.complete()
            // Another peer may have it; the fetch says if none has.
            await chat.reachHomes(of: isOwn ? [sale.seller, account] : [sale.seller])
            return try await opened(work, orAs: told, promised, by: unlocked)
        }
    }

    /// Returns whether an account has bought a digital work whose key is not here; `false` if this
    /// node cannot say.
    package func lacksKey(of id: String, for buyer: Address) async -> Bool {
        guard let sale = try? saleIndexes?.view(entered: id).sale, sale.buyer == buyer,
            let promise = try? store.promise(of: sale), promise.isOfWork,
            let file = Bytes32(hex: "0x" + promise.identifier.text),
            let unlocked = try? await chat.unlockedAccount(buyer)
        else { return false }
        let subject = StoredTradeNote.subject(ofWork: sale.reference, from: sale.seller)
        let hasKey = try? store.read { transaction in
            try transaction.contains(Works.self, CompositeKey(buyer, file))
                || transaction.tradeNote(on: subject, of: unlocked) != nil
        }
        return hasKey == false
    }

    /// Gets and opens the file of a work, and keeps it for the account.
    ///
    /// Another node of the account may have it under its own key, and the seller under the
    /// message's key.
    private func opened(
        _ work: StoredWork,
        orAs told: StoredWork?,
        _ promised: String,
        by unlocked: UnlockedAccount
    ) async throws -> BoughtWork {
        let account = unlocked.account
        var found = try await fetched(work, by: account)
        if found == nil, let told, !told.hasKey(of: work), Self.identifier(of: told) == promised {
            found = try await fetched(told, by: account)
        }
        guard let found else {
            throw Refusal(.unknownMedia, Sentence("refusal.fileNotHere"))
        }
        guard let clear = await Self.decrypted(found.bytes, found.work, promised) else {
            if let id = found.work.media?.id { try await media.releaseSealed(id, by: account) }
            throw Self.notAsPromised(promised)
        }
        var kept = found.work
        kept.name = work.name
        if try await !isKept(kept, of: unlocked) {
            try await tell([kept], by: account)
            try await put(kept, isHere: true, of: unlocked)
        }
        return BoughtWork(name: kept.name, bytes: clear)
    }

    /// Whether a work is the account's, with its file.
    private func isKept(_ work: StoredWork, of unlocked: UnlockedAccount) async throws -> Bool {
        guard let file = Bytes32(hex: work.file), let own = try self.work(file, of: unlocked),
            own.hasKey(of: work)
        else { return false }
        return try await isHere(own, of: unlocked.account)
    }

    private static func notAsPromised(_ promised: String) -> Refusal {
        Refusal(.notAsPromised, Sentence("refusal.fileNotPromised", ["promised": "\(promised)"]))
    }

    /// Returns a work of an account; `nil` if it has none of this hash.
    func work(_ file: Bytes32, of unlocked: UnlockedAccount) throws -> StoredWork? {
        let key = CompositeKey(unlocked.account, file)
        return try store.read { try $0.get(Works.self, key) }.map {
            try unlocked.seal.open(StoredWork.self, $0, for: .work(file))
        }
    }

    /// Keeps a work; `isHere` if its encrypted file is kept for the account.
    func put(_ work: StoredWork, isHere: Bool, of unlocked: UnlockedAccount) async throws {
        guard let file = Bytes32(hex: work.file), let blob = Bytes32(hex: work.blob) else {
            return
        }
        let sealed = try unlocked.seal.seal(work, for: .work(file))
        try await store.write { transaction in
            guard try transaction.contains(AccountEntries.self, unlocked.account) else {
                throw Refusal.locked(unlocked.account)
            }
            // It had room, and may have been released since: its sender can name it in a note, with
            // a wrong key.
            if isHere, let media = work.media {
                _ = try transaction.pin(media, for: unlocked.account, bytesMax: .max)
            }
            try transaction.putWork(
                file,
                of: unlocked.account,
                sealed: sealed,
                blob: isHere ? blob : nil
            )
        }
    }

    /// Returns the encrypted file of a work; `nil` if no peer gives it now.
    private func fetched(
        _ work: StoredWork,
        by account: Address
    ) async throws -> (work: StoredWork, bytes: [UInt8])? {
        guard let sealed = work.media else { return nil }
        do {
            return try await media.sealed(sealed, for: account).map { (work, $0.bytes) }
        } catch let fault as BlobFault {
            throw Refusal(fault)
        }
    }

    static func shown(_ work: StoredWork, isHere: Bool) -> Work {
        Work(
            identifier: identifier(of: work),
            name: work.name,
            length: work.byteCount - min(work.byteCount, StoredWork.overhead),
            isHere: isHere
        )
    }

    /// The name by which a listing refers to a work; empty if the work is damaged.
    static func identifier(of work: StoredWork) -> String {
        Bytes32(hex: work.file).map { ItemIdentifier(fileHash: $0).text } ?? ""
    }

    @concurrent
    private static func received(
        _ body: some AsyncSequence<ByteBuffer, any Error> & Sendable,
        _ transfer: FilePermits.Transfer
    ) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await piece in body {
            transfer.note(piece.readableBytes)
            guard UInt64(bytes.count + piece.readableBytes) <= StoredWork.fileByteCountMax else {
                throw Refusal.workTooLarge
            }
            bytes += piece.readableBytesView
        }
        // A body that is read no further for this reason looks as if it had ended.
        try Task.checkCancellation()
        transfer.complete()
        guard !bytes.isEmpty else {
            throw Refusal(.malformedValue, Sentence("refusal.fileEmpty"))
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
    static func decrypted(
        _ bytes: [UInt8],
        _ work: StoredWork,
        _ identifier: String
    ) async -> [UInt8]? {
        work.decrypt(bytes, expecting: identifier)
    }
}

extension Refusal {
    /// The refusal of a file over the limit.
    package static let workTooLarge = Refusal(
        .bodyTooLarge,
        Sentence(
            "refusal.workTooLarge",
            ["bytes": "\(StoredWork.fileByteCountMax)", "overhead": "\(StoredWork.overhead)"]
        )
    )
}
