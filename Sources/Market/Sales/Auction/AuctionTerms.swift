package import Keys

/// The terms of an auction, as the contract demands them with every move.
///
/// A value may exceed the contract's limits until ``checkLimits()`` has passed. Durations are whole
/// seconds.
///
/// Source: Docs/contracts.md, section 10; Sources/Contracts/Vyper/Auction.vy, `Terms`.
package struct AuctionTerms: ItemTerms {
    /// The name of a term in the API.
    package enum Term: String, SaleKindTerm {
        case duration, startingBid, minIncrement
        case extensionTime = "extension"
    }

    package var currency: Currency
    /// From the listing to the first end: from the extension to 30 days.
    package var duration: Duration
    /// The minimum first bid: 10,000 … 2¹²⁸ − 1.
    package var startingBid: Amount
    /// The minimum increase of each later bid, as a part of the highest bid: 100 … 5,000.
    package var minIncrementBasisPoints: UInt64
    /// The time for which the bidding stays open after a late bid: 60 seconds … one day.
    package var extensionTime: Duration

    /// Creates terms; the defaults are those of the client.
    ///
    /// - Parameters:
    ///   - currency: The currency of all bids.
    ///   - duration: The time from the listing to the first end; whole seconds.
    ///   - startingBid: The minimum first bid.
    ///   - minIncrementBasisPoints: The minimum increase of each later bid.
    ///   - extensionTime: The time that remains after a late bid; whole seconds.
    package init(
        currency: Currency,
        duration: Duration = .days(7),
        startingBid: Amount,
        minIncrementBasisPoints: UInt64 = 500,
        extensionTime: Duration = .seconds(600)
    ) {
        self.currency = currency
        self.duration = duration
        self.startingBid = startingBid
        self.minIncrementBasisPoints = minIncrementBasisPoints
        self.extensionTime = extensionTime
    }

    package func checkLimits() throws(TermsFault) {
        guard SaleLimits.prices.contains(startingBid) else {
            throw Term.startingBid.fault
        }
        guard AuctionLimits.minIncrementBasisPoints.contains(minIncrementBasisPoints) else {
            throw Term.minIncrement.fault
        }
        guard AuctionLimits.extensionTime.contains(extensionTime) else {
            throw Term.extensionTime.fault
        }
        guard extensionTime <= duration, duration <= AuctionLimits.durationMax else {
            throw Term.duration.fault
        }
    }

    /// No limit of an auction depends on the time of its listing.
    package func check(seller: Address, at now: ChainTime) throws(TermsFault) { try checkLimits() }

    /// Returns the minimum bid that is accepted after `highest`, or the minimum first bid.
    ///
    /// - Parameter highest: The highest bid; `nil` if nobody has bid.
    /// - Returns: `nil` if it would exceed 2¹²⁸ − 1, so that no higher bid is possible.
    package func minimalBid(after highest: Amount?) -> Amount? {
        guard let highest else { return startingBid }
        guard let part = highest.portion(basisPoints: minIncrementBasisPoints),
            let bid = highest.adding(max(part, Amount(small: 1))), bid <= SaleLimits.priceMax
        else { return nil }
        return bid
    }

    /// Returns the end of the bidding after a bid.
    ///
    /// A bid in the last `extensionTime` before the end leaves that time to others, but never
    /// beyond the latest end.
    ///
    /// - Parameters:
    ///   - time: The time of the bid, before `ends`.
    ///   - ends: The end of the bidding so far.
    ///   - lastEnd: The latest end, see ``AuctionLimits/extensionsMax``.
    /// - Returns: The new end, never before `ends`.
    package func end(afterBidAt time: ChainTime, ends: ChainTime, lastEnd: ChainTime) -> ChainTime {
        let extended = time.advanced(by: extensionTime)
        return extended < ends ? ends : min(extended, lastEnd)
    }

    package var words: [Bytes32] {
        [
            currency.address.word,
            Bytes32(number: duration.wholeSeconds),
            startingBid.word,
            Bytes32(number: minIncrementBasisPoints),
            Bytes32(number: extensionTime.wholeSeconds),
        ]
    }

    /// Returns "Auction 'Red bicycle' for 7 days from 0.5 ETH".
    package func summary(offering title: String, on chain: ChainID) -> String {
        let price = PriceText.text(startingBid, in: currency, on: chain)
        return "Auction '\(title)' for \(duration.inWords) from \(price)"
    }
}
