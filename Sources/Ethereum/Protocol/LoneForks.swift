/// Records which endpoints are on a fork that others contradict, and since when.
///
/// Pure: the caller passes the time. In a reorganisation the endpoints change over one after the
/// other. One that is early or late says nothing false, so it is left for a while, and is mistrusted
/// only if it is alone again after that.
///
/// Source: Docs/operations.md, section 5.5 "Endpoints that differ".
package struct LoneForks: Sendable {
    private let patience: Duration
    private var seen: [EndpointName: (first: Duration, last: Duration)] = [:]

    /// - Parameter patience: How long an endpoint may be alone.
    package init(patience: Duration) { self.patience = patience }

    /// Records that others contradict an endpoint's fork.
    ///
    /// - Returns: Whether it has been alone for too long. What is long past does not count.
    package mutating func saw(_ endpoint: EndpointName, at now: Duration) -> Bool {
        let before = seen[endpoint].flatMap { now - $0.last > patience * 3 ? nil : $0 }
        let first = before?.first ?? now
        seen[endpoint] = (first, now)
        return now - first >= patience
    }

    /// Records that another endpoint has the same chain as this one.
    package mutating func joined(_ endpoint: EndpointName) { seen[endpoint] = nil }
}
