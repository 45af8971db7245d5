import DequeModule

/// Ended streams, with the number of bytes that the peer may still send to each.
///
/// A peer learns of a reset with a delay; data it sent before that is dropped, within the window it
/// had. Data for a number that is not in this table was never allowed. Bounded: the oldest entries
/// are removed first.
struct YamuxEndedStreams: Sendable {
    private let countMax: Int
    private var credits: [UInt32: Int] = [:]
    private var order: Deque<UInt32> = []

    init(countMax: Int) {
        self.countMax = countMax
    }

    var count: Int { credits.count }

    /// Records that the stream with this number has ended.
    mutating func insert(_ number: UInt32, credit: Int) {
        guard credit > 0 else {
            credits[number] = nil
            return
        }
        if credits.updateValue(credit, forKey: number) == nil { order.append(number) }
        // Removed numbers stay in `order`, at most one for each insertion.
        while order.count > countMax, let oldest = order.popFirst() { credits[oldest] = nil }
    }

    /// Accepts late bytes for `number`; `false` if the peer may not send them.
    mutating func take(_ byteCount: Int, on number: UInt32) -> Bool {
        guard let credit = credits[number], byteCount <= credit else { return false }
        credits[number] = credit - byteCount
        return true
    }

    /// Records that the peer sends nothing more on `number`, or uses it again.
    mutating func remove(_ number: UInt32) {
        credits[number] = nil
    }
}
