/// The terms of an auction besides the price, which is the minimum first bid; a term that is left
/// out takes the market's default.
///
/// Source: Docs/contracts.md, section 10.
public struct AuctionTerms: Codable, Hashable, Sendable, DescribedType {
    /// From the listing to the end of the bidding, at most 30 days; by default 7 days.
    public var durationSeconds: UInt64?
    /// The minimum increase of each later bid in basis points of the highest bid, from 100 to
    /// 5,000; by default 500.
    public var minIncrement: UInt64?
    /// The time that a late bid leaves to others, from 60 seconds to one day; by default 600.
    public var extensionSeconds: UInt64?

    package static let fields: [String: FieldFacts] = [
        "durationSeconds": FieldFacts(604_800).about("How long people can bid, in seconds."),
        "minIncrement": FieldFacts(500).about(
            "How much higher each later bid must be, in basis points (500 is 5 %)."
        ),
        "extensionSeconds": FieldFacts(600).about(
            "The time left to others after a late bid, in seconds."
        ),
    ]

    public init(
        durationSeconds: UInt64? = nil,
        minIncrement: UInt64? = nil,
        extensionSeconds: UInt64? = nil
    ) {
        self.durationSeconds = durationSeconds
        self.minIncrement = minIncrement
        self.extensionSeconds = extensionSeconds
    }
}

extension AuctionTerms: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("durationSeconds", durationSeconds)
            json.field("extensionSeconds", extensionSeconds)
            json.field("minIncrement", minIncrement)
        }
    }
}
