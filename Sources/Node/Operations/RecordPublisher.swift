package import Client
import Contracts
package import Keys
import Market
package import Storage

/// Publishes the records that operations end with, once this node's own view bears them out.
package struct RecordPublisher: Publishing {
    private let store: Store
    private let recordService: RecordService
    private let accounts: Accounts
    private let saleIndex: SaleIndex

    package init(
        store: Store,
        recordService: RecordService,
        accounts: Accounts,
        saleIndex: SaleIndex
    ) {
        (self.store, self.recordService) = (store, recordService)
        (self.accounts, self.saleIndex) = (accounts, saleIndex)
    }

    package func publish(
        _ publication: OperationPlan.Publication,
        by account: Address
    ) async throws -> PublishingAnswer {
        do {
            return try await publish(checked: publication, by: account)
        } catch let fault as RecordFault {
            throw Refusal(.badListing, "What was to be published breaks a rule: \(fault).")
        }
    }

    /// Says of a purchase that failed that another buyer was first, if the chain shows one, and of a
    /// bid that another one was higher.
    package func cause(
        of problem: Problem,
        in operation: Client.Operation,
        by account: Address
    ) -> Problem? {
        guard operation.kind == .buy || operation.kind == .bid,
            problem.code == ProblemCode.contractRefused.rawValue,
            let hash = operation.subject.flatMap({ Bytes32(hex: $0) }),
            let view = saleIndex.view(of: SaleID(hash))
        else { return nil }
        if operation.kind == .bid {
            guard view.sale.buyer != account, view.sale.buyer != nil else { return nil }
            return Refusal(
                .bidTooLow,
                "Somebody bid more before your bid was mined. Your bid has not left this account, a "
                    + "fee perhaps."
            ).problem
        }
        let money = "Neither price nor deposit has left this account, a fee perhaps."
        return Refusal.soldToOther(than: account, view.sale, money: money)?.problem
    }

    private func publish(
        checked publication: OperationPlan.Publication,
        by account: Address
    ) async throws -> PublishingAnswer {
        let slot = publication.slot
        let content = try RecordContent(kind: publication.kind, payload: publication.payload[...])
        let state = if case .withdrawal = content { "withdrawn" } else { "published" }
        let listing = ListingID(author: account, slot: slot).description
        let news = News("listing", subject: listing, data: ["state": state])
        if try isPublished(content, slot: slot, by: account) { return .done(news) }
        if let sale = content.sale, saleIndex.sale(sale) == nil {
            return .later(
                saleIndex.sources.state == .away
                    ? "the sale is not final here yet: no second endpoint confirms it"
                    : "the sale is not final here yet"
            )
        }
        guard let key = await accounts.key(of: account) else { return .locked }
        _ = try await recordService.publish(content, slot: slot, by: key)
        return .done(news)
    }

    /// Whether the slot holds just this, by a run before that ended before it could say so.
    private func isPublished(
        _ content: RecordContent,
        slot: Bytes32,
        by account: Address
    ) throws -> Bool {
        let key = RecordKey(author: account, kind: content.kind, slot: slot)
        guard let stored = try store.read({ try $0.record(in: key) }) else { return false }
        return stored.readable()?.content == content
    }
}

extension RecordContent {
    /// The sale that a listing or its withdrawal names.
    fileprivate var sale: SaleReference? {
        switch self {
        case .listing(let listing): listing.sale
        case .withdrawal(.anchoredListing(let withdrawal)): withdrawal.sale
        case .profile, .device, .review, .withdrawal, .laterListing: nil
        }
    }
}
