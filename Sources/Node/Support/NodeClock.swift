package import Foundation

/// Tells services the time, so that tests can.
package protocol NodeClock: Sendable {
    /// The wall clock's time; it may jump, and is never used for what the chain decides.
    var now: Date { get }
}

/// The machine's own clock.
package struct SystemClock: NodeClock {
    package init() {}

    package var now: Date { Date() }
}
