/// Asks regularly whether the peer is there, and measures how long its answer takes.
struct YamuxPings: Sendable {
    enum Outcome: Equatable {
        case nothing
        case ping(UInt32)
        case silent
    }

    private var asked: (number: UInt32, at: Moment)?
    private var lastAskedAt: Moment?

    /// Asks with `number`, if it is time to ask; the peer must not be able to guess it, or it could
    /// answer before it was asked and pass for quicker than it is.
    mutating func tick(_ number: UInt32, at now: Moment, limits: YamuxLimits) -> Outcome {
        if let asked {
            return now < asked.at + limits.pingAnswerMax ? .nothing : .silent
        }
        if let lastAskedAt, now < lastAskedAt + limits.pingInterval { return .nothing }
        asked = (number, now)
        lastAskedAt = now
        return .ping(number)
    }

    /// Takes an answer; one that was not asked for is `nil`.
    mutating func answered(_ number: UInt32, at now: Moment) -> Duration? {
        guard let asked, asked.number == number else { return nil }
        self.asked = nil
        return now.sinceStart - asked.at.sinceStart
    }
}
