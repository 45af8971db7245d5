/// Records which endpoints are on a fork that others contradict, and since when.
///
/// Pure: the caller passes the time. In a reorganisation the endpoints change over one after the
/// other. One that is early or late says nothing false, so it is left for a while, and is
/// mistrusted only if it is alone again after that. One whose newest block others have later has
/// left its fork.
///
/// Source: Docs/operations.md, section 5.5 "Endpoints that differ".
package struct LoneForks: Sendable {
    private struct Fork {
        let first: Duration
        let last: Duration
        /// The newest block of the endpoint, as long as it is not known whether others have it.
        var head: BlockID?
    }

    private let patience: Duration
    private var seen: [EndpointName: Fork] = [:]

    /// - Parameter patience: How long an endpoint may be alone.
    package init(patience: Duration) { self.patience = patience }

    /// Records that others contradict an endpoint's fork.
    ///
    /// - Returns: Whether it has been alone for too long. What is long past does not count.
    package mutating func saw(_ endpoint: EndpointName, at now: Duration) -> Bool {
        let before = seen[endpoint].flatMap { counts($0, at: now) ? $0 : nil }
        let first = before?.first ?? now
        seen[endpoint] = Fork(first: first, last: now)
        return now - first >= patience
    }

    /// Records that another endpoint has the same chain as this one.
    package mutating func joined(_ endpoint: EndpointName) { seen[endpoint] = nil }

    /// Returns the endpoints that were alone, of which it is not known that they have joined.
    package func alone(at now: Duration) -> [EndpointName] {
        seen.filter { counts($0.value, at: now) }.map(\.key)
            .sorted { $0.description < $1.description }
    }

    /// Records the newest block of an endpoint that was alone, unless an earlier one is still to be
    /// compared: others may have that one first.
    package mutating func told(_ head: BlockID, by endpoint: EndpointName) {
        if seen[endpoint]?.head == nil { seen[endpoint]?.head = head }
    }

    /// Compares the blocks of endpoints that were alone with those that two endpoints have.
    ///
    /// A head that only this endpoint has, however many honest blocks are below it, does not end
    /// its fork.
    ///
    /// - Parameter isShared: Whether two endpoints have a block; `nil` if they do not have its
    ///   height.
    package mutating func compare(_ isShared: (BlockID) -> Bool?) {
        for (endpoint, fork) in seen {
            guard let head = fork.head, let isShared = isShared(head) else { continue }
            if isShared { seen[endpoint] = nil } else { seen[endpoint]?.head = nil }
        }
    }

    private func counts(_ fork: Fork, at now: Duration) -> Bool {
        now - fork.last <= patience * 3
    }
}
