import Contracts
import Market
import Synchronization

/// A page of listings as JSON, in the form of ``Client/Page``.
///
/// Each listing's JSON is written as it was kept, without a tree of values in between.
struct ListingPage: Sendable {
    let items: [[UInt8]]
    /// The cursor of the next page; `nil` at the end.
    let next: String?

    var json: [UInt8] {
        var json: [UInt8] = []
        json.reserveCapacity(items.reduce(128) { $0 + $1.count + 1 })
        json += #"{"isLast":\#(next == nil),"items":["#.utf8
        for (index, item) in items.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            json += item
        }
        json.append(UInt8(ascii: "]"))
        // A cursor has hexadecimal digits and hyphens alone.
        if let next { json += #","next":"\#(next)""#.utf8 }
        json.append(UInt8(ascii: "}"))
        return json
    }
}

/// A cache of pages, valid for one second or until the store or the chain changes.
final class ListingPages: Sendable {
    /// What pages depend on.
    struct State: Equatable, Sendable {
        /// The store's last change.
        let change: UInt64
        /// The newest block of the chain that was applied.
        let block: BlockID?
        let time: Timestamp

        /// Whether a page of a state is still valid: listings also end by time alone.
        fileprivate func holds(at now: State) -> Bool {
            change == now.change && block == now.block && now.time >= time
                && now.time < time.advanced(by: .seconds(1))
        }
    }

    private struct Kept {
        var state: State?
        var pages: [ListingQuery: [UInt8]] = [:]
        var byteCount = 0
    }

    private static let bytesMax = 8 << 20
    /// Pages of longer queries are not kept.
    private static let queryBytesMax = 512

    private let kept = Mutex(Kept())

    func page(for query: ListingQuery, in state: State) -> [UInt8]? {
        kept.withLock { $0.state?.holds(at: state) == true ? $0.pages[query] : nil }
    }

    /// Keeps a page that was made after `state` was read.
    func keep(_ page: [UInt8], for query: ListingQuery, in state: State) {
        guard query.byteCount <= Self.queryBytesMax else { return }
        kept.withLock { kept in
            let byteCount = page.count + 2 * Self.queryBytesMax
            let isFull = kept.byteCount + byteCount > Self.bytesMax
            if isFull || kept.state?.holds(at: state) != true { kept = Kept(state: state) }
            guard kept.pages.updateValue(page, forKey: query) == nil else { return }
            kept.byteCount += byteCount
        }
    }
}
