import Answers
package import Client
import Foundation
package import Keys
import Market
import Records
import Setup
import Storage

/// Reports of accounts to the account that the node's operator names, as sealed mail.
///
/// It is stateless: a report is a message in the conversation of the two accounts, and is answered
/// there.
///
/// Source: Docs/protocol.md, section 14.
package struct Reports: Sendable {
    let chat: Chat
    /// The account that reads the reports of this node; `nil` if there is none.
    let reader: Address?

    package init(chat: Chat, reader: Address?) {
        (self.chat, self.reader) = (chat, reader)
    }

    /// Reports a listing, a review or an account to the node's operator, or tells the operator
    /// something about the node.
    ///
    /// - Parameters:
    ///   - draft: The subject and the text.
    ///   - account: The account that reports.
    ///   - key: The caller's idempotency key.
    /// - Returns: The report; that of the earlier call if this one repeats it.
    /// - Throws: ``Refusal`` with `reports_not_taken`, `malformed_value`, `not_allowed`,
    ///   `unknown_listing`, `not_found`, `bad_address`, and as ``Chat/write(_:in:by:key:)``.
    package func send(
        _ draft: ReportDraft,
        by account: Address,
        key: String
    ) async throws -> Client.Report {
        guard let reader else {
            throw Refusal(.reportsNotTaken, Sentence("refusal.noReportReader"))
        }
        guard reader != account else {
            throw Refusal(.notAllowed, Sentence("refusal.reportReader"))
        }
        let report = try report(draft, by: account)
        let opening = ConversationOpening(with: reader.checksummed)
        let conversation = try await chat.open(opening, by: account)
        let message = try await chat.write(
            .report(report),
            asking: report.body.content,
            in: conversation.id,
            by: account,
            key: key
        )
        let unlocked = try await chat.unlockedAccount(account)
        let id = try Chat.id(message.conversation)
        let place = MessageName.place(message.id, in: id) ?? 0
        let name = MessageKey(account: account, conversation: id, place: place)
        let shown = try chat.store.read { try $0.report(at: name, of: unlocked) }
        guard let shown else {
            throw Refusal(.notFound, Sentence("refusal.reportDeleted"))
        }
        return shown
    }

    /// Returns one page of the reports that an account got, or of those that it sent, the latest
    /// first.
    ///
    /// - Parameters:
    ///   - account: An account that is signed in.
    ///   - isOwn: Whether to list those that it sent.
    ///   - after: The `next` of the previous page.
    ///   - limit: The maximum number of reports.
    /// - Returns: The reports, and where the next page begins.
    /// - Throws: ``Refusal`` with `malformed_value`, `needs_unlock`, `signs_elsewhere`.
    package func page(
        of account: Address,
        isOwn: Bool,
        after: String? = nil,
        limit: Int
    ) async throws -> Page<Client.Report> {
        let unlocked = try await chat.unlockedAccount(account)
        let place = try after.map { text in
            let cursor = try PageCursor(entered: text)
            return ReportKey(isOwn: isOwn, cursor, of: account)
        }
        return try chat.store.read { transaction in
            let prefix = ReportKey.prefix(account, isOwn: isOwn)
            let scan = Scan<ReportKey>.prefix(prefix, .descending).beyond(place)
            let keys = try transaction.keys(ReportMessages.self, scan, limit: limit + 1)
            let items = try keys.prefix(limit).compactMap {
                try transaction.report(at: $0.message, of: unlocked)
            }
            let last = keys.count > limit ? keys[limit - 1] : nil
            return Page(items: items, next: last?.cursor.text)
        }
    }

    /// Reads a draft; its subject must exist here and belong to somebody else.
    private func report(_ draft: ReportDraft, by account: Address) throws -> MailReport {
        let subject = try subject(of: draft)
        if let reported = subject.account, reported == account {
            throw Refusal(.notAllowed, Sentence("refusal.reportOwn"))
        }
        do {
            return try MailReport(about: subject, text: draft.text)
        } catch .missing, .malformed {
            throw Refusal(.malformedValue, Sentence("refusal.reportText"), field: "text")
        } catch {
            throw error.refusal(.malformedValue)
        }
    }

    private func subject(of draft: ReportDraft) throws -> MailReport.Subject {
        guard [draft.account, draft.listing, draft.review].count(where: { $0 != nil }) <= 1 else {
            throw Refusal(.malformedValue, Sentence("refusal.reportOneOf"))
        }
        if let listing = draft.listing {
            let id = try ListingID(listing)
            let stored = try chat.store.read { try $0.record(in: id.key) }
            guard case .listing = stored?.readable()?.content else {
                throw Refusal.unknownListing(listing.quoted)
            }
            return .listing(id.slot, by: id.author)
        }
        if let review = draft.review {
            guard let digest = Bytes32(hex: review),
                let stored = try chat.store.read({ try $0.record(RecordID(digest)) }),
                stored.version.key.kind == .review
            else {
                throw Refusal(
                    .notFound,
                    Sentence("refusal.unknownReview", ["review": review.quoted]),
                    field: "review"
                )
            }
            return .review(stored.version.id, by: stored.version.key.author)
        }
        guard let account = draft.account else { return .node }
        return .account(try .entered(account, field: "account"))
    }
}

extension MailReport.Subject {
    /// The account that is reported; `nil` if none is.
    fileprivate var account: Address? {
        switch self {
        case .node: nil
        case .account(let account), .listing(_, by: let account), .review(_, by: let account):
            account
        }
    }
}

extension ReportKey {
    fileprivate init(isOwn: Bool, _ cursor: PageCursor, of account: Address) {
        self.init(
            isOwn: isOwn,
            filedAt: Timestamp(milliseconds: cursor.major),
            message: MessageKey(account: account, conversation: cursor.id, place: cursor.minor)
        )
    }

    fileprivate var cursor: PageCursor {
        PageCursor(filedAt.milliseconds, message.place, id: message.conversation)
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// How many messages after a report are looked at for its answer.
    private static var answerPlacesMax: UInt64 { 100 }

    /// Returns the report at a position of a conversation; `nil` if there is none.
    fileprivate func report(
        at key: MessageKey,
        of unlocked: UnlockedAccount
    ) throws -> Client.Report? {
        guard let stored = try message(at: key, of: unlocked), let report = stored.report,
            let kept = try conversation(key.conversation, of: unlocked)
        else { return nil }
        let name = MessageName(conversation: key.conversation, place: key.place)
        let message = stored.shown(at: name, in: kept)
        let listing = try report.listingID
        return Client.Report(
            id: message.id,
            conversation: message.conversation,
            sender: try Address(text: stored.sender).checksummed,
            account: try report.account.map { try Address(text: $0).checksummed },
            listing: listing?.description,
            title: try listing.flatMap { try record(in: $0.key)?.listingTitle },
            review: report.review,
            text: message.text,
            sentAt: message.sentAt,
            state: message.state,
            answer: try answer(to: stored, at: key, of: unlocked)
        )
    }

    /// Returns the first text of the other side after a report; `nil` if there is none yet.
    private func answer(
        to report: StoredMessage,
        at key: MessageKey,
        of unlocked: UnlockedAccount
    ) throws -> String? {
        for place in key.place + 1...key.place + Self.answerPlacesMax {
            let next = MessageKey(
                account: key.account,
                conversation: key.conversation,
                place: place
            )
            guard let message = try message(at: next, of: unlocked) else { return nil }
            if message.sender != report.sender, message.mail == nil, message.report == nil {
                return message.text
            }
        }
        return nil
    }
}

extension StoredReport {
    /// The listing that it is about; `nil` if there is none.
    fileprivate var listingID: ListingID? {
        get throws {
            guard let account, let slot = listing.flatMap({ Bytes32(hex: $0) }) else { return nil }
            return ListingID(author: try Address(text: account), slot: slot)
        }
    }
}
