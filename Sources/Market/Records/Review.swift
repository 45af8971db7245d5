package import Keys

/// One party's review of a finished sale.
package struct Review: Hashable, Sendable {
    package static let textByteCountMax = 4_096
    package static let mediaMax = 3

    /// How the sale ended; ``SaleState/outcome`` says which sales can be reviewed.
    package enum Outcome: String, Sendable {
        case complete, refunded, settled
    }

    package let sale: SaleReference
    /// From 1 to 5.
    package let stars: Int
    /// May be empty: stars alone are a valid review.
    package let text: String
    package let media: [Media]
    package let outcome: Outcome
    package let currency: Currency
    package let price: Amount

    /// What it states of its sale, besides the opinion.
    var deal: ReviewedDeal { ReviewedDeal(outcome: outcome, price: price, currency: currency) }

    package init(
        sale: SaleReference,
        stars: Int,
        text: String,
        media: [Media] = [],
        outcome: Outcome,
        currency: Currency,
        price: Amount
    ) throws(RuleFault) {
        guard (1...5).contains(stars) else { throw .malformed(.stars) }
        guard media.count <= Self.mediaMax else {
            throw .tooMany(.media, countMax: Self.mediaMax)
        }
        guard Set(media.map(\.id)).count == media.count else { throw .repeated(.media) }
        guard sale.contract.chain.number > 0 else { throw .missing(.chain) }
        guard !price.isZero, price <= SaleLimits.priceMax else { throw .malformed(.price) }
        self.sale = sale
        self.stars = stars
        self.text = try PlainText.lines(
            text,
            .text,
            byteCountMax: Self.textByteCountMax,
            mayBeEmpty: true
        )
        self.media = media
        self.outcome = outcome
        self.currency = currency
        self.price = price
    }

    init(wire: WireReview) throws(RuleFault) {
        guard let contract = Address(wire.contract), contract != .zero,
            let sale = Bytes32(wire.sale)
        else { throw .malformed(.sale) }
        guard let currency = Address.orNone(wire.currency) else { throw .malformed(.currency) }
        guard let price = Amount(minimal: wire.price) else { throw .malformed(.price) }
        let outcome: Outcome =
            switch wire.outcome {
            case .complete: .complete
            case .refunded: .refunded
            case .settled: .settled
            case .unspecified, .UNRECOGNIZED: throw .malformed(.outcome)
            }
        let chain = ChainID(wire.chainID)
        try self.init(
            sale: SaleReference(
                contract: ContractReference(chain: chain, address: contract),
                id: SaleID(sale)
            ),
            stars: Int(wire.stars),
            text: wire.text,
            media: Media.list(wire.media, .media, countMax: Self.mediaMax),
            outcome: outcome,
            currency: Currency(address: currency),
            price: price
        )
    }

    /// Returns the slot of one reviewer's review of one sale.
    ///
    /// It is the Keccak-256 of chain id (32 bytes, big-endian), contract, sale id and reviewer.
    package static func slot(of sale: SaleReference, reviewer: Address) -> Bytes32 {
        let chain = Bytes32(words: 0, 0, 0, sale.contract.chain.number)
        return Keccak256.hash(
            chain.bytes + sale.contract.address.bytes + sale.id.hash.bytes + reviewer.bytes
        )
    }

    var summary: String { "Rate sale \(sale.id) with \(stars) of 5 stars" }

    var wire: WireReview {
        var wire = WireReview()
        wire.chainID = sale.contract.chain.number
        wire.contract = sale.contract.address.data
        wire.sale = sale.id.hash.data
        wire.stars = UInt32(stars)
        wire.text = text
        wire.media = media.map(\.wire)
        wire.outcome =
            switch outcome {
            case .complete: .complete
            case .refunded: .refunded
            case .settled: .settled
            }
        wire.currency = currency.address.dataOrNone
        wire.price = price.data
        return wire
    }
}
