/// A type of the API that states facts about its fields that their own types do not.
package protocol DescribedType: Sendable {
    /// Facts about fields, by their names; may be empty.
    static var fields: [String: FieldFacts] { get }
}

/// Facts about a field of the API beyond its type: bounds, an example, and its meaning.
///
/// A literal is a field with this example. Of a list it describes the elements, but for the meaning
/// and ``counts(_:)``.
package struct FieldFacts: Sendable {
    /// The meaning, if the name does not say it: units above all, which JSON does not show.
    package private(set) var meaning: String?
    package private(set) var form: ValueForm?
    /// How many elements its list can have.
    package private(set) var elementCounts: ClosedRange<Int>?
    /// `nil` for the usual example of its type.
    package private(set) var sample: (any Codable & Sendable)?
    /// Whether an example of a request leaves it out, because it excludes other fields.
    package private(set) var isNotInExample = false
    /// Whether a body may have values here that break the bounds, because they are checked later.
    package private(set) var isUnchecked = false

    package init(_ sample: (any Codable & Sendable)? = nil) { self.sample = sample }

    static func about(_ meaning: String) -> Self { Self().about(meaning) }

    func about(_ meaning: String) -> Self { with { $0.meaning = meaning } }

    func example(_ sample: any Codable & Sendable) -> Self { with { $0.sample = sample } }

    func form(_ form: ValueForm?) -> Self { with { $0.form = form } }

    func lengths(_ lengths: ClosedRange<Int>) -> Self { form(.lengths(lengths)) }

    func numbers(_ numbers: ClosedRange<Int>) -> Self { form(.numbers(numbers)) }

    func pattern(_ pattern: String) -> Self { form(.pattern(pattern)) }

    func oneOf(_ texts: [String]) -> Self { form(.oneOf(texts)) }

    func oneOf(_ texts: KnownTexts) -> Self { form(.known(texts)) }

    func counts(_ counts: ClosedRange<Int>) -> Self { with { $0.elementCounts = counts } }

    /// It can also be a name, a title or an id's first digits (Docs/cli.md, section 2).
    var orName: Self { form(nil) }

    var notInExample: Self { with { $0.isNotInExample = true } }

    package var unchecked: Self { with { ($0.isUnchecked, $0.isNotInExample) = (true, false) } }

    private func with(_ change: (inout FieldFacts) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }
}

extension FieldFacts: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral
{
    package init(stringLiteral text: String) { self.init(text) }

    package init(integerLiteral number: Int) { self.init(number) }

    package init(booleanLiteral flag: Bool) { self.init(flag) }
}

/// Facts that fields of several types share.
extension FieldFacts {
    static let address = FieldFacts("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed")
        .pattern("^0x[0-9a-fA-F]{40}$")
    static let hash = anyID.pattern("^0x[0-9a-f]{64}$")
    /// The id of a listing, or of a list that hides listings.
    static let listing = FieldFacts("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed." + digits)
        .pattern("^0x[0-9a-fA-F]{40}\\.[0-9a-f]{64}$")
    /// The id of a listing, a sale, an account or a message.
    static let anyID = FieldFacts("0x" + digits)
    /// 32 bytes in hexadecimal.
    static let digits = String(repeating: "0f", count: 32)

    private static let unit = "In the currency's smallest unit (wei for 'native'), in decimal."
    static let amount = bareAmount.about(unit)
    /// An amount with its own meaning.
    static func amount(as meaning: String) -> Self { bareAmount.about("\(meaning) \(unit)") }
    /// Decimal digits, in a unit that the type states.
    static let bareAmount = FieldFacts("1").form(.amount)
    static let feeMax = bareAmount.about("The maximum of all fees together, in wei.")
    static let maker = address.about(
        "The account that made the token on sale, and gets the royalty."
    )
    static let isResale = FieldFacts(false).about(
        "Whether the token is sold again: another account made it, or it was bought before."
    )
    static let currency = FieldFacts("native").pattern("^(native|0x[0-9a-fA-F]{40})$")
        .about("'native' for the chain's own money, or a token's address.")
    static let share = FieldFacts(5_000).numbers(0...10_000)
        .about("The seller's share of the price, in basis points (5000 is 50 %).")

    static let chain = FieldFacts(1).numbers(1...Int.max).about(
        "The id of the chain; in a request it can be left out if the node follows only one."
    )
    static let restsOnOneSource = about(
        "Whether no second endpoint answers; see 'acceptsOneSource'."
    )
    static let acceptsOneSource = about(
        "Accept one endpoint's answers while no second endpoint answers."
    )
    /// Seconds since 1970.
    static let seconds = FieldFacts(1_767_225_600)
    static let until = about("The time until which it is valid.")
    static let tokenSince = about("When its token was first listed, on the chain's clock.")

    /// The way in which something is sold.
    static let kind = FieldFacts("escrow")
    static let payment = kind.oneOf(.payments).about("How it is sold.")
    static let title: FieldFacts = "Red bicycle"
    static let category = FieldFacts("vehicles").about("Lower-case letters, digits and hyphens.")
    static let identifier = FieldFacts("frame4471")
        .about("What distinguishes the item from all others, such as a serial number.")
    static let token = FieldFacts("1").about("The token's number, in decimal.")
    static let files = about(
        "Files that were added, in the order shown; an edit without it keeps them."
    )
    static let mediaType = FieldFacts("image/jpeg")
        .oneOf(["image/jpeg", "image/png", "image/webp", "application/pdf"])
    static let byteCount = about("In bytes.")
    static let side = FieldFacts("seller").oneOf(["seller", "buyer"])
    static let round = FieldFacts(0).about("The number of the round, from 0.")
    static let points = FieldFacts(90).numbers(0...100)
    static let stars = FieldFacts(5).numbers(1...5).about("From 1 to 5.")
    static let listingState = FieldFacts("open")
        .oneOf(["open", "over", "without_sale", "unknown"])
    static let status = about("The state in a shop's words, for people.")
    static let consequence = about("What happens then.")
    static let ifUnpaid = about(
        "The node's plan if the buyer of an accepted offer does not pay; null if it has none, and for "
            + "others than the seller."
    ).notInExample
    static let warnings = about("What to consider.")
    static let detail = about("In words.")

    static let accountName = FieldFacts("ana").lengths(1...64)
    static let newPassword = FieldFacts("correct horse").lengths(8...1_024)
    static let phrase = about("The recovery phrase, words separated by blanks.")
    static let peer: FieldFacts = "16Uiu2HA…"
    static let peerAddress: FieldFacts = "/ip4/192.0.2.1/tcp/4001/p2p/16Uiu2HA…"
    /// A note that comes with a move in a sale.
    static let note = FieldFacts("DHL 00340434161094000000").lengths(1...2_048)
    /// How far a message is.
    static let messageState = FieldFacts("sent")
        .oneOf(["queued", "sent", "delivered", "not_understood", "read", "failed", "received"])
}
