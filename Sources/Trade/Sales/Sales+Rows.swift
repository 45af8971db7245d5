import Client
import Keys
import Mail
import Market
import Storage

/// The facts that a row of a list shows besides the sale itself.
extension Sales {
    /// The newest operations of an account among which the one that sends an address is looked for.
    private static let operationsMax = 100

    /// Finds what a sale leaves an account to do that only this node's records, mail and operations
    /// say.
    func remaining(
        of sale: Market.Sale,
        for account: Address?,
        _ found: FoundListing?,
        _ promise: ListingCommitment?,
        _ uncollected: Set<SaleReference>?
    ) throws -> Client.Sale.Remaining {
        var remaining = Client.Sale.Remaining()
        guard let account else { return remaining }
        remaining.isDigital = found?.listing.form == .digital
        remaining.isPickedUp = found?.listing.form == .goods && promise?.delivery.method == .pickup
        let time = saleIndexes[sale].time ?? sale.position.time
        remaining.isToBeReady = try store.isToBeReady(sale, for: account, at: time)
        if let buyer = sale.buyer, promise?.delivery.method == .shipping,
            sale.needsAddress(at: time),
            try !store.isAddressKnown(of: sale, boughtBy: buyer, to: account)
        {
            remaining.needsAddress = account == buyer
            remaining.awaitsAddress = account == sale.seller
            if remaining.needsAddress {
                remaining.sending = try sending(addressOf: sale, by: account)
            }
        }
        guard sale.stage == .over else { return remaining }
        let credited = uncollected ?? saleIndexes.uncollected(of: account)
        remaining.isCollectable = credited.contains(sale.reference)
        if SaleList.toReview.contains(sale, for: account, at: time) {
            remaining.isReviewable = try store.read {
                try $0.roundToReview(of: sale, by: account) != nil
            }
        }
        return remaining
    }

    /// Returns the operation in which the node still sends a buyer's address to the seller; `nil`
    /// if there is none.
    private func sending(addressOf sale: Market.Sale, by buyer: Address) throws -> String? {
        let id = sale.id.description
        return try operations.operations(of: buyer, limit: Self.operationsMax).items.first {
            $0.kind == .buy && $0.subject == id && $0.isRunning
                && $0.phases.contains { $0.name == .told }
        }?.id
    }
}

extension Store {
    /// Returns whether one side of a sale has the address that its buyer has told.
    nonisolated func isAddressKnown(
        of sale: Market.Sale,
        boughtBy buyer: Address,
        to account: Address
    ) throws -> Bool {
        let subject = StoredTradeNote.subject(of: sale.reference, from: buyer)
        return try read { try $0.get(TradeNotes.self, CompositeKey(account, subject)) } != nil
    }
}

extension SaleIndexes {
    /// Returns the sales of a seller that ended unsold, and whose listings were listed again, as at
    /// another price.
    func replaced(of seller: Address) -> Set<SaleReference> {
        var newest: [Listed: Market.Sale] = [:]
        var replaced: Set<SaleReference> = []
        let sales = sales(of: seller).filter { $0.seller == seller }
            .sorted { $0.listedAt > $1.listedAt }
        for sale in sales {
            guard let listed = Listed(sale) else { continue }
            guard newest[listed] != nil else {
                newest[listed] = sale
                continue
            }
            if sale.stage == .over, sale.buyer == nil { replaced.insert(sale.reference) }
        }
        return replaced
    }

    /// The listing and token of a sale, which are those of the sale that replaces it.
    private struct Listed: Hashable {
        let chain: ChainID
        let slot: Bytes32
        let item: Amount

        init?(_ sale: Market.Sale) {
            guard let slot = sale.state.slot, let item = sale.state.item else { return nil }
            (chain, self.slot, self.item) = (sale.reference.contract.chain, slot, item)
        }
    }
}
