import Answers
import Client
import Ethereum
import Keys
import Market
import Support
import Testing
import Trade

/// The terms of courses as people enter them, without a chain.
struct CourseContentTests {
    private static let start = CourseMarket.start
    private static let day: UInt64 = 86_400
    private static let now = start.seconds
    private static let wanted = Client.CourseTerms(
        seats: 2,
        startsAt: now + 10 * day,
        endsAt: now + 20 * day
    )

    private let courses: CourseMarket
    private let sales: CourseSales

    init() throws {
        courses = try CourseMarket()
        sales = CourseSales(contract: courses.contract, in: courses.market)
    }

    static var content: ListingContent {
        ListingContent(
            type: "course",
            title: "Knots",
            description: "Ten knots.",
            category: "course",
            tags: ["knots"],
            price: Money(amount: "10007", currency: "native"),
            payment: "enrolment",
            delivery: "online",
            course: wanted
        )
    }

    private func terms(
        _ change: (inout ListingContent) -> Void = { _ in }
    ) throws -> Market.CourseTerms {
        var content = Self.content
        change(&content)
        let terms = try sales.terms(
            of: content,
            form: .course,
            by: CourseMarket.ana,
            at: Self.start
        )
        guard case .enrolment(let course) = terms else {
            throw Refusal(.badTerms, forPrograms: "no course")
        }
        return course
    }

    @Test func `omitted fields get the market's defaults and read back the same`() throws {
        #expect(try terms() == CourseMarket.terms)
        var wanted = Self.wanted
        (wanted.beginSeconds, wanted.ratingSeconds) = (2 * Self.day, 3 * Self.day)
        let other = try terms {
            $0.course = wanted
            $0.price.currency = CourseMarket.token.checksummed
        }
        #expect(other.currency == .token(CourseMarket.token) && other.beginGrace == .days(2))
        var shown = Self.content
        CourseSales.show(.enrolment(other), in: &shown)
        #expect(shown.course == wanted && shown.auction == nil && shown.terms == nil)
    }

    /// - From people: terms of a course beyond their bounds: 1 to 10,000 seats, a start within 365
    ///   days, an end 20 minutes after it, … → bad_terms
    @Test(arguments: [
        ("course.seats", [1, 10_000], [0, 10_001, .max]),
        ("course.startsAt", [now + 1, now + 365 * day], [0, now, now + 365 * day + 1]),
        (
            "course.endsAt", [now + 10 * day + 1_200, now + 375 * day],
            [0, now + 10 * day, now + 10 * day + 1_199, now + 375 * day + 1, .max]
        ),
        ("course.beginSeconds", [day, 30 * day], [0, day - 1, 30 * day + 1, .max]),
        ("course.ratingSeconds", [day, 60 * day], [0, day - 1, 60 * day + 1, .max]),
    ])
    func `accepts a course's terms at their bounds, not beyond them`(
        field: String,
        within: [UInt64],
        beyond: [UInt64]
    ) throws {
        func set(_ value: UInt64, _ content: inout ListingContent) {
            var wanted = Self.wanted
            switch field {
            case "course.seats": wanted.seats = value
            case "course.startsAt":
                (wanted.startsAt, wanted.endsAt) = (value, value + Self.day)
            case "course.endsAt": wanted.endsAt = value
            case "course.beginSeconds": wanted.beginSeconds = value
            default: wanted.ratingSeconds = value
            }
            content.course = wanted
        }
        for value in within { _ = try terms { set(value, &$0) } }
        for value in beyond {
            let refused = #expect(throws: Refusal.self) { _ = try terms { set(value, &$0) } }
            #expect(refused?.code == .badTerms && refused?.field == field)
        }
    }

    @Test func `accepts a seat's price at its bounds, not beyond them`() throws {
        try expectPriceBounds { try terms($0).price }
    }

    /// - From people: a course without its terms, or with a token → bad_terms, bad_listing
    @Test func `refuses a course without terms, or with a token`() throws {
        let missing = #expect(throws: Refusal.self) { _ = try terms { $0.course = nil } }
        #expect(missing?.code == .badTerms && missing?.field == "course")
        let item = #expect(throws: Refusal.self) { _ = try terms { $0.item = "7" } }
        #expect(item?.code == .badListing && item?.field == "item")
    }

    private func listing(
        _ change: (inout ListingContent) -> Void = { _ in }
    ) throws -> Market.Listing {
        var content = Self.content
        change(&content)
        return try content.listing(
            in: courses.index(),
            seller: CourseMarket.ana,
            at: Self.start
        )
    }

    /// Returns why the content is refused with this change; records an issue if it is not.
    private func refusal(_ change: (inout ListingContent) -> Void) -> Refusal? {
        do {
            _ = try listing(change)
            Issue.record("not refused")
            return nil
        } catch {
            return error as? Refusal
        }
    }

    /// - From people: a course that is shipped or in another category, or anything else that is
    ///   paid by enrolment → bad_listing
    @Test func `lists a course online or at a place, with only a course's terms`() throws {
        let online = try listing()
        #expect(online.form == .course && online.delivery == .online)
        let shown = ListingContent(online)
        #expect(shown.givenTerms.map(\.field) == ["course"] && shown.payment == "enrolment")
        let there = try listing { ($0.delivery, $0.pickupPlace) = ("pickup", "The old bridge") }
        #expect(there.delivery == .pickup(place: "The old bridge"))
        #expect(refusal { $0.terms = Client.EscrowTerms() }?.field == "terms")
        #expect(refusal { $0.auction = Client.AuctionTerms() }?.field == "auction")
        #expect(refusal { $0.direct = Client.DirectSaleTerms() }?.field == "direct")
        let goods = refusal { ($0.payment, $0.type) = ("escrow", "goods") }
        #expect(goods?.code == .badTerms && goods?.field == "course")
        #expect(refusal { $0.type = "goods" }?.code == .badListing)
        #expect(refusal { $0.category = "art" }?.code == .badListing)
        let shipped = refusal { ($0.delivery, $0.shipsTo) = ("shipping", ["DE"]) }
        #expect(shipped?.code == .badListing)
    }

    @Test func `a course gets its own identifier and keeps it through edits`() throws {
        let (one, other) = (try listing(), try listing())
        #expect(one.identifier != other.identifier && one.identifier.text.hasPrefix("course"))
        let named = try listing { $0.identifier = "knots 2027" }
        #expect(named.identifier.text == "knots2027")
        var words = ListingContent(one)
        words.description = "Twelve knots."
        words.identifier = ""
        #expect(try words.edited(one).identifier == one.identifier)
        words.course?.seats = 3
        let refused = #expect(throws: Refusal.self) { try words.edited(one) }
        #expect(refused?.code == .badTerms && refused?.field == "terms")
    }
}
