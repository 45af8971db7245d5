import DequeModule

/// Recently seen ids, so that no message is validated or forwarded twice.
package struct SeenCache: Sendable {
    private let life: Duration
    private let countMax: Int
    private var times: [MessageID: Moment] = [:]
    private var order: Deque<(id: MessageID, at: Moment)> = []

    package init(life: Duration, countMax: Int) {
        (self.life, self.countMax) = (life, countMax)
    }

    package func contains(_ id: MessageID) -> Bool { times[id] != nil }

    /// Adds an id; returns `false` if it was present already.
    package mutating func insert(_ id: MessageID, at now: Moment) -> Bool {
        guard times[id] == nil else { return false }
        times[id] = now
        order.append((id, now))
        if order.count > countMax { removeOldest() }
        return true
    }

    /// Removes an id, so that the same message can be validated again.
    package mutating func remove(_ id: MessageID) {
        times[id] = nil
    }

    package mutating func expire(at now: Moment) {
        while let oldest = order.first, oldest.at + life <= now { removeOldest() }
    }

    private mutating func removeOldest() {
        guard let oldest = order.popFirst() else { return }
        // If an id was removed and seen again, its later entry in `order` decides.
        if times[oldest.id] == oldest.at { times[oldest.id] = nil }
    }
}
