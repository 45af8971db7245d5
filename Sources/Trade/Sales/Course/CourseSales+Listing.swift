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
            throw Refusal(
                .badTerms,
                "Say in 'course' how many seats the course has, and when it starts and ends.",
                field: "course"
            )
        }
        guard content.item == nil else {
            throw Refusal(
                .badListing,
                "A course sells seats, not a token. Leave 'item' out.",
                field: "item"
            )
        }
        return .enrolment(try terms(wanted, price: content.price, at: time))
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
            throw Refusal(
                .badTerms,
                "A course must start in the future, within 365 days.",
                field: "course.startsAt"
            )
        }
        do { try terms.check(at: time) } catch { throw error.courseRefusal }
        return terms
    }

    package static func show(_ terms: SaleTerms, in content: inout ListingContent) {
        guard case .enrolment(let terms) = terms else { return }
        content.course = Client.CourseTerms(terms)
    }

    package func offer(
        _ content: OfferedContent,
        by seller: Address
    ) throws(Refusal) -> SaleOffer {
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
        return SaleOffer(
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
        _ content: OfferedContent,
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
        let (words, field) =
            switch Market.CourseTerms.Term(rawValue: term) {
            case .price:
                (
                    "The price must be from 10,000 to 2^128 - 1 of the smallest unit.",
                    "price"
                )
            case .seats: ("A course must have 1 to 10000 seats.", "course.seats")
            case .start: ("A course must start in the future, within 365 days.", "course.startsAt")
            case .end: ("A course must end after its start, within 365 days.", "course.endsAt")
            case .beginGrace:
                ("The time to begin must be from 1 to 30 days.", "course.beginSeconds")
            case .ratingWindow:
                ("The time to rate must be from 1 to 60 days.", "course.ratingSeconds")
            case nil: ("The terms are malformed.", "course")
            }
        return Refusal(.badTerms, words, field: field)
    }
}
