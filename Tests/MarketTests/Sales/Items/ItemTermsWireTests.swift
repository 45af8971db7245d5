import Keys
import SwiftProtobuf
import Testing
import WireMessages

@testable import Market

/// The terms of auctions and direct sales in a listing's payload.
struct ItemTermsWireTests {
    private static let token = Currency.token(Samples.key("token").address)
    private static let most = SaleLimits.priceMax

    private static let direct: [DirectSaleTerms] = [
        Samples.directTerms,
        DirectSaleTerms(
            currency: .native,
            price: SaleLimits.priceMin,
            offerUntil: ChainTime(seconds: 1),
            buyer: Samples.key("buyer").address
        ),
        DirectSaleTerms(currency: token, price: most, offerUntil: ChainTime(seconds: .max)),
    ]
    private static let auctions: [AuctionTerms] = [
        Samples.auctionTerms,
        AuctionTerms(
            currency: .native,
            duration: .seconds(60),
            startingBid: SaleLimits.priceMin,
            minIncrementBasisPoints: 100,
            extensionTime: .seconds(60)
        ),
        AuctionTerms(
            currency: token,
            duration: .days(30),
            startingBid: most,
            minIncrementBasisPoints: 5_000,
            extensionTime: .days(1)
        ),
    ]

    @Test(arguments: direct.map(SaleTerms.direct) + auctions.map(SaleTerms.auction))
    func `reads back a listing with any terms within the limits`(
        terms: SaleTerms
    ) throws {
        let content = RecordContent.listing(try Self.listing(terms))
        let record = try Samples.draft(content).signed(by: Samples.ana)
        let read = try UnverifiedRecord(record.bytes).verified()
        #expect(read.content == content && read == record)
        guard case .listing(let listing) = read.content else { throw Unread() }
        #expect(listing.terms == terms && listing.terms.kind == terms.kind)
        #expect(listing.terms.price == terms.price && listing.terms.currency == terms.currency)
        #expect(record.summary == terms.offer.summary(offering: "Print", on: Samples.chain))
        // Each term is part of what the sale carries the hash of.
        let other = ListingCommitment(of: try Samples.listing(), slot: Samples.slot)
        #expect(ListingCommitment(of: listing, slot: Samples.slot).hash != other.hash)
    }

    @Test func `summaries state the kind of sale and the price`() throws {
        let token = Samples.key("token").address
        #expect(
            Samples.directTerms.summary(offering: "Print", on: Samples.chain)
                == "Sell 'Print' for 2500000 units of token \(token) directly"
        )
        #expect(
            Samples.auctionTerms.summary(offering: "Print", on: Samples.chain)
                == "Auction 'Print' for 7 days from 0.1 ETH"
        )
    }

    @Test(arguments: [[0, 1], [UInt8](repeating: 1, count: 33)])
    func `refuses an amount in a non-canonical form`(bytes: [UInt8]) throws {
        var direct = try WireDirectOffer(serializedBytes: Samples.directTerms.wire)
        direct.price = .init(bytes)
        #expect(throws: TermsFault.malformed) {
            try DirectSaleTerms(wire: Samples.fields(of: direct, DirectSaleTerms.wireSchema))
        }
        var auction = try WireAuctionOffer(serializedBytes: Samples.auctionTerms.wire)
        auction.startingBid = .init(bytes)
        #expect(throws: TermsFault.malformed) {
            try AuctionTerms(wire: Samples.fields(of: auction, AuctionTerms.wireSchema))
        }
    }

    @Test(arguments: [19, 21])
    func `refuses a currency whose length is not an address's`(count: Int) throws {
        var direct = try WireDirectOffer(serializedBytes: Samples.directTerms.wire)
        direct.currency = .init(repeating: 1, count: count)
        #expect(throws: TermsFault.malformed) {
            try DirectSaleTerms(wire: Samples.fields(of: direct, DirectSaleTerms.wireSchema))
        }
        var auction = try WireAuctionOffer(serializedBytes: Samples.auctionTerms.wire)
        auction.currency = .init(repeating: 1, count: count)
        #expect(throws: TermsFault.malformed) {
            try AuctionTerms(wire: Samples.fields(of: auction, AuctionTerms.wireSchema))
        }
    }

    @Test func `refuses a listing with terms beyond the limits and names the term`() throws {
        var auction = Samples.auctionTerms
        auction.duration = .days(30) + .seconds(1)
        #expect(throws: RuleFault.terms(TermsFault(term: "duration"))) {
            try Self.listing(.auction(auction))
        }
        var direct = Samples.directTerms
        direct.price = .zero
        #expect(throws: RuleFault.terms(TermsFault(term: "price"))) {
            try Self.listing(.direct(direct))
        }
        // More seconds than a duration has stay beyond the limit.
        var wire = try WireAuctionOffer(serializedBytes: Samples.auctionTerms.wire)
        wire.durationS = .max
        let read = try AuctionTerms(wire: Samples.fields(of: wire, AuctionTerms.wireSchema))
        #expect(throws: TermsFault(term: "duration")) { try read.checkLimits() }
    }

    private struct Unread: Error {}

    private static func listing(_ terms: SaleTerms) throws -> Listing {
        try Listing(
            form: .goods,
            title: "Print",
            description: "Linocut.",
            category: "art",
            tags: ["print"],
            identifier: ItemIdentifier(normal: "print7"),
            delivery: .pickup(place: "Berlin"),
            chain: Samples.chain,
            terms: terms
        )
    }
}
