import GossipProtocol
import Keys
import Market

// Records, mail and vaults.

extension FuzzTarget {
    static let record = FuzzTarget("record") { bytes in
        guard let record = try? UnverifiedRecord(bytes) else { return false }
        try hold(encoded(record) == bytes, "a record has one encoding")
        let verified = try? record.verified()
        // The rules of the content, also without the signature, which no fuzzer finds.
        guard let checked = try? record.checked() else {
            try hold(verified == nil, "a verified record is checked")
            return true
        }
        let again = RecordDraft(
            network: checked.network,
            author: checked.author,
            content: checked.content,
            slot: checked.slot,
            createdAt: checked.createdAt
        )
        // A payload with fields of a later version is not written again.
        let isWhole = checked.content.payload.elementsEqual(record.draft.payload)
        let isKnown = checked.content.summary(slot: checked.slot) != nil
        try hold(!isWhole || !isKnown || again.id == record.id, "a record's content makes its id")
        return true
    }

    /// The kind's number, then the payload.
    static let payload = FuzzTarget("payload", byteCountMax: 2_048) { bytes in
        guard let kind = bytes.first.flatMap({ RecordKind(rawValue: $0) }),
            let content = try? RecordContent(kind: kind, payload: bytes.dropFirst())
        else { return false }
        let again = try RecordContent(kind: kind, payload: content.payload[...])
        try hold(again == content, "a payload that is written again says the same")
        try hold(content.kind == kind, "a content is of the kind of its record")
        _ = content.summary(slot: content.slot(author: .zero) ?? .zero)
        if case .listing(let listing) = content { _ = ListingCommitment(of: listing, slot: .zero) }
        return true
    }

    /// An envelope, a signed message or a bundle of keys.
    static let mail = FuzzTarget("mail") { bytes in
        if let message = MailPadding.unpad(bytes) {
            try hold(MailPadding.pad(message) == bytes, "a message is padded in one way")
        }
        if let envelope = try? MailEnvelope(bytes) {
            let again = MailEnvelope(header: envelope.header, sealed: envelope.sealed)
            try hold(again == envelope, "an envelope has one encoding")
            return true
        }
        if let bundle = try? PrekeyBundle(bytes) {
            _ = bundle.key(at: bundle.createdAt)
            return true
        }
        guard let mail = try? SignedMail(bytes) else { return false }
        _ = try? mail.verified(for: mail.message.recipient, network: mail.message.network)
        _ = mail.message.provesDevice(at: mail.message.sentAt)
        let own = mail.message.from(FuzzKeys.device.publicKey)
        let again = try SignedMail(own.signed(by: FuzzKeys.device).bytes)
        try hold(again.message == own, "a message that is signed again says the same")
        return true
    }

    /// Questions to homes and their answers.
    static let home = FuzzTarget("home") { bytes in
        let limits = MailLimits()
        let question = try? MailQuestion(bytes, limits: limits)
        if let question { try hold(question.bytes == bytes, "a question has one encoding") }
        let answer = try? MailAnswer(bytes, limits: limits)
        if let answer {
            let again = try MailAnswer(answer.bytes, limits: limits)
            try hold(again == answer, "an answer that is written again says the same")
        }
        return question != nil || answer != nil
    }

    /// A segment, or the entries in one.
    static let vault = FuzzTarget("vault", byteCountMax: 2_048) { bytes in
        if let segment = try? VaultSegment(bytes) {
            _ = segment.isSigned
            _ = try? segment.open(with: FuzzKeys.vault, network: "test")
            return true
        }
        guard let entries = try? VaultCoding.entries(bytes) else { return false }
        try hold(VaultCoding.bytes(of: entries) == bytes, "entries have one encoding")
        let contents = VaultContents(entries)
        try hold(contents.entries() == entries, "a vault keeps the entries that it is given")
        var twice = contents
        twice.merge(entries.reversed())
        try hold(twice == contents, "merged entries change nothing a second time")
        return true
    }

    /// Writes a record's envelope as the protocol's section 4.1 says.
    private static func encoded(_ record: UnverifiedRecord) -> [UInt8] {
        var wire = WireWriter()
        wire.write(1, record.draft.network)
        wire.write(2, UInt64(record.draft.kind))
        wire.write(3, record.draft.author.bytes)
        wire.write(4, record.draft.slot.bytes)
        wire.write(5, record.draft.createdAt.milliseconds)
        wire.write(6, record.draft.summary)
        wire.write(7, record.draft.payload)
        wire.write(8, record.signature.bytes)
        if let stamp = record.stamp {
            wire.write(9, (0..<8).map { UInt8(truncatingIfNeeded: stamp >> (56 - 8 * $0)) })
        }
        return wire.bytes
    }
}

/// Keys of this node that parsers need.
enum FuzzKeys {
    static let device = key(1)
    static let vault = VaultKey(of: key(2))

    private static func key(_ number: UInt8) -> PrivateKey {
        guard let key = PrivateKey(SecretBytes(copying: [UInt8](repeating: number, count: 32)))
        else { preconditionFailure("small numbers are keys, but not \(number)") }
        return key
    }
}

extension MailMessage {
    /// Returns the same message from another device.
    fileprivate func from(_ device: PublicKey) -> MailMessage {
        MailMessage(
            network: network,
            sender: sender,
            device: device,
            recipient: recipient,
            listing: listing,
            number: number,
            sentAt: sentAt,
            body: body,
            grant: grant,
            certificate: certificate
        )
    }
}
