package import Keys

/// What an account tells the account that reads the reports of its node: a body of mail.
///
/// Source: Docs/protocol.md, section 14.
package struct MailReport: Hashable, Sendable {
    /// The number of its field in a statement.
    ///
    /// It is read like a body of a later version: then what later versions add to all messages,
    /// with lower numbers, stands before it.
    package static let field: UInt64 = 43
    package static let textByteCountMax = 4_096

    /// What a report is about.
    package enum Subject: Hashable, Sendable {
        /// The node or the market, and nobody's record.
        case node
        case account(Address)
        /// A listing, by its slot and its author.
        case listing(Bytes32, by: Address)
        /// A review, by its record and its author.
        case review(RecordID, by: Address)
    }

    package let subject: Subject
    package let text: String

    package init(about subject: Subject, text: String) throws(RuleFault) {
        self.subject = subject
        self.text = try PlainText.lines(text, .text, byteCountMax: Self.textByteCountMax)
    }

    /// Reads the content of a body.
    ///
    /// - Throws: ``MailFault/malformed`` if it is not canonical or breaks a rule.
    init(content: [UInt8]) throws(MailFault) {
        guard let wire = CanonicalMessage.read(content, as: WireMailReport.self),
            let subject = Subject(wire: wire)
        else { throw .malformed }
        do {
            try self.init(about: subject, text: wire.text)
        } catch {
            throw .malformed
        }
    }

    /// The body as it is in a statement.
    package var body: UnknownMailBody {
        var wire = WireMailReport()
        switch subject {
        case .node: break
        case .account(let account): wire.account = account.data
        case .listing(let slot, let author): (wire.account, wire.listing) = (author.data, slot.data)
        case .review(let record, let author):
            (wire.account, wire.review) = (author.data, record.digest.data)
        }
        wire.text = text
        return UnknownMailBody(field: Self.field, content: CanonicalMessage.bytes(of: wire))
    }
}

extension MailReport.Subject {
    /// Reads what a report is about; `nil` if that is malformed or more than one thing.
    fileprivate init?(wire: WireMailReport) {
        guard !wire.account.isEmpty else {
            guard wire.listing.isEmpty, wire.review.isEmpty else { return nil }
            self = .node
            return
        }
        guard let account = Address(wire.account), account != .zero else { return nil }
        switch (wire.listing.isEmpty, wire.review.isEmpty) {
        case (true, true): self = .account(account)
        case (false, true):
            guard let slot = Bytes32(wire.listing) else { return nil }
            self = .listing(slot, by: account)
        case (true, false):
            guard let digest = Bytes32(wire.review) else { return nil }
            self = .review(RecordID(digest), by: account)
        case (false, false): return nil
        }
    }
}
