import Client
import Foundation

/// Examples of what sales of each kind and listings have in them.
extension APISchemas {
    static var escrowTerms: Client.EscrowTerms {
        var terms = Client.EscrowTerms()
        (terms.sellerDeposit, terms.buyerDeposit, terms.latePenalty) = ("2", "1", "0")
        (terms.arbiter, terms.arbiterFee) = (address, "0")
        (terms.shipSeconds, terms.confirmSeconds) = (259_200, 1_814_400)
        (terms.rulingSeconds, terms.offerUntil) = (1_209_600, seconds)
        terms.buyer = address
        return terms
    }

    static let listingMedia = ListingMedia(id: hash, type: "image/jpeg", length: 1)

    static var listingContent: ListingContent {
        ListingContent(
            title: "Red bicycle",
            tags: ["bicycle"],
            media: [listingMedia],
            price: money,
            chain: 1,
            item: "1",
            shipsTo: ["DE"],
            shipsWithin: ShippingDistance(
                metres: 50_000,
                place: "Berlin",
                point: GeographicPoint(latitude: 52.52, longitude: 13.405)
            ),
            pickupPlace: "…",
            terms: escrowTerms,
            auction: auctionTerms,
            direct: directTerms,
            course: courseTerms
        )
    }

    static var courseTerms: Client.CourseTerms {
        Client.CourseTerms(
            seats: 12,
            startsAt: seconds,
            endsAt: seconds,
            beginSeconds: 259_200,
            ratingSeconds: 1_209_600
        )
    }

    static var course: Sale.Course {
        let round = Sale.Round(
            number: 0,
            phase: "open",
            price: money,
            terms: courseTerms,
            enrolled: 1,
            raters: 1,
            own: "rated",
            students: [address]
        )
        let criteria = Sale.Criteria(
            preparation: 90,
            content: 90,
            delivery: 90,
            communication: 90,
            overall: 90
        )
        return Sale.Course(rounds: [round], average: 90, criteria: criteria, raters: 1)
    }

    static var student: Student {
        Student(
            account: address,
            name: "ana",
            round: 0,
            enrolledAt: time,
            state: "rated",
            points: [90]
        )
    }

    static var attendance: Attendance {
        Attendance(
            account: address,
            name: "ana",
            round: 0,
            enrolledAt: time,
            state: "enrolled",
            sessions: [1],
            note: "…"
        )
    }

    static var attendanceMarks: AttendanceMarks {
        AttendanceMarks(
            round: 0,
            session: 1,
            present: [address],
            absent: [address],
            notes: [AttendanceMarks.Note(account: address, text: "…")]
        )
    }

    static var auctionTerms: Client.AuctionTerms {
        Client.AuctionTerms(durationSeconds: 604_800, minIncrement: 500, extensionSeconds: 600)
    }

    static var directTerms: Client.DirectSaleTerms {
        Client.DirectSaleTerms(offerUntil: seconds, buyer: address)
    }

    static var auction: Sale.Auction {
        Sale.Auction(
            terms: auctionTerms,
            startingBid: "1",
            endsAt: time,
            endsAtMost: time,
            isOpen: true,
            highestBid: Sale.Bid(bidder: address, amount: "2"),
            minimalBid: "3",
            bidders: 1,
            ownBid: "2"
        )
    }
}
