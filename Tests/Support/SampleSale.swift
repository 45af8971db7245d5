package import Keys
package import Market
import Synchronization

/// A sale on a chain at the least price, with the records that rest on it.
///
/// Its events are those that the contract would emit.
package struct SampleSale: Sendable {
    package static let network = "test"
    package static let contract = ContractReference(
        chain: ChainID(1),
        address: testKey(20).address
    )
    package static let fees = MarketFees.points(0, 0, to: testKey(21).address)
    private static let time = ChainTime(seconds: 1_763_700_000)

    package let seller: PrivateKey
    package let slot: Bytes32
    /// As it was promised; it names the sale.
    package let listing: Listing
    package private(set) var state: EscrowSale
    private var height: UInt64 = 1

    /// Lists something on the chain, for one wei.
    package init(
        by seller: PrivateKey,
        slot: Bytes32,
        description: String = "A thing.",
        arbiter: Address? = nil,
        identifier: String = "thing"
    ) throws {
        let terms = try Self.terms(arbiter)
        let plain = try Self.listing(description, terms, identifier)
        let promise = ListingCommitment(of: plain, slot: slot).hash
        let listed = ItemListing<EscrowTerms>(
            seller: seller.address,
            token: Amount(small: 1),
            promise: promise,
            contentHash: plain.identifier.contentHash(madeBy: seller.address),
            salt: .zero,
            isMinted: true,
            terms: terms
        )
        let id = listed.offer.id(on: Self.contract)
        (self.seller, self.slot) = (seller, slot)
        listing = plain.anchored(contract: Self.contract.address, sale: id)
        state = try EscrowSale(
            listing: Self.event(.listed(listed), of: id, at: 1),
            contract: Self.contract,
            fees: Self.fees
        )
    }

    package var sale: Sale { Sale(state) }
    package var reference: SaleReference { state.reference }
    package var promise: ListingCommitment { ListingCommitment(of: listing, slot: slot) }

    package mutating func buy(by buyer: PrivateKey) throws {
        let deadline = Self.time.advanced(by: state.terms.shipWindow)
        try apply(.bought(seller: state.seller, buyer: buyer.address, deadline: deadline))
    }

    package mutating func confirm(by buyer: PrivateKey) throws {
        try end(.confirm, .all, by: buyer)
    }

    /// The seller gives everything back before handing over.
    package mutating func decline() throws {
        try end(.decline, .none, by: seller)
    }

    /// The seller takes the offer back before anybody buys.
    package mutating func abort() throws {
        try end(.abort, .none, by: seller)
    }

    /// The goods are declared handed over, refused, and the arbiter takes the case and decides for
    /// the seller.
    package mutating func rule(by arbiter: PrivateKey, against buyer: PrivateKey) throws {
        try apply(
            .itemTransferred(
                seller: state.seller,
                buyer: buyer.address,
                deadline: Self.time.advanced(by: state.terms.confirmWindow)
            )
        )
        try apply(
            .disputed(
                buyer: buyer.address,
                arbiter: arbiter.address,
                deadline: Self.time.advanced(by: state.terms.rulingWindow)
            )
        )
        try apply(.taken(arbiter: arbiter.address))
        try end(.rule, .all, by: arbiter)
    }

    /// The listing's record; a later one may say something else.
    package func record(
        at time: Timestamp,
        description: String? = nil
    ) throws -> SignedRecord {
        var content = listing
        if let description, description != listing.description {
            content = try Self.listing(
                description,
                state.terms,
                listing.identifier.text
            ).anchored(
                contract: Self.contract.address,
                sale: reference.id,
                promised: promise
            )
        }
        return try Self.record(.listing(content), by: seller, slot: slot, at: time)
    }

    package func withdrawal(at time: Timestamp) throws -> SignedRecord {
        let withdrawal = ListingWithdrawal(sale: reference, promise: promise)
        return try Self.record(
            .withdrawal(.anchoredListing(withdrawal)),
            by: seller,
            slot: slot,
            at: time
        )
    }

    package func review(by author: PrivateKey, at time: Timestamp) throws -> SignedRecord {
        let review = try Review(
            sale: reference,
            stars: 5,
            text: "Good",
            outcome: .complete,
            currency: state.terms.currency,
            price: state.terms.price
        )
        return try Self.record(.review(review), by: author, at: time)
    }

    package static func record(
        _ content: RecordContent,
        by author: PrivateKey,
        slot: Bytes32 = .zero,
        at time: Timestamp
    ) throws -> SignedRecord {
        try RecordDraft(
            network: network,
            author: author.address,
            content: content,
            slot: slot,
            createdAt: time
        ).signed(by: author)
    }

    private static func terms(_ arbiter: Address?) throws -> EscrowTerms {
        var terms = try EscrowTerms.standard(
            price: SaleLimits.priceMin,
            currency: .native,
            form: .goods,
            now: time
        )
        terms.arbiter = arbiter
        return terms
    }

    private static func listing(
        _ description: String,
        _ terms: EscrowTerms,
        _ identifier: String
    ) throws -> Listing {
        try Listing(
            form: .goods,
            title: "Thing",
            description: description,
            category: "misc",
            tags: ["thing"],
            identifier: ItemIdentifier(normal: identifier),
            delivery: .pickup(place: "Berlin"),
            chain: contract.chain,
            terms: .escrow(terms)
        )
    }

    private mutating func end(
        _ exit: EscrowExit,
        _ share: SellerShare,
        by account: PrivateKey
    ) throws {
        let ended = EscrowEvent.Ended(
            seller: state.seller,
            buyer: state.buyer ?? .zero,
            status: exit.status,
            exit: exit,
            by: account.address,
            share: share,
            tokenTo: share.givesTokenToBuyer ? state.buyer ?? .zero : state.seller,
            maker: state.seller,
            payout: state.payout(by: exit, share: share)
        )
        try apply(.ended(ended))
    }

    private mutating func apply(_ change: EscrowEvent.Change) throws {
        height += 1
        try state.apply(Self.event(change, of: reference.id, at: height))
    }

    private static func event(
        _ change: EscrowEvent.Change,
        of sale: SaleID,
        at height: UInt64
    ) -> EscrowEvent {
        let position = EventPosition(
            blockNumber: height,
            blockHash: Bytes32(words: height, 0, 0, 0),
            logIndex: 0,
            time: time,
            transaction: Bytes32(words: height, 1, 0, 0)
        )
        return EscrowEvent(sale: sale, position: position, change: change)
    }
}

/// What one node's chain connection shows as final: the sales that a test showed it.
package final class SampleView: ChainView, Sendable {
    private let sales = Mutex<[SaleReference: Sale]>([:])

    package init() {}

    package func show(_ sale: SampleSale) {
        sales.withLock { $0[sale.reference] = sale.sale }
    }

    package func role(of contract: ContractReference) -> ContractRole {
        contract == SampleSale.contract ? .sells(.escrow) : .foreign
    }

    package func sale(_ sale: SaleReference) -> Sale? { sales.withLock { $0[sale] } }

    package func isParty(_ account: Address) -> Bool { saleCount(of: account) > 0 }

    package func saleCount(of account: Address) -> Int {
        sales.withLock { $0.values.count { $0.parties.contains(account) } }
    }
}
