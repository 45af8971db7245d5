import Synchronization

/// What all links of the node together hold in memory for their peers.
final class NodeBudget: Sendable {
    private let unreadMax: Int
    private let linkShare: Int
    private let grownMax: Int
    private let unread = Atomic<Int>(0)
    private let grown = Atomic<Int>(0)

    init(limits: LinkLimits) {
        unreadMax = limits.unreadBytesMax
        linkShare = limits.unreadShareBytes
        grownMax = limits.grownBytesMax
    }

    /// What windows may still grow by.
    var allowance: Int { max(0, grownMax - grown.load(ordering: .relaxed)) }

    /// Counts growth of windows, or its return.
    func grow(by change: Int) {
        grown.wrappingAdd(change, ordering: .relaxed)
    }

    /// Counts bytes that wait for a reader; `false` where they are too many.
    ///
    /// One link may fill half of what there is. The other half is in equal shares, so that peers
    /// whose bytes nobody reads cannot take the others' place.
    func hold(_ byteCount: Int, ofLinkHolding linkBytes: Int) -> Bool {
        let all = unread.wrappingAdd(byteCount, ordering: .relaxed).newValue
        return all <= unreadMax / 2 || (linkBytes <= linkShare && all <= unreadMax)
    }

    func release(_ byteCount: Int) {
        unread.wrappingSubtract(byteCount, ordering: .relaxed)
    }
}
