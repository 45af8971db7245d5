import AccountAccess
import Answers
import Client
import Keys
import Market
import Storage

/// Consents that operations give, need and end; see ``ReopeningConsent``.
extension WriteTransaction {
    /// Whether the account agrees, if a plan lists an item again by itself.
    func allowsReopening(in plan: OperationPlan, by account: Address) throws -> Bool {
        guard case .automatic(let sale)? = plan.reopening else { return true }
        return try reopeningConsent(to: sale, by: account) != nil
    }

    /// Whether the account has begun a move in a sale, whatever became of it.
    fileprivate func hasMove(in sale: SaleID, by account: Address) throws -> Bool {
        var hasMove = false
        try scan(Storage.Operations.self, .prefix(account)) { key, bytes in
            // One that cannot be read must not keep this one from ending.
            let operation = (try? OperationLog.Entry(of: key, storedBytes: bytes))?.operation
            hasMove = operation?.kind == .move && operation?.subject == sale.description
            return !hasMove
        }
        return hasMove
    }

    /// Ends the consents of an account for items with which it does something else by an operation
    /// that it begins: that goes first, whatever becomes of it.
    mutating func endReopenings(touchedBy entry: OperationLog.Entry) throws {
        for consent in try reopeningConsents(by: entry.account) where entry.touches(consent) {
            try endReopeningConsent(to: consent.sale.id, by: entry.account)
        }
    }
}

extension OperationPlan.Reopening {
    /// Refuses to go on with listing an item again by itself.
    static var refusal: Refusal { Refusal(.moveNotOpen, Sentence("refusal.reopeningEnded")) }
}

extension OperationLog.Entry {
    /// Whether it does something with a reserved item: all but another text of the listing.
    fileprivate func touches(_ consent: ReopeningConsent) -> Bool {
        if operation.kind == .move { return operation.subject == consent.sale.id.description }
        let isText = operation.kind == .edit && plan.steps.isEmpty
        return plan.listingSlots.contains(consent.slot) && !isText
    }
}

extension AccountEventLog {
    /// The type of events about an item that is listed again, or not, because its buyer has not
    /// paid.
    static let reopeningType = "reopening"

    /// Keeps the consent that an account has given by an operation that is done, unless it has
    /// already made a move in the new sale; ends it, and tells the account, if the operation has
    /// carried it out.
    func noteReopening(
        of entry: OperationLog.Entry,
        in transaction: inout WriteTransaction
    ) throws {
        switch entry.plan.reopening {
        case .agreed(let consent)?:
            guard try !transaction.hasMove(in: consent.sale.id, by: entry.account) else { break }
            try transaction.putReopeningConsent(consent, by: entry.account)
        case .automatic(let sale)?:
            try transaction.endReopeningConsent(to: sale, by: entry.account)
            try note(
                ofReopening: sale,
                isListed: true,
                [Sentence("reopening.done")],
                for: entry.account,
                in: &transaction
            )
        case nil: break
        }
    }

    /// Tells an account what became of a reserved item whose buyer has not paid.
    func note(
        ofReopening sale: SaleID,
        isListed: Bool,
        _ words: [Sentence],
        for account: Address,
        in transaction: inout WriteTransaction
    ) throws {
        try note(
            Self.reopeningType,
            subject: sale.description,
            data: ["state": isListed ? "listed" : "ended", "detail": words.detail],
            words: words,
            for: account,
            in: &transaction
        )
    }
}
