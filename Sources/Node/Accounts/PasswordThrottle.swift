import Foundation
import Keys

/// Remembers which askers gave wrong passwords, and makes them wait.
///
/// Pure: the caller passes the time. Counts by asker and not by account, so that guessing at an
/// account does not lock out its owner. ``DerivationQueue`` limits how fast many askers together
/// can guess.
///
/// Source: Docs/operations.md, section "API".
struct PasswordThrottle: Sendable {
    /// Wrong passwords before an asker has to wait.
    static let triesMax = 5
    /// The longest wait, in seconds.
    static let waitMax: TimeInterval = 300
    /// How long wrong passwords are remembered after the last one, in seconds.
    static let memory: TimeInterval = 3_600
    static let askersMax = 4_096

    private struct Failures {
        var count = 0
        var until = Date.distantPast
        var forgottenAt = Date.distantPast
        /// The one account that all attempts were for; `nil` for several or an unknown one.
        var account: Address?
    }

    private var guesses: [Asker: Failures] = [:]

    /// The number of askers that are remembered.
    var count: Int { guesses.count }

    /// Returns how long an asker's next attempt must wait, or `nil` if it need not.
    func wait(for asker: Asker, at now: Date) -> TimeInterval? {
        guard let until = guesses[asker]?.until, until > now else { return nil }
        return until.timeIntervalSince(now)
    }

    /// Records a wrong password; from the fifth on, each doubles the wait, up to five minutes.
    ///
    /// `account` is the account that the attempt was for; `nil` for an unknown name.
    mutating func fail(_ asker: Asker, on account: Address?, at now: Date) {
        guard asker != .operator else { return }
        var own = guesses[asker] ?? Failures(account: account)
        if own.forgottenAt <= now { own = Failures(account: account) }
        own.count += 1
        if own.account != account { own.account = nil }
        if own.count >= Self.triesMax {
            let doublings = Double(min(own.count - Self.triesMax, 16))
            own.until = now.addingTimeInterval(min(Self.waitMax, pow(2, doublings)))
        }
        own.forgottenAt = now.addingTimeInterval(Self.memory)
        guesses[asker] = own
        makeRoom(at: now)
    }

    /// Forgets an asker's wrong passwords, if all were for the account that it has opened now.
    ///
    /// An asker that guesses at another account gains nothing by opening its own in between.
    mutating func succeed(_ asker: Asker, on account: Address) {
        if guesses[asker]?.account == account { guesses[asker] = nil }
    }

    /// Drops askers that need not be remembered, then those with the fewest wrong passwords.
    private mutating func makeRoom(at now: Date) {
        guard guesses.count > Self.askersMax else { return }
        guesses = guesses.filter { $0.value.forgottenAt > now }
        while guesses.count > Self.askersMax {
            let mildest = guesses.min {
                ($0.value.count, $0.value.forgottenAt) < ($1.value.count, $1.value.forgottenAt)
            }
            guard let mildest else { return }
            guesses[mildest.key] = nil
        }
    }
}
