/// What the fields of the API's types mean: units above all, which JSON does not show.
enum APIFieldTexts {
    /// Returns the text for a type's name and the fields below it; `nil` if the name says it all.
    static func find(_ path: [String]) -> String? {
        for count in (1...path.count).reversed() {
            if let text = all[path.suffix(count).joined(separator: ".")] { return text }
        }
        return nil
    }

    private static let all = money.merging(times) { $1 }.merging(market) { $1 }
        .merging(accounts) { $1 }.merging(operations) { $1 }

    private static let unit = "In the currency's smallest unit (wei for 'native'), in decimal."

    private static let money: [String: String] = [
        "amount": unit, "sellerDeposit": unit, "buyerDeposit": unit, "latePenalty": unit,
        "arbiterFee": unit, "feeMin": "The lowest fee of a dispute. \(unit)",
        "bid": "The whole bid. \(unit)",
        "fromCredit": "How much of the bid the caller's credit in its currency pays. \(unit)",
        "startingBid": "The least first bid. \(unit)",
        "ownBid": "The highest bid of the account that asks. \(unit)",
        "minimalBid": "The least bid that is taken now. \(unit)",
        "currency": "'native' for the chain's own money, or a token's address.",
        "feeMax": "The maximum of all fees together, in wei.",
        "minIncrement": "How much higher each later bid must be, in basis points (500 is 5 %).",
        "share": "The seller's share of the price, in basis points (5000 is 50 %).",
        "ActionPreview.total": "What leaves the account at most, in each currency.",
        "leaves.purpose": "What the amount is for.",
        "comesBack.when": "When it comes back, in words.",
        "comesBack.from":
            "From when no other party is needed for it, on the chain's clock; none if it comes at once "
            + "or depends on what another party does.",
    ]

    private static let times: [String: String] = [
        "shipSeconds": "How long the seller has to hand over, in seconds.",
        "confirmSeconds": "How long the buyer has to confirm or dispute, in seconds.",
        "rulingSeconds": "How long a dispute can be settled or ruled, in seconds.",
        "durationSeconds": "How long people can bid, in seconds.",
        "extensionSeconds": "How long a late bid leaves to others, in seconds.",
        "beginSeconds": "How long after its start the round can begin, in seconds.",
        "ratingSeconds": "How long after its end the round can be rated, in seconds.",
        "offerUntil": "When the offer ends, in seconds since 1970 on the chain's clock.",
        "startsAt": "In seconds since 1970 on the chain's clock.",
        "until": "Until when it holds.",
        "SaleMove.until":
            "Of a proposal: until when it stands, in seconds since 1970 on the chain's clock.",
        "Arbitration.until":
            "Until when offers that name the account can last, in seconds since 1970 on the "
            + "chain's clock; 0 ends the registration.",
        "deadline.at": "On the chain's clock.", "asOf": "The chain's time when this was answered.",
        "tokenSince": "When its token was first listed, on the chain's clock.",
        "Item.since": "When it was first listed, on the chain's clock.",
        "Sale.since": "When the sale entered its phase, on the chain's clock.",
        "history.at": "The time of the block.",
        "endsAtMost": "The latest end, however late the bids are.",
        "idleUntil": "When the session ends if it is not used.",
        "expiresAt": "When the session ends in any case.",
    ]

    private static let market: [String: String] = [
        "identifier": "What distinguishes the item from all others, such as a serial number.",
        "promised": "The words whose hash the sale carries on the chain; also after a withdrawal.",
        "ListingContent.title": "One line.", "category": "Lower-case letters, digits and hyphens.",
        "ListingContent.item": "The number of the seller's token to sell again.",
        "shipsTo":
            "Only countries (ISO 3166 codes), only states ('Bavaria, DE') or only cities "
            + "('Munich, Bavaria, DE'); everywhere if it is empty and there is no distance.",
        "shipTo":
            "A country code (ISO 3166), 'Bavaria, DE' or 'Munich, Bavaria, DE', needed if the seller "
            + "limits shipping; none is that of the account's delivery address.",
        "metres": "It is shipped to less than this distance, in metres on the great circle.",
        "latitude": "In degrees of WGS 84, north positive.",
        "longitude": "In degrees of WGS 84, east positive.",
        "Sale.deliveryAddress": "Where the item goes, if the account has said it or needs it now.",
        "payment": "How it is sold.",
        "Listing.distance": "From 'near' to the point around which it is shipped, in metres.",
        "ListingFacets.reachesMe": "How many can reach the caller's own delivery address.",
        "within": "In kilometres; it needs 'near'.",
        "SearchTerms.reachesMe":
            "Only what can reach the account's delivery address, wherever that is then.",
        "starsMin": "Only of sellers whose reviews average at least so many stars.",
        "chain":
            "The id of the chain; in a request it can be left out if the node follows only one.",
        "ChainStatus.arbiters": "Those whom the market's file offers to sellers.",
        "terms.buyer": "The only account that can buy it.",
        "direct.buyer": "The only account that can buy it.",
        "ChainStatus.fees": "How the fees of transactions are stated on this chain.",
        "explorer": "The page of a transaction, with {transaction} in place of its hash.",
        "isAsPromised": "Whether the listing says what its sale was made for.",
        "Listing.price":
            "The price now: the highest bid, or that of the last round; else as it was listed.",
        "content.price": "The price as it was listed.",
        "confirmations": "Of the last event of the sale.",
        "confirmationsNeeded": "How many make it final.",
        "confirmedBy": "How many endpoints have all events of the sale.",
        "restsOnOneSource": "Whether no second endpoint answers; see 'acceptsOneSource'.",
        "acceptsOneSource": "Accept one endpoint's answers while no second endpoint answers.",
        "acceptsChanges": "Buy what was promised, whatever the seller has changed since.",
        "Purchase.address":
            "What the node sends the seller, sealed, once it is paid; without a text, that of the "
            + "account's delivery address. None sends nothing.",
        "Purchase.sale": "The sale as the preview showed it; nothing is bought if it is another.",
        "round": "The number of the round, from 0.", "Sale.item": "The token's number, in decimal.",
        "token": "The token's number, in decimal.",
        "stage": "How far it is, for every way to sell.",
        "points": "Five numbers: preparation, content, delivery, communication, overall.",
        "stars": "From 1 to 5.",
        "Reputation.rating": "In hundredths of a star; each reviewer counts once.",
        "Reputation.since": "Its first move in a sale, on the chain's clock.",
        "setAside": "How many sales ended otherwise, by phase, or were offered again.",
        "counterparties": "With how many accounts it has completed sales.",
        "traded": "The prices of its completed sales, sold and bought.",
        "media": "Files that were added, in the order shown; an edit without it keeps them.",
        "length": "In bytes.", "width": "In pixels.", "height": "In pixels.",
        "received": "The SHA-256 of the bytes that the node received.",
        "AddedMedia.type": "The node has lost the file if it is left out.",
        "isNamed": "Whether something that the account has published names it.",
    ]

    private static let accounts: [String: String] = [
        "Account.address": "In EIP-55 form.",
        "isUnlocked": "Whether a session holds its key in memory now.",
        "Session.token": "Sent as 'Authorization: Bearer …'.",
        "phrase": "The recovery phrase, words separated by blanks.",
        "acceptsLosses": "Remove it although it has open sales or operations.",
        "isRequest": "Whether a stranger began it and the account has not answered or accepted it.",
        "unread": "How many messages are unread.",
        "HiddenEntry.by": "The author of the list that hides it, or the account itself.",
        "SavedListing.since": "Since when the account has it there.",
        "quantity": "1, or 0 to take it out; a listing is one thing, so more is refused.",
        "totals": "What lines that can be bought cost together, without deposits and fees.",
        "CartTotal.listings": "How many lines are counted.",
        "isFollowed": "Whether the signed-in account follows it.",
        "reportsTo": "The account that gets the node's reports; null if nobody reads them.",
        "clock": "The node's wall clock beside others'; null if nothing can be compared.",
        "chainAheadSeconds": "How far the chain's time is ahead of the clock; negative if behind.",
        "peersAheadSeconds": "How far linked peers' clocks are ahead of it; negative if behind.",
        "answer": "The first text of the other side after it; null if there is none yet.",
        "heldBy": "How many of the recipient's homes hold it, while it is sent.",
    ]

    private static let operations: [String: String] = [
        "Event.subject": "The id of what it is about.",
        "Operation.state": "'needs_unlock' waits for its owner to sign in.",
        "detail": "In words.", "obstacles": "What prevents the call, in words.",
        "problems": "The same with the codes that the call would end with.",
        "warnings": "What to consider, in words.", "consequence": "What happens then, in words.",
        "next": "Passed as 'after' for the next page; null at the end.",
        "total": "How many match.",
        "totalIsLowerBound": "Whether more may match than 'total' says.",
        "field": "The field of the request at fault.",
    ]
}
