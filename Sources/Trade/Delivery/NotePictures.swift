import AccountAccess
import Answers
import Client
import Crypto
package import Keys
import Mail
import Market
import MediaFiles
import Setup
import Storage

/// A picture of a note that an account has written or received.
struct SeenPicture: Sendable {
    let picture: MailPicture
    /// The accounts whose nodes may have it: those that write each other in the sale, and the
    /// sender.
    let holders: [Address]
    /// The account's conversation with the note.
    let conversation: Bytes32
}

/// The pictures of notes: encrypted files that the node keeps with the conversation.
///
/// Source: Docs/protocol.md, sections 18.8 to 18.11.
package struct NotePictures: Sendable {
    /// The bytes of one sale's pictures that are fetched without being asked for, so that the other
    /// side cannot fill the account's conversations with them.
    private static let unaskedBytesMax: UInt64 = 64 << 20

    let chat: Chat
    let media: NodeMedia
    let saleIndexes: SaleIndexes

    /// Returns pictures that an account has added and can send with a note.
    ///
    /// - Throws: ``Refusal`` with `malformed_value` for more than six, for one twice, and for an id
    ///   that is none of the account's pictures.
    func added(
        _ ids: [String],
        by account: Address
    ) async throws -> [(id: Bytes32, bytes: [UInt8])] {
        // One id has several spellings.
        let known = ids.compactMap { Bytes32(hex: $0) }
        guard ids.count <= MailPicture.countMax, Set(known).count == known.count else {
            throw Refusal(
                .malformedValue,
                Sentence("refusal.notePictures", ["most": "\(MailPicture.countMax)"]),
                field: "pictures"
            )
        }
        var pictures: [(Bytes32, [UInt8])] = []
        for text in ids {
            guard let id = Bytes32(hex: text),
                let bytes = try await media.picture(id, addedBy: account),
                bytes.count <= StoredWork.fileByteCountMax
            else {
                throw Refusal(
                    .malformedValue,
                    Sentence("refusal.notePictureNotAdded", ["id": text.quoted]),
                    field: "pictures"
                )
            }
            pictures.append((id, bytes))
        }
        return pictures
    }

    /// Encrypts pictures that an account has added for the readers of a note in a sale.
    ///
    /// The same pictures give the same files, so that a repeated call leaves no others behind.
    func sealed(
        _ ids: [String],
        for sale: SaleID,
        _ unlocked: UnlockedAccount
    ) async throws -> [MailPicture] {
        var pictures: [MailPicture] = []
        for (id, bytes) in try await added(ids, by: unlocked.account) {
            let key = Self.key(of: id, for: sale, unlocked)
            let sealed = try MailPicture.encrypted(bytes, under: key)
            do {
                let kept = try await media.add(sealed, form: .sealed, by: unlocked.account)
                pictures.append(try MailPicture(blob: kept.id, byteCount: kept.byteCount, key: key))
            } catch let fault as BlobFault {
                throw Refusal(fault)
            }
        }
        return pictures
    }

    /// Returns the key of each picture in the notes of a sale, without those that are not ids.
    func keys(
        of ids: [String],
        for sale: SaleID,
        _ unlocked: UnlockedAccount
    ) -> [Bytes32] {
        ids.compactMap { Bytes32(hex: $0) }.map { Self.key(of: $0, for: sale, unlocked) }
    }

    private static func key(
        of id: Bytes32,
        for sale: SaleID,
        _ unlocked: UnlockedAccount
    ) -> Bytes32 {
        unlocked.seal.digest(id.bytes + sale.hash.bytes, for: .pictureKey)
    }

    /// Files pictures that are kept for an account under a conversation.
    func file(
        _ pictures: [MailPicture],
        in conversation: Bytes32,
        of account: Address
    ) async throws {
        guard !pictures.isEmpty else { return }
        try await chat.store.write { transaction in
            for picture in pictures
            where try transaction.isMediaAdded(picture.blob, by: account) {
                try transaction.file(
                    picture.blob,
                    byteCount: picture.byteCount,
                    in: conversation,
                    of: account
                )
            }
        }
    }

    /// Returns the pictures of the notes that an account has written or received in a sale.
    private func seen(
        in sale: Market.Sale,
        _ unlocked: UnlockedAccount
    ) throws -> [SeenPicture] {
        try sale.history.flatMap { step -> [SeenPicture] in
            let mover = step.move.account
            guard let seen = chat.store.note(of: mover, with: step.transaction, in: sale, unlocked),
                let pictures = seen.message.note?.pictures, !pictures.isEmpty
            else { return [] }
            let name = CompositeKey(unlocked.account, seen.subject)
            guard let key = try chat.store.read({ try $0.get(TradeNotes.self, name) }) else {
                return []
            }
            let holders = Set(sale.correspondents + [mover]).subtracting([unlocked.account])
            return pictures.map {
                SeenPicture(picture: $0, holders: holders.sorted(), conversation: key.conversation)
            }
        }
    }

    /// Returns the pictures of an account's running sales that are not here, as far as its
    /// conversations have room for them: of each sale the first 64 MiB.
    func missing(of account: Address) async throws -> [SeenPicture] {
        let sales = saleIndexes.sales(of: account).filter {
            $0.stage == .running && $0.correspondents.contains(account)
        }
        guard !sales.isEmpty else { return [] }
        let unlocked = try await chat.unlockedAccount(account)
        let seen = try sales.flatMap { sale in
            var bytes: UInt64 = 0
            return try self.seen(in: sale, unlocked).prefix { seen in
                bytes += seen.picture.byteCount
                return bytes <= Self.unaskedBytesMax
            }
        }
        return try chat.store.read { transaction in
            try seen.filter { seen in
                let (blob, count) = (seen.picture.blob, Int(seen.picture.byteCount))
                guard try !transaction.isFiled(blob, in: seen.conversation, of: account),
                    try !transaction.isWorkFile(blob, of: account),
                    case .free = try transaction.conversationRoom(for: count, of: account)
                else { return false }
                return true
            }
        }
    }

    /// Returns the decrypted bytes of a picture, from here or from a peer, and keeps the encrypted
    /// file; `nil` if no peer gives it now.
    ///
    /// - Throws: ``Refusal``: `bad_media` if it does not open, `media_no_room`.
    func fetched(_ seen: SeenPicture, for account: Address) async throws -> [UInt8]? {
        let picture = seen.picture
        if try await media.media(picture.blob) == nil {
            await chat.reachHomes(of: seen.holders)
        }
        let sealed: (bytes: [UInt8], isNew: Bool)?
        do { sealed = try await media.sealed(picture.media, for: account) } catch let fault
            as BlobFault
        {
            throw Refusal(fault)
        }
        guard let sealed else { return nil }
        let clear = picture.decrypted(sealed.bytes)
        if clear != nil { try await file([picture], in: seen.conversation, of: account) }
        // One that was kept before may be a work that is not recorded yet.
        if sealed.isNew { try await media.releaseSealed(picture.blob, by: account) }
        guard let clear else {
            throw Refusal(.badMedia, Sentence("refusal.notePictureNotOpened"))
        }
        return clear
    }

    /// Returns a picture of a note in a sale to an account that has written or received the note.
    ///
    /// - Returns: The decrypted bytes, which can be anything.
    /// - Throws: ``Refusal``: `unknown_sale`, `unknown_media`, `bad_media`, `media_no_room`,
    ///   `needs_unlock`, `signs_elsewhere`.
    package func picture(
        _ id: String,
        in entered: String,
        for account: Address
    ) async throws -> [UInt8] {
        let sale = try saleIndexes.view(entered: entered).sale
        let unlocked = try await chat.unlockedAccount(account)
        let all = try self.seen(in: sale, unlocked)
        guard let seen = all.first(where: { $0.picture.blob.hex == id.lowercased() }) else {
            throw Refusal(
                .unknownMedia,
                Sentence("refusal.notePictureUnknown", ["id": id.quoted]),
                field: "picture"
            )
        }
        guard let clear = try await fetched(seen, for: account) else {
            throw Refusal(.unknownMedia, Sentence("refusal.notePictureNotHere"))
        }
        return clear
    }
}

extension MailPicture {
    /// Encrypts a picture under a key that encrypts nothing else, so that its nonce can be zero.
    static func encrypted(_ bytes: [UInt8], under key: Bytes32) throws -> [UInt8] {
        let box = try AES.GCM.seal(
            bytes,
            using: SymmetricKey(data: key.bytes),
            nonce: AES.GCM.Nonce(data: [UInt8](repeating: 0, count: 12))
        )
        guard let combined = box.combined else {
            preconditionFailure("a nonce of 12 bytes always combines")
        }
        return [UInt8](combined)
    }

    /// Returns the picture; `nil` if the encrypted file does not open.
    func decrypted(_ sealed: [UInt8]) -> [UInt8]? {
        guard let box = try? AES.GCM.SealedBox(combined: sealed),
            let clear = try? AES.GCM.open(box, using: SymmetricKey(data: key.bytes))
        else { return nil }
        return [UInt8](clear)
    }
}

extension LocalSeal.Context {
    fileprivate static let pictureKey = Self(bytes: Array("picture key".utf8))
}
