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
    /// The round that it is about, from 0; 0 for a sale without rounds.
    package let round: UInt64
    /// From 1 to 5.
    package let stars: Int
    /// May be empty: stars alone are a valid review.
    package let text: String
    package let media: [Media]
    package let outcome: Outcome
    package let currency: Currency
    package let price: Amount

    /// Its statement about its sale, besides the opinion.
    var deal: ReviewedDeal { ReviewedDeal(outcome: outcome, price: price, currency: currency) }

    package init(
        sale: SaleReference,
        round: UInt64 = 0,
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
        guard round <= SaleLimits.roundLast else { throw .malformed(.round) }
        (self.sale, self.round) = (sale, round)
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

    static let wireSchema = WireSchema(
        .uint64,
        .bytes,
        .bytes,
        .uint32,
        .text,
        .repeated(.message(Media.wireSchema)),
        .enumeration,
        .bytes,
        .bytes,
        .uint64
    )
    /// By their number on the wire, from 1.
    private static let wireOutcomes: [Outcome] = [.complete, .refunded, .settled]

    init(wire: WireFields) throws(RuleFault) {
        guard let contract = Address(wire.bytes(2)), contract != .zero,
            let sale = Bytes32(wire.bytes(3))
        else { throw .malformed(.sale) }
        guard let currency = Address.orNone(wire.bytes(8)) else { throw .malformed(.currency) }
        guard let price = Amount(minimal: wire.bytes(9)) else { throw .malformed(.price) }
        guard let outcome = Self.wireOutcomes[numbered: wire.number(7)] else {
            throw .malformed(.outcome)
        }
        let chain = ChainID(wire.number(1))
        try self.init(
            sale: SaleReference(
                contract: ContractReference(chain: chain, address: contract),
                id: SaleID(sale)
            ),
            round: wire.number(10),
            stars: Int(wire.uint32(4)),
            text: wire.text(5),
            media: Media.list(wire.messages(6), .media, countMax: Self.mediaMax),
            outcome: outcome,
            currency: Currency(address: currency),
            price: price
        )
    }

    /// Returns the slot of one reviewer's review of one round of one sale.
    ///
    /// It is the Keccak-256 of chain id (32 bytes, big-endian), contract, sale id, reviewer and,
    /// for later rounds than the first, the round (32 bytes).
    package static func slot(
        of sale: SaleReference,
        reviewer: Address,
        round: UInt64 = 0
    ) -> Bytes32 {
        let chain = Bytes32(words: 0, 0, 0, sale.contract.chain.number)
        let later = round == 0 ? [] : Bytes32(words: 0, 0, 0, round).bytes
        return Keccak256.hash(
            chain.bytes + sale.contract.address.bytes + sale.id.hash.bytes + reviewer.bytes + later
        )
    }

    var summary: String { "Rate sale \(sale.id) with \(stars) of 5 stars" }

    var wire: [UInt8] {
        var wire = WireWriter()
        wire.write(1, sale.contract.chain.number)
        wire.write(2, sale.contract.address.bytes)
        wire.write(3, sale.id.hash.bytes)
        wire.write(4, UInt64(stars))
        wire.write(5, text)
        wire.write(6, all: media.map(\.wire))
        wire.write(7, Self.wireOutcomes.number(of: outcome))
        wire.write(8, currency.address.bytesOrNone)
        wire.write(9, price.minimalBytes)
        wire.write(10, round)
        return wire.bytes
    }
}
