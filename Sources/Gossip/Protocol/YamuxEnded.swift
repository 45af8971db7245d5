import DequeModule

/// Streams that are over, and how many bytes their peer may still have on the way to each.
///
/// A peer learns of a reset only after a while; what it sent before is dropped, within the window
/// it had. Data for a number that is not in here was never allowed. Bounded: the oldest are
/// forgotten first.
struct YamuxEnded: Sendable {
    private let countMax: Int
    private var credits: [UInt32: Int] = [:]
    private var order: Deque<UInt32> = []

    init(countMax: Int) {
        self.countMax = countMax
    }

    var count: Int { credits.count }

    /// Remembers that the stream of this number is over.
    mutating func insert(_ number: UInt32, credit: Int) {
        guard credit > 0 else {
            credits[number] = nil
            return
        }
        if credits.updateValue(credit, forKey: number) == nil { order.append(number) }
        // Removed entries leave their place in the order behind, at most one for each insertion.
        while order.count > countMax, let oldest = order.popFirst() { credits[oldest] = nil }
    }

    /// Takes bytes that come late for `number`; `false` if its peer may send no more.
    mutating func take(_ byteCount: Int, on number: UInt32) -> Bool {
        guard let credit = credits[number], byteCount <= credit else { return false }
        credits[number] = credit - byteCount
        return true
    }

    /// The peer sends nothing more on `number`, or uses it again.
    mutating func remove(_ number: UInt32) {
        credits[number] = nil
    }
}
