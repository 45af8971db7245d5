package import Keys

/// Records which contracts' logs are read again, because a part of their state differs from their
/// events, and how far.
///
/// Pure: the caller compares the blocks, and reports what it found in them.
///
/// Source: Docs/operations.md, section 5.3.
package struct RepairQueue: Sendable {
    /// A part of a contract's state that differs from its events, and the blocks that are still
    /// compared.
    package struct Repair: Equatable, Sendable {
        package let subject: Bytes32
        package let contract: Address
        /// The block that is read next.
        package fileprivate(set) var next: UInt64
        /// Where reading begins again if the first blocks show no difference.
        fileprivate var earlier: UInt64?
    }

    private let unexplainedMax: Int
    private var repairs: [Repair] = []
    private var unexplained: Set<Bytes32> = []

    /// - Parameter unexplainedMax: The maximum number of parts that are remembered because no log
    ///   explains them; beyond that, all are forgotten.
    package init(unexplainedMax: Int) { self.unexplainedMax = unexplainedMax }

    /// The repair that is under way.
    package var first: Repair? { repairs.first }

    /// Returns whether no log explains the state of a part, although all were read again.
    package func isUnexplained(_ subject: Bytes32) -> Bool { unexplained.contains(subject) }

    /// Adds a part of a contract, unless it is in the queue.
    ///
    /// - Parameters:
    ///   - subject: The part.
    ///   - contract: The contract.
    ///   - next: The block from which its logs are read.
    ///   - first: The block where reading begins again if these show no difference.
    package mutating func add(
        _ subject: Bytes32,
        in contract: Address,
        from next: UInt64,
        or first: UInt64?
    ) {
        guard !repairs.contains(where: { $0.subject == subject }) else { return }
        let earlier = first.flatMap { $0 < next ? $0 : nil }
        repairs.append(Repair(subject: subject, contract: contract, next: next, earlier: earlier))
    }

    /// Records that the blocks up to a height show no difference.
    package mutating func passed(_ height: UInt64) { repairs[0].next = height + 1 }

    /// Records that no applied block shows a difference.
    ///
    /// - Returns: Whether all were read, so that no log explains it; otherwise reading begins again
    ///   further below.
    package mutating func endedAtHead() -> Bool {
        if let earlier = repairs[0].earlier {
            (repairs[0].next, repairs[0].earlier) = (earlier, nil)
            return false
        }
        if unexplained.count >= unexplainedMax { unexplained = [] }
        unexplained.insert(repairs.removeFirst().subject)
        return true
    }

    /// Records that a block differs, which explains the state.
    package mutating func explained() { unexplained.remove(repairs.removeFirst().subject) }

    /// Removes the first repair, since the endpoint cannot say.
    ///
    /// - Returns: Its part; `nil` if there is none.
    package mutating func gaveUp() -> Bytes32? {
        repairs.isEmpty ? nil : repairs.removeFirst().subject
    }
}
