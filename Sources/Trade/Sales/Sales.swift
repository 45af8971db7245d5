import Answers
package import Client
import Concurrency
import Contracts
import Ethereum
import Foundation
package import Keys
import Mail
import Market
import MediaFiles
import Storage

/// The market's sales, as this node's own chain connection shows them to accounts.
///
/// An actor, so that it puts one list together at a time.
package actor Sales {
    let saleIndexes: SaleIndexes
    let store: Store
    let operations: OperationLog

    /// - Parameters:
    ///   - saleIndexes: The sales on the chains.
    ///   - store: The store of the listings.
    ///   - operations: Have the purchases whose addresses are still being sent.
    init(saleIndexes: SaleIndexes, store: Store, operations: OperationLog) {
        (self.saleIndexes, self.store, self.operations) = (saleIndexes, store, operations)
    }

    /// Returns one sale, with the moves that are open to `account`.
    ///
    /// - Throws: ``Refusal`` with `unknown_sale`.
    package func sale(_ id: String, for account: Address?) throws -> Client.Sale {
        try shown(try saleIndexes.view(entered: id), for: account)
    }

    /// Returns one page of the sales in which an account is a party, most recently moved first, or
    /// by their deadlines.
    ///
    /// - Parameters:
    ///   - account: An account that the sales concern.
    ///   - list: Only sales of this list, by its API name, see ``SaleList``.
    ///   - phase: Only sales in this phase, by its API name.
    ///   - byDeadline: Whether the earliest deadline comes first.
    ///   - showsReplaced: Whether sales that the account listed again, as at another price, are
    ///     among them.
    ///   - after: The `next` of the previous page.
    ///   - limit: The maximum number of sales.
    /// - Returns: The sales, and where the next page begins.
    /// - Throws: ``Refusal`` with `malformed_value`.
    package func sales(
        of account: Address,
        on list: String? = nil,
        in phase: String? = nil,
        byDeadline: Bool = false,
        showsReplaced: Bool = false,
        after: String? = nil,
        limit: Int
    ) throws -> Page<Client.Sale> {
        var listed: Set<SaleReference>?
        if let list { listed = try references(on: list, of: account) }
        let name = try phase.map { try status(entered: $0) }
        let replaced = showsReplaced ? [] : saleIndexes.replaced(of: account)
        let isShown = { (sale: Market.Sale) -> Bool in
            if let name, sale.status.name != name { return false }
            guard !replaced.contains(sale.reference) else { return false }
            return listed?.contains(sale.reference) ?? true
        }
        let place = try after.map { try PageCursor(entered: $0) }
        let page =
            byDeadline
            ? saleIndexes.pageByDeadline(of: account, where: isShown, after: place, limit: limit)
            : saleIndexes.page(of: account, where: isShown, after: place, limit: limit)
        let uncollected = saleIndexes.uncollected(of: account)
        return Page(
            items: try page.views.map { try shown($0, for: account, uncollected) },
            next: page.next?.text
        )
    }

    /// Returns the sales of an account that a list shows.
    private func references(
        on name: String,
        of account: Address
    ) throws -> Set<SaleReference> {
        guard let list = SaleList(rawValue: name) else {
            let all = SaleList.allCases.map(\.rawValue).joined(separator: ", ")
            throw Refusal(
                .malformedValue,
                Sentence("refusal.oneOf", ["field": "list", "values": all]),
                field: "list"
            )
        }
        guard list != .toCollect else { return saleIndexes.uncollected(of: account) }
        var sales = saleIndexes.sales(of: account)
        if list == .toReview {
            // A review needs the sale as it is final.
            sales = saleIndexes.final(sales)
        }
        sales = sales.filter { sale in
            let time = saleIndexes[sale].time ?? sale.position.time
            return list.contains(sale, for: account, at: time)
        }
        if list == .toSend {
            sales = try sales.filter { sale in
                let time = saleIndexes[sale].time ?? sale.position.time
                return try store.isToBeSent(sale, for: account, at: time)
            }
        }
        guard list == .toReview else { return Set(sales.map(\.reference)) }
        return try store.read { transaction in
            let open = try sales.filter {
                try transaction.roundToReview(of: $0, by: account) != nil
            }
            return Set(open.map(\.reference))
        }
    }

    private func status(entered text: String) throws(Refusal) -> String {
        let names = saleIndexes.kinds.folds.statusNames
        guard names.contains(text) else {
            let all = names.joined(separator: ", ")
            throw Refusal(
                .malformedValue,
                Sentence("refusal.oneOf", ["field": "phase", "values": all]),
                field: "phase"
            )
        }
        return text
    }

    /// Shows sales to an account.
    func shown(_ views: [SaleView], for account: Address?) throws -> [Client.Sale] {
        try views.map { try shown($0, for: account) }
    }

    /// Shows a sale to an account, with what the sale leaves it to do.
    ///
    /// - Parameters:
    ///   - view: The sale.
    ///   - account: The account that asks.
    ///   - uncollected: The sales from which it has something to collect, if they are known.
    /// - Returns: The sale.
    /// - Throws: ``StorageError``
    private func shown(
        _ view: SaleView,
        for account: Address?,
        _ uncollected: Set<SaleReference>? = nil
    ) throws -> Client.Sale {
        let found = try store.foundListing(of: view.sale)
        let listing = try found.map { try store.shownID(of: $0).description }
        let saleIndex = saleIndexes[view.sale]
        var sale = Client.Sale(view, listing: listing, for: account, in: saleIndex)
        if found == nil { try noteNext(after: view.sale, in: &sale) }
        let promise = try promise(of: view.sale, in: saleIndex)
        sale.promised = promise.map { Client.Sale.Commitment($0) }
        sale.ifUnpaid = try store.ifUnpaid(view.sale, for: account, in: saleIndex)
        if promise?.isOfWork == true { noteWork(saleIndex.service(for: view.sale), in: &sale) }
        if let account, sale.stage == SaleStage.over.rawValue {
            let time = saleIndex.time ?? view.sale.position.time
            if try store.isToBeSent(view.sale, for: account, at: time) {
                (sale.isToBeSent, sale.status) = (true, Sentence("standing.toBeSent"))
            }
        }
        sale.title =
            try promise?.title ?? found?.listing.title ?? laterTitle(of: view.sale, in: saleIndex)
        sale.picture = found?.listing.media.first { $0.form.isImage }.map(ListingMedia.init)
        sale.noteSteps(
            for: account?.checksummed,
            try remaining(of: view.sale, for: account, found, promise, uncollected)
        )
        if let text = sale.otherAccount, let other = try? Address(text: text) {
            sale.other = try store.read { try $0.summary(of: other) }
        }
        return sale
    }

    /// Shows what the moves of an item's sale do if the item is a file.
    private func noteWork(_ service: any SaleKindService, in sale: inout Client.Sale) {
        guard type(of: service).sellsItem else { return }
        for place in sale.actions.indices {
            sale.actions[place].consequence = service.consequence(
                ofWork: sale.actions[place].consequence
            )
        }
    }

    /// Shows the sale that was made for the same listing after an unsold one, as at another price.
    private func noteNext(after former: Market.Sale, in sale: inout Client.Sale) throws {
        let saleIndex = saleIndexes[former]
        guard let next = saleIndex.next(after: former),
            let listing = try store.listing(next.listing)
        else { return }
        let (price, currency) = (next.sale.price, next.sale.currency)
        sale.listing = listing.id.description
        sale.listedAgain = Client.Sale.Offer(
            sale: next.sale.id.description,
            price: Money(price, currency)
        )
        sale.status = Sentence(
            "standing.listedAgain",
            ["price": price.value(in: currency, on: saleIndex.deployment.chain)],
            in: saleIndex.deployment.registry
        )
    }
}

extension Sales {
    /// Returns the seller's promise for a sale; if the listing was listed again, that of a later
    /// sale of it, if this one was made with the same words.
    private func promise(
        of sale: Market.Sale,
        in saleIndex: SaleIndex
    ) throws -> ListingCommitment? {
        if let own = try store.promise(of: sale) { return own }
        guard let slot = sale.state.slot, let terms = sale.state.offer else { return nil }
        for later in saleIndex.sales(forListingOf: sale) where later.reference != sale.reference {
            guard let promise = try store.promise(of: later)?.with(terms) else { continue }
            return promise.isMade(in: slot, for: sale) ? promise : nil
        }
        return nil
    }
}

extension Sales {
    /// Returns the newest title that a record here states for the listing of a sale whose own words
    /// were replaced since; `nil` if there is none.
    private func laterTitle(of sale: Market.Sale, in saleIndex: SaleIndex) throws -> String? {
        for later in saleIndex.sales(forListingOf: sale) {
            if let promise = try store.promise(of: later) { return promise.title }
        }
        return nil
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// Returns the newest round that an account can review and has not reviewed; `nil` for none.
    func roundToReview(of sale: Market.Sale, by account: Address) throws -> UInt64? {
        for round in sale.state.reviewableRounds(of: account).reversed() {
            let slot = Review.slot(of: sale.reference, reviewer: account, round: round)
            let place = RecordKey(author: account, kind: .review, slot: slot)
            if try records(in: place).isEmpty { return round }
        }
        return nil
    }
}
