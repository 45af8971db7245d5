/// The time that each owner has taken recently.
///
/// A twentieth of the time that passes is forgotten, and at most half a minute is remembered.
///
/// Pure: its callers tell it the time.
struct RecentTime<Owner: Hashable & Sendable>: Sendable {
    /// How long a time counts, as a multiple of it.
    private static var memory: Int { 20 }
    /// How long it counts at most.
    private static var memoryMax: Duration { .seconds(600) }

    /// When the time that an owner took counts no longer.
    private var ends: [Owner: Duration] = [:]

    /// Returns the time that an owner took and that still counts.
    func time(of owner: Owner, at now: Duration) -> Duration {
        max((ends[owner] ?? now) - now, .zero) / Self.memory
    }

    mutating func add(_ time: Duration, of owner: Owner, at now: Duration) {
        ends = ends.filter { $0.value > now }
        ends[owner] = min((ends[owner] ?? now) + time * Self.memory, now + Self.memoryMax)
    }
}
