/// Decides when a connection that ended may be opened again.
///
/// Pure: the caller passes in what happened and when. A connection over which an answer came may be
/// opened again at once. Otherwise the pause doubles with each failure.
struct ReconnectPace {
    private let first: Duration
    private let last: Duration
    private var failures = 0
    /// `nil` if the connection may be opened at once.
    private var retryAt: Duration?
    private var reason = ""
    private var isOfUse = false

    init(first: Duration, last: Duration) { (self.first, self.last) = (first, last) }

    /// Records that an answer arrived over the connection.
    mutating func wasOfUse() { isOfUse = true }

    /// Records that the connection ended, or could not be opened.
    mutating func ended(_ error: RPCTransportError, at uptime: Duration) {
        failures = isOfUse ? 0 : failures + 1
        reason = "\(error)"
        retryAt = failures == 0 ? nil : uptime + min(first * (1 << min(failures - 1, 16)), last)
        isOfUse = false
    }

    /// Returns why no connection may be opened now; `nil` if one may.
    func reason(at uptime: Duration) -> String? {
        guard let retryAt, uptime < retryAt else { return nil }
        let seconds = max(1, (retryAt - uptime).components.seconds)
        return "\(reason); it is tried again in \(seconds) s"
    }
}
