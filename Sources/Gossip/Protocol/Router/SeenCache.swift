import DequeModule

/// Ids seen lately, so that nothing is judged or forwarded twice.
package struct SeenCache: Sendable {
    private let life: Duration
    private let countMax: Int
    private var times: [MessageID: Moment] = [:]
    private var order: Deque<(id: MessageID, at: Moment)> = []

    package init(life: Duration, countMax: Int) {
        (self.life, self.countMax) = (life, countMax)
    }

    package func contains(_ id: MessageID) -> Bool { times[id] != nil }

    /// Answers `false` if it was there already.
    package mutating func insert(_ id: MessageID, at now: Moment) -> Bool {
        guard times[id] == nil else { return false }
        times[id] = now
        order.append((id, now))
        if order.count > countMax { removeOldest() }
        return true
    }

    /// Makes room for the same message to be judged again.
    package mutating func remove(_ id: MessageID) {
        times[id] = nil
    }

    package mutating func expire(at now: Moment) {
        while let oldest = order.first, oldest.at + life <= now { removeOldest() }
    }

    private mutating func removeOldest() {
        guard let oldest = order.popFirst() else { return }
        // Removed and seen again since, an id is as old as its later place says.
        if times[oldest.id] == oldest.at { times[oldest.id] = nil }
    }
}
