/// The parameters of the API's calls.
package enum Query {
    package static let limit = Parameter<Int>(
        "limit",
        "The maximum number of items.",
        .numbers(1...100, standard: 20),
        absent: 20,
        read: { wholeNumber($0, in: 1...100) },
        write: { String($0) }
    )
    package static let after = Parameter(
        "after",
        "The 'next' of the previous page; for events the 'id' of the last one seen.",
        .cursor
    )
    package static let before = Parameter("before", "The 'next' of the previous page.", .cursor)
    package static let chain = Parameter<UInt64?>(
        "chain",
        "The id of a chain; needed for a wallet if the node follows several.",
        .chain,
        absent: nil,
        read: { UInt64($0).flatMap { $0 > 0 ? $0 : nil }.map(Optional.some) },
        write: { $0.map(String.init) }
    )
    package static let account = Parameter("account", "An address or a name.")
    package static let actAs = Parameter(
        "as",
        "The account to act as, by its address or name, if the browser's cookie has sessions of "
            + "several; it has no effect beside a token."
    )
    package static let listing = Parameter("listing", "Only of this listing.")
    package static let sale = Parameter("sale", "Only of this sale.")
    package static let token = Parameter("token", "The number of the token, in decimal.")
    package static let own = Parameter(
        flag: "own",
        "Only the caller's own: tokens of its sales that it owns now, the newest first."
    )
    package static let identifier = Parameter("identifier", "The identifier, as in the listing.")
    package static let name = Parameter("name", "The file's name: one line without a slash.")
    package static let requests = Parameter(
        flag: "requests",
        "Only conversations that strangers began and that are not answered."
    )
    package static let sent = Parameter(
        flag: "sent",
        "Only reports that the account sent, instead of received ones."
    )
    package static let everySession = Parameter(
        flag: "everySession",
        "End all sessions of the account on this node, and lock its key."
    )
    package static let size = Parameter<ThumbnailSize?>(
        "size",
        "The longer side of the smaller version, in pixels.",
        .oneOfNumbers(ThumbnailSize.allCases.map(\.rawValue)),
        absent: nil,
        read: { text in
            ThumbnailSize.allCases.first { "\($0.rawValue)" == text }.map(Optional.some)
        },
        write: { size in size.map { "\($0.rawValue)" } }
    )
    package static let wait = Parameter(
        flag: "wait",
        "Wait up to a minute for a file that the node has to get from its peers."
    )
    package static let source = Parameter(
        "of",
        "Which events to send: the account's, or those of listings, reviews and profiles.",
        .oneOf(EventSource.allCases.map(\.rawValue), standard: EventSource.account.rawValue)
    )
}

/// Parameters of calls about fees and sales.
extension Query {
    package static let feeMax = Parameter(
        "feeMax",
        "The maximum total of the call's fees, in wei, as its preview shows it.",
        .amount
    )
    package static let feeSpeed = Parameter<FeeChoice.Speed>(
        "feeSpeed",
        "How soon the transactions should be mined, which sets their fee.",
        .oneOf(FeeChoice.Speed.allCases.map(\.rawValue), standard: FeeChoice.Speed.normal.rawValue),
        absent: .normal,
        read: { FeeChoice.Speed(rawValue: $0) },
        write: { $0 == .normal ? nil : $0.rawValue }
    )
    package static let acceptsOneSource = Parameter(
        flag: "acceptsOneSource",
        "Accept one endpoint's answers while no second endpoint answers."
    )
    package static let round = Parameter(
        "round",
        "The number of the round, from 0; the last one if it is left out.",
        0...255
    )
    package static let picture = Parameter(
        "picture",
        "The full id of the picture, as the sale's 'history' has it."
    )
    package static let list = Parameter(
        "list",
        "Only sales of this list: running ones, those in which the account bids, what it "
            + "offers, what it has bought or sold, what it can still review, what is still to be "
            + "sent, or what has credited it something to collect.",
        .known(.saleLists)
    )
    package static let phase = Parameter("phase", "Only sales in this phase.", .known(.phases))
    package static let replaced = Parameter(
        flag: "replaced",
        "Include sales that the account ended and listed again, as at another price."
    )
    package static let byDeadline = Parameter(
        flag: "byDeadline",
        "The earliest deadline first, and those without one last, instead of the last changed first."
    )
}

/// Parameters of searches for towns.
extension Query {
    package static let town = Parameter(
        "search",
        "The beginning of a town's name, and after a comma its region or country, as in "
            + "'Munich, DE'."
    )
    package static let townNear = Parameter(
        "near",
        "Instead of a name: latitude and longitude in degrees, such as 48.137,11.575."
    )
    package static let language = Parameter<Place.Language>(
        "lang",
        "The language of the names.",
        .oneOf(
            Place.Language.allCases.map(\.rawValue),
            standard: Place.Language.english.rawValue
        ),
        absent: .english,
        read: { Place.Language(rawValue: $0) },
        write: { $0 == .english ? nil : $0.rawValue }
    )
}

/// Parameters of searches for listings.
extension Query {
    package static let search = Parameter("search", "Words or prefixes of words, or an identifier.")
    package static let category = Parameter("category", "Only of this category.")
    package static let tag = Parameter(
        "tag",
        "Only with this tag, whole and in lower-case letters."
    )
    package static let author = Parameter("author", "The seller's address or name.")
    package static let currency = Parameter("currency", "Only of this currency.")
    package static let priceMin = Parameter("priceMin", "In the currency's smallest unit.", .amount)
    package static let priceMax = Parameter("priceMax", "In the currency's smallest unit.", .amount)
    package static let payment = Parameter("payment", "Only this kind of sale.", .known(.payments))
    package static let delivery = Parameter(
        "delivery",
        "Only of this delivery.",
        .known(.deliveries)
    )
    package static let shipsTo = Parameter(
        "shipsTo",
        "Only listings that ship to the country with this ISO 3166 code.",
        .country
    )
    package static let toMe = Parameter(
        flag: "toMe",
        "Only listings that can reach the account's own delivery address."
    )
    package static let sort = Parameter(
        "sort",
        "The order; by price it needs a currency, and is that of the listed prices; by distance "
            + "it needs 'near'.",
        .known(.orders)
    )
    package static let near = Parameter(
        "near",
        "The caller's latitude and longitude in degrees, such as 48.137,11.575."
    )
    package static let within = Parameter(
        "within",
        "Only listings that ship around a point less than this many kilometres from 'near'.",
        1...20_000
    )
    package static let stars = Parameter(
        "stars",
        "Only listings of sellers whose reviews average at least this many stars.",
        1...5
    )
    package static let over = Parameter(flag: "over", "Include sold and ended listings.")
    package static let hidden = Parameter(
        flag: "hidden",
        "Include listings hidden by the account's blocks and by lists that it follows."
    )
    package static let count = Parameter(
        flag: "count",
        "Answer how many listings match, exactly up to 10,000."
    )
    package static let facets = Parameter(
        flag: "facets",
        "Answer how many of the matches have each value of a property."
    )
    package static let sellers = Parameter(
        flag: "sellers",
        "Answer who sells each listing: the name and picture of the profile, and the stars."
    )
    package static let onSale = Parameter(
        flag: "onSale",
        "Let words of a title find only listings on sale, if any match."
    )
    package static let ownListing = Parameter(
        flag: "own",
        "Let words of a title and first digits find only the caller's own listings, if any match."
    )
}
