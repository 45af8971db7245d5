import Client

extension APIOperation {
    /// The problems that can answer the call, by status.
    var problems: [Int: [ProblemCode]] {
        var codes: Set<ProblemCode> = [
            .malformedValue, .signInNeeded, .strangeHost, .strangeOrigin, .internalError,
            .storeFull, .shuttingDown,
        ]
        if access != .anyone && access != .reader && access != .account {
            codes.insert(.operatorNeeded)
        }
        if path.contains("{") { codes.formUnion([.notFound, .ambiguousID]) }
        if takes != nil || !query.isEmpty { codes.insert(.ambiguousID) }
        if takes != nil {
            codes.formUnion([.malformedJSON, .bodyTooLarge, .unsupportedMediaType])
        }
        if takesFile { codes.formUnion([.bodyTooLarge, .unsupportedMediaType]) }
        if query.contains("feeMax") { codes.insert(.badAmount) }
        if isOnce { codes.formUnion([.keyNeeded, .keyReused, .inProgress, .nodeLocked]) }
        let own = Self.ownProblems["\(method) \(path)"]
        let family = String(path.prefix { $0 != "/" })
        codes.formUnion(own ?? [])
        if Self.chainFamilies.contains(family) {
            codes.formUnion([.chainAway, .wrongChain, .wrongMarket, .chainStale])
        }
        let namesChain = query.contains("chain") || takes.map(Self.chainTypes.contains) ?? false
        if namesChain { codes.formUnion([.unknownChain, .ambiguousChain]) }
        // Its chain may be followed no more.
        if family == "operations" || path == "sales" || path == "sales/preview"
            || method == "delete" && family == "listings" || path.hasSuffix("withdraw/preview")
        {
            codes.insert(.unknownChain)
        }
        // A call without an entry in the table may answer with any problem.
        if own == nil { codes.formUnion(ProblemCode.allCases) }
        return Dictionary(grouping: codes.sorted { $0.rawValue < $1.rawValue }, by: \.status)
    }

    /// The bodies that name a chain.
    private static let chainTypes: Set<String> = [
        "ListingContent", "Transfer", "CreditCollection", "Arbitration",
    ]

    private static let chainFamilies: Set<String> = [
        "wallet", "currencies", "identifiers", "operations", "listings", "sales", "items",
        "arbitration",
        "reputation", "reviews", "chains", "signatures",
    ]

    /// The problems of a call beyond those that follow from its form.
    private static let ownProblems: [String: Set<ProblemCode>] = [
        "post accounts": [.badPhrase, .weakPassword, .nameTaken, .tooManyTries, .notAllowed],
        "get accounts": [],
        "post accounts/{id}/remove": [.wrongPassword, .tooManyTries, .accountBusy],
        "post accounts/import": [
            .badKey, .wrongPassword, .weakPassword, .nameTaken, .tooManyTries, .notAllowed,
        ],
        "post accounts/{id}/password": [
            .wrongPassword, .weakPassword, .badPhrase, .badKey, .tooManyTries, .signsElsewhere,
        ],
        "post accounts/{id}/keystore": [.wrongPassword, .tooManyTries, .signsElsewhere],
        "post accounts/{id}/key": [.wrongPassword, .tooManyTries, .signsElsewhere],
        "post external-accounts/statement": [.badAddress],
        "post external-accounts": [
            .badAddress, .badSignature, .weakPassword, .nameTaken, .tooManyTries, .notAllowed,
        ],
        "get signatures": [],
        "get signatures/{id}": [.unknownOperation, .moveNotOpen],
        "post signatures/{id}": [
            .unknownOperation, .moveNotOpen, .badSignature, .badListing, .notAsPromised,
            .clockWrong,
        ],
        "post sessions": [.wrongPassword, .tooManyTries, .notFound],
        "get sessions/current": [.notFound],
        "delete sessions/current": [],
        "get wallet": [],
        "post wallet/collect": money.union([.badAddress]),
        "post wallet/collect/preview": [.badAmount, .badAddress],
        "post wallet/send": money.union([.badAddress]),
        "post wallet/send/preview": [.badAmount, .badAddress],
        "get wallet/history": [], "get currencies": [],
        "post wallet/acknowledge": [.moveNotOpen, .nodeLocked],
        "get operations": [],
        "get operations/{id}": [.unknownOperation],
        "post operations/{id}/speed-up": replacing,
        "post operations/{id}/speed-up/preview": [.unknownOperation],
        "post operations/{id}/cancel": replacing,
        "post operations/{id}/cancel/preview": [.unknownOperation],
        "get events": [.upgradeNeeded],
        "post listings": money.union(content),
        "post listings/preview": content,
        "post listings/{id}/preview": content.union([
            .unknownListing, .listingGone, .notAllowed,
        ]),
        "get listings": [.badAmount, .badAddress],
        "get listings/suggestions": [],
        "get listings/{id}": [.unknownListing, .listingGone],
        "put listings/{id}": content.union([
            .unknownListing, .listingGone, .notAllowed, .moveNotOpen,
        ]),
        "delete listings/{id}": money.union([
            .unknownListing, .listingGone, .notAllowed, .notFinalYet, .oneSource, .clockWrong,
        ]),
        "post listings/{id}/withdraw/preview": [.unknownListing, .notAllowed, .clockWrong],
        "post media": [.badMedia, .mediaUnavailable, .mediaNoRoom, .tooManyTries],
        "get media": [], "delete media/{id}": [.unknownMedia, .notAllowed],
        "get media/{id}": [
            .unknownMedia, .badMedia, .mediaUnavailable, .mediaNoRoom, .bodyTooLarge,
            .unsupportedMediaType, .rangeNotSatisfiable,
        ],
        "get sales": [],
        "get sales/{id}": [.unknownSale],
        "get sales/{id}/students": [.unknownSale],
        "get sales/{id}/attendance": [.unknownSale, .notYourSale, .nodeLocked],
        "put sales/{id}/attendance": [.unknownSale, .notYourSale, .nodeLocked, .badAddress],
        "post sales/preview": [.unknownListing, .listingGone],
        "post sales": money.union([
            .unknownListing, .listingGone, .bidTooLow, .ownListing, .notAsPromised, .notFinalYet,
            .oneSource,
            .shippingNotPossible, .signsElsewhere,
        ]),
        "post sales/{id}/moves": money.union([
            .unknownSale, .notYourSale, .notFinalYet, .oneSource,
        ]),
        "post sales/{id}/moves/preview": [.unknownSale, .notYourSale],
        "get items": [],
        "get identifiers": [.badAddress],
        "get arbitration": [.badAddress],
        "post arbitration": money.union([.badTerms, .badAddress]),
        "post arbitration/preview": [.badAmount, .badTerms, .badAddress],
        "post reviews/preview": [.unknownSale, .reviewRefused, .alreadyReviewed, .notFinalYet],
        "post reviews": [
            .unknownSale, .reviewRefused, .alreadyReviewed, .notFinalYet, .nodeLocked,
            .signsElsewhere, .clockWrong,
        ],
        "get reviews": [.unknownSale, .unknownListing, .badAddress],
        "get reputation": [.badAddress],
        "post conversations": recipient,
        "post reports": recipient.union([.reportsNotTaken, .notFound]),
        "get reports": [.nodeLocked, .signsElsewhere],
        "get conversations": [.nodeLocked, .signsElsewhere],
        "delete conversations/{id}": [.unknownConversation, .nodeLocked, .signsElsewhere],
        "post conversations/{id}/accept": [
            .unknownConversation, .nodeLocked, .signsElsewhere, .notAllowed,
        ],
        "get blocked": [.nodeLocked, .signsElsewhere],
        "get curations": [.badAddress], "get curations/{id}": [], "get hidden": [],
        "post curations": curation.union([.nodeLocked, .signsElsewhere, .clockWrong]),
        "post curations/preview": curation,
        "delete curations/{id}": [.notAllowed, .nodeLocked, .signsElsewhere, .clockWrong],
        "get subscriptions": [], "delete subscriptions/{id}": [],
        "post subscriptions": [.notFound, .notAllowed],
        "get favourites": [.nodeLocked], "get cart": [.nodeLocked],
        "put favourites/{id}": [.unknownListing, .notAllowed, .nodeLocked],
        "delete favourites/{id}": [.unknownListing, .nodeLocked],
        "put cart/{id}": [
            .unknownListing, .ownListing, .listingGone, .notAllowed, .nodeLocked,
        ],
        "delete cart/{id}": [.unknownListing, .nodeLocked],
        "get works": [.nodeLocked, .signsElsewhere],
        "post works": [
            .notAllowed, .mediaNoRoom, .tooManyTries, .nodeLocked, .signsElsewhere,
        ],
        "put works/{id}": [.ambiguousID, .nodeLocked, .signsElsewhere],
        "delete works/{id}": [
            .ambiguousID, .notAllowed, .chainAway, .chainStale, .nodeLocked, .signsElsewhere,
        ],
        "get sales/{id}/work": [
            .unknownSale, .notYourSale, .unknownMedia, .unknownListing, .notAsPromised,
            .mediaNoRoom, .tooManyTries, .nodeLocked, .signsElsewhere,
        ],
        "get recovery": [.nodeLocked],
        "get searches": [.nodeLocked], "delete searches/{id}": [.nodeLocked],
        "put searches/{id}": [
            .badAmount, .badAddress, .unknownChain, .ambiguousChain, .notAllowed, .nodeLocked,
            .chainAway,
        ],
        "get drafts": [.nodeLocked], "get drafts/{id}": [.nodeLocked],
        "put drafts/{id}": [.notAllowed, .nodeLocked], "delete drafts/{id}": [.nodeLocked],
        "get contacts": [.nodeLocked],
        "put contacts/{id}": [.badAddress, .notAllowed, .nodeLocked],
        "delete contacts/{id}": [.badAddress, .nodeLocked],
        "get profiles/{id}": [.badAddress],
        "put profile": [.notAllowed, .nodeLocked, .signsElsewhere, .storeFull, .clockWrong],
        "get address": [.nodeLocked], "put address": [.shippingNotPossible, .nodeLocked],
        "post sales/{id}/address": recipient.union([.unknownSale, .notYourSale, .messageTooLong]),
        "post listings/{id}/exceptions": recipient.union([.notAllowed]),
        "post blocked": [.badAddress, .nodeLocked, .signsElsewhere],
        "delete blocked/{id}": [.badAddress, .nodeLocked, .signsElsewhere],
        "get conversations/{id}/messages": [.unknownConversation, .nodeLocked, .signsElsewhere],
        "post conversations/{id}/messages": recipient.union([
            .unknownConversation, .messageTooLong,
        ]),
        "post conversations/{id}/read": [.unknownConversation, .nodeLocked, .signsElsewhere],
        "get devices": [.nodeLocked, .signsElsewhere],
        "delete devices/{id}": [.notAllowed, .nodeLocked, .signsElsewhere],
        "get homes": [.nodeLocked, .signsElsewhere],
        "post homes": [
            .homeRefused, .peerUnreachable, .nodeLocked, .signsElsewhere, .badAddress, .clockWrong,
        ],
        "delete homes/{id}": [.notAllowed, .nodeLocked, .signsElsewhere, .clockWrong],
        "get node": [], "get chains": [], "get names": [], "get peers": [],
        "post peers": [.peerUnreachable],
        "get openapi.json": [],
    ]

    private static let money: Set<ProblemCode> = [
        .insufficientBalance, .contractRefused, .moveNotOpen, .badAmount, .feeAboveLimit,
    ]
    private static let replacing: Set<ProblemCode> = [
        .unknownOperation, .moveNotOpen, .nodeLocked, .badAmount, .contractRefused,
        .feeAboveLimit,
    ]
    private static let content: Set<ProblemCode> = [
        .badListing, .badAmount, .badTerms, .badAddress, .clockWrong,
    ]
    private static let curation: Set<ProblemCode> = [.badAddress, .unknownListing, .notAllowed]
    private static let recipient: Set<ProblemCode> = [
        .badAddress, .unknownRecipient, .unknownListing, .notAllowed, .nodeLocked,
        .signsElsewhere,
    ]
}
