/// Collects the findings that endpoints withhold something, until the listener is told, and decides
/// which of them are logged.
///
/// Pure: the caller passes the time.
package struct NoticeQueue: Sendable {
    private let loggedAgain: Duration
    private var notices: [EndpointNotice] = []
    /// When each endpoint was last logged.
    private var loggedAt: [EndpointName: Duration] = [:]

    /// - Parameter loggedAgain: How long until the same endpoint is logged again.
    package init(loggedAgain: Duration) { self.loggedAgain = loggedAgain }

    /// Adds a finding.
    ///
    /// - Returns: Whether to log it.
    package mutating func add(_ notice: EndpointNotice, at now: Duration) -> Bool {
        notices.append(notice)
        let last = loggedAt[notice.endpoint]
        guard last.map({ now - $0 >= loggedAgain }) ?? true else { return false }
        loggedAt[notice.endpoint] = now
        return true
    }

    /// Returns the findings since the last call.
    package mutating func take() -> [EndpointNotice] {
        defer { notices = [] }
        return notices
    }
}
