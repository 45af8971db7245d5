import Glibc

/// The machine's idea of the date, which certificates are checked against.
package enum WallClock {
    /// Unix time in seconds.
    package static let seconds: @Sendable () -> Int64 = { Int64(time(nil)) }
}
