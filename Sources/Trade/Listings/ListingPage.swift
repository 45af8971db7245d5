import Market
import NIOCore
import Synchronization

/// A page of listings as JSON, in the form of ``Client/Page``.
///
/// Each listing's JSON is written as it was kept, without a tree of values in between.
struct ListingPage: Sendable {
    /// How many listings match, if it was asked for.
    struct Total: Sendable {
        var count: Int
        /// Whether more can match, because not all were looked at.
        var isLowerBound: Bool
    }

    var items: [[UInt8]] = []
    var total: Total?
    /// The counts by properties, as JSON.
    var facets: [UInt8]?
    /// The text that was searched for instead of the given one.
    var corrected: String?
    /// How many of the first items have all words that were searched for; `nil` if all have.
    var withAllWords: Int?
    /// Whether listings are missing because the index is being rebuilt.
    var isPartial = false
    /// The cursor of the next page; `nil` at the end.
    var next: String?

    /// Whether nothing follows it yet, and it has fewer than `limit` items.
    func hasRoom(of limit: Int) -> Bool { next == nil && items.count < limit }

    var json: ByteBuffer {
        var json = ByteBuffer()
        json.reserveCapacity(items.reduce(128) { $0 + $1.count + 1 })
        json.writeString(#"{"isLast":\#(next == nil),"items":["#)
        for (index, item) in items.enumerated() {
            if index > 0 { json.writeString(",") }
            json.writeBytes(item)
        }
        json.writeString("]")
        // A cursor has hexadecimal digits and hyphens alone.
        if let next { json.writeString(#","next":"\#(next)""#) }
        if let total {
            json.writeString(
                #","total":\#(total.count),"totalIsLowerBound":\#(total.isLowerBound)"#
            )
        }
        if let facets {
            json.writeString(#","facets":"#)
            json.writeBytes(facets)
        }
        // Its words are letters and digits alone.
        if let corrected { json.writeString(#","corrected":"\#(corrected)""#) }
        if let withAllWords { json.writeString(#","withAllWords":\#(withAllWords)"#) }
        if isPartial { json.writeString(#","isPartial":true"#) }
        json.writeString("}")
        return json
    }
}

/// The JSON of a page, and the times between which it is valid.
struct DatedListingPage: Sendable {
    let json: ByteBuffer
    private let made: ListingTimes
    private let ends: ListingTimes

    /// - Parameters:
    ///   - page: The page.
    ///   - made: When it was made.
    ///   - ends: When the first of its open listings ends.
    init(_ page: ListingPage, made: ListingTimes, ends: ListingTimes) {
        (json, self.made, self.ends) = (page.json, made, ends)
    }

    func isValid(at time: ListingTimes) -> Bool {
        made.wall <= time.wall && time.wall < ends.wall
            && time.chains.indices.allSatisfy { place in
                made.chains[place] <= time.chains[place] && time.chains[place] < ends.chains[place]
            }
    }
}

/// A cache of pages, valid until a record or sale changes, or a listing of theirs ends.
final class ListingPages: Sendable {
    /// The state that pages depend on besides the time.
    struct State: Equatable, Sendable {
        /// The number of the last change of a record.
        let record: UInt64
        /// The number of the last change of a sale.
        let sale: UInt64
        /// Whether the node sees the newest blocks.
        let isCurrent: Bool
    }

    private struct Kept {
        var state: State?
        var pages: [ListingQuery: DatedListingPage] = [:]
        var byteCount = 0
    }

    private static let bytesMax = 16 << 20
    /// Pages of longer queries are not kept.
    private static let queryBytesMax = 512

    private let kept = Mutex(Kept())

    func page(for query: ListingQuery, in state: State, at time: ListingTimes) -> ByteBuffer? {
        kept.withLock { kept in
            guard kept.state == state, let page = kept.pages[query],
                page.isValid(at: time)
            else { return nil }
            return page.json
        }
    }

    /// Keeps a page that was made after `state` was read.
    func keep(_ page: DatedListingPage, for query: ListingQuery, in state: State) {
        guard query.byteCount <= Self.queryBytesMax else { return }
        kept.withLock { kept in
            let byteCount = page.json.readableBytes + 2 * Self.queryBytesMax
            if kept.state != state || kept.byteCount + byteCount > Self.bytesMax {
                kept = Kept(state: state)
            }
            kept.byteCount += byteCount
            if let before = kept.pages.updateValue(page, forKey: query) {
                kept.byteCount -= before.json.readableBytes + 2 * Self.queryBytesMax
            }
        }
    }
}
