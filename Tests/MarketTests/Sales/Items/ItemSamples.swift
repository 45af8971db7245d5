import BigInt
import Keys
import Market
import Testing

/// Accounts, fees and offers shared by the tests of auctions and direct sales.
enum ItemSamples {
    static let contract = ContractReference(
        chain: Samples.chain,
        address: Samples.key("contract").address
    )
    static let platform = Samples.key("platform").address
    static let cleo = Samples.key("cleo").address
    static let stranger = Samples.key("stranger").address
    static let fees: MarketFees = {
        let fees = MarketFees(
            platformBasisPoints: 200,
            makerBasisPoints: 100,
            platform: platform
        )
        guard let fees else { preconditionFailure("the fees are within their limits") }
        return fees
    }()

    /// Returns a listing by Ana; of a token that Cleo made, or of one minted for the sale.
    static func listing<Terms: ItemTerms>(
        _ terms: Terms,
        isMinted: Bool = true,
        maker: Address? = nil,
        promise: Bytes32 = Bytes32(repeating: 9),
        salt: Bytes32 = .zero
    ) -> ItemListing<Terms> {
        ItemListing(
            seller: Samples.ana.address,
            token: Amount(small: 7),
            promise: promise,
            contentHash: Samples.contentHash,
            maker: maker ?? (isMinted ? nil : cleo),
            salt: salt,
            isMinted: isMinted,
            terms: terms
        )
    }

    static func maker(of listing: ItemListing<some ItemTerms>) -> Address { listing.offer.maker }

    /// Divides a price in the way of Docs/contracts.md, by other means than the program's.
    static func parts(of price: BigUInt) -> (seller: BigUInt, platform: BigUInt, maker: BigUInt) {
        let (platform, maker) = (price * 200 / 10_000, price * 100 / 10_000)
        return (price - platform - maker, platform, maker)
    }

    /// Returns the end of a sale as the contract reports it, and its credits.
    static func end<Status: SaleStatus>(
        _ status: Status,
        of listing: ItemListing<some ItemTerms>,
        by account: Address,
        buyer: Address?,
        price: BigUInt
    ) -> (ItemSaleEnd<Status>, [ContractMoney.Credit]) {
        let parts = buyer == nil ? (seller: 0, platform: 0, maker: 0) : parts(of: price)
        let seller = listing.offer.seller
        let end = ItemSaleEnd(
            seller: seller,
            buyer: buyer ?? .zero,
            status: status,
            by: account,
            tokenTo: buyer ?? seller,
            maker: maker(of: listing),
            payout: ItemPayout(
                seller: amount(parts.seller),
                platform: amount(parts.platform),
                maker: amount(parts.maker)
            )
        )
        let credits = [
            (seller, parts.seller), (platform, parts.platform), (end.maker, parts.maker),
        ]
        return (end, credits.filter { $0.1 > 0 }.map { credit($0, $1, listing) })
    }

    static func credit(
        _ account: Address,
        _ units: BigUInt,
        _ listing: ItemListing<some ItemTerms>
    ) -> ContractMoney.Credit {
        ContractMoney.Credit(
            currency: listing.offer.terms.currency,
            account: account,
            amount: amount(units)
        )
    }

    static func amount(_ units: BigUInt) -> Amount {
        guard let amount = Amount(units) else { preconditionFailure("\(units) is too much") }
        return amount
    }
}

/// The positions of events: each transaction is in a block of its own.
struct EventClock {
    private var height: UInt64 = 0

    mutating func positions(_ count: Int, at time: ChainTime) -> [EventPosition] {
        height += 1
        return (0..<count).map { index in
            EventPosition(
                blockNumber: height,
                blockHash: Bytes32(words: height, 0, 0, 2),
                logIndex: UInt64(index),
                time: time,
                transaction: Bytes32(words: height, 0, 0, 1)
            )
        }
    }

    mutating func position(at time: ChainTime) -> EventPosition { positions(1, at: time)[0] }
}

/// A term beyond its limits, and the same term just within them.
struct TermCase<Terms>: Sendable, CustomTestStringConvertible {
    typealias Change = @Sendable (inout Terms) -> Void

    let term: String
    let beyond: Change
    let within: Change

    init(_ term: String, beyond: @escaping Change, within: @escaping Change) {
        (self.term, self.beyond, self.within) = (term, beyond, within)
    }

    var testDescription: String { term }
}
