import Client
import Foundation
import Texts

/// Formats what only an auction has.
enum AuctionText {
    /// Formats the bids of an auction.
    static func lines(_ auction: Sale.Auction, of sale: Sale, _ names: Names) -> [String] {
        let currency = sale.price.currency
        var lines: [String] = []
        if let bid = auction.highestBid {
            lines.append(
                "highest    \(MoneyText.text(bid.amount, currency)) by \(names.text(bid.bidder)), of "
                    + "\(auction.bidders) who bid"
            )
        } else {
            lines.append(
                "highest    nobody has bid; from " + MoneyText.paid(auction.startingBid, currency)
            )
        }
        if let own = auction.ownBid {
            let isHighest = auction.highestBid?.bidder == names.own
            lines.append(
                isHighest
                    ? "your bid   \(MoneyText.paid(own, currency)), the highest"
                    : "your bid   \(MoneyText.gained(own, currency)), outbid; collect it: "
                        + "stoa wallet collect"
            )
        }
        if let least = auction.minimalBid {
            lines.append("next bid   at least " + MoneyText.paid(least, currency))
        }
        let end = auction.endsAt.formatted(.iso8601)
        let bidding =
            auction.isOpen
            ? Sentence(
                "terms.bidding",
                ["end": end, "most": auction.endsAtMost.formatted(.iso8601)]
            )
            : Sentence("terms.biddingClosed", ["end": end])
        lines.append("bidding    \(bidding)")
        return lines + terms(auction.terms)
    }

    static func terms(_ terms: AuctionTerms) -> [String] {
        var parts: [String] = []
        if let seconds = terms.durationSeconds {
            parts.append("\(DurationText.text(seconds)) long")
        }
        if let points = terms.minIncrement {
            parts.append("each bid \(ShareText.text(points)) higher")
        }
        if let seconds = terms.extensionSeconds {
            parts.append(Sentence("terms.lateBid", ["window": "\(seconds)"]).detail)
        }
        return ["auction    " + parts.joined(separator: ", ")]
    }
}
