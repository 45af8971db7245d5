import Texts

/// Every kind of error that the API returns, by a name that never changes.
public enum ProblemCode: String, CaseIterable, Codable, Sendable {
    case malformedJSON = "malformed_json"
    case malformedValue = "malformed_value"
    case bodyTooLarge = "body_too_large"
    case headersTooLarge = "headers_too_large"
    case unsupportedMediaType = "unsupported_media_type"
    case signInNeeded = "sign_in_needed"
    case wrongPassword = "wrong_password"
    case passwordNeeded = "password_needed"
    case tooManyTries = "too_many_tries"
    case strangeHost = "strange_host"
    case strangeOrigin = "strange_origin"
    case operatorNeeded = "operator_needed"
    case notAllowed = "not_allowed"
    case notFound = "not_found"
    case ambiguousID = "ambiguous_id"
    case methodNotAllowed = "method_not_allowed"
    case upgradeNeeded = "upgrade_needed"
    case nameTaken = "name_taken"
    case accountBusy = "account_busy"
    case weakPassword = "weak_password"
    case badPhrase = "bad_phrase"
    case badKey = "bad_key"
    case badAddress = "bad_address"
    case badAmount = "bad_amount"
    case badTerms = "bad_terms"
    case badListing = "bad_listing"
    case unknownListing = "unknown_listing"
    case ownListing = "own_listing"
    case listingGone = "listing_gone"
    case badMedia = "bad_media"
    case unknownMedia = "unknown_media"
    case mediaUnavailable = "media_unavailable"
    case mediaNoRoom = "media_no_room"
    case rangeNotSatisfiable = "range_not_satisfiable"
    case bidTooLow = "bid_too_low"
    case notAsPromised = "not_as_promised"
    case shippingNotPossible = "shipping_not_possible"
    case insufficientBalance = "insufficient_balance"
    case unknownSale = "unknown_sale"
    case moveNotOpen = "move_not_open"
    case contractRefused = "contract_refused"
    case feeAboveLimit = "fee_above_limit"
    case notFinalYet = "not_final_yet"
    case oneSource = "one_source"
    case notYourSale = "not_your_sale"
    case reviewRefused = "review_refused"
    case alreadyReviewed = "already_reviewed"
    case reportsNotTaken = "reports_not_taken"
    case unknownConversation = "unknown_conversation"
    case unknownRecipient = "unknown_recipient"
    case messageTooLong = "message_too_long"
    case homeRefused = "home_refused"
    case unknownOperation = "unknown_operation"
    case keyReused = "idempotency_key_reused"
    case keyNeeded = "idempotency_key_needed"
    case inProgress = "in_progress"
    case nodeLocked = "needs_unlock"
    case signsElsewhere = "signs_elsewhere"
    case badSignature = "bad_signature"
    case waitedTooLong = "waited_too_long"
    case unknownChain = "unknown_chain"
    case ambiguousChain = "ambiguous_chain"
    case chainAway = "chain_away"
    case wrongChain = "wrong_chain"
    case wrongMarket = "wrong_market"
    case chainStale = "chain_stale"
    case clockWrong = "clock_wrong"
    case peerUnreachable = "peer_unreachable"
    case storeFull = "store_full"
    case shuttingDown = "shutting_down"
    case internalError = "internal_error"

    /// The HTTP status of the error.
    public var status: Int {
        switch self {
        case .malformedJSON, .malformedValue, .ambiguousChain, .keyNeeded, .badPhrase, .badKey,
            .badAddress,
            .badAmount:
            400
        case .signInNeeded, .wrongPassword: 401
        case .passwordNeeded, .strangeHost, .strangeOrigin, .operatorNeeded, .notAllowed,
            .notYourSale:
            403
        case .notFound, .unknownListing, .unknownSale, .unknownConversation, .unknownOperation,
            .unknownRecipient, .unknownMedia, .unknownChain:
            404
        case .methodNotAllowed: 405
        case .ambiguousID, .nameTaken, .accountBusy, .keyReused, .inProgress, .listingGone,
            .bidTooLow, .moveNotOpen, .notFinalYet, .oneSource, .feeAboveLimit, .nodeLocked,
            .waitedTooLong, .signsElsewhere, .alreadyReviewed, .reportsNotTaken:
            409
        case .bodyTooLarge: 413
        case .unsupportedMediaType: 415
        case .rangeNotSatisfiable: 416
        case .weakPassword, .badTerms, .badListing, .badMedia, .ownListing, .notAsPromised,
            .shippingNotPossible, .insufficientBalance, .contractRefused, .reviewRefused,
            .messageTooLong, .homeRefused, .badSignature:
            422
        case .upgradeNeeded: 426
        case .tooManyTries: 429
        case .headersTooLarge: 431
        case .internalError: 500
        case .chainAway, .wrongChain, .wrongMarket, .chainStale, .clockWrong, .peerUnreachable,
            .storeFull, .shuttingDown, .mediaUnavailable, .mediaNoRoom:
            503
        }
    }

    /// The title of the error, the same for every occurrence.
    public var title: String {
        SentencePatterns.english.words(for: rawValue, in: "problem")
    }
}
