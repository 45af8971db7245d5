import NIOCore

/// The limits of the connections of one port, in number and time.
///
/// Source: Docs/limits.md, section 3.1.
struct ConnectionLimits: Equatable, Sendable {
    /// From this machine; no other connections count among them.
    var hereMax = 256
    /// From all other machines.
    var elsewhereMax = 256
    /// From one network elsewhere.
    var networkMax = 32
    /// From the connection's start to the end of its first request's head.
    var head = TimeAmount.seconds(10)
    /// Between two parts of a body.
    var gap = TimeAmount.seconds(10)
    /// The pace of a body, in bytes a second.
    ///
    /// A file of 15 MiB takes at most 16 minutes.
    var bodyBytesPerSecond: Int64 = 16 * 1_024
    /// How long a body may be slower than its pace: from its start, and after bytes that were
    /// faster.
    var bodyGrace = TimeAmount.seconds(30)
    /// From an answer to the end of the next request's head.
    ///
    /// Longer than clients keep an idle connection for reuse, so that the client is the one to end
    /// it.
    var idle = TimeAmount.seconds(75)
    /// From the last answer of a connection until the client hangs up.
    var quiesce = TimeAmount.seconds(2)
    /// While an answer waits for its client to read it.
    var unread = TimeAmount.seconds(60)

    /// Returns the API's limits, for a process that can have this many files open.
    static func api(files: Int) -> ConnectionLimits {
        precondition(files > 0)
        var limits = ConnectionLimits()
        limits.hereMax = max(8, min(limits.hereMax, files / 8))
        limits.elsewhereMax = max(8, min(limits.elsewhereMax, files / 8))
        limits.networkMax = max(4, min(limits.networkMax, limits.elsewhereMax / 4))
        return limits
    }

    /// Returns the limits of the port for health and metrics.
    static func health(files: Int) -> ConnectionLimits {
        var limits = api(files: files)
        limits.hereMax = max(8, limits.hereMax / 4)
        limits.elsewhereMax = max(8, limits.elsewhereMax / 4)
        limits.networkMax = max(4, limits.networkMax / 4)
        return limits
    }
}
