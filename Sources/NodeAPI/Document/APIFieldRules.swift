import AccountAccess
import Client
import Market
import MediaFiles
import Trade

/// A constraint on a field's value, beyond its type.
struct APIFieldRule: Sendable {
    /// The only texts allowed.
    var values: [String]?
    var pattern: String?
    var lengths: ClosedRange<Int>?
    var numbers: ClosedRange<Int>?
    /// The allowed number of elements of a list.
    var counts: ClosedRange<Int>?
    /// Whether an object can have any names, with texts as values.
    var isMap = false
    /// Whether the text can have other forms than the example's.
    var isFree = false

    /// The keywords of JSON Schema.
    var keywords: [String: Any] {
        var keywords: [String: Any] = [:]
        if let values { keywords["enum"] = values }
        if let pattern { keywords["pattern"] = pattern }
        if let lengths {
            keywords["minLength"] = lengths.lowerBound
            keywords["maxLength"] = lengths.upperBound
        }
        if let numbers {
            keywords["minimum"] = numbers.lowerBound
            keywords["maximum"] = numbers.upperBound
        }
        if let counts {
            keywords["minItems"] = counts.lowerBound
            keywords["maxItems"] = counts.upperBound
        }
        return keywords
    }

    static func oneOf(_ values: [String]) -> APIFieldRule { APIFieldRule(values: values) }
    static func pattern(_ pattern: String) -> APIFieldRule { APIFieldRule(pattern: pattern) }
    static func lengths(_ lengths: ClosedRange<Int>) -> APIFieldRule {
        APIFieldRule(lengths: lengths)
    }
    static func numbers(_ numbers: ClosedRange<Int>) -> APIFieldRule {
        APIFieldRule(numbers: numbers)
    }
    static func counts(_ counts: ClosedRange<Int>) -> APIFieldRule { APIFieldRule(counts: counts) }

    static let amount = APIFieldRule.pattern("^[0-9]{1,78}$")
    static let currency = APIFieldRule.pattern("^(native|0x[0-9a-fA-F]{40})$")
}

extension APIFieldRule {
    /// Returns the rule for a type's name and the fields below it; `nil` if there is none.
    ///
    /// The rules hold for every call: a body that breaks one of them is refused.
    static func find(_ path: [String]) -> APIFieldRule? {
        if isOfDraft(path) { return APIFieldRule(isFree: true) }
        for count in (1...path.count).reversed() {
            // A type has the same rules within another type.
            if let rule = all[path.suffix(count).joined(separator: ".")] { return rule }
        }
        return nil
    }

    /// Returns whether it is a field of a draft, whose values are checked when it is published.
    private static func isOfDraft(_ path: [String]) -> Bool {
        path.first == "DraftContent" || path.starts(with: ["Draft", "content"])
    }

    private static func texts<Value: ExtensibleEnumeration>(_ type: Value.Type) -> [String] {
        Value.known.map(\.rawValue)
    }

    private static let all = accounts.merging(market) { $1 }.merging(courses) { $1 }
        .merging(node) { $1 }

    private static let accounts: [String: APIFieldRule] = [
        "AccountCreation.name": .lengths(1...64),
        "AccountCreation.password": .lengths(Password.lengths),
        "AccountImport.name": .lengths(1...64),
        "AccountImport.password": .lengths(Password.lengths),
        "PasswordChange.newPassword": .lengths(Password.lengths),
        "ExternalAccountRequest.name": .lengths(1...64),
        "ExternalAccountCreation.name": .lengths(1...64),
        "ExternalAccountCreation.password": .lengths(Password.lengths),
        "UnsignedTransaction.value": .amount, "transaction.value": .amount,
        "maxFeePerGas": .amount, "maxPriorityFeePerGas": .amount,
        "gasPrice": .amount,
        "Operation.state": .oneOf(texts(Client.Operation.State.self)),
        "phases.name": .oneOf(texts(Client.Operation.Phase.Name.self)),
        "phases.state": .oneOf(texts(Client.Operation.Phase.State.self)),
        "Event.data": APIFieldRule(isMap: true),
        // A listing, a sale, an account or nothing.
        "subject": APIFieldRule(isFree: true),
        "Message.id": APIFieldRule(isFree: true), "lastMessage.id": APIFieldRule(isFree: true),
        "Message.state": .oneOf(messageStates), "lastMessage.state": .oneOf(messageStates),
        "Message.kind": .oneOf(messageKinds), "lastMessage.kind": .oneOf(messageKinds),
        "CurationDraft.name": .lengths(1...Market.Curation.nameByteCountMax),
        "CurationDraft.about": .lengths(0...Market.Curation.aboutByteCountMax),
        "CurationDraft.entries": .counts(0...Market.Curation.entriesMax),
        "entries.reason": .lengths(1...Market.Curation.reasonByteCountMax),
        "MessageDraft.text": .lengths(1...16_384),
        "ReportDraft.text": .lengths(1...MailReport.textByteCountMax),
        "Report.id": APIFieldRule(isFree: true), "Report.state": .oneOf(messageStates),
        "Problem.code": .oneOf(ProblemCode.allCases.map(\.rawValue)),
        "problem.code": .oneOf(ProblemCode.allCases.map(\.rawValue)),
        "status": .numbers(400...599),
    ].merging(named) { $1 }

    /// Fields that also take names, titles and beginnings of ids (Docs/cli.md, section 2).
    private static let named: [String: APIFieldRule] = [
        "Purchase.listing": APIFieldRule(isFree: true),
        "ReviewDraft.sale": APIFieldRule(isFree: true),
        "ConversationOpening.with": APIFieldRule(isFree: true),
        "ConversationOpening.listing": APIFieldRule(isFree: true),
        "BlockRequest.account": APIFieldRule(isFree: true),
        "ShippingException.buyer": APIFieldRule(isFree: true),
        "SearchTerms.author": APIFieldRule(isFree: true),
        "ReportDraft.account": APIFieldRule(isFree: true),
        "ReportDraft.listing": APIFieldRule(isFree: true),
        "AttendanceMarks.present": APIFieldRule(isFree: true),
        "AttendanceMarks.absent": APIFieldRule(isFree: true),
        "notes.account": APIFieldRule(isFree: true),
        "Transfer.to": APIFieldRule(isFree: true),
    ]

    private static let messageKinds = ["text", "report", "address", "exception", "work", "unknown"]

    private static let messageStates = [
        "queued", "sent", "delivered", "not_understood", "read", "failed", "received",
    ]

    private static let market: [String: APIFieldRule] = [
        "homes.vault": .oneOf(["own", "exchanged", "waiting", "failed"]),
        "gaps.what": .oneOf(["peers", "profile", "vault", "sales"]),
        "Work.identifier": .pattern("^[0-9a-f]{64}$"),
        "ListingContent.type": .oneOf(Market.Listing.Form.allCases.map(\.rawValue)),
        "content.type": .oneOf(Market.Listing.Form.allCases.map(\.rawValue)),
        "ListingContent.title": .lengths(1...ListingRules.titleByteCountMax),
        "ListingContent.description": .lengths(1...ListingRules.descriptionByteCountMax),
        "ListingContent.category": .pattern("^[a-z0-9-]{1,\(ListingRules.categoryByteCountMax)}$"),
        "ListingContent.tags": .counts(1...ListingRules.tagsMax),
        "ListingContent.tags[]": .lengths(1...ListingRules.tagByteCountMax),
        "ListingContent.media": .counts(0...ListingRules.goodsMediaMax),
        "ReviewDraft.media": .counts(0...Market.Review.mediaMax),
        // An empty one removes the picture.
        "ProfileChange.avatar": .pattern("^(0x[0-9a-f]{64})?$"),
        "media.type": .oneOf([Media.Form.jpeg, .png, .webp, .pdf].map(\.mediaType)),
        "AddedMedia.type": .oneOf([Media.Form.jpeg, .png, .webp, .pdf].map(\.mediaType)),
        "MediaFile.type": .oneOf([Media.Form.jpeg, .webp, .pdf].map(\.mediaType)),
        "ListingContent.payment": .oneOf(SaleKinds.standard.names),
        "SearchTerms.payment": .oneOf(SaleKinds.standard.names),
        "SearchTerms.delivery": .oneOf(Delivery.Method.allCases.map(\.rawValue)),
        "SearchTerms.shipsTo": .pattern("^[A-Za-z]{2}$"),
        "SearchTerms.within": .numbers(1...ListingQuery.kilometresMax),
        "SearchTerms.starsMin": .numbers(1...5),
        "priceMin": .amount, "priceMax": .amount,
        "content.payment": .oneOf(SaleKinds.standard.names),
        "Sale.kind": .oneOf(SaleKinds.standard.names),
        "Sale.stage": .oneOf(SaleStage.allCases.map(\.rawValue)),
        "ListingContent.delivery": .oneOf(Delivery.Method.allCases.map(\.rawValue)),
        "content.delivery": .oneOf(Delivery.Method.allCases.map(\.rawValue)),
        "ListingContent.shipsTo": .counts(0...ShippingLimits.placesMax),
        "metres": .numbers(1...Int(ShippingLimits.radiusMetresMax)),
        "latitude": .numbers(-90...90), "longitude": .numbers(-180...180),
        "DeliveryAddress.place": .lengths(1...Delivery.placeByteCountMax),
        "DeliveryAddress.text": .lengths(1...MailAddress.textByteCountMax),
        "AddressDisclosure.text": .lengths(1...MailAddress.textByteCountMax),
        "Purchase.address.text": .lengths(1...MailAddress.textByteCountMax),
        "amount": .amount, "sellerDeposit": .amount, "buyerDeposit": .amount,
        "latePenalty": .amount, "arbiterFee": .amount, "currency": .currency,
        "Arbitration.feeMin": .amount, "bid": .amount, "startingBid": .amount,
        "minimalBid": .amount, "ownBid": .amount, "fromCredit": .amount,
        "feeMax": .amount, "ActionPreview.action": .oneOf(actions),
        "others.role": .oneOf(["seller", "buyer"]),
        "leaves.purpose": .oneOf(["price", "bid", "deposit", "amount", "fee"]),
        "proposals.role": .oneOf(["seller", "buyer"]), "proposals.share": .numbers(0...10_000),
        "actions.share": .numbers(0...10_000),
        "Sale.phase": .oneOf(SaleKinds.standard.folds.statusNames),
        "Listing.state": .oneOf(ListingState.names),
        "Listing.salePhase": .oneOf(SaleKinds.standard.folds.statusNames),
        "payouts.role": .oneOf([
            "seller", "buyer", "platform", "maker", "arbiter", "teacher", "nobody",
        ]),
        "SaleMove.share": .numbers(0...10_000),
        "ReviewDraft.stars": .numbers(1...5), "Review.stars": .numbers(1...5),
        "ReviewDraft.text": .lengths(0...Market.Review.textByteCountMax),
        "Review.outcome": .oneOf(["complete", "refunded", "settled"]),
    ]

    private static let courses: [String: APIFieldRule] = [
        "SaleMove.points": .counts(5...5), "SaleMove.points[]": points,
        "seats": .numbers(1...Int(CourseLimits.seats.upperBound)),
        "beginSeconds": .numbers(seconds(CourseLimits.beginGrace)),
        "ratingSeconds": .numbers(seconds(CourseLimits.ratingWindow)),
        "rounds.phase": .oneOf(CourseStatus.allCases.map(\.name)),
        "rounds.own": .oneOf(["enrolled", "rated", "refunded"]),
        "average": points, "criteria.preparation": points, "criteria.content": points,
        "criteria.delivery": points, "criteria.communication": points,
        "criteria.overall": points,
    ]

    private static let points = APIFieldRule.numbers(0...Int(CourseLimits.pointsMax))

    private static func seconds(_ durations: ClosedRange<Duration>) -> ClosedRange<Int> {
        Int(durations.lowerBound.wholeSeconds)...Int(durations.upperBound.wholeSeconds)
    }

    /// The actions that have previews; a purchase is a move too.
    private static let actions =
        [
            "list", "edit", "withdraw", "collect", "send", "arbitrate", "review", "publish_list",
            "speed_up",
            "cancel",
        ]
        + SaleKinds.standard.moves

    private static let node: [String: APIFieldRule] = [
        "ChainStatus.fees": .oneOf(["1559", "legacy"]), "chains.fees": .oneOf(["1559", "legacy"]),
        "chain": .numbers(1...Int.max),
        "WalletMovement.kind": .oneOf(texts(WalletMovement.Kind.self)),
        "WalletMovement.fee": .amount,
        "Transfer.amount": .pattern("^([0-9]{1,78}|max)$"), "decimals": .numbers(0...36),
        "Peer.direction": .oneOf(["inbound", "outbound"]),
    ]
}
