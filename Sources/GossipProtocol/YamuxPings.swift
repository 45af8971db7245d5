/// The pings of one link: sends them regularly, and measures the round trip.
struct YamuxPings: Sendable {
    enum Outcome: Equatable {
        case nothing
        case ping(UInt32)
        case silent
    }

    private var asked: (number: UInt32, at: Moment)?
    private var lastAskedAt: Moment?

    /// Sends a ping with `number` if one is due.
    ///
    /// The number must be unpredictable: otherwise a peer could answer before it was asked, and
    /// seem quicker than it is.
    mutating func tick(_ number: UInt32, at now: Moment, limits: YamuxLimits) -> Outcome {
        if let asked {
            return now < asked.at + limits.pingAnswerMax ? .nothing : .silent
        }
        if let lastAskedAt, now < lastAskedAt + limits.pingInterval { return .nothing }
        asked = (number, now)
        lastAskedAt = now
        return .ping(number)
    }

    /// Returns the round trip of an answer; `nil` if it was not asked for.
    mutating func answered(_ number: UInt32, at now: Moment) -> Duration? {
        guard let asked, asked.number == number else { return nil }
        self.asked = nil
        return now.sinceStart - asked.at.sinceStart
    }
}
