package import Foundation
package import Keys

/// Remembers which callers gave wrong passwords, and makes them wait.
///
/// Pure: the caller passes the time. Counts by caller and not by account, so that guessing at an
/// account does not lock out its owner. ``DerivationQueue`` limits how fast many callers together
/// can guess.
///
/// Source: Docs/limits.md, section 3.2.
package struct PasswordThrottle: Sendable {
    /// Wrong passwords before a caller has to wait.
    package static let triesMax = 5
    /// The longest wait, in seconds.
    package static let waitMax: TimeInterval = 300
    /// How long wrong passwords are remembered after the last one, in seconds.
    package static let memory: TimeInterval = 3_600
    package static let callersMax = 4_096

    private struct Failures {
        var count = 0
        var until = Date.distantPast
        var forgottenAt = Date.distantPast
        /// The one account that all attempts were for; `nil` for several or an unknown one.
        var account: Address?
    }

    private var guesses: [CallerGroup: Failures] = [:]

    package init() {}

    /// The number of callers that are remembered.
    package var count: Int { guesses.count }

    /// Returns how long a caller's next attempt must wait, or `nil` if it need not.
    package func wait(for caller: CallerGroup, at now: Date) -> TimeInterval? {
        guard let until = guesses[caller]?.until, until > now else { return nil }
        return until.timeIntervalSince(now)
    }

    /// Records a wrong password; from the fifth on, each doubles the wait, up to five minutes.
    ///
    /// `account` is the account that the attempt was for; `nil` for an unknown name.
    package mutating func fail(_ caller: CallerGroup, on account: Address?, at now: Date) {
        guard caller != .operator else { return }
        var own = guesses[caller] ?? Failures(account: account)
        if own.forgottenAt <= now { own = Failures(account: account) }
        own.count += 1
        if own.account != account { own.account = nil }
        if own.count >= Self.triesMax {
            let doublings = Double(min(own.count - Self.triesMax, 16))
            own.until = now.addingTimeInterval(min(Self.waitMax, pow(2, doublings)))
        }
        own.forgottenAt = now.addingTimeInterval(Self.memory)
        guesses[caller] = own
        makeRoom(at: now)
    }

    /// Forgets a caller's wrong passwords, if all were for the account that it has opened now.
    ///
    /// A caller that guesses at another account gains nothing by opening its own in between.
    package mutating func succeed(_ caller: CallerGroup, on account: Address) {
        if guesses[caller]?.account == account { guesses[caller] = nil }
    }

    /// Drops callers that need not be remembered, then those with the fewest wrong passwords.
    private mutating func makeRoom(at now: Date) {
        guard guesses.count > Self.callersMax else { return }
        guesses = guesses.filter { $0.value.forgottenAt > now }
        while guesses.count > Self.callersMax {
            let mildest = guesses.min {
                ($0.value.count, $0.value.forgottenAt) < ($1.value.count, $1.value.forgottenAt)
            }
            guard let mildest else { return }
            guesses[mildest.key] = nil
        }
    }
}
