package import Foundation

/// A source of dates, which tests can replace.
package protocol WallClock: Sendable {
    /// The machine's date. It can jump, and decides nothing that the chain decides.
    var now: Date { get }
}

extension WallClock {
    /// Unix time in whole seconds.
    package var unixSeconds: Int64 { Int64(now.timeIntervalSince1970) }
}

/// The machine's own wall clock.
package struct SystemWallClock: WallClock {
    package init() {}

    package var now: Date { Date() }

    /// Unix time in whole seconds, for functions that take one.
    package static let seconds: @Sendable () -> Int64 = { SystemWallClock().unixSeconds }
}

extension WallClock where Self == SystemWallClock {
    /// The machine's own wall clock.
    package static var system: Self { SystemWallClock() }
}
