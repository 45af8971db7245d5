package import Keys
package import Market

/// Decides which messages of the request box are reported to an account as events.
///
/// Strangers must not push events about the account's own affairs out of its log.
///
/// Laws: of the messages in one interval, the first `requestEventsMax` are reported. An interval
/// begins with the first message after the last one ended. All keys are accounts of this node.
package struct RequestEvents: Sendable {
    private let settings: ChatSettings
    private var counts: [Address: (count: Int, until: Timestamp)] = [:]

    package init(_ settings: ChatSettings) {
        self.settings = settings
    }

    /// Counts one more message, and returns whether it is reported.
    package mutating func takeNext(of account: Address, at now: Timestamp) -> Bool {
        var counted = counts[account] ?? (0, now)
        if counted.until <= now {
            counted = (0, now.advanced(by: settings.requestEventsInterval))
        }
        counted.count += 1
        counts[account] = counted
        return counted.count <= settings.requestEventsMax
    }
}
