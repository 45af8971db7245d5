import Keys
import Market

/// Decides when mail of the outbox is tried, and whether it stays there.
///
/// Laws:
/// - A pass takes the mail that is due. The first pass after the start, a sign-in or a new link takes
///   all mail.
/// - Accounts take turns in a pass, and the recipients of each account. A pass tries at most `batchMax`
///   messages, and of these `recipientBatchMax` from one account to one recipient.
/// - New links start at most one pass a second.
/// - The time to the next attempt is `retryMin`, doubled with each attempt, and at most `retryMax`.
///   An attempt that fails in any way counts like the others.
/// - Mail stays until all homes have it or it has expired, and then until its account was told.
struct MailOutbox: Sendable {
    /// What becomes of mail after an attempt.
    enum Outcome: Equatable, Sendable {
        case finished
        case retry(at: Timestamp)
    }

    /// From whom to whom mail goes.
    struct Route: Hashable, Sendable {
        let account: Address
        /// The recipient's address as text; empty if it cannot be read.
        let recipient: String
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

    /// Chooses which mail a pass tries.
    ///
    /// - Parameter due: The routes of the mail that is due, the longest due first.
    /// - Returns: The chosen mail, each as its index in `due`.
    func turns(of due: [Route]) -> [Int] {
        var counts: [Route: Int] = [:]
        var byAccount: [Address: [(Int, Int)]] = [:]
        for (index, route) in due.enumerated() {
            let place = counts[route, default: 0]
            counts[route] = place + 1
            if place < settings.recipientBatchMax {
                byAccount[route.account, default: []].append((place, index))
            }
        }
        // The recipients of an account take turns, and then the accounts.
        let turns = byAccount.values.flatMap { mail in
            mail.sorted(by: <).enumerated().map { ($0.offset, $0.element.1) }
        }
        return turns.sorted(by: <).prefix(settings.batchMax).map { $0.1 }
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
        return .retry(at: nextAttempt(after: attempts, at: now))
    }

    /// Returns when mail is tried again, also after an attempt that failed.
    func nextAttempt(after attempts: UInt32, at now: Timestamp) -> Timestamp {
        let wait = settings.retryMin * (1 << Int(min(attempts, 10)))
        return now.advanced(by: min(settings.retryMax, wait))
    }
}
