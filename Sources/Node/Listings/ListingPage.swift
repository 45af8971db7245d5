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

/// Pages that were asked for a moment ago, for as long as they say what this node knows.
final class ListingPages: Sendable {
    /// What pages depend on.
    struct State: Equatable, Sendable {
        /// The store's last change.
        let change: UInt64
        /// The newest block of the chain that was applied.
        let block: BlockID?
        let time: Timestamp

        /// Whether a page of a state is still right: listings also end by time alone.
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

    private let kept = Mutex(Kept())

    func page(for query: ListingQuery, in state: State) -> [UInt8]? {
        kept.withLock { $0.state?.holds(at: state) == true ? $0.pages[query] : nil }
    }

    /// Keeps a page that was made after `state` was read.
    func keep(_ page: [UInt8], for query: ListingQuery, in state: State) {
        kept.withLock { kept in
            let isFull = kept.byteCount + page.count > Self.bytesMax
            if isFull || kept.state?.holds(at: state) != true { kept = Kept(state: state) }
            kept.pages[query] = page
            kept.byteCount += page.count
        }
    }
}
