import BigInt
import Keys
import Market
import Testing

struct AuctionTermsTests {
    private typealias Case = TermCase<AuctionTerms>

    private let good = AuctionTerms(currency: .native, startingBid: SaleLimits.priceMin)

    @Test(
        arguments: [
            Case("startingBid", beyond: { $0.startingBid = Amount(small: 9_999) }) {
                $0.startingBid = Amount(small: 10_000)
            },
            Case("startingBid", beyond: { $0.startingBid = power(128) }) {
                $0.startingBid = ItemSamples.amount(BigUInt(1) << 128 - 1)
            },
            Case("minIncrement", beyond: { $0.minIncrementBasisPoints = 99 }) {
                $0.minIncrementBasisPoints = 100
            },
            Case("minIncrement", beyond: { $0.minIncrementBasisPoints = 5_001 }) {
                $0.minIncrementBasisPoints = 5_000
            },
            Case("extension", beyond: { $0.extensionTime = .seconds(59) }) {
                ($0.extensionTime, $0.duration) = (.seconds(60), .seconds(60))
            },
            Case("extension", beyond: { $0.extensionTime = .seconds(86_401) }) {
                $0.extensionTime = .days(1)
            },
            Case("duration", beyond: { $0.duration = .seconds(599) }) {
                $0.duration = .seconds(600)
            },
            Case("duration", beyond: { $0.duration = .seconds(30 * 86_400 + 1) }) {
                $0.duration = .days(30)
            },
        ]
    )
    func `accepts each term at its limits, not beyond them`(
        term: TermCase<AuctionTerms>
    ) throws {
        var (bad, accepted) = (good, good)
        term.beyond(&bad)
        term.within(&accepted)
        let fault = TermsFault(term: term.term)
        #expect(throws: fault) { try bad.checkLimits() }
        #expect(throws: SaleFault.wrongTerms(fault)) { try AuctionRun(bad) }
        #expect(try AuctionRun(accepted).sale.status == .ready)
    }

    @Test func `refuses a listing that the contract would refuse`() {
        let listing = ItemSamples.listing(good)
        let empty = ItemSamples.listing(good, promise: .zero)
        let foreign = ItemSamples.listing(good, maker: ItemSamples.cleo)
        let unmade = ItemSamples.listing(good, isMinted: false, maker: .zero)
        let ends = Samples.chainNow.advanced(by: good.duration)
        let bid = AuctionBid(bidder: ItemSamples.cleo, amount: Amount(small: 1))
        let lies: [(SaleFault, SaleID, AuctionEvent.Change)] = [
            (.wrongID, SaleID(.zero), .listed(listing, ends: ends)),
            (.wrongID, id(empty), .listed(listing, ends: ends)),
            (.wrongDeadline, id(listing), .listed(listing, ends: Samples.chainNow)),
            (.wrongAccount, id(foreign), .listed(foreign, ends: ends)),
            (.wrongAccount, id(unmade), .listed(unmade, ends: ends)),
            (.wrongTerms(TermsFault(term: "promise")), id(empty), .listed(empty, ends: ends)),
            (.notListed, id(listing), .bidPlaced(bid, ends: ends)),
        ]
        var clock = EventClock()
        for (fault, id, change) in lies {
            let position = clock.position(at: Samples.chainNow)
            #expect(throws: fault) {
                try AuctionSale(
                    listing: AuctionEvent(sale: id, position: position, change: change),
                    contract: ItemSamples.contract,
                    fees: ItemSamples.fees
                )
            }
        }
    }

    private func id(_ listing: ItemListing<AuctionTerms>) -> SaleID {
        listing.offer.id(on: ItemSamples.contract)
    }

    @Test func `the id commits to the chain, the contract and the whole offer`() {
        let listing = ItemSamples.listing(good)
        let contract = ItemSamples.contract
        var terms = good
        terms.duration = .days(8)
        let ids = [
            listing.offer.id(on: contract),
            listing.offer.id(on: ContractReference(chain: ChainID(1), address: contract.address)),
            listing.offer.id(
                on: ContractReference(chain: contract.chain, address: ItemSamples.platform)
            ),
            ItemSamples.listing(good, isMinted: false).offer.id(on: contract),
            ItemSamples.listing(good, isMinted: false, maker: ItemSamples.stranger)
                .offer.id(on: contract),
            ItemSamples.listing(good, promise: .zero).offer.id(on: contract),
            ItemSamples.listing(good, salt: Bytes32(repeating: 1)).offer.id(on: contract),
            ItemSamples.listing(terms).offer.id(on: contract),
        ]
        #expect(Set(ids).count == ids.count)
    }

    @Test func `describes the signed offer in words`() {
        var terms = good
        terms.startingBid = Samples.amount("500000000000000000")
        #expect(
            terms.summary(offering: "Red bicycle", on: Samples.chain)
                == "Auction 'Red bicycle' for 7 days from 0.5 ETH"
        )
        terms.duration = .seconds(90 * 60)
        #expect(terms.summary(offering: "A", on: Samples.chain).contains("for 90 minutes"))
    }

    private static func power(_ exponent: Int) -> Amount {
        ItemSamples.amount(BigUInt(1) << exponent)
    }
}
