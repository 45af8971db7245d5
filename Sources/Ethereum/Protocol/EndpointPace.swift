/// Keeps the calls to one endpoint within a number a second.
///
/// Pure: the caller passes in the time. After a pause, a second's worth of calls may run at once.
///
/// Source: the generic cell rate algorithm (ITU-T I.371, annex A).
struct EndpointPace {
    private static let burst = Duration.seconds(1)

    private let interval: Duration?
    /// When the calls made so far will have taken their time.
    private var due: Duration?

    /// Creates a pace of `callsPerSecond`; `nil` for no limit.
    init(callsPerSecond: Int?) {
        interval = callsPerSecond.map { .seconds(1) / max(1, $0) }
    }

    /// Reserves some calls.
    ///
    /// - Returns: How long to wait before they are sent; `nil` if that is longer than `waitMax`.
    ///   Then nothing is reserved.
    mutating func reserve(_ calls: Int, at uptime: Duration, waitMax: Duration) -> Duration? {
        guard let interval else { return .zero }
        let start = max(due ?? uptime - Self.burst, uptime - Self.burst)
        let pause = max(.zero, start - uptime)
        guard pause <= waitMax else { return nil }
        due = start + interval * calls
        return pause
    }
}
