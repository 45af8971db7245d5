package import Answers
package import Client
import Contracts
import Ethereum
import Foundation
package import Keys
package import Market

extension CourseSales {
    package func terms(
        of content: ListingContent,
        form: Market.Listing.Form,
        by seller: Address,
        at time: ChainTime
    ) throws(Refusal) -> SaleTerms {
        guard let wanted = content.course else {
            throw Refusal(.badTerms, Sentence("refusal.giveCourse"), field: "course")
        }
        guard content.item == nil else {
            throw Refusal(.badListing, Sentence("refusal.courseNoToken"), field: "item")
        }
        return .enrolment(try terms(wanted, price: content.price, at: time))
    }

    package static func addPassingTerms(
        to content: inout ListingContent,
        at time: ChainTime
    ) {
        let start = time.advanced(by: .days(1))
        content.course = Client.CourseTerms(
            seats: 1,
            startsAt: start.seconds,
            endsAt: start.advanced(by: .days(1)).seconds
        )
    }

    /// Returns the terms of a round that a person entered.
    ///
    /// - Throws: ``Refusal``: `bad_terms`, `bad_amount`, `bad_listing` for a currency.
    func terms(
        _ wanted: Client.CourseTerms,
        price: Money,
        at time: ChainTime
    ) throws(Refusal) -> Market.CourseTerms {
        var terms = Market.CourseTerms(
            currency: try price.acceptedCurrency(in: deployed),
            price: try Amount.entered(price.amount, field: "price.amount"),
            seats: wanted.seats,
            start: ChainTime(seconds: wanted.startsAt),
            end: ChainTime(seconds: wanted.endsAt)
        )
        if let seconds = wanted.beginSeconds { terms.beginGrace = .entered(seconds) }
        if let seconds = wanted.ratingSeconds { terms.ratingWindow = .entered(seconds) }
        // Before the end, which may only be wrong because the start is.
        guard terms.start > time else {
            throw Refusal(.badTerms, Sentence("refusal.courseStart"), field: "course.startsAt")
        }
        do { try terms.check(at: time) } catch { throw error.courseRefusal }
        // The contract takes less, but then no round could begin, see ItemSales.requireTime.
        guard terms.beginTime >= ItemSales.margin * 2 else {
            throw Refusal(.badTerms, Sentence("refusal.courseShort"), field: "course.endsAt")
        }
        return terms
    }

    package func repriced(
        _ content: ListingContent,
        of sale: Market.Sale,
        at time: ChainTime
    ) throws(Refusal) -> ListingContent {
        throw Refusal(.badTerms, Sentence("refusal.seatPriceFixed"), field: "price.amount")
    }

    package static func show(_ terms: SaleTerms, in content: inout ListingContent) {
        guard case .enrolment(let terms) = terms else { return }
        content.course = Client.CourseTerms(terms)
    }

    package func newSale(
        of content: SaleContent,
        by seller: Address
    ) throws(Refusal) -> PlannedSale {
        guard case .enrolment(let terms) = content.terms else {
            preconditionFailure("the registry gives each kind of sale its own service")
        }
        let reference = market.reference(to: deployed)
        let id = SaleID(
            contract: reference,
            teacher: seller,
            salt: content.slot,
            promise: content.promise
        )
        return PlannedSale(
            sale: SaleReference(contract: reference, id: id),
            call: PaidCall(
                call: contract.open(salt: content.slot, promise: content.promise, terms: terms),
                amount: .zero,
                currency: terms.currency,
                gas: ItemSales.listingGas
            )
        )
    }

    package func dueMoves(
        under terms: SaleTerms,
        listedAt time: ChainTime
    ) -> (moves: Set<UnattendedMove>, until: ChainTime)? {
        guard case .enrolment(let terms) = terms else { return nil }
        return ([.claim], terms.rateUntil)
    }

    package func describe(
        _ content: SaleContent,
        by seller: Address,
        in preview: inout ActionPreview
    ) {
        guard case .enrolment(let terms) = content.terms else { return }
        preview.summary = [
            Sentence(
                "course.youOffer",
                ["title": content.title, "price": money(terms.price, in: terms.currency)]
            )
        ]
        preview.deadline = Client.Sale.Deadline(
            CourseDeadline(at: terms.start, effect: .beginOpens).described
        )
        preview.explanation += [
            Sentence("course.studentsPay", ["begin": terms.beginTime.value]),
            Sentence("course.studentsRate", ["window": terms.ratingWindow.value]),
        ]
        let least = terms.price.portion(basisPoints: 9_000) ?? .zero
        preview.expect(
            least,
            terms.currency,
            Sentence("course.forEachStudent"),
            from: terms.rateUntil
        )
    }
}

extension Client.CourseTerms {
    init(_ terms: Market.CourseTerms) {
        self.init(
            seats: terms.seats,
            startsAt: terms.start.seconds,
            endsAt: terms.end.seconds,
            beginSeconds: terms.beginGrace.wholeSeconds,
            ratingSeconds: terms.ratingWindow.wholeSeconds
        )
    }
}

extension TermsFault {
    /// The bound of a course in words.
    fileprivate var courseRefusal: Refusal {
        let (reason, field) =
            switch Market.CourseTerms.Term(rawValue: term) {
            case .price: (Sentence("refusal.priceRange"), "price")
            case .seats: (Sentence("refusal.seatsRange"), "course.seats")
            case .start: (Sentence("refusal.courseStart"), "course.startsAt")
            case .end: (Sentence("refusal.courseEnd"), "course.endsAt")
            case .beginGrace: (Sentence("refusal.beginRange"), "course.beginSeconds")
            case .ratingWindow: (Sentence("refusal.ratingRange"), "course.ratingSeconds")
            case nil: (Sentence("refusal.malformedTerms"), "course")
            }
        return Refusal(.badTerms, reason, field: field)
    }
}
