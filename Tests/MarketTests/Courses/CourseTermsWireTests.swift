import Foundation
import Keys
import SwiftProtobuf
import Testing
import WireMessages

@testable import Market

/// The terms of a course's first round in a listing's payload.
struct CourseTermsWireTests {
    private static let bounds: [CourseTerms] = [
        Samples.courseTerms,
        CourseTerms(
            currency: .native,
            price: SaleLimits.priceMin,
            seats: 1,
            start: ChainTime(seconds: 1),
            end: ChainTime(seconds: 2),
            beginGrace: .days(1),
            ratingWindow: .days(1)
        ),
        CourseTerms(
            currency: .token(Samples.key("token").address),
            price: SaleLimits.priceMax,
            seats: 10_000,
            start: ChainTime(seconds: 1_763_700_000),
            end: ChainTime(seconds: 1_763_700_000 + 365 * 86_400),
            beginGrace: .days(30),
            ratingWindow: .days(60)
        ),
    ]

    @Test(arguments: bounds, [nil, "Berlin"])
    func `reads back a course with any terms within the limits`(
        terms: CourseTerms,
        place: String?
    ) throws {
        let content = RecordContent.listing(try Samples.course(at: place, terms: terms))
        let record = try Samples.draft(content).signed(by: Samples.ana)
        let read = try UnverifiedRecord(record.bytes).verified()
        #expect(read.content == content && read == record)
        guard case .listing(let listing) = read.content else { throw Unread() }
        #expect(listing.terms == .enrolment(terms) && listing.terms.kind == .enrolment)
        #expect(listing.terms.price == terms.price && listing.terms.currency == terms.currency)
        #expect(record.summary == terms.summary(offering: "Knots", on: Samples.chain))
    }

    @Test func `the sale's hash depends on each term`() throws {
        let changes: [(inout CourseTerms) -> Void] = [
            { $0.currency = .native }, { $0.price = Amount(small: 10_001) }, { $0.seats = 3 },
            { $0.start = Samples.chainNow.advanced(by: .days(31)) },
            { $0.end = Samples.chainNow.advanced(by: .days(38)) },
            { $0.beginGrace = .days(9) }, { $0.ratingWindow = .days(9) },
        ]
        let hashes = try ([{ _ in }] + changes).map { change in
            var terms = Samples.courseTerms
            change(&terms)
            let listing = try Samples.course(terms: terms)
            return ListingCommitment(of: listing, slot: Samples.slot).hash
        }
        #expect(Set(hashes).count == changes.count + 1)
    }

    @Test(arguments: [[0, 1], [UInt8](repeating: 1, count: 33)])
    func `refuses a price in a non-canonical form`(bytes: [UInt8]) throws {
        var wire = try WireCourseOffer(serializedBytes: Samples.courseTerms.wire)
        wire.price = .init(bytes)
        #expect(throws: TermsFault.malformed) {
            try CourseTerms(wire: Samples.fields(of: wire, CourseTerms.wireSchema))
        }
    }

    @Test(arguments: [19, 21])
    func `refuses a currency whose length is not an address's`(count: Int) throws {
        var wire = try WireCourseOffer(serializedBytes: Samples.courseTerms.wire)
        wire.currency = .init(repeating: 1, count: count)
        #expect(throws: TermsFault.malformed) {
            try CourseTerms(wire: Samples.fields(of: wire, CourseTerms.wireSchema))
        }
    }

    @Test func `refuses numbers too large for their term and names the term`() throws {
        let changes: [(String, (inout WireCourseOffer) -> Void)] = [
            ("seats", { $0.seats = .max }), ("end", { $0.startS = .max }),
            ("end", { $0.endS = .max }), ("beginGrace", { $0.beginGraceS = .max }),
            ("ratingWindow", { $0.ratingWindowS = .max }), ("price", { $0.price = Data() }),
        ]
        for (term, change) in changes {
            var wire = try WireCourseOffer(serializedBytes: Samples.courseTerms.wire)
            change(&wire)
            let read = try CourseTerms(wire: Samples.fields(of: wire, CourseTerms.wireSchema))
            #expect(throws: TermsFault(term: term)) { try read.checkLimits() }
            #expect(throws: RuleFault.terms(TermsFault(term: term))) {
                try Samples.course(terms: read)
            }
        }
    }

    @Test func `a course is online or at a place, and students pay by enrolling`() throws {
        for (method, kind) in [
            (Delivery.online, SaleTerms.auction(Samples.auctionTerms)),
            (.pickup(place: "Berlin"), .escrow(try Samples.terms())),
            (
                .shipping(try ShippingLimits(.places(.countries, ["germany"]))),
                .enrolment(Samples.courseTerms)
            ),
        ] {
            #expect(throws: RuleFault.combination(.course, method.method, kind.kind)) {
                try Self.listing(.course, "course", method, kind)
            }
        }
        for category in ["digital", "art"] {
            #expect(throws: RuleFault.malformed(.category)) {
                try Self.listing(.course, category, .online, .enrolment(Samples.courseTerms))
            }
        }
        #expect(throws: RuleFault.combination(.goods, .pickup, .enrolment)) {
            try Self.listing(
                .goods,
                "art",
                .pickup(place: "Berlin"),
                .enrolment(Samples.courseTerms)
            )
        }
    }

    private struct Unread: Error {}

    private static func listing(
        _ form: Listing.Form,
        _ category: String,
        _ delivery: Delivery,
        _ terms: SaleTerms
    ) throws -> Listing {
        try Listing(
            form: form,
            title: "Knots",
            description: "Ten knots.",
            category: category,
            tags: ["knots"],
            identifier: ItemIdentifier(normal: "course7"),
            delivery: delivery,
            chain: Samples.chain,
            terms: terms
        )
    }
}
