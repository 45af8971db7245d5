import Market

/// Decides when mail of the outbox is tried, and whether it stays there.
///
/// Laws:
/// - A pass takes the mail that is due. The first pass after the start, a sign-in or a new link takes
///   all mail.
/// - New links start at most one pass a second.
/// - The time to the next attempt is `retryMin`, doubled with each attempt, and at most `retryMax`.
/// - Mail stays until all homes have it or it has expired, and then until its account was told.
struct MailOutbox: Sendable {
    /// What becomes of mail after an attempt.
    enum Outcome: Equatable, Sendable {
        case finished
        case retry(at: Timestamp)
    }

    private let settings: ChatSettings
    private var isAllDue = true
    private var linkedAt = Timestamp(milliseconds: 0)

    init(_ settings: ChatSettings) {
        self.settings = settings
    }

    /// Makes all mail due, for example after a sign-in.
    mutating func makeAllDue() { isAllDue = true }

    /// Records a new link, which makes all mail due.
    ///
    /// - Returns: Whether to start a pass for it; if not, the mail waits for the next one.
    mutating func linked(at now: Timestamp) -> Bool {
        isAllDue = true
        guard linkedAt.advanced(by: .seconds(1)) <= now || linkedAt > now else { return false }
        linkedAt = now
        return true
    }

    /// Begins a pass.
    ///
    /// - Returns: The time up to which mail is taken.
    mutating func beginPass(at now: Timestamp) -> Timestamp {
        defer { isAllDue = false }
        return isAllDue ? Timestamp(milliseconds: .max) : now
    }

    /// Returns what becomes of mail after one more attempt.
    ///
    /// - Parameters:
    ///   - attempts: The number of attempts before this one.
    ///   - isComplete: Whether no home needs it any more.
    ///   - isExpired: Whether it had expired by the time of this attempt.
    ///   - isReported: Whether its account knows how far it has come.
    ///   - now: The present time.
    /// - Returns: Whether it leaves the outbox, or when it is tried again.
    func outcome(
        attempts: UInt32,
        isComplete: Bool,
        isExpired: Bool,
        isReported: Bool,
        at now: Timestamp
    ) -> Outcome {
        if isReported, isComplete || isExpired { return .finished }
        let wait = settings.retryMin * (1 << Int(min(attempts, 10)))
        return .retry(at: now.advanced(by: min(settings.retryMax, wait)))
    }
}
