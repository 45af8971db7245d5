package import Ethereum
package import Market

extension AuctionContract {
    package static func change(
        _ event: String,
        _ reader: inout ABIValueReader
    ) throws(ABIError) -> AuctionEvent.Change {
        switch event {
        case "Listed":
            let listing = try ItemListing<AuctionTerms>(&reader)
            return .listed(listing, ends: try reader.time())
        case "Outbid": return .outbid(try AuctionBid(&reader))
        case "BidPlaced":
            let bid = try AuctionBid(&reader)
            return .bidPlaced(bid, ends: try reader.time())
        case "Ended": return .ended(try ItemSaleEnd(&reader))
        default: throw .topic
        }
    }
}

extension AuctionContract {
    package static func change(usedCredit credit: ContractMoney.Credit) -> AuctionEvent.Change? {
        .creditUsed(credit)
    }
}

extension AuctionBid {
    fileprivate init(_ reader: inout ABIValueReader) throws(ABIError) {
        self.init(bidder: try reader.address(), amount: try reader.amount())
    }
}

/// Converts between the terms and the contract's struct `Terms`.
extension AuctionTerms: ABITerms {
    package var abiValue: ABIValue {
        .tuple([
            .address(currency.address), .small(duration.wholeSeconds), .amount(startingBid),
            .small(minIncrementBasisPoints), .small(extensionTime.wholeSeconds),
        ])
    }

    package init(_ reader: inout ABIValueReader) throws(ABIError) {
        self.init(
            currency: try reader.currency(),
            duration: try reader.duration(),
            startingBid: try reader.amount(),
            minIncrementBasisPoints: try reader.small("an increment"),
            extensionTime: try reader.duration()
        )
    }
}
