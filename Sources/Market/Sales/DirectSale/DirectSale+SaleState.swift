package import Keys

extension DirectSale: SaleState {
    package static let kind = SaleKind.direct

    package var buyer: Address? { ending?.buyer }
    package var item: Amount? { listing.token }
    package var contentHash: Bytes32? { listing.offer.contentHash }
    package var maker: Address? { listing.offer.maker }
    package var price: Amount { terms.price }
    package var currency: Currency { terms.currency }
    package var promise: Bytes32 { listing.offer.promise }
    package var slot: Bytes32? { listing.offer.salt }
    package var offer: SaleTerms? { .direct(terms) }
    package var since: ChainTime { ending?.at ?? listedAt.time }
    package var parties: [Address] { [seller, buyer].compactMap(\.self) }
    package var concerned: [Address] { parties }
    package var lastMover: Address { ending?.event.by ?? seller }

    package func role(of account: Address) -> SaleRole {
        if account == seller { return .seller }
        return account == buyer ? .buyer : .stranger
    }

    package func taken(with event: DirectSaleEvent) -> Amount {
        if case .ended(let end) = event.change, end.status == .sold { terms.price } else { .zero }
    }

    package var outcome: Review.Outcome? { status == .sold ? .complete : nil }
    package var payouts: [SalePayout]? { ending?.event.parts(fees: fees) }

    package func isOffered(at time: ChainTime) -> Bool {
        status == .ready && time < terms.offerUntil
    }

    package func deadline(after time: ChainTime) -> SaleDeadline? {
        nextDeadline(after: time)?.described
    }
}
