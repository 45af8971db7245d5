package import Keys

/// A report to the account that reads its node's reports: a body of mail.
///
/// Source: Docs/protocol.md, section 14.
package struct MailReport: Hashable, Sendable {
    /// The number of its field in a statement.
    ///
    /// It is read like a body of a later version: then what later versions add to all messages,
    /// with lower numbers, stands before it.
    package static let field: UInt64 = 43
    package static let textByteCountMax = 4_096
    static let wireSchema = WireSchema(.bytes, .bytes, .bytes, .text)

    /// The subject of a report.
    package enum Subject: Hashable, Sendable {
        /// The node or the market, but no account's record.
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
        guard let wire = WireFields(content, Self.wireSchema), let subject = Subject(wire: wire)
        else { throw .malformed }
        do {
            try self.init(about: subject, text: wire.text(4))
        } catch {
            throw .malformed
        }
    }

    /// The body as it is in a statement.
    package var body: UnknownMailBody {
        var wire = WireWriter()
        switch subject {
        case .node: break
        case .account(let account): wire.write(1, account.bytes)
        case .listing(let slot, let author):
            wire.write(1, author.bytes)
            wire.write(2, slot.bytes)
        case .review(let record, let author):
            wire.write(1, author.bytes)
            wire.write(3, record.digest.bytes)
        }
        wire.write(4, text)
        return UnknownMailBody(field: Self.field, content: wire.bytes)
    }
}

extension MailReport.Subject {
    /// Reads a report's subject; `nil` if it is malformed or more than one thing.
    fileprivate init?(wire: WireFields) {
        guard wire.has(1) else {
            guard !wire.has(2), !wire.has(3) else { return nil }
            self = .node
            return
        }
        guard let account = Address(wire.bytes(1)), account != .zero else { return nil }
        switch (wire.has(2), wire.has(3)) {
        case (false, false): self = .account(account)
        case (true, false):
            guard let slot = Bytes32(wire.bytes(2)) else { return nil }
            self = .listing(slot, by: account)
        case (false, true):
            guard let digest = Bytes32(wire.bytes(3)) else { return nil }
            self = .review(RecordID(digest), by: account)
        case (true, true): return nil
        }
    }
}
